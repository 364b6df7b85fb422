/** Runs of methods: beginning, repeating after changes, comparing, and what the server says about them. */

import type { Chart } from "./chart";
import type { Comparison } from "./compare";
import type { Connection } from "./connection";
import { byId, notify } from "./dom";
import type { MapView } from "./map";
import type { FinishedHeader, Hello, Notice, ProgressHeader } from "./messages";
import type { Opener } from "./opener";
import type { ScalePanel } from "./scale";
import type { Settings } from "./settings";
import type { Transport } from "./transport";

export type RunNotice = Exclude<Notice, Hello>;

interface Parts {
  connection: Connection;
  settings: Settings;
  map: MapView;
  scale: ScalePanel;
  chart: Chart;
  transport: Transport;
  comparison: Comparison;
  opener: Opener;
}

export class Runner {
  /** Whether a run begins as soon as the map is open. */
  private afterOpening = false;
  private hasRun = false;
  private timer = 0;

  constructor(private parts: Parts) {
    const { transport, connection, comparison, opener } = parts;
    byId("integrate").addEventListener("click", () => this.run());
    byId("pause").addEventListener("click", () => {
      connection.send({ kind: transport.phase === "paused" ? "resume" : "pause" });
    });
    byId("step").addEventListener("click", () => connection.send({ kind: "step" }));
    byId("stop").addEventListener("click", () => {
      if (transport.phase === "opening") opener.cancelUpload();
      comparison.end();
      connection.send({ kind: transport.keeps() ? "stop" : "cancel" });
    });
    comparison.onRun = (method) => this.start(method);
  }

  /** Run the chosen method. */
  run(): void {
    const { transport, comparison, settings } = this.parts;
    if (transport.phase === "opening") {
      // A click that leaves a field first applies its change, which opens the map again.
      this.afterOpening = true;
      return transport.say("Opening, then integrating");
    }
    comparison.end();
    this.start(settings.method());
  }

  private start(method: string): void {
    const { transport, chart, connection, settings, map, scale } = this.parts;
    if (!transport.hasMap) return;
    clearTimeout(this.timer);
    transport.begin();
    chart.clear();
    this.hasRun = true;
    transport.setPhase("running", "Starting");
    connection.send({ kind: "run", method, settings: settings.values(method), strokes: map.strokes, scale: scale.scale() });
    this.allow();
  }

  /** Run again after a change, unless the user does not want that. */
  again(): void {
    if (!this.wantsAgain()) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), 350);
  }

  private wantsAgain(): boolean {
    return this.hasRun && byId<HTMLInputElement>("again").checked;
  }

  /** The present map is opened again; a surface that was made of it is made anew. */
  reopens(present: boolean): void {
    this.afterOpening ||= present && this.wantsAgain();
  }

  /** Nothing can run before something is open. */
  opens(): void {
    this.parts.comparison.end();
    this.allow();
  }

  /** A map is open: run if that was asked for meanwhile. */
  opened(viewOnly: boolean, present: boolean): void {
    const { transport } = this.parts;
    if (!present) this.hasRun = false;
    transport.setPhase("ready", "Ready to integrate.");
    if (viewOnly) {
      byId<HTMLButtonElement>("integrate").disabled = true;
      transport.say("A depth map, for viewing only.");
    } else if (this.afterOpening) this.run();
    this.afterOpening = false;
    this.allow();
  }

  /** The map could not be opened; the one before is still there. */
  failed(): void {
    this.afterOpening = false;
    this.parts.transport.setPhase(this.parts.transport.hasMap ? "ready" : "nothing", "");
  }

  /** The connection is lost, and the run with it. */
  lost(): void {
    const { transport, comparison } = this.parts;
    this.hasRun = this.afterOpening = transport.hasMap = false;
    comparison.end();
    comparison.allow(false);
    transport.setPhase("nothing", "Connection lost; the page reconnects by itself.");
  }

  /** A comparison may begin when a run may. */
  private allow(): void {
    const { transport, comparison } = this.parts;
    comparison.allow(transport.phase !== "opening" && !byId<HTMLButtonElement>("integrate").disabled);
  }

  progress(header: ProgressHeader | FinishedHeader): void {
    const { transport, chart } = this.parts;
    chart.add(header.records, header.total);
    transport.progress(header.iteration, header.total, header.seconds);
  }

  finish(header: FinishedHeader): void {
    this.hasRun = true;
    const { transport, chart, comparison } = this.parts;
    chart.end();
    transport.setPhase("ready", header.status);
    comparison.finished(header);
    this.allow();
    document.body.dataset.finished = String(Number(document.body.dataset.finished ?? 0) + 1);
  }

  told(notice: RunNotice): void {
    const { transport, comparison } = this.parts;
    if (notice.kind === "refused" && comparison.running !== null) {
      if (!comparison.refused(notice.message)) transport.setPhase("ready", "Compared.");
      return this.allow();
    }
    if (notice.kind === "lost" || notice.kind === "full" || notice.kind === "cancelled") comparison.end();
    this.tell(notice);
    this.allow();
  }

  private tell(notice: RunNotice): void {
    const { transport } = this.parts;
    if (["refused", "lost", "full", "cancelled"].includes(notice.kind)) this.afterOpening = false;
    switch (notice.kind) {
      case "refused":
      case "lost":
      case "full":
        notify(notice.message);
        if (transport.hasMap && notice.kind === "refused") transport.setPhase("ready", "");
        else transport.setPhase("nothing", "Open a map to begin.");
        break;
      case "queued":
        if (transport.phase !== "opening") {
          transport.setPhase("queued", notice.place === 1 ? "Waiting: next in turn" : `Waiting: number ${notice.place} in turn`);
        }
        break;
      case "running":
        transport.setPhase("running");
        break;
      case "paused":
        transport.setPhase("paused", "");
        transport.say(transport.sentence());
        break;
      case "cancelled":
        transport.setPhase(transport.hasMap ? "ready" : "nothing", "Cancelled");
        break;
    }
  }
}
