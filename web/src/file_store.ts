/** The files that were dropped in this session of the page, under keys that changes can be undone by. */

export interface Kept {
  name: string;
  load: () => Promise<File>;
}

export class FileStore {
  private kept = new Map<string, Kept>();
  private count = 0;

  /** Keep a dropped file; returns its key. */
  add(file: File): string {
    return this.put({ name: file.name, load: () => Promise.resolve(file) });
  }

  /** Keep a file that the server has under the key that it had before a reload; it is fetched at once. */
  refetch(key: string, name: string, fetch: () => Promise<File>): void {
    const file = fetch();
    // Whoever needs the file hears of a failure; nobody may.
    file.catch(() => undefined);
    this.kept.set(key, { name, load: () => file });
    this.count = Math.max(this.count, Number(key) + 1);
  }

  private put(kept: Kept): string {
    const key = String(this.count++);
    this.kept.set(key, kept);
    return key;
  }

  get(key: string): Kept {
    const kept = this.kept.get(key);
    if (!kept) throw new Error("A file of that time is no longer there; drop it again.");
    return kept;
  }

  has(key: string): boolean {
    return this.kept.has(key);
  }

  name(key: string): string {
    return this.kept.get(key)?.name ?? "";
  }
}
