/** What the pointer does on the 3D view besides turning it: asking about a pixel by hovering, or by a click. */

import type { Cell } from "./grid";

export class Pointing {
  private pressed = [0, 0];
  private hovering = false;

  constructor(
    canvas: HTMLCanvasElement,
    private pick: (x: number, y: number) => Cell | null,
    private hovered: (pixel: Cell | null) => void,
    private clicked: (pixel: Cell) => void,
  ) {
    canvas.addEventListener("pointermove", (event) => this.hover(event));
    canvas.addEventListener("pointerleave", () => this.hovered(null));
    canvas.addEventListener("pointerdown", (event) => (this.pressed = [event.offsetX, event.offsetY]));
    canvas.addEventListener("pointerup", (event) => this.click(event));
  }

  private hover(event: PointerEvent): void {
    if (event.buttons || this.hovering) return;
    this.hovering = true;
    const { offsetX, offsetY } = event;
    requestAnimationFrame(() => {
      this.hovering = false;
      this.hovered(this.pick(offsetX, offsetY));
    });
  }

  /** A click that did not turn the view. */
  private click(event: PointerEvent): void {
    const moved = Math.hypot(event.offsetX - this.pressed[0], event.offsetY - this.pressed[1]);
    const pixel = moved < 4 && event.button === 0 ? this.pick(event.offsetX, event.offsetY) : null;
    if (pixel) this.clicked(pixel);
  }
}
