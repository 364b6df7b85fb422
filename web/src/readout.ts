/** The numbers under the pointer: place, normal, and depth in each view. */

import { byId } from "./dom";
import type { Cell } from "./grid";
import type { Ground } from "./ground";
import type { Surface } from "./surface";

/** Show what is known of a pixel; with one surface, its letter is left out. */
export function showReadout(ground: Ground | null, pixel: Cell | null, surfaces: (Surface | null)[], letters: boolean): void {
  const readout = byId("readout");
  const normal = pixel && ground ? ground.normal(pixel) : null;
  readout.hidden = !normal;
  if (!pixel || !normal) return;
  const lines = [`row ${pixel.row}  column ${pixel.column}`, `normal ${normal.map((x) => x.toFixed(3)).join("  ")}`];
  surfaces.forEach((surface, k) => {
    const depth = surface?.depth(pixel) ?? null;
    if (depth !== null) lines.push(`depth ${letters ? `${"AB"[k]} ` : ""}${depth.toPrecision(6)} ${surface!.unit}`);
  });
  readout.textContent = lines.join("\n");
}
