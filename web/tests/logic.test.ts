import { expect, test } from "vitest";

import { replaceFiles } from "../src/files";
import { unpack } from "../src/framing";
import { duration, progressText } from "../src/progress";

function frame(header: object, body: Uint8Array): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const padded = text.length + (-text.length & 3);
  const bytes = new Uint8Array(4 + padded + body.length).fill(32);
  new DataView(bytes.buffer).setUint32(0, padded, true);
  bytes.set(text, 4);
  bytes.set(body, 4 + padded);
  return bytes.buffer;
}

test("the arrays of a frame are views at their offsets", () => {
  const body = new Uint8Array(12);
  body.set([7, 8], 0);
  new DataView(body.buffer).setFloat32(4, 1.5, true);
  new DataView(body.buffer).setFloat32(8, -2, true);
  const arrays = [
    { name: "mask", type: "uint8", shape: [1, 2], offset: 0 },
    { name: "heights", type: "float32", shape: [2, 1], offset: 4 },
  ];
  const found = unpack(frame({ kind: "map", arrays }, body));
  expect(found.header.kind).toBe("map");
  expect([...found.arrays.mask]).toEqual([7, 8]);
  expect([...found.arrays.heights]).toEqual([1.5, -2]);
});

test("a new normal map forgets the files of the old one", () => {
  const before = new Map([["normal_map", "a.png"], ["mask", "m.png"], ["camera", "K.txt"]]);
  const change = replaceFiles(before, new Map([["normal_map", "b.png"], ["mask", "n.png"]]));
  expect([...change.files.values()]).toEqual(["b.png", "n.png"]);
  expect(change).toMatchObject({ stale: ["camera"], isNewMap: true });
});

test("other files join the map that is open", () => {
  const change = replaceFiles(new Map([["normal_map", "a.png"], ["camera", "transforms.json"]]), new Map([["camera", "K.txt"]]));
  expect(Object.fromEntries(change.files)).toEqual({ normal_map: "a.png", camera: "K.txt" });
  expect(change).toMatchObject({ stale: [], isNewMap: false });
});

test("the time left follows from the pace so far", () => {
  expect(progressText(10, 40, 10, false)).toBe("Iteration 10 of 40, about 30 s left");
  expect(progressText(39, 40, 10, false)).toBe("Iteration 39 of 40, less than a second left");
  expect(progressText(3, 40, 10, true)).toBe("Iteration 3 of 40, paused");
  expect(progressText(0, 40, 0, false)).toContain("less than a second");
  expect([duration(89.2), duration(90), duration(150)]).toEqual(["90 s", "2 min", "3 min"]);
});
