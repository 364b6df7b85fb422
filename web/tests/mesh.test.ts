import { expect, test } from "vitest";

import { cast } from "../src/cast";
import { median, typical } from "../src/differences";
import { Grid } from "../src/grid";
import { labels, ticks } from "../src/legend";
import { fold, unfold, vertexNormals, vertexValues } from "../src/normals";
import { panesOf } from "../src/panes";
import { depthRamp, texels } from "../src/ramps";
import { Space, type Point } from "../src/space";
import { isDrape } from "../src/drape";
import { linksOf, triangles, walls, weld } from "../src/weld";

const [inside, right, down] = [1, 2, 4];
const whole = new Uint8Array([inside | right | down, inside | down, inside | right, inside]);

test("four joined pixels share nine corners", () => {
  const lattice = weld(whole, 2, 2);
  expect(lattice.count).toBe(9);
  expect([...lattice.corners.slice(0, 4)]).toEqual([0, 1, 3, 4]);
  expect([...lattice.places.slice(8, 10)]).toEqual([1, 1]);
  expect(triangles(lattice, new Float32Array(9)).length).toBe(24);
  expect(walls(lattice).length).toBe(0);
});

test("a cut along a whole side doubles its corners, and is closed by walls", () => {
  const lattice = weld(new Uint8Array([inside | down, inside | down, inside, inside]), 2, 2);
  expect(lattice.count).toBe(12);
  const found = walls(lattice);
  expect(found.length).toBe(12);
  const columns = [...found].map((vertex) => lattice.places[2 * vertex]);
  expect(new Set(columns)).toEqual(new Set([1]));
});

test("a cut that ends inside shares its end", () => {
  // Joined around the middle by the other three pairs.
  expect(weld(new Uint8Array([inside | down, inside | down, inside | right, inside]), 2, 2).count).toBe(10);
});

test("pixels that touch at a corner only do not share it", () => {
  expect(weld(new Uint8Array([inside, 0, 0, inside]), 2, 2).count).toBe(8);
});

test("triangles face the viewer, and bend as little as possible", () => {
  const lattice = weld(new Uint8Array([inside]), 1, 1);
  const [a, b, c] = triangles(lattice, new Float32Array([0, 5, 0, 0])).slice(0, 3);
  const at = (vertex: number) => [lattice.places[2 * vertex], -lattice.places[2 * vertex + 1]];
  const cross = (at(b)[0] - at(a)[0]) * (at(c)[1] - at(a)[1]) - (at(b)[1] - at(a)[1]) * (at(c)[0] - at(a)[0]);
  expect(cross).toBeGreaterThan(0);
  const shared = [...triangles(lattice, new Float32Array([0, 5, 0, 0]))].filter((v, k, all) => all.indexOf(v) !== k);
  expect(new Set(shared)).toEqual(new Set([0, 3]));
});

test("links follow the mask of a picture and not its border", () => {
  const picture = new Uint8Array(4 * 6).fill(255);
  picture[4 * 4 + 3] = 0;
  expect([...linksOf(picture, 2, 3)]).toEqual([7, 3, 5, 1, 0, 1]);
});

test("normals come back from the square that they were folded onto", () => {
  for (const [x, y, z] of [[0, 0, 1], [0.6, 0, 0.8], [-0.36, 0.48, 0.8], [0.6, -0.64, -0.48], [0, 0, -1]]) {
    const folded = new Int16Array(2);
    fold(3 * x, 3 * y, 3 * z, folded, 0);
    const back = [0, 0, 0];
    unfold(folded[0], folded[1], back);
    [x, y, z].forEach((one, k) => expect(back[k]).toBeCloseTo(one, 3));
  }
});

test("normals and values are means of the pixels on one side of a jump", () => {
  const lattice = weld(new Uint8Array([inside | right, inside, inside]), 1, 3);
  const folded = new Int16Array(6);
  fold(0, 0, 1, folded, 0);
  fold(1, 0, 1, folded, 2);
  fold(-1, 0, 0, folded, 4);
  const found = vertexNormals(lattice, folded);
  const middle = [0, 0, 0];
  const vertex = lattice.corners[1];
  unfold(found[2 * vertex], found[2 * vertex + 1], middle);
  expect(Math.atan2(middle[0], middle[2])).toBeCloseTo(Math.PI / 8, 3);
  const values = vertexValues(lattice, new Float32Array([1, 3, NaN]));
  expect([...[0, 1, 5].map((k) => values[lattice.corners[k]])]).toEqual([1, 2, 3]);
  expect(values[lattice.corners[8]]).toBeNaN();
});

test("a grid finds pixels of cells and cells of pixels", () => {
  const grid = Grid.within([10, 20, 7, 9], 3);
  expect([grid.rows, grid.columns]).toEqual([3, 3]);
  expect(grid.pixel({ row: 0, column: 2 })).toEqual({ row: 11, column: 27 });
  expect(grid.pixel({ row: 2, column: 0 })).toEqual({ row: 16, column: 21 });
  expect(grid.cell(16, 28)).toEqual({ row: 2, column: 2 });
  expect(grid.cell(9, 25)).toBeNull();
});

const cameras = [
  { kind: "orthographic", pixel_size: 0.5 } as const,
  { kind: "perspective", fx: 300, fy: 280, cx: 11, cy: 9 } as const,
];

test.each(cameras)("places come back from points of the scene: $kind", (camera) => {
  const space = new Space(camera, [20, 30]);
  const back = space.place(space.point(3.5, 17.25, -6))!;
  [3.5, 17.25, -6].forEach((value, k) => expect(back[k]).toBeCloseTo(value, 9));
});

test.each(cameras)("a ray meets the surface where it is: $kind", (camera) => {
  const space = new Space(camera, [20, 30]);
  const grid = Grid.within([0, 0, 20, 30], 1);
  const links = new Uint8Array(600).map((_, at) => inside | ((at + 1) % 30 ? right : 0) | (at < 570 ? down : 0));
  const lattice = weld(links, 20, 30);
  const height = (row: number, column: number) => 0.3 * column - 0.2 * row + Math.sin(column / 4);
  const points = new Float32Array(lattice.count).map((_, k) => height(lattice.places[2 * k + 1] - 0.5, lattice.places[2 * k] - 0.5));
  const target = space.point(8, 12, height(8, 12));
  const origin: Point = [target[0] + 30, target[1] + 20, target[2] + 90];
  const direction: Point = [-30, -20, -90];
  const hit = cast(origin, direction, space, grid, lattice, points)!;
  expect(hit.row).toBeCloseTo(8, 1);
  expect(hit.column).toBeCloseTo(12, 1);
  expect(hit.height).toBeCloseTo(height(hit.row, hit.column), 1);
  const backwards = direction.map((x) => -x) as Point;
  expect(cast(origin, backwards, space, grid, lattice, points)).toBeNull();
});

test("a ray passes through an open jump and meets what lies behind", () => {
  const space = new Space(cameras[0], [1, 4]);
  const grid = Grid.within([0, 0, 1, 4], 1);
  const lattice = weld(new Uint8Array([inside | right, inside, inside | right, inside]), 1, 4);
  const points = new Float32Array(lattice.count).map((_, k) => (lattice.places[2 * k] > 2 || k === lattice.corners[8] || k === lattice.corners[10] ? 10 : 0));
  // From above the near half, steeply under it: through the gap to the far half.
  const [from, to] = [space.point(0, 1.4, 5), space.point(0, 2.4, 10)];
  const along = to.map((x, k) => x - from[k]) as Point;
  const hit = cast(from, along, space, grid, lattice, points)!;
  expect(hit.cell.column).toBe(2);
  expect(hit.height).toBeCloseTo(10, 6);
});

test("ticks are round and inside, and their labels tell them apart", () => {
  expect(ticks(0.12, 1.03, 5)).toEqual([0.2, 0.4, 0.6000000000000001, 0.8, 1]);
  expect(labels([0.2, 0.4])).toEqual(["0.2", "0.4"]);
  expect(labels([-50, 0, 50])).toEqual(["−50", "0", "50"]);
  expect(labels(ticks(1e7, 1.5e7, 4))[0]).toBe("1.00e+7");
  expect(ticks(3, 3, 5)).toEqual([3]);
});

test("medians pass over what is unknown, typical sizes over outliers", () => {
  expect(median(new Float32Array([NaN, 5, 1, 3, NaN]))).toBe(3);
  expect(median(new Float32Array([NaN]))).toBe(0);
  const values = new Float32Array(1000).fill(-2);
  values[7] = 1e6;
  expect(typical(values)).toBe(2);
});

test("a ramp's texels run from its first colour to its last", () => {
  const found = texels(depthRamp);
  const hex = (at: number) => [...found.slice(4 * at, 4 * at + 3)].map((c) => c.toString(16).padStart(2, "0")).join("");
  expect([hex(0), hex(255)]).toEqual([depthRamp[0], depthRamp[depthRamp.length - 1]]);
});

test("panes share the canvas", () => {
  expect(panesOf("one", 800, 0.5, null, null).length).toBe(1);
  const [a, b] = panesOf("wipe", 800, 0.25, null, null);
  expect([a.width, b.left, b.viewWidth]).toEqual([199, 201, 800]);
});

test("images to drape are known by their names", () => {
  expect(["albedo.png", "IMG photo.JPG", "Colour.webp"].every(isDrape)).toBe(true);
  expect(["normals.png", "colour_normal.png", "mask.png", "albedo.exr"].some(isDrape)).toBe(false);
});
