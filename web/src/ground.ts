/** The map that all surfaces of a session share. */

import type { Arrays } from "./framing";
import { Grid, type Cell } from "./grid";
import type { MapHeader } from "./messages";
import { unfold } from "./normals";
import { Space } from "./space";

/** Heights below this mark pixels without a surface. */
export const outside = -1e29;

export class Ground {
  readonly space: Space;
  /** The map as a picture, sampled; alpha is the mask. */
  readonly picture: Uint8Array;
  readonly hasTruth: boolean;
  private sampled: Int16Array;
  /** Normals of every pixel that surfaces are drawn with at the end, once they are known. */
  private detailed: { grid: Grid; folded: Int16Array } | null = null;

  constructor(
    readonly header: MapHeader,
    arrays: Arrays,
    readonly grid = Grid.within([0, 0, ...header.size], header.step),
  ) {
    this.space = new Space(header.camera, header.size);
    this.picture = arrays.picture as Uint8Array;
    this.sampled = arrays.normals as Int16Array;
    this.hasTruth = "truth" in arrays;
  }

  get hasDetail(): boolean {
    return this.detailed !== null;
  }

  setDetail(grid: Grid, folded: Int16Array): void {
    this.detailed = { grid, folded };
  }

  /** Folded normals of a surface's cells. */
  normals(grid: Grid): Int16Array {
    return this.detailed && grid !== this.grid ? this.detailed.folded : this.sampled;
  }

  /** Normal of a pixel, as far as it is known; null outside the mask. */
  normal(pixel: Cell): [number, number, number] | null {
    const { grid, folded } = this.detailed ?? { grid: this.grid, folded: this.sampled };
    const cell = grid.cell(pixel.row, pixel.column);
    const coarse = this.grid.cell(pixel.row, pixel.column);
    if (!cell || !coarse || !this.picture[4 * this.grid.at(coarse) + 3]) return null;
    const found: [number, number, number] = [0, 0, 0];
    unfold(folded[2 * grid.at(cell)], folded[2 * grid.at(cell) + 1], found);
    return found;
  }

  /** Depth of a height of a surface; where the truth is known, all surfaces are read in its gauge. */
  depth(height: number, own: number): number {
    return this.space.depth(height, this.hasTruth ? this.header.truth_level : own);
  }
}
