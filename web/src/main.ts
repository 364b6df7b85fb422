/** Brings the parts of the page together. */

import { Chart } from "./chart";
import { Connection } from "./connection";
import { byId, choose, make, notify, onChoice } from "./dom";
import { Input } from "./input";
import { MapView } from "./map";
import { depthUnit, errorUnit } from "./messages";
import type { Arrays, Hello, MapHeader, Notice, SurfaceHeader } from "./messages";
import { Results } from "./results";
import { Settings } from "./settings";
import { shadings, Stage, type Layout } from "./stage";
import { Ground, outside, Surface } from "./surface";
import { Transport } from "./transport";

type Cell = { row: number; column: number } | null;

class Page {
  private settings = new Settings();
  private input = new Input();
  private map = new MapView();
  private chart = new Chart();
  private transport = new Transport();
  private stage = new Stage();
  private connection = new Connection({
    opened: (hello) => this.opened(hello),
    closed: () => this.closed(),
    told: (notice) => this.told(notice),
    received: (header, arrays) =>
      header.kind === "map" ? this.showMap(header, arrays) : this.showSurface(header, arrays),
  });
  private results = new Results(this.connection, (name) => this.settings.title(name));

  private ground: Ground | null = null;
  private surfaces = new Map<string, Surface>();
  private files = new Map<string, File>();
  private example: string | null = null;
  private shown = false;
  private reopening = false;
  private runAfterOpening = false;
  private hasRun = false;
  private uploads = 0;
  private timer = 0;

  constructor() {
    this.input.onFiles = (files) => void this.openFiles(files);
    this.input.onExample = (name) => this.openExample(name);
    this.input.onRemove = (role) => {
      this.files.delete(role);
      this.reopen([role]);
    };
    this.settings.onMethodChange = () => this.runAgain();
    this.settings.onInputChange = () => this.files.size && this.reopen();
    this.map.onPaint = () => this.runAgain();
    this.map.onHover = (cell) => this.read(cell);
    this.stage.onHover = (cell) => {
      this.map.point(cell);
      this.read(cell);
    };
    this.bindViews();
    this.bindTransport();
    this.bindKeys();
    this.bindTheme();
    this.transport.setPhase("nothing");
    this.fillViews();
  }

  // Connection

  private opened(hello: Hello): void {
    byId("connection").textContent = "Connected";
    byId("connection").dataset.state = "open";
    byId("connection").title = `crevasse ${hello.version}`;
    this.settings.fill(hello.methods);
    this.input.fill(hello);
    const again = this.ground !== null || this.files.size > 0;
    if (again) notify("The server was away and is back. Your map is open again; a run that was going on is lost.", false);
    this.reopening = again;
    if (this.files.size) void this.openFiles([]);
    else if (this.example) this.openExample(this.example);
    else if (hello.preloaded) this.open({ preloaded: true });
  }

  private closed(): void {
    byId("connection").textContent = "Server away";
    byId("connection").dataset.state = "closed";
    this.hasRun = false;
    this.transport.setPhase("nothing", "The server is away; this page comes back by itself when it does.");
  }

  private told(notice: Notice): void {
    switch (notice.kind) {
      case "refused":
      case "lost":
      case "full":
        notify(notice.message);
        if (this.ground && notice.kind === "refused") this.transport.setPhase("ready", "");
        else this.transport.setPhase("nothing", "Open a map to begin.");
        break;
      case "queued":
        if (this.transport.phase !== "opening") {
          this.transport.setPhase("queued", notice.place === 1 ? "Waiting: next in turn" : `Waiting: number ${notice.place} in turn`);
        }
        break;
      case "running":
        this.transport.setPhase("running");
        break;
      case "paused":
        this.transport.setPhase("paused", "");
        this.transport.say(this.transport.pausedText());
        break;
      case "cancelled":
        this.transport.setPhase(this.ground ? "ready" : "nothing", "Cancelled");
        break;
      case "snippet":
        this.results.setSnippet(notice);
        break;
    }
  }

  // Opening

  private async openFiles(files: File[]): Promise<void> {
    this.transport.setPhase("opening", "Uploading");
    const upload = ++this.uploads;
    try {
      if (!files.length) for (const [role, file] of this.files) await this.connection.upload(file, role);
      const replaced = new Map<string, File>();
      for (const file of files) replaced.set(await this.connection.upload(file), file);
      if (upload !== this.uploads) return;
      if (replaced.has("normal_map")) {
        const stale = [...this.files.keys()].filter((role) => !replaced.has(role));
        this.files = replaced;
        this.settings.resetInput();
        this.example = null;
        return this.reopen(stale, false);
      }
      for (const [role, file] of replaced) this.files.set(role, file);
      if (!this.files.has("normal_map")) throw new Error("There is no normal map among these files; drop it too.");
      this.reopen();
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error));
      this.transport.setPhase(this.ground ? "ready" : "nothing", "");
    }
  }

  private reopen(without: string[] = [], keep = true): void {
    this.reopening = keep && this.ground !== null;
    this.runAfterOpening = this.reopening && this.hasRun && byId<HTMLInputElement>("again").checked;
    this.open({ without, options: this.settings.options() });
  }

  private openExample(name: string): void {
    this.files.clear();
    this.settings.resetInput();
    this.example = name;
    this.open({ example: name });
  }

  private open(message: Record<string, unknown>): void {
    this.transport.setPhase("opening", "Opening");
    const side = Number(new URLSearchParams(location.search).get("side")) || this.stage.side();
    this.connection.send({ kind: "open", side, ...message });
  }

  private showMap(header: MapHeader, arrays: Arrays): void {
    for (const surface of this.surfaces.values()) surface.dispose();
    this.ground?.dispose();
    this.surfaces.clear();
    this.results.clear();
    this.chart.clear();
    this.transport.begin();
    this.results.errorUnit = errorUnit(header.camera);
    this.ground = new Ground(header, arrays);
    this.stage.setGround(this.ground);
    this.map.setGround(this.ground, this.reopening);
    this.input.showMap(header, this.files);
    this.settings.allowInput(this.files.size > 0);
    this.shown = false;
    if (!this.reopening) this.hasRun = false;
    this.reopening = false;
    byId("empty").hidden = true;
    byId("reset-view").hidden = false;
    if (arrays.truth) this.addSurface("truth", header.truth_level, { heights: arrays.truth });
    byId<HTMLOptionElement>("shading").querySelector<HTMLOptionElement>('[value="error"]')!.disabled = !arrays.truth;
    if (!arrays.truth && byId<HTMLSelectElement>("shading").value === "error") {
      byId<HTMLSelectElement>("shading").value = "clay";
      this.stage.shading = 0;
    }
    this.fillViews();
    document.body.dataset.map = header.name;
    document.body.dataset.opened = String(Number(document.body.dataset.opened ?? 0) + 1);
    this.transport.setPhase("ready", "Ready to integrate.");
    if (header.view_only) {
      byId<HTMLButtonElement>("integrate").disabled = true;
      this.transport.say("A depth map to look at.");
      this.look("truth", this.surfaces.get("truth")!);
    } else if (this.runAfterOpening) this.run();
    this.runAfterOpening = false;
  }

  // Running

  private run(): void {
    if (!this.ground) return;
    this.transport.begin();
    this.chart.clear();
    this.hasRun = true;
    this.transport.setPhase("running", "Starting");
    const strokes = this.map.strokes;
    this.connection.send({ kind: "run", method: this.settings.method(), settings: this.settings.values(), strokes });
  }

  private runAgain(): void {
    if (!this.hasRun || !byId<HTMLInputElement>("again").checked) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), 350);
  }

  private showSurface(header: SurfaceHeader, arrays: Arrays): void {
    if (!this.ground) return;
    if (arrays.heights) {
      const surface = this.addSurface(header.result, header.level, arrays);
      if (!this.shown || (header.kind !== "surface" && this.stage.a === this.surfaces.get("poisson"))) this.look(header.result, surface);
      requestAnimationFrame(() => this.connection.send({ kind: "drawn" }));
    }
    if (header.kind === "surface") return;
    this.chart.add(header.records, header.total);
    this.transport.progress(header.iteration, header.total, header.seconds);
    if (header.kind === "finished") this.finish(header);
  }

  private finish(header: SurfaceHeader): void {
    this.results.add(header);
    this.chart.end();
    this.transport.setPhase("ready", header.status);
    document.body.dataset.finished = String(Number(document.body.dataset.finished ?? 0) + 1);
  }

  private addSurface(name: string, level: number, arrays: Arrays): Surface {
    const [heights, slopes] = [arrays.heights as Float32Array, arrays.slopes as Float32Array | undefined];
    let surface = this.surfaces.get(name);
    if (surface) surface.update(heights, level, slopes);
    else {
      surface = new Surface(this.ground!, heights, level, slopes);
      this.surfaces.set(name, surface);
      this.fillViews();
    }
    this.stage.ask();
    return surface;
  }

  /** Bring a surface into view A. */
  private look(name: string, surface: Surface): void {
    byId<HTMLSelectElement>("view-a").value = name;
    if (!this.shown) this.stage.firstSurface(surface);
    this.shown = true;
    this.pickViews();
  }

  // Views

  private fillViews(): void {
    const names = [...this.surfaces.keys()];
    for (const id of ["view-a", "view-b"]) {
      const select = byId<HTMLSelectElement>(id);
      const before = select.value;
      select.replaceChildren(...names.map((name) => make("option", { value: name, textContent: this.settings.title(name) })));
      select.disabled = !names.length;
      if (names.includes(before)) select.value = before;
    }
    const [a, b] = [byId<HTMLSelectElement>("view-a"), byId<HTMLSelectElement>("view-b")];
    if (b.value === a.value) b.value = names.find((name) => name !== a.value) ?? a.value;
    document.body.dataset.surfaces = names.join(" ");
    this.pickViews();
  }

  private pickViews(): void {
    const [a, b] = [byId<HTMLSelectElement>("view-a").value, byId<HTMLSelectElement>("view-b").value];
    const drawn = this.shown ? (this.surfaces.get(a) ?? null) : null;
    this.stage.a = drawn;
    this.stage.b = this.shown ? (this.surfaces.get(b) ?? null) : null;
    this.stage.truth = this.surfaces.get("truth") ?? null;
    const two = this.stage.layout !== "one";
    byId("caption-a").textContent = drawn ? this.settings.title(a) : this.ground ? "Normal map" : "";
    byId("caption-b").textContent = this.stage.b ? this.settings.title(b) : "";
    byId("caption-b").hidden = !two;
    byId("pick-b").toggleAttribute("data-hidden", !two);
    this.stage.ask();
  }

  private bindViews(): void {
    for (const id of ["view-a", "view-b"]) {
      byId(id).addEventListener("change", () => {
        this.shown = true;
        const surface = this.surfaces.get(byId<HTMLSelectElement>(id).value);
        if (surface && !this.stage.a) this.stage.firstSurface(surface);
        this.pickViews();
      });
    }
    onChoice("layout", (layout) => {
      this.stage.layout = layout as Layout;
      byId("wipe").hidden = layout !== "wipe";
      this.pickViews();
    });
    byId("wipe").addEventListener("input", () => {
      this.stage.wipe = Number(byId<HTMLInputElement>("wipe").value) / 1000;
      this.stage.ask();
    });
    byId("shading").addEventListener("change", () => {
      this.stage.shading = shadings.indexOf(byId<HTMLSelectElement>("shading").value);
      this.stage.ask();
    });
    byId("show-jumps").addEventListener("change", () => {
      this.stage.jumps = byId<HTMLInputElement>("show-jumps").checked;
      this.stage.ask();
    });
    byId("reset-view").addEventListener("click", () => this.stage.reset(!this.shown));
  }

  /** Depth and normal of a cell, in each view. */
  private read(cell: Cell): void {
    const readout = byId("readout");
    const { ground } = this;
    readout.hidden = true;
    if (!cell || !ground || cell.row >= ground.rows || cell.column >= ground.columns) return;
    const at = cell.row * ground.columns + cell.column;
    if (!ground.picture[4 * at + 3]) return;
    const pixel = ground.pixel(cell);
    const lines = [`row ${pixel.row}  column ${pixel.column}`, `normal ${ground.normal(cell).map((x) => x.toFixed(3)).join("  ")}`];
    const views: [string, Surface | null][] = [["A", this.stage.a]];
    if (this.stage.layout !== "one") views.push(["B", this.stage.b]);
    for (const [name, surface] of views) {
      if (surface && surface.heights[at] > outside) {
        const depth = ground.depth(surface.heights[at], surface.level).toPrecision(6);
        lines.push(`depth ${name} ${depth} ${depthUnit(ground.header.camera)}`);
      }
    }
    readout.textContent = lines.join("\n");
    readout.hidden = false;
  }

  // Controls

  private bindTransport(): void {
    byId("integrate").addEventListener("click", () => this.run());
    byId("pause").addEventListener("click", () => {
      this.connection.send({ kind: this.transport.phase === "paused" ? "resume" : "pause" });
    });
    byId("step").addEventListener("click", () => this.connection.send({ kind: "step" }));
    byId("stop").addEventListener("click", () => {
      if (this.transport.phase === "opening") this.uploads++;
      this.connection.send({ kind: this.transport.keeps() ? "stop" : "cancel" });
    });
  }

  private bindKeys(): void {
    const keys: Record<string, () => void> = {
      i: () => byId("integrate").click(),
      p: () => byId("pause").click(),
      s: () => byId("step").click(),
      k: () => byId("stop").click(),
      j: () => byId("show-jumps").click(),
      z: () => this.map.undo(),
      "0": () => byId("reset-view").click(),
      "1": () => choose("layout", "one"),
      "2": () => choose("layout", "two"),
      "3": () => choose("layout", "wipe"),
    };
    addEventListener("keydown", (event) => {
      const typing = event.target instanceof HTMLElement && event.target.matches("input[type=number], select, textarea, dialog *");
      if (typing || event.altKey || event.metaKey || (event.ctrlKey && event.key !== "z")) return;
      const action = keys[event.key.toLowerCase()];
      if (action) {
        event.preventDefault();
        action();
      }
    });
    const help = byId<HTMLDialogElement>("help");
    byId("help-open").addEventListener("click", () => help.showModal());
    byId("help-close").addEventListener("click", () => help.close());
  }

  private bindTheme(): void {
    const root = document.documentElement;
    const wanted = localStorage.getItem("theme") ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
    const apply = (theme: string) => {
      root.dataset.theme = theme;
      byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
      this.chart.draw();
      this.map.draw();
      this.stage.ask();
    };
    apply(wanted);
    byId("theme").addEventListener("click", () => {
      const theme = root.dataset.theme === "dark" ? "light" : "dark";
      localStorage.setItem("theme", theme);
      apply(theme);
    });
  }
}

new Page();
