/** The map as a picture, and the brush on it. */

import { byId, chosen, onChoice } from "./dom";
import { drawPart, drawPoints, drawStrokes, type Part } from "./map_marks";
import type { Stroke } from "./messages";
import type { Pixel } from "./picking";
import type { Ground } from "./ground";

export class MapView {
  private canvas = byId<HTMLCanvasElement>("map");
  private ground: Ground | null = null;
  private image: ImageData | null = null;
  private current: Stroke | null = null;
  private cursor: { row: number; column: number } | null = null;
  strokes: Stroke[] = [];
  onHover: (cell: { row: number; column: number } | null) => void = () => {};
  onPaint: () => void = () => {};
  /** A click without a brush; whether somebody has asked for it. */
  onPick: (pixel: Pixel) => boolean = () => false;
  private part: Part | null = null;
  private points: Pixel[] = [];

  constructor() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => this.begin(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", () => this.end());
    canvas.addEventListener("pointercancel", () => this.end());
    canvas.addEventListener("pointerleave", () => this.leave());
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("blur", () => this.leave());
    byId("brush-size").addEventListener("input", () => {
      byId("brush-out").textContent = `${this.width()} px`;
    });
    onChoice("tool", (tool) => {
      canvas.dataset.tool = tool;
      byId("brush-row").hidden = tool === "none";
    });
  }

  setGround(ground: Ground, keepStrokes: boolean): void {
    this.ground = ground;
    this.canvas.width = ground.grid.columns;
    this.canvas.height = ground.grid.rows;
    this.image = new ImageData(new Uint8ClampedArray(ground.picture), ground.grid.columns, ground.grid.rows);
    if (!keepStrokes) this.strokes = [];
    this.part = null;
    for (const input of document.querySelectorAll<HTMLInputElement>('input[name="tool"]')) {
      input.disabled = input.value !== "none" && ground.header.view_only;
    }
    this.draw();
  }

  /** Rows and columns of the map; null if there is none. */
  get size(): [number, number] | null {
    return this.ground?.header.size ?? null;
  }

  private width(): number {
    return Number(byId<HTMLInputElement>("brush-size").value);
  }

  /** A cut is a line; the other tools cover an area. */
  private radius(tool: string): number {
    return tool === "force" ? 1 : Math.max(0.5, this.width() / 2);
  }

  /** Other strokes than those that were painted; says nothing to anybody. */
  setStrokes(strokes: Stroke[]): void {
    this.strokes = strokes;
    this.draw();
  }

  /** Mark the pixels of a label, or none. */
  markPart(labels: Int32Array | null, label: number | null): void {
    this.part = labels && label !== null ? { labels, label } : null;
    this.canvas.dataset.part = label === null ? "" : String(label);
    this.draw();
  }

  /** Mark picked points, and the line between them. */
  markPoints(points: Pixel[]): void {
    this.points = points;
    this.draw();
  }


  /** Place in the whole map of a pointer event. */
  private place(event: PointerEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    const [rows, columns] = this.ground!.header.size;
    const clamp = (value: number, most: number) => Math.max(0, Math.min(most - 1, value));
    return [
      clamp(((event.clientY - box.top) / box.height) * rows - 0.5, rows),
      clamp(((event.clientX - box.left) / box.width) * columns - 0.5, columns),
    ];
  }

  private begin(event: PointerEvent): void {
    const tool = chosen("tool") as Stroke["tool"] | "none";
    if (!this.ground || event.button !== 0) return;
    const [row, column] = this.place(event);
    if (this.onPick({ row: Math.round(row), column: Math.round(column) }) || tool === "none") return;
    this.canvas.setPointerCapture(event.pointerId);
    this.current = { tool, radius: this.radius(tool), points: [[row, column]] };
    this.draw();
  }

  private move(event: PointerEvent): void {
    if (!this.ground) return;
    const [row, column] = this.place(event);
    if (this.current) {
      const last = this.current.points[this.current.points.length - 1];
      if (Math.hypot(row - last[0], column - last[1]) >= 0.5) this.current.points.push([row, column]);
      this.draw();
    }
    this.hover(row, column);
  }

  private hover(row: number, column: number): void {
    this.cursor = { row, column };
    this.onHover({ row: Math.round(row), column: Math.round(column) });
    this.draw();
  }

  private end(): void {
    if (!this.current) return;
    this.strokes = [...this.strokes, this.current];
    this.current = null;
    this.draw();
    this.onPaint();
  }

  private leave(): void {
    if (this.current) return;
    this.cursor = null;
    this.onHover(null);
    this.draw();
  }

  /** Arrow keys move a cursor; space begins and ends a stroke. */
  private key(event: KeyboardEvent): void {
    if (!this.ground) return;
    const [rows, columns] = this.ground.header.size;
    const at = this.cursor ?? { row: rows / 2, column: columns / 2 };
    const far = event.shiftKey ? 20 : 4;
    const moves: Record<string, [number, number]> = { ArrowUp: [-far, 0], ArrowDown: [far, 0], ArrowLeft: [0, -far], ArrowRight: [0, far] };
    const by = moves[event.key];
    const tool = chosen("tool") as Stroke["tool"] | "none";
    if (by) {
      const row = Math.max(0, Math.min(rows - 1, at.row + by[0]));
      const column = Math.max(0, Math.min(columns - 1, at.column + by[1]));
      this.current?.points.push([row, column]);
      this.hover(row, column);
    } else if (event.key === " " && this.onPick({ row: Math.round(at.row), column: Math.round(at.column) })) this.draw();
    else if (event.key === " " && this.current) this.end();
    else if (event.key === " " && tool !== "none") {
      this.current = { tool, radius: this.radius(tool), points: [[at.row, at.column]] };
      this.hover(at.row, at.column);
    } else return;
    event.preventDefault();
  }

  draw(): void {
    const context = this.canvas.getContext("2d");
    if (!context || !this.image || !this.ground) return;
    context.putImageData(this.image, 0, 0);
    if (this.part) drawPart(context, this.part);
    const step = this.ground.header.step;
    drawStrokes(context, this.current ? [...this.strokes, this.current] : this.strokes, step);
    drawPoints(context, this.points, step, Math.max(1, this.canvas.width / Math.max(1, this.canvas.clientWidth)));
    if (this.cursor) this.drawCursor(context, step);
    for (const id of ["strokes-clear", "strokes-save"]) byId<HTMLButtonElement>(id).disabled = !this.strokes.length;
    this.canvas.dataset.strokes = String(this.strokes.length);
  }

  private drawCursor(context: CanvasRenderingContext2D, step: number): void {
    const [x, y] = [(this.cursor!.column + 0.5) / step, (this.cursor!.row + 0.5) / step];
    const size = chosen("tool") === "none" ? 3 : Math.max(2, this.radius(chosen("tool")) / step);
    for (const [style, width] of [["#000a", 2.5], ["#fff", 1]] as const) {
      context.strokeStyle = style;
      context.lineWidth = width * Math.max(1, this.canvas.width / this.canvas.clientWidth);
      context.beginPath();
      context.arc(x, y, size, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  /** Mark the pixel that the 3D view points at. */
  point(pixel: { row: number; column: number } | null): void {
    if (!this.ground) return;
    this.cursor = pixel;
    this.draw();
  }
}
