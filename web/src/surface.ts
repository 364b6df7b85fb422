/** A map and its surfaces on the graphics card. */

import {
  BufferGeometry,
  DataTexture,
  DoubleSide,
  FloatType,
  GLSL3,
  Mesh,
  NearestFilter,
  RawShaderMaterial,
  RedFormat,
  RGBAFormat,
  RGFormat,
  Sphere,
  UnsignedByteType,
  Vector2,
  Vector3,
  Vector4,
} from "three";
import type { PixelFormat, TextureDataType } from "three";
import type { Arrays } from "./framing";
import type { MapHeader } from "./messages";
import { pickFragment, pickVertex, surfaceFragment, surfaceVertex } from "./shaders";

export const outside = -1e29;

function texture(data: Float32Array | Uint8Array, width: number, height: number, format: PixelFormat, type: TextureDataType) {
  const made = new DataTexture(data as Uint8Array<ArrayBuffer>, width, height, format, type);
  made.magFilter = made.minFilter = NearestFilter;
  made.unpackAlignment = 1;
  made.needsUpdate = true;
  return made;
}

/** The map that all surfaces of a session share. */
export class Ground {
  readonly rows: number;
  readonly columns: number;
  readonly picture: Uint8Array;
  readonly pictureTexture: DataTexture;
  readonly slopesTexture: DataTexture;
  readonly flatTexture: DataTexture;
  readonly hasTruth: boolean;

  constructor(
    readonly header: MapHeader,
    arrays: Arrays,
  ) {
    this.rows = Math.ceil(header.size[0] / header.step);
    this.columns = Math.ceil(header.size[1] / header.step);
    this.picture = arrays.picture as Uint8Array;
    this.hasTruth = "truth" in arrays;
    this.pictureTexture = texture(this.picture, this.columns, this.rows, RGBAFormat, UnsignedByteType);
    this.slopesTexture = this.slopeTexture(arrays.slopes as Float32Array);
    const flat = new Float32Array(this.rows * this.columns);
    this.flatTexture = texture(flat, this.columns, this.rows, RedFormat, FloatType);
  }

  slopeTexture(slopes: Float32Array): DataTexture {
    return texture(slopes, this.columns, this.rows, RGFormat, FloatType);
  }

  heightTexture(heights: Float32Array): DataTexture {
    return texture(heights, this.columns, this.rows, RedFormat, FloatType);
  }

  /** Row and column of the whole map that a cell shows. */
  pixel(cell: { column: number; row: number }): { row: number; column: number } {
    const { step, size } = this.header;
    const at = (index: number, side: number) => Math.min(index * step + Math.floor(step / 2), side - 1);
    return { row: at(cell.row, size[0]), column: at(cell.column, size[1]) };
  }

  /** Depth of a surface; where the truth is known, all surfaces are read in its gauge. */
  depth(height: number, own: number): number {
    const camera = this.header.camera;
    const level = this.hasTruth ? this.header.truth_level : own;
    return camera.kind === "perspective" ? Math.exp((height + level) / camera.fx) : (height + level) * camera.pixel_size;
  }

  normal(cell: { column: number; row: number }): [number, number, number] {
    const at = 4 * (cell.row * this.columns + cell.column);
    const [x, y, z] = [0, 1, 2].map((k) => this.picture[at + k] / 127.5 - 1);
    const length = Math.hypot(x, y, z) || 1;
    return [x / length, y / length, z / length];
  }

  dispose(): void {
    this.pictureTexture.dispose();
    this.slopesTexture.dispose();
    this.flatTexture.dispose();
  }
}

/** Heights of one method, drawable. */
export class Surface {
  readonly texture: DataTexture;
  range: [number, number] = [0, 1];
  private ownSlopes: DataTexture | null = null;

  constructor(
    readonly ground: Ground,
    public heights: Float32Array,
    public level: number,
    slopes?: Float32Array,
  ) {
    this.texture = ground.heightTexture(heights);
    this.setSlopes(slopes);
    this.measure();
  }

  update(heights: Float32Array, level: number, slopes?: Float32Array): void {
    this.heights = heights;
    this.level = level;
    (this.texture.image as { data: Float32Array }).data = heights;
    this.texture.needsUpdate = true;
    this.setSlopes(slopes);
    this.measure();
  }

  /** The map's slopes, or this surface's own where its corners are free of the normals. */
  get slopes(): DataTexture {
    return this.ownSlopes ?? this.ground.slopesTexture;
  }

  private setSlopes(slopes?: Float32Array): void {
    this.ownSlopes?.dispose();
    this.ownSlopes = slopes ? this.ground.slopeTexture(slopes) : null;
  }

  dispose(): void {
    this.texture.dispose();
    this.ownSlopes?.dispose();
  }

  /** Where most heights lie; outliers do not count. */
  private measure(): void {
    const stride = Math.max(1, Math.floor(this.heights.length / 20000));
    const some: number[] = [];
    for (let k = 0; k < this.heights.length; k += stride) if (this.heights[k] > outside) some.push(this.heights[k]);
    some.sort((a, b) => a - b);
    if (some.length) this.range = [some[Math.floor(some.length * 0.01)], some[Math.ceil(some.length * 0.99) - 1]];
  }

  /** Roughly where the surface is, for placing the camera. */
  sphere(): Sphere {
    const { ground } = this;
    const [rows, columns] = ground.header.size;
    let [top, bottom, left, right] = [rows, 0, columns, 0];
    for (let row = 0; row < ground.rows; row += 2) {
      for (let column = 0; column < ground.columns; column += 2) {
        if (this.heights[row * ground.columns + column] <= outside) continue;
        const pixel = ground.pixel({ row, column });
        [top, bottom] = [Math.min(top, pixel.row), Math.max(bottom, pixel.row)];
        [left, right] = [Math.min(left, pixel.column), Math.max(right, pixel.column)];
      }
    }
    const camera = ground.header.camera;
    const [u, v] = camera.kind === "perspective" ? [camera.cx, camera.cy] : [columns / 2, rows / 2];
    const centre = new Vector3((left + right) / 2 - u, v - (top + bottom) / 2, -(this.range[0] + this.range[1]) / 2);
    const depth = Math.min(this.range[1] - this.range[0], Math.max(bottom - top, right - left));
    return new Sphere(centre, Math.hypot(bottom - top, right - left, depth) / 2 || 1);
  }
}

/** Geometry without attributes: the shaders make six vertices per cell. */
export class Drawing {
  readonly mesh: Mesh<BufferGeometry, RawShaderMaterial>;
  readonly picking: RawShaderMaterial;

  constructor(readonly ground: Ground) {
    const geometry = new BufferGeometry();
    geometry.setDrawRange(0, 6 * ground.rows * ground.columns);
    const uniforms = this.uniforms();
    const common = { uniforms, glslVersion: GLSL3, side: DoubleSide };
    const material = new RawShaderMaterial({ ...common, vertexShader: surfaceVertex, fragmentShader: surfaceFragment });
    this.picking = new RawShaderMaterial({ ...common, vertexShader: pickVertex, fragmentShader: pickFragment });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  private uniforms() {
    const { header, rows, columns } = this.ground;
    const camera = header.camera;
    const lens = camera.kind === "perspective" ? [camera.fx, camera.fy, camera.cx, camera.cy] : [0, 1, 0, 0];
    return {
      picture: { value: this.ground.pictureTexture },
      slopes: { value: this.ground.slopesTexture },
      heights: { value: this.ground.flatTexture },
      truth: { value: this.ground.flatTexture },
      cells: { value: new Vector2(columns, rows) },
      size: { value: new Vector2(header.size[1], header.size[0]) },
      step_: { value: header.step },
      middle: { value: Math.floor(header.step / 2) },
      rise: { value: 1 },
      lens: { value: new Vector4(...lens) },
      range: { value: new Vector2(0, 1) },
      shading: { value: 0 },
      threshold: { value: 0 },
      jumpColour: { value: new Vector3() },
      clay: { value: new Vector3() },
    };
  }

  /** Show a surface, or the flat map when there is none. */
  show(surface: Surface | null): void {
    const { uniforms } = this.mesh.material;
    uniforms.heights.value = surface ? surface.texture : this.ground.flatTexture;
    uniforms.slopes.value = surface ? surface.slopes : this.ground.slopesTexture;
    if (surface) uniforms.range.value.set(...surface.range);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.picking.dispose();
  }
}
