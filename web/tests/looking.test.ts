import { expect, test } from "vitest";

import { Grid } from "../src/grid";
import { directionOf, wordsOf } from "../src/light";
import { piecesOf } from "../src/plot";
import { areJoined, csvOf, distanceBetween, pixelsBetween, sectionOf } from "../src/section";
import { Space } from "../src/space";
import type { Surface } from "../src/surface";
import { lengthText } from "../src/tools";
import { weld } from "../src/weld";

/** Steps of 10 px between columns 2 and 3, elsewhere a plane that falls by 1 per column; pixels of half a unit. */
function stepped(): Surface {
  const [rows, columns] = [4, 6];
  const links = new Uint8Array(24).map((_, at) => {
    const column = at % columns;
    return 1 | (column < columns - 1 && column !== 2 ? 2 : 0) | (at < 18 ? 4 : 0);
  });
  const heights = new Float32Array(24).map((_, at) => (at % columns) + (at % columns > 2 ? 10 : 0));
  const grid = Grid.within([0, 0, rows, columns], 1);
  const space = new Space({ kind: "orthographic", pixel_size: 0.5 }, [rows, columns]);
  const height = (pixel: { row: number; column: number }) => {
    const cell = grid.cell(pixel.row, pixel.column);
    return cell && heights[grid.at(cell)];
  };
  const made = { grid, heights, lattice: weld(links, rows, columns), level: 0, measure: { factor: 2, unit: "mm" }, height, depthOf: (h: number) => h };
  return { ...made, ground: { hasTruth: false, space } } as unknown as Surface;
}

test("a line of the map takes every pixel on its way", () => {
  expect(pixelsBetween({ row: 0, column: 0 }, { row: 1, column: 3 }).map((p) => [p.row, p.column])).toEqual([[0, 0], [0, 1], [1, 2], [1, 3]]);
  expect(pixelsBetween({ row: 2, column: 2 }, { row: 2, column: 2 }).length).toBe(2);
});

test("distances are in space and in the unit of the surface", () => {
  const found = distanceBetween(stepped(), { row: 0, column: 0 }, { row: 3, column: 5 })!;
  expect(found.depth).toBe(15);
  expect(found.distance).toBeCloseTo(Math.hypot(5, 3, 15), 9);
  expect(distanceBetween(stepped(), { row: 0, column: 0 }, { row: 9, column: 5 })).toBeNull();
});

test("a cross-section is torn at jumps and runs across the line of sight", () => {
  const samples = sectionOf(stepped(), { row: 1, column: 0 }, { row: 1, column: 7 });
  expect(samples.map((one) => one && one.along)).toEqual([0, 1, 2, 3, 4, 5, null, null]);
  expect(samples.map((one) => one && one.depth)).toEqual([0, 1, 2, 13, 14, 15, null, null]);
  expect(piecesOf(samples).map((piece) => piece.length)).toEqual([3, 3]);
});

test("diagonal pixels are joined when one way around them is", () => {
  const surface = stepped();
  expect(areJoined(surface, { row: 0, column: 0 }, { row: 1, column: 1 })).toBe(true);
  expect(areJoined(surface, { row: 2, column: 3 }, { row: 1, column: 2 })).toBe(false);
});

test("the table of a section has a row per pixel and leaves unknown depths empty", () => {
  const pixels = pixelsBetween({ row: 1, column: 4 }, { row: 1, column: 6 });
  const samples = sectionOf(stepped(), pixels[0], pixels[2]);
  const text = csvOf(pixels, [{ name: 'A, "best"', samples }], "mm");
  expect(text).toBe("row,column,A   best  along (mm),A   best  depth (mm)\n1,4,0,14\n1,5,1,15\n1,6,,\n".replace("best  along", "best along").replace("best  depth", "best depth"));
});

test("lengths are written in few digits and with their unit", () => {
  expect(lengthText(12.3456, "mm")).toBe("12.35 mm");
  expect(lengthText(100, "(no unit: up to scale)")).toBe("100");
  expect(lengthText(2, "px")).toBe("2 px");
});

test("the light stays in front and has a unit direction", () => {
  for (const [x, y] of [[0, 0], [0.5, -0.5], [3, 4]]) {
    const [u, v, w] = directionOf(x, y);
    expect(Math.hypot(u, v, w)).toBeCloseTo(1, 9);
    expect(w).toBeGreaterThan(0.2);
  }
  expect(wordsOf(-0.5, 0.5)).toBe("From above left, 45° above the surface");
  expect(wordsOf(0, 0)).toBe("From the viewer");
});
