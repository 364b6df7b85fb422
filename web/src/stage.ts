/** The 3D views: one camera, one canvas, drawn when something has changed. */

import { Color, WebGLRenderer } from "three";
import { cast, type Hit } from "./cast";
import { byId } from "./dom";
import { Drawing, type Shading } from "./drawing";
import { Eye } from "./eye";
import type { Cell } from "./grid";
import type { Ground } from "./ground";
import { panesOf, type Layout, type Pane } from "./panes";
import { Pointing } from "./pointing";
import type { Point } from "./space";
import { Surface } from "./surface";

export type { Layout } from "./panes";

export class Stage {
  readonly canvas = byId<HTMLCanvasElement>("stage");
  readonly drawing = new Drawing();
  readonly eye: Eye;
  private renderer: WebGLRenderer;
  private flat: Surface | null = null;
  private asked = false;
  private rising = 0;
  private frames = 0;
  private layout_: Layout = "one";

  a: Surface | null = null;
  b: Surface | null = null;
  wipe = 0.5;
  shading: Shading = "clay";
  /** Values between which colours run, of each surface. */
  range: (surface: Surface) => [number, number] = (surface) => surface.range;
  jumps = false;
  /** Whether both surfaces are needed although one is shown: for their difference. */
  wantsBoth = false;
  onHover: (pixel: Cell | null) => void = () => {};
  /** A click on the surface that did not turn the view; a tool may take it. */
  onHit: (pixel: Cell) => boolean = () => false;
  onClick: (pixel: Cell) => void = () => {};
  /** After each drawing, for what lies over the canvas. */
  onDraw: () => void = () => {};

  constructor() {
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.autoClear = false;
    this.renderer.setScissorTest(true);
    this.eye = new Eye(this.canvas, () => this.ask());
    new ResizeObserver(() => this.resize()).observe(byId("stage-box"));
    new Pointing(
      this.canvas,
      (x, y) => this.pixelAt(x, y),
      (pixel) => this.onHover(pixel),
      (pixel) => this.onHit(pixel) || this.onClick(pixel),
    );
    this.resize();
  }

  /** Longer side in which surfaces are drawn meanwhile; smaller without a graphics card, so that the page stays responsive. */
  side(): number {
    const context = this.renderer.getContext();
    const told = context.getExtension("WEBGL_debug_renderer_info");
    const name = told ? String(context.getParameter(told.UNMASKED_RENDERER_WEBGL)) : "";
    return /swiftshader|llvmpipe|software|basic render/i.test(name) ? 256 : 512;
  }

  /** A new map, shown flat. */
  setGround(ground: Ground): void {
    this.flat?.dispose();
    this.a = this.b = null;
    this.flat = Surface.flat(ground);
    this.drawing.setGround(ground);
    this.drawing.rise = this.rising = 0;
    this.reset();
  }

  /** The first surface of a map rises out of the flat picture. */
  firstSurface(surface: Surface): void {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.rising = still ? 0 : performance.now();
    this.drawing.rise = still ? 1 : 0;
    this.eye.reset(surface.some(), false, this.aspect());
  }

  /** The whole of view A, from where it is seen best. */
  reset(): void {
    const surface = this.a ?? this.flat;
    if (surface) this.eye.reset(surface.some(), !this.a, this.aspect());
  }

  /** View A as the map's camera sees it. */
  front(): void {
    if (this.a) this.eye.reset(this.a.some(), true, this.aspect());
  }

  /** The whole of a surface, as the camera is turned now. */
  fit(surface: Surface): void {
    this.eye.fit(surface.some(), this.aspect());
  }

  get layout(): Layout {
    return this.layout_;
  }

  /** Another layout; the surface keeps its size in narrower views. */
  set layout(layout: Layout) {
    const before = Math.min(1, this.aspect());
    this.layout_ = layout;
    this.eye.zoom(before / Math.min(1, this.aspect()));
  }

  private aspect(): number {
    const width = this.layout_ === "two" ? this.canvas.clientWidth / 2 : this.canvas.clientWidth;
    return width / Math.max(1, this.canvas.clientHeight);
  }

  private resize(): void {
    const box = byId("stage-box");
    const scale = Number(new URLSearchParams(location.search).get("scale")) || Math.min(2, devicePixelRatio);
    this.renderer.setPixelRatio(scale);
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

  /** The views and what each shows. */
  panes(): Pane[] {
    return panesOf(this.layout_, this.canvas.clientWidth, this.wipe, this.a ?? this.flat, this.b);
  }

  private draw(): void {
    const { renderer } = this;
    const height = this.canvas.clientHeight;
    renderer.setScissor(0, 0, this.canvas.clientWidth, height);
    renderer.setClearColor(new Color(0), 0);
    renderer.clear();
    if (!this.flat) return;
    if (this.rising) this.animateRise();
    this.drawing.useTheme();
    const { camera } = this.eye;
    for (const { surface, left, width, viewLeft, viewWidth } of this.panes()) {
      if (width <= 0 || !surface) continue;
      const flat = surface === this.flat;
      this.drawing.show(surface, flat ? "normal" : this.shading, this.range(surface), this.jumps && !flat && !this.rising);
      camera.aspect = viewWidth / Math.max(1, height);
      camera.updateProjectionMatrix();
      renderer.setViewport(viewLeft, 0, viewWidth, height);
      renderer.setScissor(left, 0, width, height);
      renderer.render(this.drawing.scene, camera);
    }
    this.canvas.dataset.frames = String(++this.frames);
    this.canvas.dataset.camera = camera.position.toArray().map((x) => x.toFixed(1)).join(" ");
    this.canvas.dataset.pixels = String(this.a?.pixels ?? 0);
    this.onDraw();
  }

  private animateRise(): void {
    const time = Math.min(1, (performance.now() - this.rising) / 450);
    this.drawing.rise = 1 - (1 - time) ** 3;
    if (time >= 1) this.rising = 0;
    else this.ask();
  }

  /** The pixel that a place of the canvas shows. */
  pixelAt(x: number, y: number): Cell | null {
    const hit = this.pick(x, y);
    return hit && { row: Math.round(hit.row), column: Math.round(hit.column) };
  }

  /** What a place of the canvas shows: where on the map, and which surface. */
  pick(x: number, y: number): (Hit & { surface: Surface }) | null {
    const pane = this.panes().find((one) => x >= one.left && x < one.left + one.width);
    if (!pane?.surface || pane.surface === this.flat) return null;
    const { surface } = pane;
    const { origin, direction } = this.eye.ray(x - pane.viewLeft, y, pane.viewWidth, this.canvas.clientHeight);
    const hit = cast(origin, direction, surface.ground.space, surface.grid, surface.lattice, surface.points);
    return hit && { ...hit, surface };
  }

  /** Where a point of the scene is drawn in a view. */
  project(point: Point, pane: Pane): [number, number] | null {
    const at = this.eye.project(point, pane.viewWidth, this.canvas.clientHeight);
    return at && [at[0] + pane.viewLeft, at[1]];
  }
}
