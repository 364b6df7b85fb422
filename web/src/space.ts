/** Where a map's pixels and heights lie in the scene: x right, y up, z towards the viewer, in pixels. */

import type { MapHeader } from "./messages";

export type Point = [number, number, number];

export class Space {
  /** fx, fy, cx, cy; fx is 0 for parallel rays. */
  readonly lens: [number, number, number, number];

  constructor(
    readonly camera: MapHeader["camera"],
    readonly size: [number, number],
  ) {
    this.lens = camera.kind === "perspective" ? [camera.fx, camera.fy, camera.cx, camera.cy] : [0, 1, 0, 0];
  }

  /** The point that a place of the map, (row, column), has at a height relative to a level. */
  point(row: number, column: number, height: number): Point {
    const [fx, fy, cx, cy] = this.lens;
    if (!fx) return [column - this.size[1] / 2, this.size[0] / 2 - row, -height];
    const depth = Math.exp(height / fx);
    return [(column - cx) * depth, -(row - cy) * (fx / fy) * depth, fx - fx * depth];
  }

  /** Row, column and height of a point of the scene; null behind the camera. */
  place([x, y, z]: Point): Point | null {
    const [fx, fy, cx, cy] = this.lens;
    if (!fx) return [this.size[0] / 2 - y, x + this.size[1] / 2, -z];
    const depth = 1 - z / fx;
    if (depth <= 0) return null;
    return [cy - (y * fy) / fx / depth, cx + x / depth, Math.log(depth) * fx];
  }

  /** Depth at a height above a level, in the camera's unit. */
  depth(height: number, level: number): number {
    const { camera } = this;
    return camera.kind === "perspective" ? Math.exp((height + level) / camera.fx) : (height + level) * camera.pixel_size;
  }

  /** The point of the camera frame, x right, y down, z forward, at a depth; `factor` is that of its unit. */
  inUnits(row: number, column: number, depth: number, factor: number): Point {
    const { camera } = this;
    if (camera.kind === "perspective") return [((column - camera.cx) / camera.fx) * depth, ((row - camera.cy) / camera.fy) * depth, depth];
    return [column * camera.pixel_size * factor, row * camera.pixel_size * factor, depth];
  }
}
