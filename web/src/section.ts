/** Distances and cross-sections on surfaces, in the unit of depths. */

import type { Cell } from "./grid";
import type { Point } from "./space";
import type { Surface } from "./surface";

/** The unit of a number, or nothing where there is none. */
export function shortUnit(unit: string): string {
  return unit.startsWith("(") ? "" : unit;
}

/** Pixels along a straight line of the map, from one pixel to another, both included. */
export function pixelsBetween(from: Cell, to: Cell): Cell[] {
  const steps = Math.max(Math.abs(to.row - from.row), Math.abs(to.column - from.column), 1);
  return Array.from({ length: steps + 1 }, (_, k) => ({
    row: Math.round(from.row + ((to.row - from.row) * k) / steps),
    column: Math.round(from.column + ((to.column - from.column) * k) / steps),
  }));
}

/** Where a pixel of a surface is, in the unit of depths; null where there is no surface. */
export function positionOf(surface: Surface, pixel: Cell): Point | null {
  const height = surface.height(pixel);
  if (height === null) return null;
  return surface.ground.space.inUnits(pixel.row, pixel.column, surface.depthOf(height), surface.measure.factor);
}

/** The distance in space between two pixels of a surface, and their difference in depth. */
export function distanceBetween(surface: Surface, from: Cell, to: Cell): { distance: number; depth: number } | null {
  const [a, b] = [positionOf(surface, from), positionOf(surface, to)];
  return a && b && { distance: Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]), depth: b[2] - a[2] };
}

/** A place on a cross-section. */
export interface Sample {
  pixel: Cell;
  /** Across the line of sight, from the beginning of the line. */
  along: number;
  depth: number;
  /** Whether the surface goes on from the sample before. */
  joined: boolean;
}

/** The cross-section of a surface along a line of the map; null where there is no surface. */
export function sectionOf(surface: Surface, from: Cell, to: Cell): (Sample | null)[] {
  const pixels = pixelsBetween(from, to);
  const positions = pixels.map((pixel) => positionOf(surface, pixel));
  const known = positions.filter((one): one is Point => one !== null);
  if (!known.length) return positions.map(() => null);
  const [first, last] = [known[0], known[known.length - 1]];
  const length = Math.hypot(last[0] - first[0], last[1] - first[1]) || 1;
  const way = [(last[0] - first[0]) / length, (last[1] - first[1]) / length];
  return positions.map((at, k) => {
    if (!at) return null;
    const along = (at[0] - first[0]) * way[0] + (at[1] - first[1]) * way[1];
    const joined = k > 0 && positions[k - 1] !== null && areJoined(surface, pixels[k - 1], pixels[k]);
    return { pixel: pixels[k], along, depth: at[2], joined };
  });
}

/** Whether neighbouring pixels belong to one piece of the surface; diagonal ones by either way around. */
export function areJoined(surface: Surface, a: Cell, b: Cell): boolean {
  const [from, to] = [a, b].map((pixel) => surface.grid.cell(pixel.row, pixel.column));
  if (!from || !to) return false;
  const { links } = surface.lattice;
  const beside = (p: Cell, q: Cell): boolean => {
    if (p.row === q.row && p.column === q.column) return true;
    const first = p.row < q.row || p.column < q.column ? p : q;
    return (links[surface.grid.at(first)] & (p.row === q.row ? 2 : 4)) > 0;
  };
  const corners = [{ row: from.row, column: to.column }, { row: to.row, column: from.column }];
  return corners.some((corner) => beside(from, corner) && beside(corner, to));
}

/** The table of cross-sections of several surfaces along the same line. */
export function csvOf(pixels: Cell[], series: { name: string; samples: (Sample | null)[] }[], unit: string): string {
  const plain = (text: string) => text.replace(/[",\n]/g, " ").trim();
  const inUnit = plain(unit) ? ` (${plain(unit).replace(/[()]/g, "")})` : "";
  const head = ["row", "column", ...series.flatMap(({ name }) => [`${plain(name)} along${inUnit}`, `${plain(name)} depth${inUnit}`])];
  const lines = pixels.map((pixel, k) => {
    const values = series.flatMap(({ samples }) => [samples[k]?.along, samples[k]?.depth]);
    return [pixel.row, pixel.column, ...values.map((value) => (value === undefined ? "" : String(Number(value.toPrecision(9)))))].join(",");
  });
  return [head.join(","), ...lines].join("\n") + "\n";
}
