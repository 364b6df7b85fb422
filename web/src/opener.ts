/** What is open: files or an example, sent to the server and opened again after changes. */

import type { Connection } from "./connection";
import { notify } from "./dom";
import { replaceFiles } from "./files";
import type { Hello, OpenRequest } from "./messages";
import type { Settings } from "./settings";
import type { Transport } from "./transport";

export class Opener {
  files = new Map<string, File>();
  example: string | null = null;
  /** Whether the map that is being opened is the present one, read differently. */
  reopening = false;
  private uploads = 0;
  /** The map will be opened again: it keeps its strokes. */
  onReopen: () => void = () => {};
  /** Something will be opened. */
  onOpen: () => void = () => {};
  /** Nothing was opened. */
  onFailure: () => void = () => {};

  constructor(
    private connection: Connection,
    private settings: Settings,
    private transport: Transport,
    private side: () => number,
    /** Whether a map is shown, which may be opened again. */
    private isShown: () => boolean,
  ) {}

  /** Send dropped files, or those that are open, and open the map that they make up. */
  async openFiles(files: File[]): Promise<void> {
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
      this.onFailure();
    }
  }

  /** Give up the upload that is on its way. */
  cancelUpload(): void {
    this.uploads++;
  }

  /** Open the files that the server has, except those of some roles. */
  reopen(without: string[] = [], keep = true): void {
    this.reopening = keep && this.isShown();
    this.onReopen();
    this.open({ without, options: this.settings.options() });
  }

  remove(role: string): void {
    this.files.delete(role);
    this.reopen([role]);
  }

  openExample(name: string): void {
    this.files.clear();
    this.settings.resetInput();
    this.example = name;
    this.open({ example: name });
  }

  /** A new session of the server knows nothing: open again what was open. */
  restore(hello: Hello): void {
    const again = this.isShown() || this.files.size > 0;
    if (again) notify("Reconnected. Your map is open again; the interrupted run is lost.", false);
    this.reopening = again;
    if (this.files.size) void this.openFiles([]);
    else if (this.example) this.openExample(this.example);
    else if (hello.preloaded) this.open({ preloaded: true });
  }

  private open(message: Omit<OpenRequest, "kind" | "side">): void {
    this.transport.setPhase("opening", "Opening");
    this.onOpen();
    const side = Number(new URLSearchParams(location.search).get("side")) || this.side();
    this.connection.send({ kind: "open", side, ...message });
  }
}
