/** What survives a reload: the session's token, and the state of the page. */

const KEY = "crevasse";

export interface Remembered {
  session: string;
  history: { past: string[]; present: string | null };
  view: unknown;
}

/** The name of the session that this tab had; empty if none. */
export function formerSession(): string {
  return remembered()?.session ?? "";
}

export function remembered(): Remembered | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

export function remember(state: Remembered): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // Without storage, a reload begins anew.
  }
}
