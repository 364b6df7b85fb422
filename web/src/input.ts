/** Files in: dropping, choosing, examples, and what was recognised. */

import { byId, make } from "./dom";
import type { Hello, MapHeader } from "./messages";

const roleNames: Record<string, string> = { normal_map: "Normals", mask: "Mask", camera: "K file", depth_gt: "Truth", depth_prior: "Prior", points: "Points", weights: "Weights" };

export class Input {
  onFiles: (files: File[]) => void = () => {};
  onExample: (name: string) => void = () => {};
  onRemove: (role: string) => void = () => {};
  /** A file for this role was chosen. */
  onFileFor: (role: string, file: File) => void = () => {};
  private role = "";

  constructor() {
    const chooser = byId<HTMLInputElement>("files");
    byId("browse").addEventListener("click", () => chooser.click());
    chooser.addEventListener("change", () => {
      if (chooser.files?.length) this.onFiles([...chooser.files]);
      chooser.value = "";
    });
    const one = byId<HTMLInputElement>("one-file");
    one.addEventListener("change", () => {
      if (one.files?.length) this.onFileFor(this.role, one.files[0]);
      one.value = "";
    });
    byId("try-demo").addEventListener("click", () => this.onExample("demo"));
    addEventListener("dragover", (event) => {
      event.preventDefault();
      byId("dropping").hidden = false;
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) byId("dropping").hidden = true;
    });
    addEventListener("drop", (event) => {
      event.preventDefault();
      byId("dropping").hidden = true;
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length) this.onFiles(files);
    });
  }

  /** Let the user choose a file for this role. */
  chooseFor(role: string): void {
    this.role = role;
    byId("one-file").click();
  }

  fill(hello: Hello): void {
    byId("examples").replaceChildren(
      ...hello.examples.map(({ name, title }) => {
        const picture = make("img", { src: `examples/${encodeURIComponent(name)}.png`, alt: "" });
        const button = make("button", { type: "button", title }, picture, make("span", { textContent: title }));
        button.dataset.example = name;
        button.addEventListener("click", () => this.onExample(name));
        return button;
      }),
    );
  }

  showMap(header: MapHeader, files: Map<string, string>): void {
    byId("map-box").hidden = false;
    byId("drop").classList.add("small");
    for (const button of byId("examples").children) {
      button.setAttribute("aria-pressed", String(!files.size && (button as HTMLElement).dataset.example === header.name));
    }
    byId("file-list").replaceChildren(...[...files].map(([role, name]) => this.fileRow(role, name)));
    const sentences = [...header.warnings, ...(header.frame.sure ? [] : header.frame.evidence)];
    byId("warnings").replaceChildren(...sentences.map((textContent) => make("li", { textContent })));
  }

  private fileRow(role: string, name: string): HTMLElement {
    const row = make(
      "li",
      {},
      make("span", { className: "role", textContent: roleNames[role] ?? role }),
      make("span", { className: "name", textContent: name, title: name }),
    );
    if (role !== "normal_map") {
      const remove = make("button", { type: "button", className: "quiet", textContent: "×", title: `Remove ${name}` });
      remove.setAttribute("aria-label", `Remove ${roleNames[role] ?? role} ${name}`);
      remove.addEventListener("click", () => this.onRemove(role));
      row.append(remove);
    }
    return row;
  }
}
