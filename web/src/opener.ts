/** What is open: files or an example, sent to the server and opened again after changes. */

import type { Connection } from "./connection";
import { notify } from "./dom";
import { FileStore } from "./file_store";
import { replaceFiles } from "./files";
import type { Found } from "./found";
import type { Hello, OpenRequest } from "./messages";
import type { Transport } from "./transport";

/** Files by role, as keys of the store, or the name of an example. */
export interface OpenState {
  files: Record<string, [key: string, name: string]>;
  example: string | null;
}

export class Opener {
  readonly store = new FileStore();
  /** Keys of the open files, by role. */
  files = new Map<string, string>();
  example: string | null = null;
  /** Whether the map that is being opened is the present one, read differently. */
  reopening = false;
  private uploads = 0;
  /** The present map will be opened again, or another one. */
  onReopen: (present: boolean) => void = () => {};
  /** Something will be opened. */
  onOpen: () => void = () => {};
  /** Another map takes the place of the present one: what was said about that no longer holds. */
  onNewMap: () => void = () => {};
  /** Nothing was opened. */
  onFailure: () => void = () => {};

  constructor(
    private connection: Connection,
    private found: Found,
    private transport: Transport,
    private side: () => number,
    /** Whether a map is shown, which may be opened again. */
    private isShown: () => boolean,
  ) {}

  get names(): Map<string, string> {
    return new Map([...this.files].map(([role, key]) => [role, this.store.name(key)]));
  }

  state(): OpenState {
    const files = [...this.files].map(([role, key]) => [role, [key, this.store.name(key)]]);
    return { files: Object.fromEntries(files), example: this.example };
  }

  /** Send dropped files, and open the map that they make up with those that are open. */
  async openFiles(files: File[], role?: string): Promise<void> {
    await this.upload(async (isCurrent) => {
      const added = new Map<string, string>();
      for (const file of files) added.set(await this.connection.upload(file, role), this.store.add(file));
      if (!isCurrent()) return;
      const change = replaceFiles(this.files, added);
      if (!change.files.has("normal_map")) throw new Error("There is no normal map among these files; drop it too.");
      this.files = change.files;
      if (added.has("camera")) this.found.useFile();
      if (change.isNewMap) {
        this.onNewMap();
        this.example = null;
      }
      this.reopen(change.stale, !change.isNewMap);
    });
  }

  /** Open other files, or another example, as they were open before. */
  async openState(state: OpenState): Promise<void> {
    const before = [...this.files.keys()];
    this.files = new Map(Object.entries(state.files).map(([role, [key]]) => [role, key]));
    this.example = state.example;
    if (state.example !== null) {
      this.reopening = true;
      return this.open({ example: state.example });
    }
    await this.upload(async (isCurrent) => {
      await this.sendAll();
      if (isCurrent()) this.reopen(before.filter((role) => !this.files.has(role)));
    });
  }

  private async upload(work: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    this.transport.setPhase("opening", "Uploading");
    const upload = ++this.uploads;
    try {
      await work(() => upload === this.uploads);
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error));
      this.onFailure();
    }
  }

  private async sendAll(): Promise<void> {
    for (const [role, key] of this.files) await this.connection.upload(await this.store.get(key).load(), role);
  }

  /** Give up the upload that is on its way. */
  cancelUpload(): void {
    this.uploads++;
  }

  /** Open the files that the server has, except those of some roles. */
  reopen(without: string[] = [], keep = true): void {
    this.reopening = keep && this.isShown();
    this.onReopen(this.reopening);
    this.open({ without, options: this.found.options() });
  }

  remove(role: string): void {
    this.files.delete(role);
    this.reopen([role]);
  }

  openExample(name: string): void {
    this.files.clear();
    this.onNewMap();
    this.example = name;
    this.open({ example: name });
  }

  /** A new session of the server knows nothing: open again what was open. */
  async restore(hello: Hello): Promise<void> {
    const again = this.isShown() || this.files.size > 0;
    if (again) notify("Reconnected. Your map is open again; the interrupted run is lost.", false);
    this.reopening = again;
    if (this.files.size) await this.openState(this.state());
    else if (this.example) this.open({ example: this.example });
    else if (hello.preloaded) this.open({ preloaded: true });
  }

  /** The page is back in its session: these files are open there. */
  resume(state: OpenState): void {
    this.example = state.example;
    this.files = new Map(Object.entries(state.files).map(([role, [key]]) => [role, key]));
    for (const [role, [key, name]] of Object.entries(state.files)) {
      this.store.refetch(key, name, () => this.connection.fetchFile(role, name));
    }
    this.reopening = true;
  }

  private open(message: Omit<OpenRequest, "kind" | "side">): void {
    this.transport.setPhase("opening", "Opening");
    this.onOpen();
    const side = Number(new URLSearchParams(location.search).get("side")) || this.side();
    this.connection.send({ kind: "open", side, ...message });
  }
}
