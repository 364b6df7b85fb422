/** The open map and its surfaces, as the views show them. */

import { byId } from "./dom";
import type { Arrays } from "./framing";
import { Grid } from "./grid";
import { Ground } from "./ground";
import { Light } from "./light";
import { Looks } from "./looks";
import type { DetailHeader, DetailRequest, FinishedHeader, MapHeader, Measure, ProgressHeader, SurfaceHeader } from "./messages";
import type { Stage } from "./stage";
import { Surface } from "./surface";
import { Tools } from "./tools";
import "./viewer.css";
import { Views } from "./views";

/** Surfaces that are kept with every pixel; more would take too much memory. */
const mostDetailed = 3;

/** What the page asks the server for. */
export interface Asking {
  /** The last surface was drawn. */
  drawn(): void;
  /** Every pixel of a surface is wanted. */
  detail(request: Omit<DetailRequest, "kind">): void;
}

export class Gallery {
  ground: Ground | null = null;
  /** What the views show of each result: every pixel, or a sample of them. */
  readonly surfaces = new Map<string, Surface>();
  readonly views: Views;
  readonly looks: Looks;
  readonly tools: Tools | undefined;
  /** Labels of the islands where the map is sampled, by surface. */
  readonly islands = new Map<string, Int32Array>();
  private measures = new Map<string, Measure>();
  private samples = new Map<string, Surface>();
  private details = new Map<string, Surface>();
  /** Results of which the server has every pixel. */
  private finished = new Set<string>();
  /** First surfaces of a run: the server has every pixel of them, but is busy. */
  private meanwhile = new Set<string>();
  private asked = new Set<string>();

  constructor(
    readonly stage: Stage,
    title: (name: string) => string,
    private asking: Asking,
  ) {
    this.looks = new Looks(stage);
    this.views = new Views(stage, this.surfaces, title);
    this.looks.onBoth = () => this.views.pick();
    this.views.onPick = (names) => this.picked(names);
    const names = () => ({ a: byId("caption-a").textContent ?? "A", b: byId("caption-b").textContent ?? "B" });
    this.tools = new Tools(stage, names, () => this.surfaces.get("truth") ?? null);
    new Light(stage);
    this.views.fill();
  }

  /** A new map takes the place of the old one and its surfaces. */
  showMap(header: MapHeader, arrays: Arrays): Ground {
    for (const kept of [this.samples, this.details]) {
      for (const surface of kept.values()) surface.dispose();
      kept.clear();
    }
    this.surfaces.clear();
    this.islands.clear();
    this.measures.clear();
    this.tools?.clear();
    this.finished.clear();
    this.meanwhile.clear();
    this.asked.clear();
    this.ground = new Ground(header, arrays);
    this.stage.setGround(this.ground);
    this.views.ground = this.ground;
    this.views.showsSurface = false;
    byId("empty").hidden = true;
    byId("reset-view").hidden = false;
    if (arrays.truth) {
      const { truth: heights, truth_points: points, truth_links: links } = arrays;
      this.finished.add("truth");
      this.add("truth", header.truth_level, { heights, points, links });
    }
    this.looks.setGround(this.ground);
    this.views.fill();
    if (header.view_only) this.views.look("truth", this.surfaces.get("truth")!);
    return this.ground;
  }

  /** A surface of the map, from the server; the newest result is brought into view. */
  showSurface(header: SurfaceHeader | ProgressHeader | FinishedHeader, arrays: Arrays): void {
    if (!arrays.heights) return;
    this.forgetDetail(header.result);
    this.finished.delete(header.result);
    if (header.kind === "surface" && !header.coarse) this.meanwhile.add(header.result);
    if (header.kind === "finished") {
      for (const name of [header.result, ...this.meanwhile]) this.finished.add(name);
      this.meanwhile.clear();
      this.measures.set(header.result, header.measure);
      if (arrays.islands) this.islands.set(header.result, arrays.islands as Int32Array);
    }
    const surface = this.add(header.result, header.level ?? 0, arrays);
    const better = header.kind !== "surface" && this.stage.a === this.surfaces.get("poisson");
    if (!this.views.showsSurface || better || header.kind === "finished") this.views.look(header.result, surface);
    if (header.kind === "finished") this.stage.fit(surface);
    requestAnimationFrame(() => this.asking.drawn());
  }

  /** Every pixel of a surface, from the server. */
  showDetail(header: DetailHeader, arrays: Arrays): void {
    const { ground } = this;
    if (!ground || !this.asked.delete(header.result) || !this.finished.has(header.result)) return;
    const grid = Grid.within(header.window, header.step);
    if (arrays.normals) ground.setDetail(grid, arrays.normals as Int16Array);
    this.details.set(header.result, Surface.received(ground, grid, header.level, arrays));
    while (this.details.size > mostDetailed) this.forgetDetail([...this.details.keys()].find((name) => !this.views.picked().includes(name))!);
    this.refresh(header.result);
  }

  /** The surfaces measure something else now. */
  measure(measures: Record<string, Measure>): void {
    for (const [name, measure] of Object.entries(measures)) {
      this.measures.set(name, measure);
      if (this.surfaces.has(name)) this.refresh(name);
    }
  }

  private add(name: string, level: number, arrays: Arrays): Surface {
    this.samples.get(name)?.dispose();
    const surface = Surface.received(this.ground!, this.ground!.grid, level, arrays);
    this.samples.set(name, surface);
    this.refresh(name);
    return surface;
  }

  private forgetDetail(name: string): void {
    this.details.get(name)?.dispose();
    this.details.delete(name);
    this.asked.delete(name);
    if (this.samples.has(name)) this.refresh(name);
  }

  /** Show the best that there is of a result. */
  private refresh(name: string): void {
    const isNew = !this.surfaces.has(name);
    const surface = this.details.get(name) ?? this.samples.get(name)!;
    surface.measure = this.measures.get(name) ?? surface.measure;
    this.surfaces.set(name, surface);
    document.body.dataset.detailed = [...this.details.keys()].join(" ");
    if (isNew) this.views.fill();
    else this.views.pick();
  }

  /** Ask for every pixel of what is shown, where the page has a sample only. */
  private picked(names: string[]): void {
    const truth = this.surfaces.get("truth") ?? null;
    this.looks.setSurfaces(this.stage.a, this.stage.b, truth);
    this.tools?.refresh();
    if (!this.ground || this.ground.header.step === 1) return;
    for (const result of names) {
      if (!this.finished.has(result) || this.details.has(result) || this.asked.has(result)) continue;
      this.asked.add(result);
      this.asking.detail({ result, normals: !this.ground.hasDetail && this.asked.size === 1 });
    }
  }
}
