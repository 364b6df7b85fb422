/** How far surfaces lie from each other, in the unit of depths, up to what the normals leave open. */

import type { Surface } from "./surface";

/** The middle of the known values; 0 if there are none. */
export function median(values: Float32Array): number {
  const stride = Math.max(1, Math.floor(values.length / 200_000));
  const some: number[] = [];
  for (let k = 0; k < values.length; k += stride) if (!Number.isNaN(values[k])) some.push(values[k]);
  if (!some.length) return 0;
  some.sort((a, b) => a - b);
  return some[some.length >> 1];
}

/** Depth of `surface` minus depth of `other` per cell of `surface`, NaN where one of them is unknown.
 *
 * First the gauge is fixed: the other surface is shifted (parallel rays) or scaled (perspective) by a median.
 */
export function differences(surface: Surface, other: Surface): Float32Array {
  const { grid, ground } = surface;
  const own = new Float32Array(surface.heights.length).fill(NaN);
  const theirs = own.slice();
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      const at = row * grid.columns + column;
      if (!surface.lattice.links[at]) continue;
      const height = other.height(grid.pixel({ row, column }));
      if (height === null) continue;
      own[at] = ground.space.depth(surface.heights[at], surface.level);
      theirs[at] = ground.space.depth(height, other.level);
    }
  }
  if (ground.header.camera.kind === "perspective") {
    const scale = median(own.map((depth, at) => depth / theirs[at]));
    return own.map((depth, at) => depth - scale * theirs[at]);
  }
  const apart = own.map((depth, at) => depth - theirs[at]);
  const shift = median(apart);
  return apart.map((distance) => distance - shift);
}

/** A size that most values stay below: their 97th percentile; outliers do not count. */
export function typical(values: Float32Array): number {
  const stride = Math.max(1, Math.floor(values.length / 50_000));
  const some: number[] = [];
  for (let k = 0; k < values.length; k += stride) if (!Number.isNaN(values[k])) some.push(Math.abs(values[k]));
  if (!some.length) return 1;
  some.sort((a, b) => a - b);
  return some[Math.floor(0.97 * (some.length - 1))] || 1e-9;
}
