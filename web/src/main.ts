/** Wires the parts of the page together. */

import { Chart } from "./chart";
import { Comparison } from "./compare";
import { Connection } from "./connection";
import { byId, notify } from "./dom";
import { replaceFiles } from "./files";
import { Input } from "./input";
import { bindKeys } from "./keys";
import { MapView } from "./map";
import type { Arrays } from "./framing";
import type { FinishedHeader, Header, Hello, MapHeader, Notice, OpenRequest } from "./messages";
import { Results } from "./results";
import { Settings } from "./settings";
import { Stage } from "./stage";
import { Ground, Surface } from "./surface";
import { bindTheme } from "./theme";
import { Transport } from "./transport";
import { errorUnit } from "./units";
import { Views } from "./views";

class Page {
  private settings = new Settings();
  private input = new Input();
  private map = new MapView();
  private chart = new Chart();
  private transport = new Transport();
  private stage = new Stage();
  private comparison = new Comparison();
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
  private views = new Views(this.stage, this.surfaces, (name) => this.settings.title(name));
  private files = new Map<string, File>();
  private example: string | null = null;
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
    this.map.onHover = (cell) => this.views.read(cell);
    this.stage.onHover = (cell) => {
      this.map.point(cell);
      this.views.read(cell);
    };
    this.comparison.onRun = (method) => this.start(method);
    this.comparison.onLook = (view, method) => this.views.compare(view, method);
    this.bindTransport();
    bindKeys(() => this.map.undo());
    bindTheme(() => {
      this.chart.draw();
      this.map.draw();
      this.stage.ask();
    });
    this.transport.setPhase("nothing");
    this.views.fill();
  }

  // Connection

  private opened(hello: Hello): void {
    byId("connection").textContent = "Connected";
    byId("connection").dataset.state = "open";
    byId("connection").title = `crevasse ${hello.version}`;
    this.settings.fill(hello.methods);
    this.comparison.fill(hello.methods);
    this.input.fill(hello);
    const again = this.ground !== null || this.files.size > 0;
    if (again) notify("Reconnected. Your map is open again; the interrupted run is lost.", false);
    this.reopening = again;
    if (this.files.size) void this.openFiles([]);
    else if (this.example) this.openExample(this.example);
    else if (hello.preloaded) this.open({ preloaded: true });
  }

  private closed(): void {
    byId("connection").textContent = "Server away";
    byId("connection").dataset.state = "closed";
    this.hasRun = this.runAfterOpening = this.transport.hasMap = false;
    this.comparison.end();
    this.comparison.allow(false);
    this.transport.setPhase("nothing", "Connection lost; the page reconnects by itself.");
  }

  private told(notice: Exclude<Notice, Hello>): void {
    if (notice.kind === "refused" && this.comparison.running !== null) {
      if (!this.comparison.refused(notice.message)) this.transport.setPhase("ready", "Compared.");
      return this.allow();
    }
    if (notice.kind === "lost" || notice.kind === "full" || notice.kind === "cancelled") this.comparison.end();
    this.tell(notice);
    this.allow();
  }

  /** A comparison may begin when a run may. */
  private allow(): void {
    this.comparison.allow(this.transport.phase !== "opening" && !byId<HTMLButtonElement>("integrate").disabled);
  }

  private tell(notice: Exclude<Notice, Hello>): void {
    if (["refused", "lost", "full", "cancelled"].includes(notice.kind)) this.runAfterOpening = false;
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
        this.transport.say(this.transport.sentence());
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
      const change = replaceFiles(this.files, replaced);
      this.files = change.files;
      if (!this.files.has("normal_map")) throw new Error("There is no normal map among these files; drop it too.");
      if (change.isNewMap) {
        this.settings.resetInput();
        this.example = null;
      }
      this.reopen(change.stale, !change.isNewMap);
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error));
      this.runAfterOpening = false;
      this.transport.setPhase(this.ground ? "ready" : "nothing", "");
    }
  }

  private reopen(without: string[] = [], keep = true): void {
    this.reopening = keep && this.ground !== null;
    this.runAfterOpening ||= this.reopening && this.hasRun && byId<HTMLInputElement>("again").checked;
    this.open({ without, options: this.settings.options() });
  }

  private openExample(name: string): void {
    this.files.clear();
    this.settings.resetInput();
    this.example = name;
    this.open({ example: name });
  }

  private open(message: Omit<OpenRequest, "kind" | "side">): void {
    this.comparison.end();
    this.transport.setPhase("opening", "Opening");
    this.allow();
    const side = Number(new URLSearchParams(location.search).get("side")) || this.stage.side();
    this.connection.send({ kind: "open", side, ...message });
  }

  private showMap(header: MapHeader, arrays: Arrays): void {
    for (const surface of this.surfaces.values()) surface.dispose();
    this.ground?.dispose();
    this.surfaces.clear();
    this.results.clear();
    this.comparison.clear();
    this.chart.clear();
    this.transport.begin();
    this.results.errorUnit = errorUnit(header.camera);
    this.ground = new Ground(header, arrays);
    this.transport.hasMap = true;
    this.stage.setGround(this.ground);
    this.map.setGround(this.ground, this.reopening);
    this.input.showMap(header, this.files);
    this.settings.allowInput(this.files.size > 0);
    this.views.ground = this.ground;
    this.views.showsSurface = false;
    if (!this.reopening) this.hasRun = false;
    this.reopening = false;
    byId("empty").hidden = true;
    byId("reset-view").hidden = false;
    if (arrays.truth) this.addSurface("truth", header.truth_level, { heights: arrays.truth });
    this.views.allowError(arrays.truth !== undefined);
    this.views.fill();
    document.body.dataset.map = header.name;
    document.body.dataset.opened = String(Number(document.body.dataset.opened ?? 0) + 1);
    this.transport.setPhase("ready", "Ready to integrate.");
    if (header.view_only) {
      byId<HTMLButtonElement>("integrate").disabled = true;
      this.transport.say("A depth map, for viewing only.");
      this.views.look("truth", this.surfaces.get("truth")!);
    } else if (this.runAfterOpening) this.run();
    this.runAfterOpening = false;
    this.allow();
  }

  // Running

  private run(): void {
    if (this.transport.phase === "opening") {
      // A click that leaves a field first applies its change, which opens the map again.
      this.runAfterOpening = true;
      return this.transport.say("Opening, then integrating");
    }
    this.comparison.end();
    this.start(this.settings.method());
  }

  private start(method: string): void {
    if (!this.ground) return;
    clearTimeout(this.timer);
    this.transport.begin();
    this.chart.clear();
    this.hasRun = true;
    this.transport.setPhase("running", "Starting");
    const strokes = this.map.strokes;
    this.connection.send({ kind: "run", method, settings: this.settings.values(method), strokes });
    this.allow();
  }

  private runAgain(): void {
    if (!this.hasRun || !byId<HTMLInputElement>("again").checked) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), 350);
  }

  private showSurface(header: Exclude<Header, MapHeader>, arrays: Arrays): void {
    if (!this.ground) return;
    if (arrays.heights) {
      const surface = this.addSurface(header.result, header.level ?? 0, arrays);
      if (!this.views.showsSurface || (header.kind !== "surface" && this.stage.a === this.surfaces.get("poisson"))) this.views.look(header.result, surface);
      requestAnimationFrame(() => this.connection.send({ kind: "drawn" }));
    }
    if (header.kind === "surface") return;
    this.chart.add(header.records, header.total);
    this.transport.progress(header.iteration, header.total, header.seconds);
    if (header.kind === "finished") this.finish(header);
  }

  private finish(header: FinishedHeader): void {
    this.results.add(header);
    this.chart.end();
    this.transport.setPhase("ready", header.status);
    this.comparison.finished(header);
    this.allow();
    document.body.dataset.finished = String(Number(document.body.dataset.finished ?? 0) + 1);
  }

  private addSurface(name: string, level: number, arrays: Arrays): Surface {
    const [heights, slopes] = [arrays.heights as Float32Array, arrays.slopes as Float32Array | undefined];
    let surface = this.surfaces.get(name);
    if (surface) surface.update(heights, level, slopes);
    else {
      surface = new Surface(this.ground!, heights, level, slopes);
      this.surfaces.set(name, surface);
      this.views.fill();
    }
    this.stage.ask();
    return surface;
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
      this.comparison.end();
      this.connection.send({ kind: this.transport.keeps() ? "stop" : "cancel" });
    });
  }
}

new Page();
