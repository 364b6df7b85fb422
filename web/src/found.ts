/** What was found in the dropped files, a line each, with a way to correct it. */

import { choose, describe, lenses, sensors } from "./cameras";
import { byId, make } from "./dom";
import type { MapHeader, Options } from "./messages";
import { duration } from "./progress";

export interface FoundState {
  frame: string;
  camera: string;
  value: number;
  sensor: number;
  encoding: string;
}

const frames: Record<string, string> = {
  opengl: "OpenGL, y up",
  directx: "DirectX, y down",
  opencv: "OpenCV, y down, z away",
  undecided: "undecided",
};

export class Found {
  private frame = byId<HTMLSelectElement>("frame");
  private camera = byId<HTMLSelectElement>("camera");
  private value = byId<HTMLInputElement>("camera-value");
  private sensor = byId<HTMLSelectElement>("sensor");
  private encoding = byId<HTMLSelectElement>("encoding");
  onChange: () => void = () => {};
  /** The user wants to give a file of this role. */
  onFile: (role: string) => void = () => {};

  constructor() {
    this.sensor.replaceChildren(...sensors.map(([name, width]) => make("option", { value: String(width), textContent: name })));
    for (const select of [this.frame, this.sensor, this.encoding]) select.addEventListener("change", () => this.onChange());
    this.camera.addEventListener("change", () => this.changeCamera());
    this.value.addEventListener("change", () => {
      const lens = lenses[this.camera.value];
      if (lens && !lens.fits(this.value.valueAsNumber)) this.value.value = String(lens.start);
      this.onChange();
    });
    byId("mask-choose").addEventListener("click", () => this.onFile("mask"));
    byId("found").addEventListener("submit", (event) => event.preventDefault());
  }

  private changeCamera(): void {
    if (this.camera.value === "file") {
      this.camera.value = "auto";
      this.draw();
      return this.onFile("camera");
    }
    const lens = lenses[this.camera.value];
    if (lens) this.value.value = String(lens.start);
    this.draw();
    this.onChange();
  }

  options(): Options {
    const camera = choose(this.camera.value, this.value.valueAsNumber, Number(this.sensor.value));
    return { camera, frame: this.frame.value, encoding: this.encoding.value };
  }

  state(): FoundState {
    const [frame, camera, encoding] = [this.frame.value, this.camera.value, this.encoding.value];
    return { frame, camera, value: this.value.valueAsNumber, sensor: Number(this.sensor.value), encoding };
  }

  restore(state: FoundState): void {
    this.frame.value = state.frame;
    this.camera.value = state.camera;
    this.value.value = String(state.value);
    this.sensor.value = String(state.sensor);
    this.encoding.value = state.encoding;
    this.draw();
  }

  reset(): void {
    this.restore({ ...this.state(), frame: "auto", camera: "auto", encoding: "auto" });
  }

  /** A file of the camera was dropped: it counts, not what was chosen before. */
  useFile(): void {
    this.camera.value = "auto";
    this.draw();
  }

  private draw(): void {
    const lens = lenses[this.camera.value];
    byId("camera-row").hidden = !lens;
    if (lens) byId("camera-unit").textContent = lens.unit;
    this.sensor.hidden = this.camera.value !== "focal_mm";
  }

  /** Say what was found; what comes with an example is known, and cannot be changed. */
  showMap(header: MapHeader, fromFiles: boolean): void {
    const frame = frames[header.used_frame] ?? header.used_frame;
    this.name(this.frame, header.frame.sure ? `${frame}` : `${frame}, not sure`);
    this.frame.classList.toggle("unsure", !header.frame.sure);
    this.frame.title = header.frame.evidence.join(" ");
    const source = { file: fromFiles ? ", from file" : "", chosen: "", assumed: ", assumed" }[header.camera_source] ?? "";
    this.name(this.camera, describe(header) + source);
    this.camera.classList.toggle("unsure", header.camera_source === "assumed");
    this.name(this.encoding, header.encoding);
    this.encoding.title = header.encoding;
    const [rows, columns] = header.size;
    byId("found-size").textContent = `${columns} × ${rows}, ${header.pixels.toLocaleString("en")} px`;
    byId("found-size").title = `${header.regions} region${header.regions === 1 ? "" : "s"}`;
    byId("found-time").textContent = header.view_only ? "a depth map, for viewing only" : expected(header.seconds);
    for (const control of [this.frame, this.camera, this.encoding]) control.disabled = !fromFiles;
    byId<HTMLButtonElement>("mask-choose").disabled = !fromFiles;
  }

  /** What is recognised stands for itself: the option says what it was. */
  private name(select: HTMLSelectElement, text: string): void {
    const auto = select.querySelector<HTMLOptionElement>('[value="auto"]')!;
    if (select.value === "auto") auto.textContent = text;
    else auto.textContent = "As recognised";
  }
}

export function expected(seconds: number): string {
  return seconds < 1 ? "less than a second" : `about ${duration(seconds)}`;
}
