/** The state of the page that can be undone and that survives a reload. */

import { byId } from "./dom";
import type { FoundState } from "./found";
import { History } from "./history";
import { remember, remembered } from "./memory";
import type { Stroke } from "./messages";
import type { OpenState } from "./opener";
import type { ScaleState } from "./scale";
import type { SettingsState } from "./settings";

export interface PageState {
  open: OpenState;
  found: FoundState;
  scale: ScaleState;
  settings: SettingsState;
  strokes: Stroke[];
}

/** Undo and redo, and what is remembered for after a reload. */
export class Changes {
  private history = new History<PageState>();

  constructor(
    private state: () => PageState,
    private apply: (next: PageState, before: PageState) => void,
    /** What else is remembered, but cannot be undone: how the surface is looked at. */
    private rest: () => { session: string; view: unknown },
  ) {
    byId("undo").addEventListener("click", () => this.go(() => this.history.undo()));
    byId("redo").addEventListener("click", () => this.go(() => this.history.redo()));
    addEventListener("pagehide", () => this.remember());
    this.draw();
  }

  /** Something may have changed. */
  record(): void {
    this.history.record(this.state());
    this.draw();
    this.remember();
  }

  /** The state before the reload; null if there is none. */
  restore(): PageState | null {
    const kept = remembered();
    const state = kept ? this.history.restore(kept.history) : null;
    this.draw();
    return state;
  }

  private go(step: () => PageState | null): void {
    const before = this.state();
    const next = step();
    if (next) this.apply(next, before);
    this.draw();
    this.remember();
  }

  private remember(): void {
    const history = this.history.toJSON() as { past: string[]; present: string | null };
    remember({ ...this.rest(), history });
  }

  private draw(): void {
    byId<HTMLButtonElement>("undo").disabled = !this.history.canUndo;
    byId<HTMLButtonElement>("redo").disabled = !this.history.canRedo;
  }
}

/** Whether two parts of a state are the same. */
export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
