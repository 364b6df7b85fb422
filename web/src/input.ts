/** Files in: dropping, choosing, examples, and what was recognised. */

import { byId, fillFacts, make } from "./dom";
import type { Hello, MapHeader } from "./messages";

const roleNames: Record<string, string> = { normal_map: "Normals", mask: "Mask", camera: "Camera", depth_gt: "Truth" };

export class Input {
  onFiles: (files: File[]) => void = () => {};
  onExample: (name: string) => void = () => {};
  onRemove: (role: string) => void = () => {};

  constructor() {
    const chooser = byId<HTMLInputElement>("files");
    byId("browse").addEventListener("click", () => chooser.click());
    chooser.addEventListener("change", () => {
      if (chooser.files?.length) this.onFiles([...chooser.files]);
      chooser.value = "";
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

  showMap(header: MapHeader, files: Map<string, File>): void {
    byId("map-box").hidden = false;
    byId("drop").classList.add("small");
    for (const button of byId("examples").children) {
      button.setAttribute("aria-pressed", String(!files.size && (button as HTMLElement).dataset.example === header.name));
    }
    byId("file-list").replaceChildren(...[...files].map(([role, file]) => this.fileRow(role, file)));
    fillFacts(byId("facts"), facts(header));
    const sentences = [...header.warnings, ...(header.frame.sure ? [] : header.frame.evidence)];
    byId("warnings").replaceChildren(...sentences.map((textContent) => make("li", { textContent })));
  }

  private fileRow(role: string, file: File): HTMLElement {
    const row = make(
      "li",
      {},
      make("span", { className: "role", textContent: roleNames[role] ?? role }),
      make("span", { className: "name", textContent: file.name, title: file.name }),
    );
    if (role !== "normal_map") {
      const remove = make("button", { type: "button", className: "quiet", textContent: "Remove" });
      remove.addEventListener("click", () => this.onRemove(role));
      row.append(remove);
    }
    return row;
  }
}

function facts(header: MapHeader): [string, string][] {
  const camera = header.camera;
  const [rows, columns] = header.size;
  const seen =
    camera.kind === "perspective"
      ? `perspective, ${((Math.atan(rows / 2 / camera.fy) * 360) / Math.PI).toFixed(1)}° high`
      : camera.pixel_size === 1
        ? "orthographic"
        : `orthographic, ${camera.pixel_size} a pixel`;
  const frames: Record<string, string> = { opengl: "OpenGL", directx: "DirectX", opencv: "OpenCV", undecided: "undecided" };
  const used = frames[header.used_frame] ?? header.used_frame;
  return [
    ["Size", `${columns} × ${rows}`],
    ["Inside", `${header.pixels.toLocaleString("en")} px, ${header.regions} region${header.regions === 1 ? "" : "s"}`],
    ["Frame", header.frame.sure ? used : `${used} (not sure)`],
    ["Camera", seen],
    ...(header.bit_depth < 64 ? ([["Numbers", `${header.bit_depth} bits`]] as [string, string][]) : []),
    ...(header.step > 1 ? ([["Preview", `1 of ${header.step ** 2} pixels`]] as [string, string][]) : []),
  ];
}
