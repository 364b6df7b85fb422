/** The camera of the 3D view: where it stands, how it is turned, and how a surface fits into it. */

import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Point } from "./space";

/** Share of the view that stays free around a surface. */
const air = 1.1;
const aside = [-0.55, 0.3];

/** Where the camera is, and where it looks. */
export interface Pose {
  position: number[];
  target: number[];
}

export class Eye {
  readonly camera = new PerspectiveCamera(28, 1, 1, 1e5);
  readonly controls: OrbitControls;

  /** Where the camera is held, whatever comes into view, until the user moves it. */
  private held: Pose | null = null;

  constructor(
    canvas: HTMLCanvasElement,
    private changed: () => void,
  ) {
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => (this.held = null));
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  /** Look straight at the points, or from the side; whole in view. */
  reset(points: Point[], front: boolean, aspect: number): void {
    const [yaw, pitch] = front ? [0, 0] : aside;
    this.look(yaw, pitch);
    this.fit(points, aspect);
  }

  private look(yaw: number, pitch: number): void {
    const direction = new Vector3(Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch));
    this.camera.position.copy(this.controls.target).add(direction);
  }

  /** Move so that the points fill the view, without turning. */
  fit(points: Point[], aspect: number): void {
    if (!points.length) return;
    const towards = this.camera.position.clone().sub(this.controls.target).normalize();
    const right = new Vector3(0, 1, 0).cross(towards).normalize();
    const up = towards.clone().cross(right);
    const seen = points.map((point) => {
      const at = new Vector3(...point);
      return [at.dot(right), at.dot(up), at.dot(towards)];
    });
    const tall = Math.tan((this.camera.fov * Math.PI) / 360) / air;
    const [x, y] = [centred(seen, 0, tall * aspect), centred(seen, 1, tall)];
    const distance = Math.max(...seen.map((p) => p[2] + Math.max(Math.abs(p[0] - x) / (tall * aspect), Math.abs(p[1] - y) / tall)));
    const depths = seen.map((p) => p[2]);
    const middle = depths.reduce((sum, z) => sum + z, 0) / depths.length;
    this.controls.target.copy(right).multiplyScalar(x).addScaledVector(up, y).addScaledVector(towards, middle);
    const far = Math.max(distance - middle, 1);
    this.camera.position.copy(this.controls.target).addScaledVector(towards, far);
    this.camera.near = far / 200;
    this.camera.far = far * 30;
    this.controls.update();
    this.hold(this.held);
    this.changed();
  }

  pose(): Pose {
    return { position: this.camera.position.toArray(), target: this.controls.target.toArray() };
  }

  /** Put the camera there and leave it until the user moves it; null leaves it to what comes into view. */
  hold(pose: Pose | null): void {
    this.held = pose;
    if (!pose) return;
    this.camera.position.fromArray(pose.position);
    this.controls.target.fromArray(pose.target);
    this.controls.update();
    this.changed();
  }

  /** Keep what is seen when the view becomes narrower or wider. */
  zoom(factor: number): void {
    const { position } = this.camera;
    position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
    this.changed();
  }

  private key(event: KeyboardEvent): void {
    const turns: Record<string, [number, number]> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
    const turn = turns[event.key];
    if (turn || "+=-".includes(event.key)) this.held = null;
    if (turn) {
      const offset = this.camera.position.clone().sub(this.controls.target);
      const length = offset.length();
      const yaw = Math.atan2(offset.x, offset.z) + turn[0];
      const pitch = Math.max(-1.5, Math.min(1.5, Math.asin(offset.y / length) + turn[1]));
      this.look(yaw, pitch);
      this.zoom(length);
    } else if (event.key === "+" || event.key === "=") this.zoom(0.9);
    else if (event.key === "-") this.zoom(1 / 0.9);
    else return;
    event.preventDefault();
  }

  /** The ray through a place of a pane, both in CSS pixels. */
  ray(x: number, y: number, width: number, height: number): { origin: Point; direction: Point } {
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    const through = new Vector3((2 * x) / width - 1, 1 - (2 * y) / height, 0.5).unproject(this.camera);
    const direction = through.sub(this.camera.position).normalize();
    return { origin: this.camera.position.toArray() as Point, direction: direction.toArray() as Point };
  }

  /** Where a point of the scene is seen in a pane; null behind the camera. */
  project(point: Point, width: number, height: number): [number, number] | null {
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    const seen = new Vector3(...point).project(this.camera);
    return seen.z < 1 ? [((seen.x + 1) / 2) * width, ((1 - seen.y) / 2) * height] : null;
  }
}

/** Where the camera must stand across so that both sides are equally near to the border of the view. */
function centred(seen: number[][], axis: 0 | 1, slope: number): number {
  const most = Math.max(...seen.map((p) => p[2] + p[axis] / slope));
  const least = Math.max(...seen.map((p) => p[2] - p[axis] / slope));
  return ((most - least) * slope) / 2;
}
