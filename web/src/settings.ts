/** The forms on the right: method and its settings, camera, frame. */

import { byId, make } from "./dom";
import type { Method, Options, Setting } from "./messages";

/** The settings that most people change; the others are folded away. */
const main = ["soft", "hard", "iterations", "scale", "starts", "sharpness"];

export class Settings {
  private methods: Method[] = [];
  private changed = new Map<string, Map<string, number | boolean>>();
  onMethodChange: () => void = () => {};
  onInputChange: () => void = () => {};

  constructor() {
    byId("method").addEventListener("change", () => {
      this.drawSettings();
      this.onMethodChange();
    });
    byId("settings").addEventListener("submit", (event) => event.preventDefault());
    byId("camera").addEventListener("change", () => {
      this.drawCamera();
      this.onInputChange();
    });
    byId("camera-value").addEventListener("change", () => this.onInputChange());
    byId("frame").addEventListener("change", () => this.onInputChange());
  }

  fill(methods: Method[]): void {
    const before = this.method();
    this.methods = methods;
    byId("method").replaceChildren(
      ...methods.map((method) => make("option", { value: method.name, textContent: method.title })),
    );
    if (methods.some((method) => method.name === before)) byId<HTMLSelectElement>("method").value = before;
    this.drawSettings();
  }

  method(): string {
    return byId<HTMLSelectElement>("method").value;
  }

  title(name: string): string {
    return name === "truth" ? "Truth" : (this.methods.find((method) => method.name === name)?.title ?? name);
  }

  /** The settings that differ from their defaults. */
  values(method = this.method()): Record<string, number | boolean> {
    return Object.fromEntries(this.changed.get(method) ?? []);
  }

  options(): Options {
    const kind = byId<HTMLSelectElement>("camera").value;
    const value = Number(byId<HTMLInputElement>("camera-value").value);
    const camera = { kind, ...(kind === "field_of_view" ? { degrees: value } : {}), ...(kind === "focal" ? { pixels: value } : {}) };
    return { camera, frame: byId<HTMLSelectElement>("frame").value, encoding: "auto" };
  }

  /** Camera and frame of examples are known; they cannot be changed. */
  allowInput(allowed: boolean): void {
    for (const id of ["camera", "camera-value", "frame"]) byId<HTMLSelectElement>(id).disabled = !allowed;
  }

  resetInput(): void {
    byId<HTMLSelectElement>("camera").value = byId<HTMLSelectElement>("frame").value = "auto";
    this.drawCamera();
  }

  private drawCamera(): void {
    const kind = byId<HTMLSelectElement>("camera").value;
    const value = byId<HTMLInputElement>("camera-value");
    byId("camera-value-row").hidden = kind !== "field_of_view" && kind !== "focal";
    byId("camera-unit").textContent = kind === "focal" ? "Focal length, pixels" : "Vertical, degrees";
    if (kind === "focal" && Number(value.value) < 200) value.value = "1000";
    if (kind === "field_of_view" && Number(value.value) >= 180) value.value = "35";
  }

  private drawSettings(): void {
    const method = this.methods.find((one) => one.name === this.method());
    byId("method-about").textContent = method?.about ?? "";
    const rows = (wanted: boolean) =>
      (method?.settings ?? [])
        .filter((setting) => main.includes(setting.name) === wanted)
        .map((setting) => this.row(method!.name, setting));
    byId("main-settings").replaceChildren(...rows(true));
    byId("other-settings").replaceChildren(...rows(false));
    byId("more-settings").hidden = !byId("other-settings").childElementCount;
  }

  private row(method: string, setting: Setting): HTMLElement {
    const value = this.changed.get(method)?.get(setting.name) ?? setting.default;
    const words = setting.name.replaceAll("_", " ");
    const name = make("span", { textContent: words.charAt(0).toUpperCase() + words.slice(1) });
    if (setting.kind === "switch") {
      const input = make("input", { type: "checkbox", checked: Boolean(value), name: setting.name });
      const label = make("label", { className: "check", title: setting.about }, input, name);
      input.addEventListener("change", () => this.set(method, setting, input.checked, label));
      return label;
    }
    const input = make("input", { type: "number", step: setting.kind === "integer" ? "1" : "any", value: String(value), name: setting.name });
    const label = make("label", { title: setting.about }, name, input);
    label.classList.toggle("changed", value !== setting.default);
    input.addEventListener("change", () => {
      if (input.value === "" || !Number.isFinite(input.valueAsNumber)) input.value = String(setting.default);
      this.set(method, setting, input.valueAsNumber, label);
    });
    return label;
  }

  private set(method: string, setting: Setting, value: number | boolean, label: HTMLElement): void {
    const changed = this.changed.get(method) ?? new Map();
    if (value === setting.default) changed.delete(setting.name);
    else changed.set(setting.name, value);
    this.changed.set(method, changed);
    label.classList.toggle("changed", value !== setting.default);
    this.onMethodChange();
  }
}
