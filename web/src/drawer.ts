/** Settings and result: a column where there is room, else a drawer that opens over the surface. */

import { byId } from "./dom";

export function bindDrawer(): void {
  const [drawer, open] = [byId("drawer"), byId("drawer-open")];
  const set = (on: boolean) => {
    drawer.classList.toggle("open", on);
    open.setAttribute("aria-expanded", String(on));
    if (on) byId("drawer-close").focus();
    else if (drawer.contains(document.activeElement)) open.focus();
  };
  open.addEventListener("click", () => set(!drawer.classList.contains("open")));
  byId("drawer-close").addEventListener("click", () => set(false));
  drawer.addEventListener("keydown", (event) => {
    if (event.key === "Escape") set(false);
  });
  byId("notes-open").addEventListener("click", () => {
    set(true);
    byId("result-notes").scrollIntoView({ block: "nearest" });
  });
}
