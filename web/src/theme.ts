/** Light or dark, as the system has it until the user chooses. */

import { byId } from "./dom";

/** Let the user choose a theme; `redraw` is called after a change. */
export function bindTheme(redraw: () => void): void {
  const root = document.documentElement;
  const wanted = localStorage.getItem("theme") ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
  const apply = (theme: string) => {
    root.dataset.theme = theme;
    byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
    redraw();
  };
  apply(wanted);
  byId("theme").addEventListener("click", () => {
    const theme = root.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem("theme", theme);
    apply(theme);
  });
}
