/** The panel of a cross-section: its plot, what it shows, and its table as a file. */

import { byId, make } from "./dom";
import type { Cell } from "./grid";
import { drawPlot, type Series } from "./plot";
import { csvOf, pixelsBetween, sectionOf } from "./section";
import type { Stage } from "./stage";
import type { Surface } from "./surface";
import { svg } from "./svg";

export class Profile {
  private drawing = svg("svg", { class: "plot", role: "img" });
  private key = make("div", { className: "plot-key" });
  private panel = make("section", { className: "profile", hidden: true, id: "profile" });
  private series: Series[] = [];
  private pixels: Cell[] = [];
  private shareAt: (x: number) => number = () => 0;
  /** Which sample the pointer is on. */
  marked: number | null = null;
  onMark: () => void = () => {};

  constructor(
    private stage: Stage,
    private names: () => { a: string; b: string },
    private truth: () => Surface | null,
    close: () => void,
  ) {
    const save = make("button", { type: "button", className: "quiet", textContent: "Save CSV", id: "profile-csv" });
    const end = make("button", { type: "button", className: "quiet", textContent: "Close" });
    save.addEventListener("click", () => this.save());
    end.addEventListener("click", close);
    this.panel.ariaLabel = "Cross-section";
    this.panel.append(make("div", { className: "plot-bar" }, this.key, save, end), this.drawing);
    byId("stage-box").append(this.panel);
    this.drawing.addEventListener("pointermove", (event) => this.mark(this.shareAt(event.offsetX)));
    this.drawing.addEventListener("pointerleave", () => this.mark(null));
    new ResizeObserver(() => this.draw()).observe(this.panel);
  }

  hide(): void {
    this.panel.hidden = true;
    this.marked = null;
  }

  /** The cross-sections of what is shown, and of the truth, between two pixels. */
  show(from: Cell, to: Cell): void {
    const { a, b, layout } = this.stage;
    const names = this.names();
    this.pixels = pixelsBetween(from, to);
    const shown: [string, string, Surface | null][] = [[names.a, "a", a], [names.b, "b", layout === "one" ? null : b], ["Truth", "truth", this.truth()]];
    const seen = new Set<Surface>();
    this.series = [];
    for (const [name, kind, surface] of shown) {
      if (!surface || seen.has(surface)) continue;
      seen.add(surface);
      this.series.push({ name, kind, samples: sectionOf(surface, from, to) });
    }
    this.key.replaceChildren(...this.series.map(({ name, kind }) => make("span", { className: `key-${kind}`, textContent: name })));
    this.panel.hidden = false;
    this.drawing.setAttribute("aria-label", `Depth along a line of ${this.pixels.length} pixels`);
    document.body.dataset.section = String(this.pixels.length);
    this.draw();
  }

  private draw(): void {
    if (this.panel.hidden || !this.series.some((one) => one.samples.some(Boolean))) return this.drawing.replaceChildren();
    this.shareAt = drawPlot(this.drawing, this.series, this.stage.a?.unit ?? "", this.marked);
  }

  private mark(share: number | null): void {
    this.marked = share === null ? null : Math.round(share * (this.pixels.length - 1));
    this.draw();
    this.onMark();
  }

  private save(): void {
    const text = csvOf(this.pixels, this.series, this.stage.a?.unit ?? "");
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/csv" })), download: "section.csv" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }
}
