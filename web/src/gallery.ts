/** The open map and its surfaces, as the views show them. */

import { byId } from "./dom";
import type { Arrays } from "./framing";
import type { FinishedHeader, MapHeader, ProgressHeader, SurfaceHeader } from "./messages";
import type { Stage } from "./stage";
import { Ground, Surface } from "./surface";
import { Views } from "./views";

export class Gallery {
  ground: Ground | null = null;
  readonly surfaces = new Map<string, Surface>();
  readonly views: Views;

  constructor(
    readonly stage: Stage,
    title: (name: string) => string,
    /** The last surface was drawn. */
    private drawn: () => void,
  ) {
    this.views = new Views(stage, this.surfaces, title);
    this.views.fill();
  }

  /** A new map takes the place of the old one and its surfaces. */
  showMap(header: MapHeader, arrays: Arrays): Ground {
    for (const surface of this.surfaces.values()) surface.dispose();
    this.ground?.dispose();
    this.surfaces.clear();
    this.ground = new Ground(header, arrays);
    this.stage.setGround(this.ground);
    this.views.ground = this.ground;
    this.views.showsSurface = false;
    byId("empty").hidden = true;
    byId("reset-view").hidden = false;
    if (arrays.truth) this.add("truth", header.truth_level, { heights: arrays.truth });
    this.views.allowError(arrays.truth !== undefined);
    this.views.fill();
    if (header.view_only) this.views.look("truth", this.surfaces.get("truth")!);
    return this.ground;
  }

  /** A surface of the map, from the server; a better one takes the place of the first surface in view. */
  showSurface(header: SurfaceHeader | ProgressHeader | FinishedHeader, arrays: Arrays): void {
    if (!arrays.heights) return;
    const surface = this.add(header.result, header.level ?? 0, arrays);
    const showsFirst = header.kind !== "surface" && this.stage.a === this.surfaces.get("poisson");
    if (!this.views.showsSurface || showsFirst) this.views.look(header.result, surface);
    requestAnimationFrame(() => this.drawn());
  }

  private add(name: string, level: number, arrays: Arrays): Surface {
    const [heights, slopes] = [arrays.heights as Float32Array, arrays.slopes as Float32Array | undefined];
    let surface = this.surfaces.get(name);
    if (surface) surface.update(heights, level, slopes);
    else {
      surface = new Surface(this.ground!, heights, level, slopes);
      this.surfaces.set(name, surface);
      this.views.fill();
    }
    this.stage.ask();
    return surface;
  }
}
