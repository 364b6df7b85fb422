/** Wires the parts of the page together. */

import { Chart } from "./chart";
import { Comparison } from "./compare";
import { Connection } from "./connection";
import { byId } from "./dom";
import type { Arrays } from "./framing";
import { Gallery } from "./gallery";
import { Input } from "./input";
import { bindKeys } from "./keys";
import { MapView } from "./map";
import type { Header, Hello, MapHeader } from "./messages";
import { Opener } from "./opener";
import { Results } from "./results";
import { Runner, type RunNotice } from "./runner";
import { Settings } from "./settings";
import { Stage } from "./stage";
import { bindTheme } from "./theme";
import { Transport } from "./transport";
import { errorUnit } from "./units";

class Page {
  private settings = new Settings();
  private input = new Input();
  private map = new MapView();
  private chart = new Chart();
  private transport = new Transport();
  private comparison = new Comparison();
  private connection = new Connection({
    opened: (hello) => this.opened(hello),
    closed: () => this.closed(),
    told: (notice) => this.told(notice),
    received: (header, arrays) => this.received(header, arrays),
  });
  private title = (name: string) => this.settings.title(name);
  private results = new Results(this.connection, this.title);
  private gallery = new Gallery(new Stage(), this.title, {
    drawn: () => this.connection.send({ kind: "drawn" }),
    detail: (request) => this.connection.send({ kind: "detail", ...request }),
  });
  private opener = new Opener(
    this.connection,
    this.settings,
    this.transport,
    () => this.gallery.stage.side(),
    () => this.gallery.ground !== null,
  );
  private runner: Runner;

  constructor() {
    const { connection, settings, map, chart, transport, comparison, opener } = this;
    this.runner = new Runner({ connection, settings, map, chart, transport, comparison, opener });
    this.bindInput();
    this.bindViews();
    bindKeys(() => this.map.undo());
    bindTheme(() => {
      this.chart.draw();
      this.map.draw();
      this.gallery.stage.ask();
    });
    this.transport.setPhase("nothing");
  }

  private bindInput(): void {
    const { input, opener, runner, settings } = this;
    input.onFiles = (files) => void opener.openFiles(files);
    input.onExample = (name) => opener.openExample(name);
    input.onRemove = (role) => opener.remove(role);
    settings.onMethodChange = () => runner.again();
    settings.onInputChange = () => opener.files.size && opener.reopen();
    opener.onReopen = () => runner.reopens(opener.reopening);
    opener.onOpen = () => runner.opens();
    opener.onFailure = () => runner.failed();
  }

  private bindViews(): void {
    const { map, gallery } = this;
    map.onPaint = () => this.runner.again();
    map.onHover = (pixel) => gallery.views.read(pixel);
    gallery.stage.onHover = (pixel) => {
      map.point(pixel);
      gallery.views.read(pixel);
    };
    this.comparison.onLook = (view, method) => gallery.views.compare(view, method);
  }

  private opened(hello: Hello): void {
    byId("connection").textContent = "Connected";
    byId("connection").dataset.state = "open";
    byId("connection").title = `crevasse ${hello.version}`;
    this.settings.fill(hello.methods);
    this.comparison.fill(hello.methods);
    this.input.fill(hello);
    this.opener.restore(hello);
  }

  private closed(): void {
    byId("connection").textContent = "Server away";
    byId("connection").dataset.state = "closed";
    this.runner.lost();
  }

  private told(notice: RunNotice): void {
    if (notice.kind === "snippet") this.results.setSnippet(notice);
    this.runner.told(notice);
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
    this.comparison.clear();
    this.chart.clear();
    this.transport.begin();
    this.results.errorUnit = errorUnit(header.camera);
    this.transport.hasMap = true;
    this.map.setGround(this.gallery.showMap(header, arrays), opener.reopening);
    this.input.showMap(header, opener.files);
    this.settings.allowInput(opener.files.size > 0);
    document.body.dataset.map = header.name;
    document.body.dataset.opened = String(Number(document.body.dataset.opened ?? 0) + 1);
    this.runner.opened(header.view_only, opener.reopening);
    opener.reopening = false;
  }
}

new Page();
