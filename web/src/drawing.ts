/** Draws surfaces of one map with three.js: materials, and what they show. */

import { Color, DataTexture, DoubleSide, EqualDepth, GLSL3, LinearFilter, Mesh, NoColorSpace, RawShaderMaterial, RGBAFormat, Scene, Texture } from "three";
import { Vector2, Vector3, Vector4 } from "three";
import { colour } from "./dom";
import type { Ground } from "./ground";
import { depthRamp, signedRamp, texels } from "./ramps";
import { surfaceFragment, surfaceVertex, wallFragment } from "./shaders";
import type { Surface } from "./surface";

/** Ways to shade, by their number in the shader. */
export const shadings = ["clay", "matcap", "normal", "depth", "value", "photo", "lit-photo"] as const;
export type Shading = (typeof shadings)[number];

function rampTexture(ramp: string[]): DataTexture {
  const made = new DataTexture(texels(ramp) as Uint8Array<ArrayBuffer>, 256, 1, RGBAFormat);
  made.magFilter = made.minFilter = LinearFilter;
  made.needsUpdate = true;
  return made;
}

export class Drawing {
  readonly scene = new Scene();
  private mesh: Mesh;
  private wallMeshes: Mesh[];
  private material: RawShaderMaterial;
  private depthTexture = rampTexture(depthRamp);
  private signedTexture = rampTexture(signedRamp);
  private blank = rampTexture(["ffffff", "ffffff"]);

  constructor() {
    const uniforms = {
      ramp: { value: this.depthTexture },
      photo: { value: this.blank as Texture },
      lens: { value: new Vector4() },
      size: { value: new Vector2() },
      grid: { value: new Vector3() },
      rise: { value: 1 },
      light: { value: new Vector3(-0.45, 0.6, 0.75).normalize() },
      range: { value: new Vector2(0, 1) },
      shading: { value: 0 },
      clay: { value: new Vector3() },
      tint: { value: new Vector3() },
    };
    const common = { uniforms, glslVersion: GLSL3, side: DoubleSide, vertexShader: surfaceVertex };
    this.material = new RawShaderMaterial({ ...common, fragmentShader: surfaceFragment });
    // Walls behind walls would add up to something solid: only the nearest are tinted.
    const wall = { ...common, fragmentShader: wallFragment, transparent: true };
    const materials = [new RawShaderMaterial({ ...wall, colorWrite: false }), new RawShaderMaterial({ ...wall, depthWrite: false, depthFunc: EqualDepth })];
    this.mesh = new Mesh(undefined, this.material);
    this.wallMeshes = materials.map((material) => new Mesh(undefined, material));
    [this.mesh, ...this.wallMeshes].forEach((mesh, order) => {
      mesh.frustumCulled = false;
      mesh.renderOrder = order;
      this.scene.add(mesh);
    });
  }

  setGround(ground: Ground): void {
    const { lens, size } = this.material.uniforms;
    lens.value.set(...ground.space.lens);
    size.value.set(ground.header.size[1], ground.header.size[0]);
  }

  /** How high the surface stands: 0 is the flat map. */
  set rise(rise: number) {
    this.material.uniforms.rise.value = rise;
  }

  /** Where the light is, as the viewer sees it. */
  setLight(x: number, y: number, z: number): void {
    this.material.uniforms.light.value.set(x, y, z).normalize();
  }

  setPhoto(image: TexImageSource | null): void {
    const { photo } = this.material.uniforms;
    if (photo.value !== this.blank) photo.value.dispose();
    if (!image) photo.value = this.blank;
    else {
      const texture = new Texture(image as HTMLImageElement);
      texture.flipY = false;
      texture.colorSpace = NoColorSpace;
      texture.anisotropy = 8;
      texture.needsUpdate = true;
      photo.value = texture;
    }
  }

  /** Take the colours of the present theme. */
  useTheme(): void {
    const tint = new Color(colour("jump")).convertLinearToSRGB();
    this.material.uniforms.tint.value.set(tint.r, tint.g, tint.b);
    const light = document.documentElement.dataset.theme === "light";
    this.material.uniforms.clay.value.set(...((light ? [0.72, 0.68, 0.62] : [0.6, 0.6, 0.585]) as [number, number, number]));
  }

  /** Show a surface: how it is shaded, between which values, and whether its walls are shown. */
  show(surface: Surface, shading: Shading, range: [number, number], jumps: boolean): void {
    const { uniforms } = this.material;
    const { grid } = surface;
    this.mesh.geometry = surface.geometry;
    for (const mesh of this.wallMeshes) {
      mesh.visible = jumps;
      if (jumps) mesh.geometry = surface.walls;
    }
    uniforms.grid.value.set(grid.left, grid.top, grid.step);
    uniforms.shading.value = shadings.indexOf(shading);
    uniforms.ramp.value = shading === "depth" ? this.depthTexture : this.signedTexture;
    uniforms.range.value.set(...range);
  }
}
