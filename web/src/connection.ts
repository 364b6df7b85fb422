/** The connection to the server: a socket that reconnects, uploads and downloads. */

import { unpack, type Arrays } from "./framing";
import { formerSession } from "./memory";
import type { Header, Hello, Notice, PageRequest } from "./messages";

export interface Listener {
  opened(hello: Hello): void;
  closed(): void;
  told(notice: Exclude<Notice, Hello>): void;
  received(header: Header, arrays: Arrays): void;
}

export class Connection {
  private socket: WebSocket | null = null;
  session = "";
  private isOpen = false;
  private wait = 300;

  constructor(private listener: Listener) {
    this.connect();
  }

  private connect(): void {
    const address = new URL("session", location.href);
    // The session may still be there: after a reload, or after the connection was lost.
    address.search = new URLSearchParams({ resume: this.session || formerSession() }).toString();
    address.protocol = "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => this.hear(event.data);
    socket.onclose = () => {
      if (this.isOpen) this.listener.closed();
      this.isOpen = false;
      this.socket = null;
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(3000, this.wait * 1.6);
    };
    this.socket = socket;
  }

  private hear(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      const { header, arrays } = unpack(data);
      this.listener.received(header, arrays);
      return;
    }
    const notice = JSON.parse(data) as Notice;
    if (notice.kind === "hello") {
      this.session = notice.session;
      this.isOpen = true;
      this.wait = 300;
      this.listener.opened(notice);
    } else {
      this.listener.told(notice);
    }
  }

  send(message: PageRequest): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Send a file; returns the role that the server gives it. */
  async upload(file: File, role?: string): Promise<string> {
    const query = new URLSearchParams({ name: file.name });
    if (role) query.set("role", role);
    const answer = await fetch(`session/${this.session}/files?${query}`, { method: "PUT", body: file });
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.message);
    return told.role;
  }

  /** An uploaded file, back from the server. */
  async fetchFile(role: string, name: string): Promise<File> {
    const answer = await fetch(`session/${this.session}/files?${new URLSearchParams({ role })}`);
    if (!answer.ok) throw new Error((await answer.json()).message);
    return new File([await answer.blob()], name);
  }

  /** Fetch a file that the server wrote, and hand it to the browser's downloads; returns its name. */
  async download(what: string, result: string, shape: Record<string, string>): Promise<string> {
    const query = new URLSearchParams({ result, ...shape });
    const answer = await fetch(`session/${this.session}/download/${what}?${query}`);
    if (!answer.ok) throw new Error((await answer.json()).message);
    const named = /filename="([\w.-]+)"/.exec(answer.headers.get("content-disposition") ?? "");
    const name = named ? named[1] : what;
    save(await answer.blob(), name);
    return name;
  }
}

/** Hand something to the browser's downloads. */
export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
