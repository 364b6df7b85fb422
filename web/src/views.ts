/** What views A and B show, how it is drawn, and the numbers under the pointer. */

import { byId, choose, make, onChoice } from "./dom";
import { shadings, type Layout, type Stage } from "./stage";
import { type Ground, outside, type Surface } from "./surface";
import { depthUnit } from "./units";

type Cell = { row: number; column: number } | null;

export class Views {
  ground: Ground | null = null;
  /** Whether the views show a surface, not only the flat map. */
  showsSurface = false;

  constructor(
    private stage: Stage,
    private surfaces: ReadonlyMap<string, Surface>,
    private title: (name: string) => string,
  ) {
    this.bind();
  }

  /** The error can be shown only where the truth is known. */
  allowError(known: boolean): void {
    const shading = byId<HTMLSelectElement>("shading");
    shading.querySelector<HTMLOptionElement>('[value="error"]')!.disabled = !known;
    if (!known && shading.value === "error") {
      shading.value = "clay";
      this.stage.shading = 0;
    }
  }

  /** Bring a surface into view A. */
  look(name: string, surface: Surface): void {
    byId<HTMLSelectElement>("view-a").value = name;
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
    const [a, b] = [byId<HTMLSelectElement>("view-a"), byId<HTMLSelectElement>("view-b")];
    if (b.value === a.value) b.value = names.find((name) => name !== a.value) ?? a.value;
    document.body.dataset.surfaces = names.join(" ");
    this.pick();
  }

  private pick(): void {
    const [a, b] = [byId<HTMLSelectElement>("view-a").value, byId<HTMLSelectElement>("view-b").value];
    const drawn = this.showsSurface ? (this.surfaces.get(a) ?? null) : null;
    this.stage.a = drawn;
    this.stage.b = this.showsSurface ? (this.surfaces.get(b) ?? null) : null;
    this.stage.truth = this.surfaces.get("truth") ?? null;
    const two = this.stage.layout !== "one";
    byId("caption-a").textContent = drawn ? this.title(a) : this.ground ? "Normal map" : "";
    byId("caption-b").textContent = this.stage.b ? this.title(b) : "";
    byId("caption-b").hidden = !two;
    byId("pick-b").toggleAttribute("data-hidden", !two);
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
    byId("shading").addEventListener("change", () => {
      this.stage.shading = shadings.indexOf(byId<HTMLSelectElement>("shading").value);
      this.stage.ask();
    });
    byId("show-jumps").addEventListener("change", () => {
      this.stage.jumps = byId<HTMLInputElement>("show-jumps").checked;
      this.stage.ask();
    });
    byId("reset-view").addEventListener("click", () => this.stage.reset(!this.showsSurface));
  }

  /** Depth and normal of a cell, in each view. */
  read(cell: Cell): void {
    const readout = byId("readout");
    const { ground } = this;
    readout.hidden = true;
    if (!cell || !ground || cell.row >= ground.rows || cell.column >= ground.columns) return;
    const at = cell.row * ground.columns + cell.column;
    if (!ground.picture[4 * at + 3]) return;
    const pixel = ground.pixel(cell);
    const lines = [`row ${pixel.row}  column ${pixel.column}`, `normal ${ground.normal(cell).map((x) => x.toFixed(3)).join("  ")}`];
    const views: [string, Surface | null][] = [["A", this.stage.a]];
    if (this.stage.layout !== "one") views.push(["B", this.stage.b]);
    for (const [name, surface] of views) {
      if (surface && surface.heights[at] > outside) {
        const depth = ground.depth(surface.heights[at], surface.level).toPrecision(6);
        lines.push(`depth ${name} ${depth} ${depthUnit(ground.header.camera)}`);
      }
    }
    readout.textContent = lines.join("\n");
    readout.hidden = false;
  }
}
