/** Several methods one after another, with the settings that each has on this page, and what they gave. */

import { short } from "./chart";
import { byId, make } from "./dom";
import type { Method, FinishedHeader } from "./messages";

/** A row of the table: what a method gave, or why it gave nothing. */
type Outcome = FinishedHeader | { refused: string };

export class Comparison {
  private methods: Method[] = [];
  private queue: string[] = [];
  private outcomes = new Map<string, Outcome>();
  /** The method that runs for the comparison. */
  running: string | null = null;
  onRun: (method: string) => void = () => {};
  onLook: (view: "a" | "b", method: string) => void = () => {};

  constructor() {
    byId("compare-all").addEventListener("click", () => this.tick(true));
    byId("compare-none").addEventListener("click", () => this.tick(false));
    byId("compare-run").addEventListener("click", () => this.begin());
    byId("compare-methods").addEventListener("change", () => this.allow());
  }

  fill(methods: Method[]): void {
    const ticked = new Set(this.ticked());
    const first = !this.methods.length;
    this.methods = methods;
    byId("compare-methods").replaceChildren(
      ...methods.map(({ name, title, about }, place) => {
        const input = make("input", { type: "checkbox", value: name, checked: first ? place < 4 : ticked.has(name) });
        return make("label", { className: "check", title: about }, input, make("span", { textContent: title }));
      }),
    );
    this.allow();
  }

  /** Whether a run may begin; there must be a map, and something to do. */
  ready = false;

  allow(ready = this.ready): void {
    this.ready = ready;
    const count = this.ticked().length;
    const button = byId<HTMLButtonElement>("compare-run");
    button.disabled = !ready || !count;
    button.textContent = count === 1 ? "Compare 1 method" : `Compare ${count} methods`;
  }

  private ticked(): string[] {
    return [...byId("compare-methods").querySelectorAll<HTMLInputElement>("input:checked")].map((input) => input.value);
  }

  private tick(on: boolean): void {
    for (const input of byId("compare-methods").querySelectorAll<HTMLInputElement>("input")) input.checked = on;
    this.allow();
  }

  private begin(): void {
    this.queue = this.ticked();
    this.next();
  }

  /** Run the next method; returns whether there was one. */
  private next(): boolean {
    this.running = this.queue.shift() ?? null;
    if (this.running !== null) this.onRun(this.running);
    return this.running !== null;
  }

  /** Drop the methods that have not run yet. */
  end(): void {
    this.queue = [];
    this.running = null;
  }

  /** Forget everything: there is another map. */
  clear(): void {
    this.end();
    this.outcomes.clear();
    this.draw();
  }

  /** A surface is finished, whoever asked for it; whether another run follows. */
  finished(header: FinishedHeader): boolean {
    this.outcomes.set(header.result, header);
    this.draw();
    return this.running !== null && this.next();
  }

  /** The running method cannot take the map; whether another run follows. */
  refused(message: string): boolean {
    if (this.running !== null) this.outcomes.set(this.running, { refused: message });
    this.draw();
    return this.next();
  }

  private draw(): void {
    const found = this.methods.filter((method) => this.outcomes.has(method.name));
    byId("compare-box").hidden = !found.length;
    const truth = [...this.outcomes.values()].some((outcome) => !("refused" in outcome) && outcome.error !== null);
    byId("compare-measure").textContent = truth ? "Error" : "Islands";
    byId("compare-rows").replaceChildren(...found.map((method) => this.row(method)));
    document.body.dataset.compared = String(found.length);
  }

  private row(method: Method): HTMLTableRowElement {
    const outcome = this.outcomes.get(method.name)!;
    const name = make("th", { scope: "row", textContent: method.title, title: method.about });
    if ("refused" in outcome) return make("tr", {}, name, make("td", { colSpan: 5, className: "why", textContent: outcome.refused }));
    const numbers = [
      outcome.error === null ? String(outcome.islands) : short(outcome.error),
      String(outcome.iteration),
      outcome.seconds.toPrecision(2),
    ].map((textContent) => make("td", { textContent }));
    const looks = (["a", "b"] as const).map((view) => {
      const label = `Show ${method.title} in view ${view.toUpperCase()}`;
      const button = make("button", { type: "button", textContent: view.toUpperCase(), title: label, ariaLabel: label });
      button.addEventListener("click", () => this.onLook(view, method.name));
      return make("td", { className: "look" }, button);
    });
    return make("tr", {}, name, ...numbers, ...looks);
  }
}
