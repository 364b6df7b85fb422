/** What is said about a finished surface: facts, notes, and the parts whose distance is a guess. */

import { short } from "./chart";
import { byId, fillFacts, make } from "./dom";
import type { FinishedHeader } from "./messages";
import type { Parts } from "./parts";

/** A note as a sentence of its own. */
function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return upper.endsWith(".") ? upper : `${upper}.`;
}

export class Results {
  private finished = new Map<string, FinishedHeader>();
  errorUnit = "";
  /** Another surface is described. */
  onChoose: (name: string) => void = () => {};

  constructor(
    private title: (name: string) => string,
    private parts: Parts,
  ) {
    byId("result").addEventListener("change", () => this.draw());
  }

  get names(): string[] {
    return [...this.finished.keys()];
  }

  chosen(): string {
    return byId<HTMLSelectElement>("result").value;
  }

  clear(): void {
    this.finished.clear();
    this.parts.clear();
    byId("result-box").hidden = byId("notes-open").hidden = true;
  }

  add(header: FinishedHeader): void {
    this.finished.set(header.result, header);
    const select = byId<HTMLSelectElement>("result");
    select.replaceChildren(...this.names.map((name) => make("option", { value: name, textContent: this.title(name) })));
    select.value = header.result;
    byId("result-box").hidden = false;
    this.draw();
  }

  /** The surfaces measure something else now. */
  measure(measures: Record<string, FinishedHeader["measure"]>): void {
    for (const [name, measure] of Object.entries(measures)) {
      const header = this.finished.get(name);
      if (header) this.finished.set(name, { ...header, measure });
    }
    if (this.finished.size) this.draw();
  }

  private draw(): void {
    const header = this.finished.get(this.chosen());
    if (!header) return;
    byId("status").textContent = header.status;
    const facts: [string, string][] = [
      ["Unit", header.measure.unit],
      ["Islands", String(header.islands)],
      ["Iterations", String(header.iteration)],
      ["Time", `${header.seconds.toPrecision(2)} s`],
    ];
    if (header.noise) facts.push(["Normals err by", header.noise]);
    if (header.error !== null) facts.push(["Mean error to truth", `${short(header.error)} ${this.errorUnit}`]);
    fillFacts(byId("result-facts"), facts);
    byId("result-notes").replaceChildren(...header.warnings.map((text) => make("li", { textContent: sentence(text) })));
    const count = header.warnings.length;
    byId("notes-open").hidden = !count;
    byId("notes-open").textContent = count === 1 ? "1 note" : `${count} notes`;
    this.parts.show(header);
    this.onChoose(header.result);
  }
}
