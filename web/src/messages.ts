/** What server and page tell each other: made by messages.py, not edited. */

/** A setting of a method that the page has a control for. */
export interface Setting {
  name: string;
  kind: "integer" | "number" | "switch";
  default: number | boolean;
  about: string;
}

/** A method, as the page offers it. */
export interface Method {
  name: string;
  title: string;
  about: string;
  settings: Setting[];
}

/** A built-in scene. */
export interface Example {
  name: string;
  title: string;
}

/** Greeting of a page that connects; `preloaded` is the name of a depth map to open at once. */
export interface Hello {
  kind: "hello";
  session: string;
  version: string;
  methods: Method[];
  examples: Example[];
  preloaded: string | null;
  upload_bytes: number;
  pixels: number;
}

/** The orthographic camera. */
export interface OrthographicCamera {
  kind: "orthographic";
  pixel_size: number;
}

/** A pinhole camera, in pixels. */
export interface PerspectiveCamera {
  kind: "perspective";
  fx: number;
  fy: number;
  cx: number;
  cy: number;
}

/** What the data say about the frame of a map. */
export interface FrameEvidence {
  detected: string;
  sure: boolean;
  evidence: string[];
}

/** A map that was opened; its frame holds `picture`, `slopes` and, where known, `truth`. */
export interface MapHeader {
  kind: "map";
  name: string;
  size: [number, number];
  step: number;
  camera: OrthographicCamera | PerspectiveCamera;
  pixels: number;
  regions: number;
  bit_depth: number;
  used_frame: string;
  frame: FrameEvidence;
  warnings: string[];
  truth_level: number;
  view_only: boolean;
}

/** A surface to look at before the run has one; `last` says that no finer one follows. */
export interface SurfaceHeader {
  kind: "surface";
  result: string;
  coarse: boolean;
  last: boolean;
  level: number;
}

/** How far a run is; `level` is None in a frame without a surface. */
export interface ProgressHeader {
  kind: "progress";
  result: string;
  iteration: number;
  total: number;
  seconds: number;
  records: [number, number | null, number | null][];
  level: number | null;
}

/** The end of a run, with its surface. */
export interface FinishedHeader {
  kind: "finished";
  result: string;
  iteration: number;
  total: number;
  seconds: number;
  records: [number, number | null, number | null][];
  level: number;
  status: string;
  usable: boolean;
  islands: number;
  warnings: string[];
  error: number | null;
}

/** Commands that reproduce a surface; `command` is None where the command line cannot. */
export interface Snippet {
  kind: "snippet";
  result: string;
  python: string;
  command: string | null;
  files: string[];
}

/** What went wrong: a request that was refused, a worker that ended, or a server that is full. */
export interface Failure {
  kind: "refused" | "lost" | "full";
  message: string;
}

/** A run that waits; 1 is next. */
export interface Queued {
  kind: "queued";
  place: number;
}

/** What the session does now. */
export interface Phase {
  kind: "running" | "paused" | "cancelled";
}

/** How a map is read. */
export interface Options {
  frame: string;
  camera: Record<string, string | number>;
}

/** A line that was painted on the map: points (row, column). */
export interface Stroke {
  tool: "exclude" | "force" | "forbid";
  radius: number;
  points: [number, number][];
}

/** Open an example, the preloaded depth map, or the uploads except those of some roles. */
export interface OpenRequest {
  kind: "open";
  side: number;
  example?: string;
  preloaded?: boolean;
  without?: string[];
  options?: Options;
}

/** Begin a run. */
export interface RunRequest {
  kind: "run";
  method: string;
  settings: Record<string, number | boolean>;
  strokes: Stroke[];
}

/** Ask for the commands that reproduce a surface. */
export interface SnippetRequest {
  kind: "snippet";
  result: string;
}

/** Steer the run, or say that the last surface was drawn. */
export interface Control {
  kind: "pause" | "resume" | "step" | "stop" | "cancel" | "drawn";
}

export type Notice = Hello | Snippet | Failure | Queued | Phase;

export type Header = MapHeader | SurfaceHeader | ProgressHeader | FinishedHeader;

export type PageRequest = OpenRequest | RunRequest | SnippetRequest | Control;
