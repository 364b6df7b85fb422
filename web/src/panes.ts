/** How the canvas is divided between two surfaces. */

import type { Surface } from "./surface";

export type Layout = "one" | "two" | "wipe";

/** A part of the canvas, and the view that it is cut from. */
export interface Pane {
  surface: Surface | null;
  left: number;
  width: number;
  viewLeft: number;
  viewWidth: number;
}

/** The parts of a canvas of this width. */
export function panesOf(layout: Layout, width: number, wipe: number, a: Surface | null, b: Surface | null): Pane[] {
  const whole = { viewLeft: 0, viewWidth: width };
  if (layout === "two") {
    const half = width / 2;
    return [
      { surface: a, left: 0, width: half - 1, viewLeft: 0, viewWidth: half },
      { surface: b, left: half + 1, width: half - 1, viewLeft: half, viewWidth: half },
    ];
  }
  if (layout === "wipe") {
    const split = width * wipe;
    return [
      { surface: a, left: 0, width: split - 1, ...whole },
      { surface: b, left: split + 1, width: width - split - 1, ...whole },
    ];
  }
  return [{ surface: a, left: 0, width, ...whole }];
}
