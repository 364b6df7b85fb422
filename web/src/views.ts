/** What views A and B show, and the numbers under the pointer. */

import { byId, choose, make, onChoice } from "./dom";
import type { Cell } from "./grid";
import type { Ground } from "./ground";
import { showReadout } from "./readout";
import type { Layout, Stage } from "./stage";
import type { Surface } from "./surface";

export class Views {
  ground: Ground | null = null;
  /** Whether the views show a surface, not only the flat map. */
  showsSurface = false;
  /** Other surfaces are shown, by name. */
  onPick: (names: string[]) => void = () => {};

  constructor(
    private stage: Stage,
    private surfaces: ReadonlyMap<string, Surface>,
    private title: (name: string) => string,
  ) {
    this.bind();
  }

  /** Bring a surface into view A. */
  look(name: string, surface: Surface): void {
    byId<HTMLSelectElement>("view-a").value = name;
    this.tellApart();
    if (!this.showsSurface) this.stage.firstSurface(surface);
    this.showsSurface = true;
    this.pick();
  }

  /** Bring a surface into one of the views; the second one opens with a wipe. */
  compare(view: "a" | "b", name: string): void {
    if (!this.surfaces.has(name)) return;
    byId<HTMLSelectElement>(`view-${view}`).value = name;
    if (view === "b" && this.stage.layout === "one") choose("layout", "wipe");
    this.pick();
  }

  fill(): void {
    const names = [...this.surfaces.keys()];
    for (const id of ["view-a", "view-b"]) {
      const select = byId<HTMLSelectElement>(id);
      const before = select.value;
      select.replaceChildren(...names.map((name) => make("option", { value: name, textContent: this.title(name) })));
      select.disabled = !names.length;
      if (names.includes(before)) select.value = before;
    }
    this.tellApart();
    document.body.dataset.surfaces = names.join(" ");
    this.pick();
  }

  /** View B shows another surface than A, if there is one. */
  private tellApart(): void {
    const [a, b] = [byId<HTMLSelectElement>("view-a"), byId<HTMLSelectElement>("view-b")];
    if (b.value === a.value) b.value = [...this.surfaces.keys()].find((name) => name !== a.value) ?? a.value;
  }

  /** Names of the surfaces in view. */
  picked(): string[] {
    if (!this.showsSurface) return [];
    const views = this.stage.layout === "one" && !this.stage.wantsBoth ? ["a"] : ["a", "b"];
    return [...new Set(views.map((view) => byId<HTMLSelectElement>(`view-${view}`).value))].filter(Boolean);
  }

  /** Show what is chosen. */
  pick(): void {
    const [a, b] = [byId<HTMLSelectElement>("view-a").value, byId<HTMLSelectElement>("view-b").value];
    const drawn = this.showsSurface ? (this.surfaces.get(a) ?? null) : null;
    this.stage.a = drawn;
    this.stage.b = this.showsSurface ? (this.surfaces.get(b) ?? null) : null;
    const two = this.stage.layout !== "one";
    byId("caption-a").textContent = drawn ? this.title(a) : this.ground ? "Normal map" : "";
    byId("caption-b").textContent = this.stage.b ? this.title(b) : "";
    byId("caption-b").hidden = !two;
    byId("pick-b").toggleAttribute("data-hidden", !two && !this.stage.wantsBoth);
    this.onPick(this.picked());
    this.stage.ask();
  }

  private bind(): void {
    for (const id of ["view-a", "view-b"]) {
      byId(id).addEventListener("change", () => {
        this.showsSurface = true;
        const surface = this.surfaces.get(byId<HTMLSelectElement>(id).value);
        if (surface && !this.stage.a) this.stage.firstSurface(surface);
        this.pick();
      });
    }
    onChoice("layout", (layout) => {
      this.stage.layout = layout as Layout;
      byId("wipe").hidden = layout !== "wipe";
      this.pick();
    });
    byId("wipe").addEventListener("input", () => {
      this.stage.wipe = Number(byId<HTMLInputElement>("wipe").value) / 1000;
      this.stage.ask();
    });
    byId("reset-view").addEventListener("click", () => {
      this.stage.eye.hold(null);
      this.stage.reset();
    });
  }

  /** Depth and normal of a pixel, in each view. */
  read(pixel: Cell | null): void {
    const { a, b, layout } = this.stage;
    showReadout(this.ground, pixel, layout === "one" ? [a] : [a, b], true);
  }
}
