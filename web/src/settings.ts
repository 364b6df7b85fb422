/** The method and its settings: the everyday one, and all of them behind "Method settings". */

import { byId, make } from "./dom";
import { choiceOf, offers, type Offer } from "./everyday";
import type { Method, Setting } from "./messages";

type Values = Record<string, number | boolean>;

export interface SettingsState {
  method: string;
  values: Record<string, Values>;
}

export class Settings {
  private methods: Method[] = [];
  private changed = new Map<string, Map<string, number | boolean>>();
  onChange: () => void = () => {};

  constructor() {
    byId("method").addEventListener("change", () => {
      this.draw();
      this.onChange();
    });
    byId("settings").addEventListener("submit", (event) => event.preventDefault());
  }

  fill(methods: Method[]): void {
    const before = this.method();
    this.methods = methods;
    byId("method").replaceChildren(...methods.map((method) => make("option", { value: method.name, textContent: method.title })));
    if (methods.some((method) => method.name === before)) byId<HTMLSelectElement>("method").value = before;
    this.draw();
  }

  method(): string {
    return byId<HTMLSelectElement>("method").value;
  }

  title(name: string): string {
    return name === "truth" ? "Truth" : (this.methods.find((method) => method.name === name)?.title ?? name);
  }

  /** Whether a method uses what is painted about jumps. */
  usesHints(name: string): boolean {
    return this.methods.find((method) => method.name === name)?.accepts.includes("hints") ?? false;
  }

  /** The settings that differ from their defaults. */
  values(method = this.method()): Values {
    return Object.fromEntries(this.changed.get(method) ?? []);
  }

  state(): SettingsState {
    const values = [...this.changed].filter(([, one]) => one.size).map(([method, one]) => [method, Object.fromEntries(one)]);
    return { method: this.method(), values: Object.fromEntries(values) };
  }

  restore(state: SettingsState): void {
    this.changed = new Map(Object.entries(state.values).map(([method, one]) => [method, new Map(Object.entries(one))]));
    byId<HTMLSelectElement>("method").value = state.method;
    this.draw();
  }

  private draw(): void {
    const method = this.methods.find((one) => one.name === this.method());
    if (!method) return;
    byId("method-about").textContent = method.about;
    const rows = (wanted: boolean) =>
      method.settings.filter((setting) => setting.advanced === wanted).map((setting) => this.row(method.name, setting));
    byId("main-settings").replaceChildren(...rows(false));
    byId("other-settings").replaceChildren(...rows(true));
    byId("more-settings").hidden = !byId("other-settings").childElementCount;
    this.drawEveryday();
  }

  private drawEveryday(): void {
    const method = this.methods.find((one) => one.name === this.method());
    if (method) byId("everyday").replaceChildren(this.everyday(method));
  }

  /** What most people would choose; a method without such a choice says so. */
  private everyday(method: Method): HTMLElement {
    const offer = offers[method.name];
    if (!offer) return make("p", { className: "hint", textContent: `${method.title} has no everyday settings.` });
    const now = choiceOf(offer, this.values(method.name));
    const select = make("select", { id: "choice" }, ...offer.choices.map(({ name }) => make("option", { value: name, textContent: name })));
    if (!now) select.append(make("option", { value: "", textContent: "as set below" }));
    select.value = now?.name ?? "";
    select.addEventListener("change", () => this.apply(method.name, offer, select.value));
    const label = make("label", {}, make("span", { textContent: offer.title }), select);
    return make("div", { className: "form" }, label, make("p", { className: "hint", textContent: now?.about ?? "" }));
  }

  private apply(method: string, offer: Offer, name: string): void {
    const known = this.changed.get(method) ?? new Map();
    for (const key of offer.choices.flatMap(({ values }) => Object.keys(values))) known.delete(key);
    for (const [key, value] of Object.entries(offer.choices.find((one) => one.name === name)?.values ?? {})) known.set(key, value);
    this.changed.set(method, known);
    this.draw();
    this.onChange();
  }

  private row(method: string, setting: Setting): HTMLElement {
    const value = this.changed.get(method)?.get(setting.name) ?? setting.default;
    const words = setting.name.replaceAll("_", " ");
    const name = make("span", { textContent: words.charAt(0).toUpperCase() + words.slice(1) });
    const about = make("small", { textContent: `${setting.about.charAt(0).toUpperCase()}${setting.about.slice(1)}.` });
    about.id = `about-${setting.name}`;
    const isSwitch = setting.kind === "switch";
    const input = isSwitch
      ? make("input", { type: "checkbox", checked: Boolean(value), name: setting.name })
      : make("input", { type: "number", step: setting.kind === "integer" ? "1" : "any", value: String(value), name: setting.name });
    input.setAttribute("aria-describedby", about.id);
    const label = make("label", { className: isSwitch ? "check" : "" }, ...(isSwitch ? [input, name] : [name, input]));
    label.classList.toggle("changed", value !== setting.default);
    input.addEventListener("change", () => {
      if (!isSwitch && !Number.isFinite(input.valueAsNumber)) input.value = String(setting.default);
      this.set(method, setting, isSwitch ? input.checked : input.valueAsNumber, label);
    });
    return make("div", { className: "setting" }, label, about);
  }

  private set(method: string, setting: Setting, value: number | boolean, label: HTMLElement): void {
    const changed = this.changed.get(method) ?? new Map();
    if (value === setting.default) changed.delete(setting.name);
    else changed.set(setting.name, value);
    this.changed.set(method, changed);
    label.classList.toggle("changed", value !== setting.default);
    this.drawEveryday();
    this.onChange();
  }
}
