/** Heights of one method and the mesh that draws them. */

import { BufferAttribute, BufferGeometry } from "three";
import type { Arrays } from "./framing";
import type { Cell, Grid } from "./grid";
import { outside, type Ground } from "./ground";
import { vertexNormals, vertexValues } from "./normals";
import type { Measure } from "./messages";
import type { Point } from "./space";
import { depthUnit } from "./units";
import { linksOf, triangles, walls, weld, type Lattice } from "./weld";

export class Surface {
  readonly geometry = new BufferGeometry();
  readonly range: [number, number];
  /** What depths are multiplied by, and the unit they are in then. */
  measure: Measure = { factor: 1, unit: "" };
  private wallGeometry: BufferGeometry | null = null;

  private constructor(
    readonly ground: Ground,
    readonly grid: Grid,
    readonly level: number,
    /** Heights of cells. */
    readonly heights: Float32Array,
    /** Heights of the mesh's vertices. */
    readonly points: Float32Array,
    readonly lattice: Lattice,
  ) {
    this.range = measure(heights);
    const { geometry } = this;
    geometry.setAttribute("place", new BufferAttribute(lattice.places, 2));
    geometry.setAttribute("height", new BufferAttribute(points, 1));
    geometry.setAttribute("folded", new BufferAttribute(vertexNormals(lattice, ground.normals(grid)), 2, true).onUpload(forget));
    geometry.setAttribute("value", new BufferAttribute(new Float32Array(lattice.count), 1));
    geometry.setIndex(new BufferAttribute(triangles(lattice, points), 1).onUpload(forget));
  }

  /** A surface as the server sends it. */
  static received(ground: Ground, grid: Grid, level: number, arrays: Arrays): Surface {
    const points = arrays.points as Float32Array;
    const lattice = weld(arrays.links as Uint8Array, grid.rows, grid.columns, points.length);
    return new Surface(ground, grid, level, arrays.heights as Float32Array, points, lattice);
  }

  /** The flat map. */
  static flat(ground: Ground): Surface {
    const { grid, picture } = ground;
    const lattice = weld(linksOf(picture, grid.rows, grid.columns), grid.rows, grid.columns);
    const heights = new Float32Array(grid.rows * grid.columns).map((_, at) => (lattice.links[at] ? 0 : 10 * outside));
    return new Surface(ground, grid, 0, heights, new Float32Array(lattice.count), lattice);
  }

  /** The walls at jumps, made when they are first shown. */
  get walls(): BufferGeometry {
    if (!this.wallGeometry) {
      this.wallGeometry = new BufferGeometry();
      for (const name of ["place", "height"]) this.wallGeometry.setAttribute(name, this.geometry.getAttribute(name));
      this.wallGeometry.setIndex(new BufferAttribute(walls(this.lattice), 1));
    }
    return this.wallGeometry;
  }

  /** Number of pixels that are drawn. */
  get pixels(): number {
    return this.lattice.links.reduce((sum, link) => sum + (link & 1), 0);
  }

  /** Values per cell to colour the surface by. */
  setValues(values: Float32Array): void {
    this.geometry.setAttribute("value", new BufferAttribute(vertexValues(this.lattice, values), 1));
  }

  /** Height at a pixel of the whole map, null where there is no surface. */
  height(pixel: Cell): number | null {
    const cell = this.grid.cell(pixel.row, pixel.column);
    const height = cell ? this.heights[this.grid.at(cell)] : outside;
    return height > outside ? height : null;
  }

  /** Depth at a pixel of the whole map, null where there is no surface. */
  depth(pixel: Cell): number | null {
    const height = this.height(pixel);
    return height === null ? null : this.depthOf(height);
  }

  /** Depth at a height, in the unit of the surface. */
  depthOf(height: number): number {
    const { factor, unit } = this.measure;
    return unit === "mm" ? factor * this.ground.space.depth(height, this.level) : this.ground.depth(height, this.level);
  }

  /** What its depths are in, in words. */
  get unit(): string {
    return this.measure.unit === "mm" ? "mm" : depthUnit(this.ground.header.camera);
  }

  /** Some points of the surface, for placing the camera; outliers do not count. */
  some(rise = 1): Point[] {
    const { lattice, points, grid, ground } = this;
    const stride = Math.max(1, Math.floor(lattice.count / 4000));
    const [low, high] = this.range;
    const air = 0.1 * (high - low) + 1;
    const found: Point[] = [];
    for (let k = 0; k < lattice.count; k += stride) {
      const height = Math.max(low - air, Math.min(high + air, points[k]));
      const [column, row] = [lattice.places[2 * k], lattice.places[2 * k + 1]];
      found.push(ground.space.point(grid.top + row * grid.step - 0.5, grid.left + column * grid.step - 0.5, rise * height));
    }
    return found;
  }

  dispose(): void {
    this.geometry.dispose();
    this.wallGeometry?.dispose();
  }
}

/** Free what the graphics card holds now. */
function forget(this: unknown): void {
  (this as { array: unknown }).array = null;
}

/** Where most heights lie; outliers do not count. */
function measure(heights: Float32Array): [number, number] {
  const stride = Math.max(1, Math.floor(heights.length / 20000));
  const some: number[] = [];
  for (let k = 0; k < heights.length; k += stride) if (heights[k] > outside) some.push(heights[k]);
  some.sort((a, b) => a - b);
  return some.length ? [some[Math.floor(some.length * 0.01)], some[Math.ceil(some.length * 0.99) - 1]] : [0, 1];
}
