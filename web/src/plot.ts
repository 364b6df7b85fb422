/** The plot of a cross-section: depth over the way along a line, near at the top. */

import { labels, ticks } from "./legend";
import { shortUnit, type Sample } from "./section";
import { svg } from "./svg";

export interface Series {
  name: string;
  /** Class of its curve. */
  kind: string;
  samples: (Sample | null)[];
}

/** A curve as pieces that jumps separate. */
export function piecesOf(samples: (Sample | null)[]): Sample[][] {
  const pieces: Sample[][] = [];
  for (const sample of samples) {
    if (!sample) continue;
    if (sample.joined && pieces.length) pieces[pieces.length - 1].push(sample);
    else pieces.push([sample]);
  }
  return pieces;
}

/** Draw curves into an element; returns where along the line a place of the drawing is, as a share. */
export function drawPlot(into: SVGSVGElement, series: Series[], unit: string, marked: number | null): (x: number) => number {
  const [width, height] = [into.clientWidth || 480, into.clientHeight || 150];
  const box = { left: 58, right: width - 14, top: 10, bottom: height - 32 };
  const all = series.flatMap((one) => one.samples.filter((sample): sample is Sample => sample !== null));
  const [near, far] = spread(all.map((sample) => sample.depth));
  const [from, to] = spread(all.map((sample) => sample.along), 0);
  const x = (along: number) => box.left + ((along - from) / (to - from)) * (box.right - box.left);
  const y = (depth: number) => box.top + ((depth - near) / (far - near)) * (box.bottom - box.top);
  const parts: SVGElement[] = [];
  const inUnit = shortUnit(unit) ? `, ${unit}` : " (no unit)";
  const depths = ticks(near, far, 4);
  labels(depths).forEach((text, k) => {
    parts.push(svg("line", { class: "grid", x1: box.left, x2: box.right, y1: y(depths[k]), y2: y(depths[k]) }));
    parts.push(svg("text", { class: "tick-y", x: box.left - 6, y: y(depths[k]) }, text));
  });
  const ways = ticks(from, to, Math.max(2, Math.floor(width / 110)));
  labels(ways).forEach((text, k) => parts.push(svg("text", { class: "tick-x", x: x(ways[k]), y: box.bottom + 15 }, text)));
  parts.push(svg("text", { class: "axis", x: box.right, y: height - 3 }, `along the line${inUnit}`));
  parts.push(svg("text", { class: "axis start", x: 2, y: height - 3 }, `depth${inUnit}`));
  for (const { kind, samples } of series) {
    const path = piecesOf(samples).map((piece) => "M" + piece.map((one) => `${x(one.along).toFixed(1)} ${y(one.depth).toFixed(1)}`).join("L"));
    parts.push(svg("path", { class: `curve ${kind}`, d: path.join("") }));
    const mark = marked === null ? null : samples[marked];
    if (mark) parts.push(svg("circle", { class: `curve ${kind}`, cx: x(mark.along), cy: y(mark.depth), r: 3.5 }));
  }
  into.replaceChildren(...parts);
  return (at) => Math.max(0, Math.min(1, (at - box.left) / (box.right - box.left)));
}

/** Least and greatest value, with some air. */
function spread(values: number[], air = 0.06): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (!(high > low)) return [low - 1, low + 1];
  return [low - air * (high - low), high + air * (high - low)];
}
