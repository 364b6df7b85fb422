/** The light: a small ball on which its place can be dragged, or moved with the arrow keys. */

import { byId, make } from "./dom";
import type { Stage } from "./stage";

/** Where the light is at first: above left, as pictures of reliefs have it. */
const first: [number, number] = [-0.42, 0.56];
/** The light never goes behind the surface. */
const most = 0.96;

/** A place on the ball's disc as a direction: x right, y up, z towards the viewer. */
export function directionOf(x: number, y: number): [number, number, number] {
  const length = Math.hypot(x, y);
  const scale = length > most ? most / length : 1;
  const [u, v] = [x * scale, y * scale];
  return [u, v, Math.sqrt(1 - u * u - v * v)];
}

/** The direction in words. */
export function wordsOf(x: number, y: number): string {
  const high = Math.round((Math.acos(Math.min(1, Math.hypot(x, y))) * 180) / Math.PI);
  const sides = [y > 0.15 ? "above" : y < -0.15 ? "below" : "", x > 0.15 ? "right" : x < -0.15 ? "left" : ""].filter(Boolean);
  return sides.length ? `From ${sides.join(" ")}, ${high}° above the surface` : "From the viewer";
}

export class Light {
  private dot = make("span", { className: "light-dot" });
  private ball = make("button", { type: "button", className: "light", id: "light", title: "Drag to move the light; double-click to put it back" }, this.dot);
  private at = first;

  constructor(private stage: Stage) {
    const { ball } = this;
    ball.setAttribute("aria-label", "Light");
    byId("stage-box").append(ball);
    ball.addEventListener("pointerdown", (event) => {
      ball.setPointerCapture(event.pointerId);
      this.drag(event);
    });
    ball.addEventListener("pointermove", (event) => event.buttons && this.drag(event));
    ball.addEventListener("dblclick", () => this.move(...first));
    ball.addEventListener("keydown", (event) => this.key(event));
    this.move(...first);
  }

  private drag(event: PointerEvent): void {
    const box = this.ball.getBoundingClientRect();
    this.move((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
  }

  private key(event: KeyboardEvent): void {
    const moves: Record<string, [number, number]> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
    const by = moves[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    this.move(this.at[0] + by[0], this.at[1] + by[1]);
  }

  private move(x: number, y: number): void {
    const [u, v, w] = directionOf(x, y);
    this.at = [u, v];
    this.dot.style.left = `${50 + 50 * u}%`;
    this.dot.style.top = `${50 - 50 * v}%`;
    this.ball.style.setProperty("--x", `${50 + 46 * u}%`);
    this.ball.style.setProperty("--y", `${50 - 46 * v}%`);
    this.ball.setAttribute("aria-description", wordsOf(u, v));
    this.stage.drawing.setLight(u, v, w);
    this.stage.ask();
  }
}
