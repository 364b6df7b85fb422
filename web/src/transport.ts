/** The run's buttons, progress and time left. */

import { byId } from "./dom";
import { progressText } from "./progress";

export type Phase = "nothing" | "opening" | "ready" | "queued" | "running" | "paused";

export class Transport {
  phase: Phase = "nothing";
  iteration = 0;
  total = 0;
  /** Whether a map is open: while another reading of it is opened, a run may be asked for. */
  hasMap = false;
  private seconds = 0;

  setPhase(phase: Phase, text?: string): void {
    this.phase = phase;
    document.body.dataset.phase = phase;
    const busy = phase === "queued" || phase === "running" || phase === "paused";
    byId<HTMLButtonElement>("integrate").disabled = phase === "nothing" || (phase === "opening" && !this.hasMap) || busy;
    byId<HTMLButtonElement>("pause").disabled = phase !== "running" && phase !== "paused";
    byId("pause").textContent = phase === "paused" ? "Go on" : "Pause";
    byId<HTMLButtonElement>("step").disabled = phase !== "running" && phase !== "paused";
    byId<HTMLButtonElement>("stop").disabled = !busy && phase !== "opening";
    byId("stop").textContent = this.keeps() ? "Stop, keep" : "Cancel";
    const progress = byId<HTMLProgressElement>("progress");
    if (phase === "opening" || phase === "queued") progress.removeAttribute("value");
    else progress.value = this.total ? this.iteration / this.total : 0;
    if (text !== undefined) this.say(text);
  }

  /** Whether there is something to keep when the run is stopped. */
  keeps(): boolean {
    return this.phase !== "queued" && this.phase !== "opening" && (this.phase !== "running" || this.iteration > 0);
  }

  say(text: string): void {
    byId("progress-text").textContent = text;
  }

  begin(): void {
    this.iteration = this.total = this.seconds = 0;
    document.body.dataset.iteration = "0";
  }

  progress(iteration: number, total: number, seconds: number): void {
    this.iteration = iteration;
    this.total = total;
    this.seconds = seconds;
    document.body.dataset.iteration = String(iteration);
    byId("stop").textContent = this.keeps() ? "Stop, keep" : "Cancel";
    byId<HTMLProgressElement>("progress").value = total ? iteration / total : 0;
    this.say(this.sentence());
  }

  /** How far the run is. */
  sentence(): string {
    return progressText(this.iteration, this.total, this.seconds, this.phase === "paused");
  }
}
