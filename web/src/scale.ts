/** How large things are: the size of a pixel, a distance, or a length between two picked points. */

import { byId } from "./dom";
import type { MapHeader, Scale } from "./messages";
import type { Picking, Pixel } from "./picking";

type Way = "none" | "pixel" | "distance" | "ruler";

export interface ScaleState {
  way: string;
  value: number | null;
  ends: Pixel[];
}

const hints: Record<string, string> = { pixel: "0.02", distance: "400", ruler: "10" };

export class ScalePanel {
  private way = byId<HTMLSelectElement>("scale");
  private value = byId<HTMLInputElement>("scale-value");
  private ends: Pixel[] = [];
  onChange: () => void = () => {};
  onMark: (points: Pixel[]) => void = () => {};

  constructor(private picking: Picking) {
    this.way.addEventListener("change", () => {
      this.draw();
      if (this.way.value === "none") this.onChange();
      else if (this.way.value === "ruler" && this.ends.length < 2) void this.pick();
      else this.value.focus();
      if (this.way.value !== "none" && this.isKnown()) this.onChange();
    });
    this.value.addEventListener("change", () => this.onChange());
    byId("scale-pick").addEventListener("click", () => void this.pick());
  }

  private async pick(): Promise<void> {
    const points = await this.picking.ask(2);
    if (!points) return;
    this.ends = points;
    this.draw();
    this.value.focus();
    this.onChange();
  }

  private isKnown(): boolean {
    return this.value.valueAsNumber > 0 && (this.way.value !== "ruler" || this.ends.length === 2);
  }

  /** What the server is told. */
  scale(): Scale {
    if (!this.isKnown()) return {};
    const value = this.value.valueAsNumber;
    if (this.way.value === "pixel") return { pixel_size: value };
    if (this.way.value === "distance") return { distance: value };
    if (this.way.value !== "ruler") return {};
    const [first, second] = this.ends.map(({ row, column }) => [Math.round(row), Math.round(column)]);
    return { ruler: [first[0], first[1], second[0], second[1], value] };
  }

  state(): ScaleState {
    return { way: this.way.value, value: this.value.value === "" ? null : this.value.valueAsNumber, ends: this.ends };
  }

  restore(state: ScaleState): void {
    this.way.value = state.way;
    this.value.value = state.value === null ? "" : String(state.value);
    this.ends = state.ends;
    this.draw();
  }

  reset(): void {
    this.picking.cancel();
    this.restore({ way: "none", value: null, ends: [] });
  }

  /** A size of pixels goes with parallel rays, a distance with perspective. */
  showMap(header: MapHeader): void {
    const parallel = header.camera.kind === "orthographic";
    this.way.querySelector<HTMLOptionElement>('[value="pixel"]')!.disabled = !parallel;
    this.way.querySelector<HTMLOptionElement>('[value="distance"]')!.disabled = parallel;
    const none = this.way.querySelector<HTMLOptionElement>('[value="none"]')!;
    none.textContent = parallel ? "Not known: pixels" : "Not known: up to scale";
    this.way.disabled = header.view_only;
    this.draw();
  }

  draw(): void {
    const way = this.way.value as Way;
    byId("scale-row").hidden = way === "none";
    const pick = byId("scale-pick");
    pick.hidden = way !== "ruler";
    pick.textContent = this.ends.length === 2 ? "Pick again" : "Pick two points";
    this.value.placeholder = hints[way] ?? "";
    const named: Record<string, string> = { pixel: "Side of a pixel", distance: "Distance to the object", ruler: "Length between the points" };
    this.value.setAttribute("aria-label", `${named[way] ?? "Length"} in millimetres`);
    this.onMark(way === "ruler" ? this.ends : []);
  }
}
