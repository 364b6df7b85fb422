/** The curves of energy and change, on logarithmic scales of their own. */

import { byId, colour } from "./dom";

export type Record_ = [number, number | null, number | null];

export class Chart {
  private canvas = byId<HTMLCanvasElement>("chart");
  private records: Record_[] = [];
  private total = 1;
  private ended = false;
  private asked = false;

  constructor() {
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** Iterations along the chart: a few more than there are, at most those expected. */
  private width(): number {
    const now = this.records[this.records.length - 1]?.[0] ?? 1;
    return Math.max(2, now, Math.min(this.total, Math.max(60, 1.5 * now)));
  }

  /** The run is over: its curve takes the whole width. */
  end(): void {
    this.ended = true;
    this.draw();
  }

  clear(): void {
    this.records = [];
    this.ended = false;
    this.total = 1;
    byId("energy").textContent = byId("change").textContent = "–";
    this.draw();
  }

  add(records: Record_[], total: number): void {
    this.records.push(...records);
    this.total = total;
    const last = this.records[this.records.length - 1];
    if (last) {
      byId("energy").textContent = short(last[1]);
      byId("change").textContent = short(last[2]);
      this.canvas.setAttribute("aria-label", `Iteration ${last[0]}: energy ${short(last[1])}, change ${short(last[2])} pixels`);
    }
    this.ask();
  }

  /** Draw at the next frame, once, however many messages come before it. */
  private ask(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  draw(): void {
    const { canvas } = this;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const context = canvas.getContext("2d");
    if (!context) return;
    context.scale(ratio, ratio);
    context.strokeStyle = colour("line");
    context.beginPath();
    for (const y of [0.5, height / 2, height - 0.5]) {
      context.moveTo(0, Math.round(y) + 0.5);
      context.lineTo(width, Math.round(y) + 0.5);
    }
    context.stroke();
    this.curve(context, 1, colour("accent"), width, height);
    this.curve(context, 2, colour("jump"), width, height);
  }

  private curve(context: CanvasRenderingContext2D, field: 1 | 2, style: string, width: number, height: number): void {
    // Not more points than can be told apart: runs may have a hundred thousand iterations.
    const stride = Math.max(1, Math.floor(this.records.length / (3 * width)));
    const last = this.records.length - 1;
    const known = this.records.filter((record, k) => (record[field] ?? 0) > 0 && (k % stride === 0 || k === last));
    if (!known.length) return;
    const logs = known.map((record) => Math.log10(record[field]!));
    const [low, high] = [Math.min(...logs), Math.max(...logs)];
    const span = Math.max(1e-6, high - low);
    const most = this.ended ? Math.max(2, this.records[last][0]) : this.width();
    context.strokeStyle = context.fillStyle = style;
    context.lineWidth = 1.75;
    context.lineJoin = "round";
    context.beginPath();
    known.forEach((record, k) => {
      const x = ((record[0] - 1) / (most - 1)) * (width - 6) + 3;
      const y = 4 + (1 - (logs[k] - low) / span) * (height - 8);
      if (k) context.lineTo(x, y);
      else context.moveTo(x, y);
      if (k === known.length - 1) context.fillRect(x - 1.5, y - 1.5, 3, 3);
    });
    context.stroke();
  }
}

export function short(value: number | null): string {
  if (value === null) return "–";
  if (value !== 0 && (Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3)) return value.toExponential(2);
  return value.toPrecision(4).replace(/\.?0+$/, "");
}
