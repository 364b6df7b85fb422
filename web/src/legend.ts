/** The legend of colours: a bar with numbers in the unit of depths. */

import { byId, make } from "./dom";
import { gradient } from "./ramps";

/** Round numbers between two limits, about as many as asked for. */
export function ticks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough)!;
  const found: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
  return found;
}

/** Numbers with as many digits as tell neighbouring ticks apart. */
export function labels(values: number[]): string[] {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : Math.abs(values[0]) || 1;
  const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(step) + 1e-9)));
  const most = Math.max(...values.map(Math.abs));
  if (most >= 1e6 || digits > 6) return values.map((value) => value.toExponential(2));
  return values.map((value) => (Math.abs(value) < step / 1e6 ? 0 : value).toFixed(digits).replace("-", "−"));
}

export interface Scale {
  title: string;
  unit: string;
  /** Value at the top of the bar, and at its bottom. */
  top: number;
  bottom: number;
  /** Where a value lies: 0 at the top, 1 at the bottom. */
  place: (value: number) => number;
  ramp: string[];
}

export class Legend {
  private box = byId("legend");

  show(scale: Scale | null): void {
    this.box.hidden = !scale;
    if (!scale) return;
    const [low, high] = [Math.min(scale.top, scale.bottom), Math.max(scale.top, scale.bottom)];
    const values = ticks(low, high, 5);
    const texts = labels(values);
    const bar = make("div", { className: "bar-colours" });
    bar.style.background = gradient(scale.ramp, "to bottom");
    const marks = values.map((value, k) => {
      const mark = make("span", { className: "tick", textContent: texts[k] });
      mark.style.top = `${(100 * scale.place(value)).toFixed(2)}%`;
      return mark;
    });
    const title = make("p", { className: "legend-title" }, scale.title, make("span", { className: "unit", textContent: scale.unit }));
    this.box.replaceChildren(title, make("div", { className: "scale" }, bar, ...marks));
    this.box.setAttribute("aria-label", `${scale.title} from ${texts[0]} to ${texts[texts.length - 1]} ${scale.unit}`);
  }
}
