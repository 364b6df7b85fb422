/** How surfaces are coloured: material, normals, depth, error, difference or a draped image; and the legend. */

import { byId } from "./dom";
import { differences, typical } from "./differences";
import { Drape } from "./drape";
import type { Shading } from "./drawing";
import type { Ground } from "./ground";
import { Legend, type Scale } from "./legend";
import { depthRamp, signedRamp } from "./ramps";
import type { Stage } from "./stage";
import type { Surface } from "./surface";
import { errorUnit } from "./units";

type Look = "clay" | "matcap" | "normal" | "depth" | "error" | "difference" | "photo" | "lit-photo";

export class Looks {
  readonly drape: Drape;
  private legend = new Legend();
  private select = byId<HTMLSelectElement>("shading");
  private ground: Ground | null = null;
  private a: Surface | null = null;
  private b: Surface | null = null;
  private truth: Surface | null = null;
  /** What the colours of a surface mean, so that they are made once. */
  private coloured = new WeakMap<Surface, { other: Surface; most: number }>();

  constructor(private stage: Stage) {
    this.drape = new Drape(stage);
    this.drape.onChange = () => this.choose(this.drape.has ? "photo" : "clay");
    this.select.addEventListener("change", () => this.apply());
    byId("show-jumps").addEventListener("change", () => {
      stage.jumps = byId<HTMLInputElement>("show-jumps").checked;
      stage.ask();
    });
  }

  setGround(ground: Ground): void {
    this.ground = ground;
    this.drape.setGround(ground);
    this.setSurfaces(null, null, null);
  }

  /** The surfaces in views A and B, and the truth where it is known. */
  setSurfaces(a: Surface | null, b: Surface | null, truth: Surface | null): void {
    [this.a, this.b, this.truth] = [a, b, truth];
    this.allow("error", truth !== null);
    this.allow("difference", a !== null && b !== null && a !== b);
    this.apply();
  }

  private allow(look: Look, possible: boolean): void {
    const option = this.select.querySelector<HTMLOptionElement>(`[value="${look}"]`);
    if (option) option.disabled = !possible;
    if (!possible && this.look === look && this.a) this.select.value = "clay";
  }

  get look(): Look {
    return this.select.value as Look;
  }

  /** Colour surfaces in one way. */
  choose(look: Look): void {
    this.select.value = look;
    this.apply();
  }

  private apply(): void {
    const { look, stage } = this;
    if (look.endsWith("photo") && !this.drape.has) {
      this.drape.browse();
      this.select.value = "clay";
    }
    const isValue = look === "error" || look === "difference";
    const wanted = look === "difference";
    stage.shading = isValue ? "value" : (this.look as Shading);
    document.body.dataset.look = this.look;
    if (stage.wantsBoth !== wanted) {
      stage.wantsBoth = wanted;
      return this.onBoth();
    }
    const most = isValue ? this.colour(look) : 0;
    const shownMost = most * (this.a?.measure.factor ?? 1);
    const range = this.sharedRange();
    stage.range = look === "depth" ? () => range : () => [-most, most];
    this.legend.show(this.a && (isValue ? this.valueScale(look, shownMost) : look === "depth" ? this.depthScale(range) : null));
    stage.ask();
  }

  /** Both surfaces are needed now, or one of them no longer. */
  onBoth: () => void = () => {};

  /** Surfaces in view; with one view, B does not count. */
  private shown(): Surface[] {
    const both = this.stage.layout !== "one";
    return [this.a, both ? this.b : null].filter((one): one is Surface => one !== null);
  }

  /** One range for all views, so that equal colours are equal depths. */
  private sharedRange(): [number, number] {
    const ranges = this.shown().map((surface) => surface.range);
    return [Math.min(...ranges.map((one) => one[0])), Math.max(...ranges.map((one) => one[1]))];
  }

  /** Give surfaces their values; the size that colours reach to. */
  private colour(look: "error" | "difference"): number {
    let most = 0;
    for (const surface of this.shown()) {
      const other = look === "error" ? this.truth : surface === this.a ? this.b : this.a;
      if (!other) continue;
      let known = this.coloured.get(surface);
      if (known?.other !== other) {
        const values = differences(surface, other);
        surface.setValues(values);
        known = { other, most: typical(values) };
        this.coloured.set(surface, known);
      }
      if (surface !== other) most = Math.max(most, known.most);
    }
    return most || 1;
  }

  private valueScale(look: Look, most: number): Scale {
    const title = look === "error" ? "Error" : this.stage.layout === "one" ? "A − B" : "Difference";
    const { a } = this;
    const unit = look === "error" && a!.measure.unit !== "mm" ? errorUnit(this.ground!.header.camera) : a!.unit;
    const place = (value: number) => 0.5 - value / most / 2;
    return { title, unit, top: most, bottom: -most, place, ramp: [...signedRamp].reverse() };
  }

  private depthScale([low, high]: [number, number]): Scale {
    const { ground, a } = this;
    const [near, far] = [low, high].map((height) => a!.depthOf(height));
    const isScale = ground!.header.camera.kind === "perspective";
    // Colours run with heights, which are logarithms of depths under perspective.
    const share = isScale ? (value: number) => Math.log(value / near) / Math.log(far / near) : (value: number) => (value - near) / (far - near);
    return { title: "Depth", unit: a!.unit, top: near, bottom: far, place: share, ramp: depthRamp };
  }
}
