/** Cameras in words, and the sensors whose width people know by name. */

import type { MapHeader } from "./messages";

export type Choice = Record<string, string | number>;

/** Widths in millimetres. */
export const sensors: [string, number][] = [
  ["Full frame, 36 mm", 36],
  ["APS-C, 23.5 mm", 23.5],
  ["APS-C Canon, 22.3 mm", 22.3],
  ["Four Thirds, 17.3 mm", 17.3],
  ["1 inch, 13.2 mm", 13.2],
  ["2/3 inch, 8.8 mm", 8.8],
  ["1/1.8 inch, 7.2 mm", 7.2],
  ["1/2.3 inch, 6.2 mm", 6.17],
  ["Phone, 9.8 mm", 9.8],
  ["Medium format, 43.8 mm", 43.8],
];

export interface Lens {
  unit: string;
  start: number;
  /** Whether a value can be meant. */
  fits: (value: number) => boolean;
}

export const lenses: Record<string, Lens> = {
  focal_mm: { unit: "mm on", start: 50, fits: (value) => value > 0 && value < 1e5 },
  field_of_view: { unit: "° high", start: 35, fits: (value) => value > 0 && value < 180 },
  focal: { unit: "px", start: 1000, fits: (value) => value > 0 },
};

/** The camera that the server is asked for. */
export function choose(kind: string, value: number, sensor: number): Choice {
  if (kind === "focal_mm") return { kind, millimetres: value, sensor_width: sensor };
  if (kind === "field_of_view") return { kind, degrees: value };
  return kind === "focal" ? { kind, pixels: value } : { kind };
}

/** A camera in a few words. */
export function describe(header: Pick<MapHeader, "camera" | "size">): string {
  const { camera, size } = header;
  if (camera.kind === "orthographic") return "parallel rays";
  return `perspective ${((Math.atan(size[0] / 2 / camera.fy) * 360) / Math.PI).toFixed(1)}°`;
}
