/** Keyboard shortcuts, and the dialog that lists them. */

import { byId, choose } from "./dom";

export function bindKeys(): void {
  const keys: Record<string, () => void> = {
    i: () => byId("integrate").click(),
    p: () => byId("pause").click(),
    s: () => byId("step").click(),
    k: () => byId("stop").click(),
    j: () => byId("show-jumps").click(),
    z: () => byId("undo").click(),
    d: () => byId("download-open").click(),
    ",": () => byId("drawer-open").click(),
    "0": () => byId("reset-view").click(),
    "1": () => choose("layout", "one"),
    "2": () => choose("layout", "two"),
    "3": () => choose("layout", "wipe"),
  };
  addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLElement && event.target.matches("input[type=number], input[type=range], select, textarea, dialog *");
    if (typing || event.altKey || event.metaKey || (event.ctrlKey && event.key !== "z")) return;
    const redo = event.shiftKey && event.key.toLowerCase() === "z";
    const action = redo ? () => byId("redo").click() : keys[event.key.toLowerCase()];
    if (action) {
      event.preventDefault();
      action();
    }
  });
  const help = byId<HTMLDialogElement>("help");
  byId("help-open").addEventListener("click", () => help.showModal());
  byId("help-close").addEventListener("click", () => help.close());
}
