/** Parts whose distance is a guess: shown on the map while pointed at, and moved by hand. */

import { byId, choose, make } from "./dom";
import type { FinishedHeader, Island } from "./messages";

export class Parts {
  private result = "";
  onMark: (label: number | null) => void = () => {};
  onMove: (result: string, label: number, pixels: number) => void = () => {};

  constructor() {
    byId("join").addEventListener("click", () => {
      choose("tool", "forbid");
      byId("drawer").classList.remove("open");
      byId("map").focus();
      byId("map").scrollIntoView({ block: "nearest" });
    });
  }

  clear(): void {
    byId("parts").hidden = true;
    byId("part-list").replaceChildren();
    this.onMark(null);
  }

  show(header: FinishedHeader): void {
    byId("parts").hidden = !header.parts.length;
    const list = byId("part-list");
    const labels = header.parts.map((part) => String(part.label)).join(" ");
    // A part that was moved keeps its slider, and the slider the focus.
    if (this.result === header.result && list.dataset.labels === labels) return this.update(header.parts);
    this.result = header.result;
    list.dataset.labels = labels;
    const reach = Math.max(20, Math.round(Math.sqrt(Math.max(0, ...header.parts.map((part) => part.pixels)))));
    list.replaceChildren(...header.parts.map((part) => this.row(part, reach)));
  }

  private update(parts: Island[]): void {
    for (const part of parts) {
      const input = byId("part-list").querySelector<HTMLInputElement>(`input[data-label="${part.label}"]`);
      if (!input || document.activeElement === input) continue;
      input.value = String(part.moved);
      input.dispatchEvent(new Event("input"));
    }
  }

  private row(part: Island, reach: number): HTMLLIElement {
    const out = make("output", {});
    const name = `Part ${part.label}, ${part.pixels.toLocaleString("en")} px`;
    const input = make("input", { type: "range", min: String(-reach), max: String(reach), step: "0.5", value: String(part.moved) });
    input.dataset.label = String(part.label);
    input.setAttribute("aria-label", `${name}: pixels behind where it was put`);
    const say = () => {
      const by = Number(input.value);
      out.textContent = by ? `${Math.abs(by)} px ${by > 0 ? "back" : "forward"}` : "as found";
    };
    input.addEventListener("input", say);
    input.addEventListener("change", () => this.onMove(this.result, part.label, Number(input.value)));
    say();
    const row = make("li", {}, make("span", { textContent: name }), input, out);
    row.dataset.label = String(part.label);
    for (const event of ["pointerenter", "focusin"]) row.addEventListener(event, () => this.onMark(part.label));
    for (const event of ["pointerleave", "focusout"]) row.addEventListener(event, () => this.onMark(null));
    return row;
  }
}
