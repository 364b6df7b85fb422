/** What is drawn over the map: strokes, picked points, and the part that is pointed at. */

import { colour } from "./dom";
import type { Stroke } from "./messages";
import type { Pixel } from "./picking";

const colours: Record<string, string> = { exclude: "exclude", force: "jump", forbid: "forbid" };

/** Pixels of a label. */
export interface Part {
  labels: Int32Array;
  label: number;
}

/** The part shines, the rest steps back. */
export function drawPart(context: CanvasRenderingContext2D, { labels, label }: Part): void {
  const image = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
  for (let k = 0; k < labels.length; k++) {
    for (let c = 0; c < 3; c++) {
      const value = image.data[4 * k + c];
      image.data[4 * k + c] = labels[k] === label ? 127 + value / 2 : value / 3;
    }
  }
  context.putImageData(image, 0, 0);
}

/** Strokes on a map of which every `step`-th pixel is drawn. */
export function drawStrokes(context: CanvasRenderingContext2D, strokes: Stroke[], step: number): void {
  context.lineCap = context.lineJoin = "round";
  for (const stroke of strokes) {
    context.strokeStyle = colour(colours[stroke.tool]);
    context.globalAlpha = 0.85;
    context.lineWidth = Math.max(1, (2 * stroke.radius) / step);
    context.beginPath();
    const [first, ...rest] = stroke.points.map(([row, column]) => [(column + 0.5) / step, (row + 0.5) / step]);
    context.moveTo(first[0], first[1]);
    for (const [x, y] of rest.length ? rest : [first]) context.lineTo(x + 0.01, y);
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** Picked points, and the line between two; `unit` is a pixel of the screen. */
export function drawPoints(context: CanvasRenderingContext2D, points: Pixel[], step: number, unit: number): void {
  const places = points.map(({ row, column }) => [(column + 0.5) / step, (row + 0.5) / step]);
  for (const [style, width] of [["#000a", 4], ["#fff", 2]] as const) {
    context.strokeStyle = style;
    context.lineWidth = width * unit;
    context.beginPath();
    for (const [x, y] of places) {
      context.moveTo(x + 3 * unit, y);
      context.arc(x, y, 3 * unit, 0, 2 * Math.PI);
    }
    if (places.length === 2) {
      context.moveTo(places[0][0], places[0][1]);
      context.lineTo(places[1][0], places[1][1]);
    }
    context.stroke();
  }
}
