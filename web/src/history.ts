/** Changes that can be undone: states before and after the present one. */

const MOST = 100;

export class History<T> {
  private past: string[] = [];
  private future: string[] = [];
  private present: string | null = null;

  /** The present state has become this one; the same state again is no change. */
  record(state: T): void {
    const text = JSON.stringify(state);
    if (text === this.present) return;
    if (this.present !== null) this.past.push(this.present);
    if (this.past.length > MOST) this.past.shift();
    this.present = text;
    this.future = [];
  }

  undo(): T | null {
    return this.go(this.past, this.future);
  }

  redo(): T | null {
    return this.go(this.future, this.past);
  }

  private go(from: string[], to: string[]): T | null {
    const next = from.pop();
    if (next === undefined || this.present === null) return null;
    to.push(this.present);
    this.present = next;
    return JSON.parse(next);
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** Everything as text, the last `most` characters of the past at most. */
  toJSON(most = 1_000_000): object {
    let [size, first] = [0, this.past.length];
    while (first > 0 && (size += this.past[first - 1].length) < most) first--;
    return { past: this.past.slice(first), present: this.present };
  }

  /** The history that `toJSON` has written. */
  restore(kept: { past: string[]; present: string | null }): T | null {
    this.past = kept.past;
    this.present = kept.present;
    this.future = [];
    return kept.present === null ? null : JSON.parse(kept.present);
  }
}
