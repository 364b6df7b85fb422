/** What server and page tell each other. */

export interface Setting {
  name: string;
  kind: "integer" | "number" | "switch";
  default: number | boolean;
  about: string;
}

export interface Method {
  name: string;
  title: string;
  about: string;
  settings: Setting[];
}

export interface Hello {
  kind: "hello";
  session: string;
  version: string;
  methods: Method[];
  examples: { name: string; title: string }[];
  preloaded: string | null;
  upload_bytes: number;
  pixels: number;
}

export type Camera =
  | { kind: "orthographic"; pixel_size: number }
  | { kind: "perspective"; fx: number; fy: number; cx: number; cy: number };

/** What depths along a camera's rays are in, in words. */
export function depthUnit(camera: Camera): string {
  if (camera.kind === "perspective") return "(no unit: up to scale)";
  return camera.pixel_size === 1 ? "px" : "(units of the pixel size)";
}

/** What errors against a true depth are in. */
export function errorUnit(camera: Camera): string {
  return camera.kind === "perspective" ? "(unit of the truth)" : depthUnit(camera);
}

export interface MapHeader {
  kind: "map";
  name: string;
  size: [number, number];
  step: number;
  camera: Camera;
  pixels: number;
  regions: number;
  bit_depth: number;
  used_frame: string;
  frame: { detected: string; sure: boolean; evidence: string[] };
  warnings: string[];
  truth_level: number;
  view_only: boolean;
}

export interface SurfaceHeader {
  kind: "surface" | "progress" | "finished";
  result: string;
  level: number;
  coarse?: boolean;
  iteration: number;
  total: number;
  seconds: number;
  records: [number, number | null, number | null][];
  status: string;
  usable: boolean;
  islands: number;
  warnings: string[];
  error: number | null;
}

export interface Snippet {
  kind: "snippet";
  result: string;
  python: string;
  command: string | null;
  files: string[];
}

export type Notice =
  | Hello
  | Snippet
  | { kind: "refused" | "lost" | "full"; message: string }
  | { kind: "queued"; place: number }
  | { kind: "running" | "paused" | "cancelled" | "started" };

export type Arrays = Record<string, Float32Array | Uint8Array | Int32Array>;

const types = { float32: Float32Array, uint8: Uint8Array, int32: Int32Array };

/** Header and arrays of a binary message; the arrays are views, nothing is copied. */
export function unpack(frame: ArrayBuffer): { header: MapHeader | SurfaceHeader; arrays: Arrays } {
  const length = new DataView(frame).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(frame, 4, length)));
  const arrays: Arrays = {};
  for (const entry of header.arrays) {
    const count = entry.shape.reduce((a: number, b: number) => a * b, 1);
    arrays[entry.name] = new types[entry.type as keyof typeof types](frame, 4 + length + entry.offset, count);
  }
  return { header, arrays };
}
