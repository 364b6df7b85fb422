/** Ruler and cross-section: two clicks on a surface, and what lies between them. */

import { byId, make } from "./dom";
import type { Cell } from "./grid";
import { Profile } from "./profile";
import { distanceBetween, pixelsBetween, sectionOf, shortUnit } from "./section";
import { piecesOf } from "./plot";
import type { Pane } from "./panes";
import type { Point } from "./space";
import type { Stage } from "./stage";
import type { Surface } from "./surface";
import { svg } from "./svg";

type Tool = "ruler" | "profile";

/** A length with its unit, in few digits. */
export function lengthText(length: number, unit: string): string {
  const digits = length.toPrecision(4).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  return `${digits} ${shortUnit(unit)}`.trim();
}

export class Tools {
  private overlay = svg("svg", { class: "overlay", "aria-hidden": "true" });
  private hint = make("p", { className: "tool-hint", hidden: true });
  private buttons = new Map<Tool, HTMLButtonElement>();
  private profile: Profile;
  private tool: Tool | null = null;
  private ends: Cell[] = [];

  constructor(
    private stage: Stage,
    names: () => { a: string; b: string },
    truth: () => Surface | null,
  ) {
    this.hint.setAttribute("role", "status");
    const bar = make("div", { className: "tools" }, this.button("ruler", "Ruler", "Distance between two points"), this.button("profile", "Section", "Cross-section along a line"));
    bar.setAttribute("role", "group");
    bar.ariaLabel = "Measure";
    byId("stage-box").append(this.overlay, bar, this.hint);
    this.profile = new Profile(stage, names, truth, () => this.choose(null));
    this.profile.onMark = () => this.draw();
    stage.onHit = (pixel) => this.take(pixel);
    stage.onDraw = () => this.draw();
    stage.canvas.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.tool) this.choose(null);
      else if (event.key === "Enter" && this.tool) this.takeMiddle();
    });
  }

  private button(tool: Tool, name: string, title: string): HTMLButtonElement {
    const button = make("button", { type: "button", textContent: name, title });
    button.dataset.tool = tool;
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => this.choose(this.tool === tool ? null : tool));
    this.buttons.set(tool, button);
    return button;
  }

  /** Another map: its points mean nothing there. */
  clear(): void {
    this.choose(null);
  }

  /** Other surfaces are shown: read everything again. */
  refresh(): void {
    this.say();
    if (this.tool === "profile" && this.ends.length === 2) this.profile.show(this.ends[0], this.ends[1]);
  }

  private choose(tool: Tool | null): void {
    this.tool = tool;
    this.ends = [];
    for (const [name, button] of this.buttons) button.setAttribute("aria-pressed", String(name === tool));
    this.stage.canvas.dataset.tool = tool ?? "";
    this.profile.hide();
    this.say();
    this.stage.ask();
  }

  private take(pixel: Cell): boolean {
    if (!this.tool) return false;
    if (this.ends.length === 2) this.ends = [];
    this.ends.push(pixel);
    if (this.tool === "profile" && this.ends.length === 2) this.profile.show(this.ends[0], this.ends[1]);
    this.say();
    this.stage.ask();
    return true;
  }

  /** With the keyboard, points are taken from the middle of view A. */
  private takeMiddle(): void {
    const [pane] = this.stage.panes();
    const pixel = this.stage.pixelAt(pane.viewLeft + pane.viewWidth / 2, this.stage.canvas.clientHeight / 2);
    if (pixel) this.take(pixel);
  }

  private say(): void {
    const { a } = this.stage;
    const asks = this.ends.length === 0 ? "Click the first point on the surface." : "Click the second point.";
    const found = this.ends.length === 2 && a ? distanceBetween(a, this.ends[0], this.ends[1]) : null;
    const measured = found && `${lengthText(found.distance, a!.unit)} apart; depth differs by ${lengthText(Math.abs(found.depth), a!.unit)}`;
    this.hint.textContent = this.ends.length === 2 ? (measured ?? "There is no surface at one of the points.") : asks;
    this.hint.hidden = !this.tool || (this.tool === "profile" && this.ends.length === 2);
    document.body.dataset.measured = this.tool === "ruler" && found ? String(found.distance) : "";
  }

  private draw(): void {
    const parts: SVGElement[] = [];
    for (const pane of this.stage.panes()) {
      if (pane.surface && this.tool && this.ends.length) parts.push(...this.marks(pane, pane.surface));
    }
    this.overlay.replaceChildren(...parts);
  }

  private marks(pane: Pane, surface: Surface): SVGElement[] {
    const at = (pixel: Cell): [number, number] | null => {
      const height = surface.height(pixel);
      const place = height === null ? null : this.stage.project(surface.ground.space.point(pixel.row, pixel.column, height) as Point, pane);
      return place && place[0] >= pane.left && place[0] <= pane.left + pane.width ? place : null;
    };
    const path = (places: ([number, number] | null)[]) => {
      const known = places.filter((one): one is [number, number] => one !== null);
      return known.length > 1 ? "M" + known.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L") : "";
    };
    const parts: SVGElement[] = [];
    if (this.ends.length === 2) {
      const lines = this.tool === "ruler" ? [this.ends.map(at)] : piecesOf(sectionOf(surface, this.ends[0], this.ends[1])).map((piece) => piece.map((one) => at(one.pixel)));
      const d = lines.map(path).join("");
      parts.push(svg("path", { class: "halo", d }), svg("path", { class: `measure ${this.tool}`, d }));
    }
    const marked = this.profile.marked === null || this.ends.length < 2 ? [] : [pixelsBetween(this.ends[0], this.ends[1])[this.profile.marked]];
    for (const pixel of [...this.ends, ...marked]) {
      const place = pixel && at(pixel);
      if (place) parts.push(svg("circle", { class: "end", cx: place[0], cy: place[1], r: 4.5 }));
    }
    if (this.tool === "ruler" && this.ends.length === 2) parts.push(...this.label(surface, this.ends.map(at)));
    return parts;
  }

  private label(surface: Surface, [from, to]: ([number, number] | null)[]): SVGElement[] {
    const found = distanceBetween(surface, this.ends[0], this.ends[1]);
    if (!found || !from || !to) return [];
    const text = lengthText(found.distance, surface.unit);
    return [svg("text", { class: "measured", x: (from[0] + to[0]) / 2, y: (from[1] + to[1]) / 2 - 9 }, text)];
  }
}
