/** Units of depths and errors, in words. */

import type { MapHeader } from "./messages";

type Camera = MapHeader["camera"];

/** What depths along a camera's rays are in, in words. */
export function depthUnit(camera: Camera): string {
  if (camera.kind === "perspective") return "(no unit: up to scale)";
  return camera.pixel_size === 1 ? "px" : "(units of the pixel size)";
}

/** What errors against a true depth are in. */
export function errorUnit(camera: Camera): string {
  return camera.kind === "perspective" ? "(unit of the truth)" : depthUnit(camera);
}
