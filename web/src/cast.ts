/** Where a ray meets a surface: a walk over the cells that it passes in the map. */

import type { Cell, Grid } from "./grid";
import type { Point, Space } from "./space";
import type { Lattice } from "./weld";

export interface Hit {
  cell: Cell;
  /** Place in the whole map, between pixels. */
  row: number;
  column: number;
  height: number;
}

/** A number along the ray: at + by * t. */
type Linear = [number, number];

/** The first place where a ray meets the surface, from either side; it passes through open jumps. */
export function cast(origin: Point, direction: Point, space: Space, grid: Grid, lattice: Lattice, points: Float32Array): Hit | null {
  const [across, down, depth] = homogeneous(origin, direction, space, grid);
  const range = clip([across, minus(depth, across, grid.columns), down, minus(depth, down, grid.rows), depth]);
  if (!range) return null;
  const at = (t: number): Hit | null => {
    const place = space.place([origin[0] + t * direction[0], origin[1] + t * direction[1], origin[2] + t * direction[2]]);
    return place && { cell: { row: 0, column: 0 }, row: place[0], column: place[1], height: place[2] };
  };
  let t = range[0];
  for (let left = 4 * (grid.rows + grid.columns); left > 0 && t < range[1]; left--) {
    const next = Math.min(range[1], nextLine(across, down, depth, t));
    const middle = (t + next) / 2;
    const w = value(depth, middle);
    const cell = { row: Math.floor(value(down, middle) / w), column: Math.floor(value(across, middle) / w) };
    if (cell.row >= 0 && cell.row < grid.rows && cell.column >= 0 && cell.column < grid.columns && lattice.links[grid.at(cell)]) {
      const [enter, leave] = [at(t), at(next)];
      if (enter && leave) {
        const [above, below] = [enter, leave].map((end) => end.height - heightIn(cell, end, grid, lattice, points));
        if (above <= 0 !== below <= 0) {
          const hit = at(t + ((next - t) * above) / (above - below));
          return hit && { ...hit, cell };
        }
      }
    }
    t = next;
  }
  return null;
}

const value = (line: Linear, t: number) => line[0] + line[1] * t;
const minus = (a: Linear, b: Linear, times: number): Linear => [times * a[0] - b[0], times * a[1] - b[1]];

/** Column and row of the lattice, times depth, and depth: all linear along a ray, whatever the camera. */
function homogeneous(origin: Point, direction: Point, space: Space, grid: Grid): [Linear, Linear, Linear] {
  const [fx, fy, cx, cy] = space.lens;
  const depth: Linear = fx ? [1 - origin[2] / fx, -direction[2] / fx] : [1, 0];
  const middle = fx ? [cx, cy] : [space.size[1] / 2, space.size[0] / 2];
  const tall = fx ? -fy / fx : -1;
  const linear = (k: 0 | 1, scale: number, shift: number): Linear => {
    const offset = middle[k] + 0.5 - shift;
    return [(scale * origin[k] + offset * depth[0]) / grid.step, (scale * direction[k] + offset * depth[1]) / grid.step];
  };
  return [linear(0, 1, grid.left), linear(1, tall, grid.top), depth];
}

/** The part of the ray, from its origin on, where all these are positive. */
function clip(lines: Linear[]): [number, number] | null {
  let [low, high] = [0, Infinity];
  for (const [at, by] of lines) {
    if (by > 0) low = Math.max(low, -at / by);
    else if (by < 0) high = Math.min(high, -at / by);
    else if (at < 0) return null;
  }
  return low < high && Number.isFinite(high) ? [low, high] : low < high ? [low, low + 1e7] : null;
}

/** Where the ray next crosses a line of the lattice. */
function nextLine(across: Linear, down: Linear, depth: Linear, t: number): number {
  const tiny = 1e-9 * (1 + Math.abs(t));
  let next = Infinity;
  for (const line of [across, down]) {
    const here = Math.round(value(line, t) / value(depth, t));
    for (let k = here - 1; k <= here + 1; k++) {
      const [at, by] = minus(depth, line, k);
      const crossing = -at / by;
      if (crossing > t + tiny && crossing < next) next = crossing;
    }
  }
  return next;
}

/** Height of a cell at a place of the map, between its corners. */
function heightIn(cell: Cell, place: { row: number; column: number }, grid: Grid, lattice: Lattice, points: Float32Array): number {
  const v = (place.row + 0.5 - grid.top) / grid.step - cell.row;
  const u = (place.column + 0.5 - grid.left) / grid.step - cell.column;
  const first = 4 * grid.at(cell);
  const [a, b, c, d] = [0, 1, 2, 3].map((k) => points[lattice.corners[first + k]]);
  return (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * c + u * d);
}
