/** The buttons beside the brush: clear, save and load what is painted. */

import { save } from "./connection";
import { byId, make, notify } from "./dom";
import type { MapView } from "./map";
import { readStrokes, strokesText } from "./strokes_file";

/** Bind the buttons; `changed` is called after the strokes were cleared or loaded. */
export function bindBrush(map: MapView, changed: () => void): void {
  const set = (strokes: MapView["strokes"]) => {
    map.setStrokes(strokes);
    changed();
  };
  byId("strokes-clear").addEventListener("click", () => set([]));
  byId("strokes-save").addEventListener("click", () => {
    if (map.size) save(new Blob([strokesText(map.strokes, map.size)], { type: "application/json" }), "hints.json");
  });
  const chooser = make("input", { type: "file", accept: ".json", id: "strokes-file", hidden: true });
  chooser.setAttribute("aria-label", "File of strokes");
  byId("strokes-load").after(chooser);
  byId("strokes-load").addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", async () => {
    const file = chooser.files?.[0];
    if (file) await loadStrokes(file, map, set);
    chooser.value = "";
  });
}

async function loadStrokes(file: File, map: MapView, set: (strokes: MapView["strokes"]) => void): Promise<void> {
  try {
    if (!map.size) throw new Error("Open the map first, then its strokes.");
    set([...map.strokes, ...readStrokes(await file.text(), map.size)]);
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error));
  }
}
