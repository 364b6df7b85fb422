import { expect, test } from "vitest";

import { fromPlanes } from "../src/packed";

test("numbers come back from the planes of their differences", () => {
  const numbers = [5, -3, 300, 70000, -70000, 8];
  const apart = numbers.map((number, k) => number - (k > 1 ? numbers[k - 2] : 0));
  const bytes = new Uint8Array(new Int32Array(apart).buffer);
  const planes = new Uint8Array(24).map((_, k) => bytes[(k % 6) * 4 + Math.floor(k / 6)]);
  expect([...fromPlanes(planes, { data: "", type: "int32", channels: 2 })]).toEqual(numbers);
});

test("differences of small numbers wrap around as they did when they were made", () => {
  expect([...fromPlanes(new Uint8Array([250, 10]), { data: "", type: "uint8", channels: 1 })]).toEqual([250, 4]);
});
