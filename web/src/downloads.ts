/** The dialogue that takes a surface away: files of every kind, and what makes them again. */

import type { Connection } from "./connection";
import { byId, chosen, make, notify, onChoice } from "./dom";
import type { Snippet } from "./messages";
import { commandWith } from "./snippet_options";

const groups: [string, [string, string, string][]][] = [
  ["meshes", [["mesh-ply", "PLY", "For MeshLab and CloudCompare"], ["mesh-glb", "GLB", "For Blender and the web"], ["mesh-obj", "OBJ", "For everything else"], ["mesh-stl", "STL", "Triangles only"]]],
  ["depths", [["depth-npy", "NPY", "64-bit numbers, for Python"], ["depth-tif", "TIFF", "32-bit numbers"], ["depth-exr", "EXR", "32-bit numbers"], ["depth-png16", "PNG", "16 bits, with its range beside it"]]],
  ["heights", [["height-png16", "PNG", "16 bits, white is high"], ["height-exr", "EXR", "White is high"], ["height-tif", "TIFF", "White is high"]]],
  ["prints", [["solid-stl", "Solid STL", "Closed with a base plate"], ["points-ply", "Points PLY", "One point per pixel"]]],
  ["shows", [["page-html", "Page HTML", "One file with the surface in 3D"], ["animation-webp", "Animation WebP", "The surface opening along its jumps"]]],
  ["pictures", [["picture-preview", "Relief", ""], ["picture-depth", "Depth", ""], ["picture-jumps", "Jumps", ""], ["picture-islands", "Islands", ""]]],
];

export class Downloads {
  private dialog = byId<HTMLDialogElement>("download");
  private snippet: Snippet | null = null;
  /** What was taken last: the command asks for it too. */
  private taken = new Set<string>();
  /** The surface that is taken away. */
  result = "";

  constructor(private connection: Connection) {
    for (const [id, entries] of groups) {
      byId(id).replaceChildren(...entries.map(([what, name, about]) => this.button(what, name, about)));
    }
    byId("download-open").addEventListener("click", () => this.dialog.showModal());
    byId("download-close").addEventListener("click", () => this.dialog.close());
    byId("everything").addEventListener("click", () => void this.take("everything-zip", byId("everything") as HTMLButtonElement));
    byId("bridged").addEventListener("change", () => this.draw());
    byId("mesh-kind").addEventListener("change", () => this.draw());
    byId("mesh-keep").addEventListener("change", () => this.draw());
    onChoice("language", () => this.draw());
    byId("copy").addEventListener("click", () => void this.copy());
  }

  private button(what: string, name: string, about: string): HTMLButtonElement {
    const button = make("button", { type: "button", textContent: name, title: about });
    button.dataset.what = what;
    button.addEventListener("click", () => void this.take(what, button));
    return button;
  }

  /** Of what shape a mesh is wanted. */
  private shape(): Record<string, string> {
    return {
      torn: byId<HTMLInputElement>("bridged").checked ? "0" : "1",
      mesh: byId<HTMLSelectElement>("mesh-kind").value,
      keep: byId<HTMLSelectElement>("mesh-keep").value,
    };
  }

  private async take(what: string, button: HTMLButtonElement): Promise<void> {
    button.disabled = true;
    byId("download-state").textContent = `Writing ${button.textContent} …`;
    try {
      const name = await this.connection.download(what, this.result, this.shape());
      byId("download-state").textContent = `${name} is among your downloads.`;
      this.taken.add(what);
      this.draw();
    } catch (error) {
      byId("download-state").textContent = "";
      notify(error instanceof Error ? error.message : String(error));
    }
    button.disabled = false;
  }

  /** Another surface is to be taken away. */
  choose(result: string): void {
    this.result = result;
    this.snippet = null;
    byId("download-state").textContent = byId("snippet").textContent = "";
    byId<HTMLButtonElement>("download-open").disabled = false;
    this.ask();
  }

  /** Ask for the commands again: the scale may have changed, or a part was moved. */
  ask(): void {
    if (this.result) this.connection.send({ kind: "snippet", result: this.result });
  }

  clear(): void {
    this.result = "";
    this.snippet = null;
    this.taken.clear();
    byId<HTMLButtonElement>("download-open").disabled = true;
    if (this.dialog.open) this.dialog.close();
  }

  setSnippet(snippet: Snippet): void {
    if (snippet.result !== this.result) return;
    this.snippet = snippet;
    this.draw();
  }

  private draw(): void {
    const { snippet } = this;
    if (!snippet) return;
    const asCommand = chosen("language") === "command";
    const command = snippet.command === null ? null : commandWith(snippet.command, this.taken, this.shape());
    byId("snippet").textContent = asCommand ? (command ?? `# ${snippet.why ?? ""}`) : snippet.python;
    byId<HTMLButtonElement>("copy").disabled = asCommand && command === null;
    const hint = byId("snippet-files");
    hint.replaceChildren(snippet.files.length ? `Needs beside it: ${snippet.files.join(", ")}. ` : "");
    if (snippet.files.includes("hints.json")) hint.append(this.button("painted-strokes", "Save hints.json", "What was painted"));
  }

  private async copy(): Promise<void> {
    await navigator.clipboard.writeText(byId("snippet").textContent ?? "");
    byId("copy").textContent = "Copied";
    setTimeout(() => (byId("copy").textContent = "Copy"), 1500);
  }
}
