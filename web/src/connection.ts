/** The connection to the server: a socket that reconnects, uploads and downloads. */

import { unpack, type Arrays } from "./framing";
import type { Header, Hello, Notice, PageRequest } from "./messages";

export interface Listener {
  opened(hello: Hello): void;
  closed(): void;
  told(notice: Exclude<Notice, Hello>): void;
  received(header: Header, arrays: Arrays): void;
}

export class Connection {
  private socket: WebSocket | null = null;
  private session = "";
  private wait = 300;

  constructor(private listener: Listener) {
    this.connect();
  }

  private connect(): void {
    const address = new URL("session", location.href);
    address.protocol = "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => this.hear(event.data);
    socket.onclose = () => {
      if (this.session) this.listener.closed();
      this.session = "";
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

  /** Fetch a file that the server wrote, and hand it to the browser's downloads. */
  async download(what: string, result: string, torn: boolean): Promise<void> {
    const query = new URLSearchParams({ result, torn: torn ? "1" : "0" });
    const answer = await fetch(`session/${this.session}/download/${what}?${query}`);
    if (!answer.ok) throw new Error((await answer.json()).message);
    const named = /filename="([\w.-]+)"/.exec(answer.headers.get("content-disposition") ?? "");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = named ? named[1] : what;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }
}
