/** The 3D views: one camera, one canvas, drawn when something has changed. */

import {
  Color,
  PerspectiveCamera,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { byId, colour } from "./dom";
import { Drawing, Ground, Surface } from "./surface";

export type Layout = "one" | "two" | "wipe";
export const shadings = ["clay", "depth", "normal", "error"];

interface Pane {
  surface: Surface | null;
  left: number;
  width: number;
  viewLeft: number;
  viewWidth: number;
}

export class Stage {
  private canvas = byId<HTMLCanvasElement>("stage");
  private renderer: WebGLRenderer;
  private scene = new Scene();
  private camera = new PerspectiveCamera(28, 1, 1, 1e5);
  private controls: OrbitControls;
  private target = new WebGLRenderTarget(1, 1);
  private drawing: Drawing | null = null;
  private sphere = new Sphere(new Vector3(), 1);
  private asked = false;
  private rising = 0;
  private frames = 0;

  a: Surface | null = null;
  b: Surface | null = null;
  truth: Surface | null = null;
  private layout_: Layout = "one";
  wipe = 0.5;
  shading = 0;
  jumps = true;
  onHover: (cell: { row: number; column: number } | null) => void = () => {};

  constructor() {
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.autoClear = false;
    this.renderer.setScissorTest(true);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => this.ask());
    new ResizeObserver(() => this.resize()).observe(byId("stage-box"));
    this.canvas.addEventListener("pointermove", (event) => this.hover(event));
    this.canvas.addEventListener("pointerleave", () => this.onHover(null));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.resize();
  }

  /** Longer side in which surfaces are drawn; smaller without a graphics card, so that the page stays responsive. */
  side(): number {
    const context = this.renderer.getContext();
    const told = context.getExtension("WEBGL_debug_renderer_info");
    const name = told ? String(context.getParameter(told.UNMASKED_RENDERER_WEBGL)) : "";
    return /swiftshader|llvmpipe|software|basic render/i.test(name) ? 256 : 512;
  }

  /** A new map; the old one and its surfaces are freed. */
  setGround(ground: Ground): void {
    if (this.drawing) {
      this.scene.remove(this.drawing.mesh);
      this.drawing.dispose();
    }
    this.a = this.b = this.truth = null;
    this.drawing = new Drawing(ground);
    this.scene.add(this.drawing.mesh);
    const flat = new Surface(ground, new Float32Array(ground.rows * ground.columns).map((_, k) => (ground.picture[4 * k + 3] ? 0 : -1e30)), 0);
    this.sphere = flat.sphere();
    this.setRise(0);
    this.reset(true);
  }

  /** The first surface of a map rises out of the flat picture. */
  firstSurface(surface: Surface): void {
    this.sphere = surface.sphere();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.setRise(1);
    else this.rising = performance.now();
    this.reset(false);
  }

  private setRise(rise: number): void {
    if (this.drawing) this.drawing.mesh.material.uniforms.rise.value = rise;
  }

  reset(front: boolean): void {
    const distance = (this.sphere.radius * 0.92) / Math.sin((this.camera.fov * Math.PI) / 360) / Math.min(1, this.aspect());
    const [yaw, pitch] = front ? [0, 0] : [-0.55, 0.3];
    const direction = new Vector3(Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch));
    this.camera.position.copy(this.sphere.center).addScaledVector(direction, distance);
    this.camera.near = distance / 100;
    this.camera.far = distance * 20;
    this.controls.target.copy(this.sphere.center);
    this.controls.update();
    this.ask();
  }

  get layout(): Layout {
    return this.layout_;
  }

  /** Another layout; the surface keeps its size in narrower views. */
  set layout(layout: Layout) {
    const before = Math.min(1, this.aspect());
    this.layout_ = layout;
    const { position } = this.camera;
    position.sub(this.controls.target).multiplyScalar(before / Math.min(1, this.aspect())).add(this.controls.target);
    this.controls.update();
    this.ask();
  }

  private aspect(): number {
    const width = this.layout_ === "two" ? this.canvas.clientWidth / 2 : this.canvas.clientWidth;
    return width / Math.max(1, this.canvas.clientHeight);
  }

  private resize(): void {
    const box = byId("stage-box");
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(box.clientWidth, box.clientHeight, false);
    this.draw();
  }

  /** Draw at the next frame. */
  ask(): void {
    if (this.asked) return;
    this.asked = true;
    this.canvas.dataset.waiting = "yes";
    requestAnimationFrame(() => {
      this.asked = false;
      delete this.canvas.dataset.waiting;
      this.draw();
    });
  }

  private panes(): Pane[] {
    const width = this.canvas.clientWidth;
    const whole = { viewLeft: 0, viewWidth: width };
    if (this.layout_ === "two") {
      const half = width / 2;
      return [
        { surface: this.a, left: 0, width: half - 1, viewLeft: 0, viewWidth: half },
        { surface: this.b, left: half + 1, width: half - 1, viewLeft: half, viewWidth: half },
      ];
    }
    if (this.layout_ === "wipe") {
      const split = width * this.wipe;
      return [
        { surface: this.a, left: 0, width: split - 1, ...whole },
        { surface: this.b, left: split + 1, width: width - split - 1, ...whole },
      ];
    }
    return [{ surface: this.a, left: 0, width, ...whole }];
  }

  private draw(): void {
    const { renderer } = this;
    const height = this.canvas.clientHeight;
    renderer.setScissor(0, 0, this.canvas.clientWidth, height);
    renderer.setClearColor(new Color(0), 0);
    renderer.clear();
    if (!this.drawing) return;
    if (this.rising) this.animateRise();
    const { uniforms } = this.drawing.mesh.material;
    uniforms.truth.value = this.truth?.texture ?? uniforms.truth.value;
    uniforms.jumpColour.value.copy(components("jump"));
    uniforms.clay.value.copy(document.documentElement.dataset.theme === "light" ? new Vector3(0.86, 0.84, 0.8) : new Vector3(0.8, 0.83, 0.85));
    for (const pane of this.panes()) {
      if (pane.width <= 0) continue;
      this.drawing.show(pane.surface);
      uniforms.shading.value = pane.surface ? this.shading : 2;
      const rising = uniforms.rise.value < 1;
      uniforms.threshold.value = this.jumps && pane.surface && !rising ? this.drawing.ground.header.step : 0;
      this.camera.aspect = pane.viewWidth / Math.max(1, height);
      this.camera.updateProjectionMatrix();
      renderer.setViewport(pane.viewLeft, 0, pane.viewWidth, height);
      renderer.setScissor(pane.left, 0, pane.width, height);
      renderer.render(this.scene, this.camera);
    }
    this.canvas.dataset.frames = String(++this.frames);
    this.canvas.dataset.camera = this.camera.position.toArray().map((x) => x.toFixed(1)).join(" ");
  }

  private animateRise(): void {
    const time = Math.min(1, (performance.now() - this.rising) / 450);
    this.setRise(1 - (1 - time) ** 3);
    if (time >= 1) this.rising = 0;
    else this.ask();
  }

  private key(event: KeyboardEvent): void {
    const turns: Record<string, [number, number]> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
    const offset = this.camera.position.clone().sub(this.controls.target);
    const turn = turns[event.key];
    if (turn) {
      const length = offset.length();
      const yaw = Math.atan2(offset.x, offset.z) + turn[0];
      const pitch = Math.max(-1.5, Math.min(1.5, Math.asin(offset.y / length) + turn[1]));
      offset.set(Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)).multiplyScalar(length);
    } else if (event.key === "+" || event.key === "=") offset.multiplyScalar(0.9);
    else if (event.key === "-") offset.multiplyScalar(1 / 0.9);
    else return;
    event.preventDefault();
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.ask();
  }

  private hovering = false;

  private hover(event: PointerEvent): void {
    if (!this.drawing || event.buttons || this.hovering) return;
    this.hovering = true;
    const { offsetX, offsetY } = event;
    requestAnimationFrame(() => {
      this.hovering = false;
      this.onHover(this.pick(offsetX, offsetY));
    });
  }

  /** The cell under a place of the canvas: what a picture of one pixel there shows. */
  private pick(x: number, y: number): { row: number; column: number } | null {
    const pane = this.panes().find((one) => x >= one.left && x < one.left + one.width);
    if (!pane?.surface || !this.drawing) return null;
    const height = this.canvas.clientHeight;
    const { mesh, picking } = this.drawing;
    const material = mesh.material;
    this.drawing.show(pane.surface);
    this.camera.aspect = pane.viewWidth / Math.max(1, height);
    this.camera.setViewOffset(pane.viewWidth, height, x - pane.viewLeft, y, 1, 1);
    mesh.material = picking;
    this.renderer.setRenderTarget(this.target);
    this.renderer.setClearColor(new Color(0), 0);
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    const pixel = new Uint8Array(4);
    this.renderer.readRenderTargetPixels(this.target, 0, 0, 1, 1, pixel);
    this.renderer.setRenderTarget(null);
    mesh.material = material;
    this.camera.clearViewOffset();
    if (!pixel[3]) return null;
    return { column: pixel[0] | ((pixel[2] & 15) << 8), row: pixel[1] | ((pixel[2] >> 4) << 8) };
  }
}

function components(name: string): Vector3 {
  const made = new Color(colour(name)).convertLinearToSRGB();
  return new Vector3(made.r, made.g, made.b);
}
