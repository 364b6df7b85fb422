import { expect, test } from "vitest";

import { choose, describe, lenses } from "../src/cameras";
import { choiceOf, offers } from "../src/everyday";
import { FileStore } from "../src/file_store";
import { History } from "../src/history";
import { Picking } from "../src/picking";
import { commandWith } from "../src/snippet_options";
import { readStrokes, strokesText } from "../src/strokes_file";

test("each change is undone and redone, in order", () => {
  const history = new History<number>();
  for (const state of [1, 2, 2, 3]) history.record(state);
  expect([history.undo(), history.undo(), history.undo()]).toEqual([2, 1, null]);
  expect([history.redo(), history.redo(), history.redo()]).toEqual([2, 3, null]);
});

test("a change after an undo forgets what was undone", () => {
  const history = new History<number>();
  for (const state of [1, 2]) history.record(state);
  history.undo();
  history.record(5);
  expect(history.canRedo).toBe(false);
  expect(history.undo()).toBe(1);
});

test("a history survives as text, the last part of it if it is long", () => {
  const history = new History<string>();
  for (const state of ["a".repeat(50), "b".repeat(50), "c"]) history.record(state);
  const again = new History<string>();
  expect(again.restore(JSON.parse(JSON.stringify(history.toJSON(80))))).toBe("c");
  expect(again.undo()).toBe("b".repeat(50));
  expect(again.undo()).toBe(null);
});

test("cameras are asked for as the server reads them", () => {
  expect(choose("focal_mm", 50, 36)).toEqual({ kind: "focal_mm", millimetres: 50, sensor_width: 36 });
  expect(choose("field_of_view", 40, 36)).toEqual({ kind: "field_of_view", degrees: 40 });
  expect(choose("focal", 900, 36)).toEqual({ kind: "focal", pixels: 900 });
  expect(choose("auto", 900, 36)).toEqual({ kind: "auto" });
  expect(lenses.field_of_view.fits(180)).toBe(false);
  expect(describe({ camera: { kind: "perspective", fx: 50, fy: 50, cx: 0, cy: 0 }, size: [100, 80] })).toBe("perspective 90.0°");
});

test("picked points answer the one who asked last", async () => {
  const picking = new Picking();
  expect(picking.offer({ row: 0, column: 0 })).toBe(false);
  const [first, second] = [picking.ask(2), picking.ask(2)];
  expect(await first).toBe(null);
  picking.offer({ row: 1, column: 2 });
  picking.offer({ row: 3, column: 4 });
  expect(await second).toEqual([{ row: 1, column: 2 }, { row: 3, column: 4 }]);
  expect(picking.active).toBe(false);
});

test("strokes come back from their file, and others are refused", () => {
  const strokes = [{ tool: "force" as const, radius: 1, points: [[1, 2], [3, 4]] as [number, number][] }];
  expect(readStrokes(strokesText(strokes, [10, 20]), [10, 20])).toEqual(strokes);
  expect(() => readStrokes("{", [10, 20])).toThrow("no strokes");
  expect(() => readStrokes(strokesText(strokes, [10, 20]), [10, 21])).toThrow("another size");
  expect(() => readStrokes('{"size":[1,1],"strokes":[{"tool":"pen"}]}', [1, 1])).toThrow("no tool");
});

test("the command writes what was taken", () => {
  const shape = { torn: "1", mesh: "welded", keep: "100" };
  const command = (taken: string[], other = {}) => commandWith("crevasse integrate a.png", new Set(taken), { ...shape, ...other });
  expect(command([])).toBe("crevasse integrate a.png");
  expect(command(["mesh-glb", "depth-npy", "height-exr", "solid-stl"])).toBe(
    "crevasse integrate a.png --mesh-format glb --height-format exr --solid",
  );
  expect(command(["mesh-ply"], { torn: "0", mesh: "quads", keep: "25" })).toContain("--bridged --mesh quads --decimate 25%");
  expect(command(["mesh-glb", "everything-zip"]).match(/--mesh-format glb/g)).toHaveLength(1);
});

test("an everyday choice is recognised by the settings that it stands for", () => {
  expect(choiceOf(offers.graduated, {})?.name).toBe("usual");
  expect(choiceOf(offers.graduated, { starts: 1, parts: 0, iterations: 9 })?.name).toBe("quick");
  expect(choiceOf(offers.graduated, { starts: 2 })).toBe(null);
});

test("a file that is no longer there is missed by name, not by a crash", async () => {
  const store = new FileStore();
  const key = store.add({ name: "a.png" } as File);
  expect((await store.get(key).load()).name).toBe("a.png");
  expect(() => store.get("7")).toThrow("drop it again");
});
