/** Wires the parts of the page together. */

import { Chart } from "./chart";
import { Comparison } from "./compare";
import { Connection } from "./connection";
import { byId, notify } from "./dom";
import { Downloads } from "./downloads";
import { bindDrawer } from "./drawer";
import type { Pose } from "./eye";
import { Found } from "./found";
import type { Arrays } from "./framing";
import { Gallery } from "./gallery";
import { Input } from "./input";
import { bindKeys } from "./keys";
import { bindKnowledge } from "./knowledge";
import { MapView } from "./map";
import { remembered } from "./memory";
import type { Header, Hello, MapHeader } from "./messages";
import { Opener } from "./opener";
import { Changes, type PageState, same } from "./page_state";
import { Parts } from "./parts";
import { Picking } from "./picking";
import { Results } from "./results";
import { Runner, type RunNotice } from "./runner";
import { ScalePanel } from "./scale";
import { Settings } from "./settings";
import { Stage } from "./stage";
import { bindTheme } from "./theme";
import { Transport } from "./transport";
import { errorUnit } from "./units";

class Page {
  private settings = new Settings();
  private found = new Found();
  private input = new Input();
  private map = new MapView();
  private chart = new Chart();
  private transport = new Transport();
  private comparison = new Comparison();
  private picking = new Picking();
  private scale = new ScalePanel(this.picking);
  private parts = new Parts();
  private connection = new Connection({
    opened: (hello) => void this.opened(hello),
    closed: () => this.closed(),
    told: (notice) => this.told(notice),
    received: (header, arrays) => this.received(header, arrays),
  });
  private title = (name: string) => this.settings.title(name);
  private results = new Results(this.title, this.parts);
  private downloads = new Downloads(this.connection);
  private gallery = new Gallery(new Stage(), this.title, {
    drawn: () => this.connection.send({ kind: "drawn" }),
    detail: (request) => this.connection.send({ kind: "detail", ...request }),
  });
  private opener = new Opener(
    this.connection,
    this.found,
    this.transport,
    () => this.gallery.stage.side(),
    () => this.gallery.ground !== null,
  );
  private runner: Runner;
  private changes = new Changes(
    () => this.state(),
    (next, before) => this.apply(next, before),
    () => ({ session: this.connection.session, view: this.gallery.stage.eye.pose() }),
  );

  constructor() {
    const { connection, settings, map, chart, transport, comparison, opener, scale } = this;
    this.runner = new Runner({ connection, settings, map, chart, transport, comparison, opener, scale });
    this.bindInput();
    bindKnowledge({ map, scale, connection, transport, picking: this.picking, parts: this.parts, gallery: this.gallery, results: this.results }, {
      record: () => this.changes.record(),
      changed: () => this.changed(),
    });
    this.bindViews();
    bindKeys();
    bindDrawer();
    bindTheme(() => {
      this.chart.draw();
      this.map.draw();
      this.gallery.stage.ask();
    });
    this.transport.setPhase("nothing");
  }

  private bindInput(): void {
    const { input, opener, runner, found, settings } = this;
    input.onFiles = (files) => {
      const others = this.gallery.looks.drape.sort(files);
      if (others.length) void opener.openFiles(others);
    };
    input.onFileFor = (role, file) => void opener.openFiles([file], role);
    input.onExample = (name) => opener.openExample(name);
    input.onRemove = (role) => opener.remove(role);
    found.onFile = (role) => input.chooseFor(role);
    found.onChange = () => opener.files.size && opener.reopen();
    settings.onChange = () => this.changed();
    opener.onReopen = (present) => runner.reopens(present);
    opener.onOpen = () => runner.opens();
    opener.onFailure = () => runner.failed();
    opener.onNewMap = () => {
      this.gallery.stage.eye.hold(null);
      found.reset();
      this.scale.reset();
    };
  }

  private bindViews(): void {
    const { map, gallery } = this;
    map.onHover = (pixel) => gallery.views.read(pixel);
    gallery.stage.onHover = (pixel) => {
      map.point(pixel);
      gallery.views.read(pixel);
    };
    this.comparison.onLook = (view, method) => gallery.views.compare(view, method);
    this.results.onChoose = (name) => this.downloads.choose(name);
  }

  // State

  private state(): PageState {
    const { opener, found, scale, settings, map } = this;
    return { open: opener.state(), found: found.state(), scale: scale.state(), settings: settings.state(), strokes: map.strokes };
  }

  /** A setting or a stroke has changed: that can be undone, and gives another surface. */
  private changed(): void {
    this.changes.record();
    this.runner.again();
  }

  private show(state: PageState): void {
    this.settings.restore(state.settings);
    this.found.restore(state.found);
    this.scale.restore(state.scale);
    this.map.setStrokes(state.strokes);
  }

  private apply(next: PageState, before: PageState): void {
    this.show(next);
    if (!same(next.scale, before.scale)) this.connection.send({ kind: "scale", scale: this.scale.scale() });
    if (!same(next.open, before.open)) void this.opener.openState(next.open);
    else if (!same(next.found, before.found) && this.opener.files.size) this.opener.reopen();
    else if (!same(next.settings, before.settings) || !same(next.strokes, before.strokes)) this.runner.again();
  }

  // Messages of the server

  private async opened(hello: Hello): Promise<void> {
    byId("connection").textContent = "Connected";
    byId("connection").dataset.state = "open";
    delete document.body.dataset.offline;
    byId("connection").title = `crevasse ${hello.version}`;
    this.settings.fill(hello.methods);
    this.comparison.fill(hello.methods);
    this.input.fill(hello);
    const before = this.gallery.ground || this.opener.files.size ? null : this.changes.restore();
    if (before) return this.comeBack(hello, before);
    if (hello.resumed) this.opener.reopening = true;
    else await this.opener.restore(hello);
  }

  /** The page was loaded again. */
  private comeBack(hello: Hello, before: PageState): void {
    this.gallery.stage.eye.hold((remembered()?.view as Pose | null) ?? null);
    this.show(before);
    if (hello.resumed) return this.opener.resume(before.open);
    if (hello.preloaded) void this.opener.restore(hello);
    else if (before.open.example !== null) void this.opener.openState(before.open);
    else if (Object.keys(before.open.files).length) {
      this.opener.onNewMap();
      this.map.setStrokes([]);
      notify("The server was restarted meanwhile and no longer has your files: drop them again. Your settings are kept.");
    }
  }

  private closed(): void {
    byId("connection").textContent = "Server away";
    byId("connection").dataset.state = "closed";
    document.body.dataset.offline = "yes";
    this.runner.lost();
  }

  private told(notice: RunNotice): void {
    if (notice.kind === "snippet") this.downloads.setSnippet(notice);
    if (notice.kind === "scaled") {
      this.gallery.measure(notice.measures);
      this.results.measure(notice.measures);
      if (notice.problem) notify(notice.problem);
    } else this.runner.told(notice);
  }

  private received(header: Header, arrays: Arrays): void {
    if (header.kind === "map") return this.showMap(header, arrays);
    if (!this.gallery.ground) return;
    if (header.kind === "detail") return this.gallery.showDetail(header, arrays);
    this.gallery.showSurface(header, arrays);
    if (header.kind === "surface") return;
    this.runner.progress(header);
    if (header.kind !== "finished") return;
    this.results.add(header);
    this.runner.finish(header);
  }

  private showMap(header: MapHeader, arrays: Arrays): void {
    const { opener } = this;
    this.results.clear();
    this.downloads.clear();
    this.comparison.clear();
    this.chart.clear();
    this.transport.begin();
    this.results.errorUnit = errorUnit(header.camera);
    this.transport.hasMap = true;
    this.map.setGround(this.gallery.showMap(header, arrays), opener.reopening);
    this.input.showMap(header, opener.names);
    this.found.showMap(header, opener.files.size > 0);
    this.scale.showMap(header);
    document.body.dataset.map = header.name;
    document.body.dataset.opened = String(Number(document.body.dataset.opened ?? 0) + 1);
    this.runner.opened(header.view_only, opener.reopening);
    opener.reopening = false;
    this.changes.record();
  }
}

new Page();
