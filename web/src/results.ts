/** What a finished surface offers: facts, downloads, and a snippet that reproduces it. */

import { short } from "./chart";
import type { Connection } from "./connection";
import { byId, chosen, fillFacts, make, notify, onChoice } from "./dom";
import type { FinishedHeader, Snippet } from "./messages";

const files: [string, [string, string][]][] = [
  ["meshes", [["mesh-ply", "PLY"], ["mesh-glb", "GLB"], ["mesh-obj", "OBJ"], ["mesh-stl", "STL"]]],
  ["depths", [["depth-npy", "NPY"], ["depth-tif", "TIFF"], ["depth-exr", "EXR"], ["depth-png16", "PNG"]]],
  ["pictures", [["picture-preview", "Relief"], ["picture-jumps", "Jumps"], ["picture-islands", "Islands"]]],
];

/** A warning as a sentence of its own. */
function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return upper.endsWith(".") ? upper : `${upper}.`;
}

export class Results {
  private finished = new Map<string, FinishedHeader>();
  private snippet: Snippet | null = null;
  errorUnit = "";

  constructor(
    private connection: Connection,
    private title: (name: string) => string,
  ) {
    for (const [id, entries] of files) {
      byId(id).replaceChildren(...entries.map(([what, name]) => this.button(what, name)));
    }
    byId("result").addEventListener("change", () => this.draw());
    onChoice("language", () => this.drawSnippet());
    byId("copy").addEventListener("click", () => this.copy());
  }

  private button(what: string, name: string): HTMLButtonElement {
    const button = make("button", { type: "button", textContent: name });
    button.dataset.what = what;
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        await this.connection.download(what, this.chosen(), !byId<HTMLInputElement>("bridged").checked);
      } catch (error) {
        notify(error instanceof Error ? error.message : String(error));
      }
      button.disabled = false;
    });
    return button;
  }

  chosen(): string {
    return byId<HTMLSelectElement>("result").value;
  }

  clear(): void {
    this.finished.clear();
    this.snippet = null;
    byId("result-box").hidden = true;
  }

  add(header: FinishedHeader): void {
    this.finished.set(header.result, header);
    const select = byId<HTMLSelectElement>("result");
    select.replaceChildren(
      ...[...this.finished.keys()].map((name) => make("option", { value: name, textContent: this.title(name) })),
    );
    select.value = header.result;
    byId("result-box").hidden = false;
    this.draw();
  }

  private draw(): void {
    const header = this.finished.get(this.chosen());
    if (!header) return;
    byId("status").textContent = header.status;
    const facts: [string, string][] = [
      ["Iterations", String(header.iteration)],
      ["Time", `${header.seconds.toPrecision(2)} s`],
      ["Islands", String(header.islands)],
    ];
    if (header.error !== null) facts.push(["Mean error to truth", `${short(header.error)} ${this.errorUnit}`]);
    fillFacts(byId("result-facts"), facts);
    byId("result-warnings").replaceChildren(...header.warnings.map((text) => make("li", { textContent: sentence(text) })));
    byId("snippet").textContent = "";
    this.connection.send({ kind: "snippet", result: header.result });
  }

  setSnippet(snippet: Snippet): void {
    if (snippet.result !== this.chosen()) return;
    this.snippet = snippet;
    this.drawSnippet();
  }

  private drawSnippet(): void {
    if (!this.snippet) return;
    const command = chosen("language") === "command";
    const text = command ? this.snippet.command : this.snippet.python;
    byId("snippet").textContent = text ?? "# Only Python can say this: an example, a painted hint or an early stop.";
    byId<HTMLButtonElement>("copy").disabled = text === null;
    const painted = this.snippet.files.filter((name) => name === "mask.png" || name === "hints.npy");
    const hint = byId("snippet-files");
    hint.replaceChildren(this.snippet.files.length ? `Needs beside it: ${this.snippet.files.join(", ")}. ` : "");
    for (const name of painted) hint.append(this.button(`painted-${name.split(".")[0]}`, `Save ${name}`));
  }

  private async copy(): Promise<void> {
    await navigator.clipboard.writeText(byId("snippet").textContent ?? "");
    byId("copy").textContent = "Copied";
    setTimeout(() => (byId("copy").textContent = "Copy"), 1500);
  }
}
