/** Normals that were folded from the octahedron onto a square, and their means at shared corners. */

import type { Lattice } from "./weld";

/** Unfold a normal (x right, y up, z towards the viewer); zero where the map has none. */
export function unfold(u: number, v: number, into: Float32Array | number[]): void {
  let [x, y] = [u / 32767, v / 32767];
  const z = 1 - Math.abs(x) - Math.abs(y);
  if (z < 0) [x, y] = [(1 - Math.abs(y)) * (x < 0 ? -1 : 1), (1 - Math.abs(x)) * (y < 0 ? -1 : 1)];
  const length = Math.hypot(x, y, z);
  into[0] = x / length;
  into[1] = y / length;
  into[2] = z / length;
}

/** Fold a vector of any length, as 16-bit numbers. */
export function fold(x: number, y: number, z: number, into: Int16Array, at: number): void {
  const total = Math.abs(x) + Math.abs(y) + Math.abs(z) || 1;
  let [u, v] = [x / total, y / total];
  if (z < 0) [u, v] = [(1 - Math.abs(v)) * (u < 0 ? -1 : 1), (1 - Math.abs(u)) * (v < 0 ? -1 : 1)];
  into[at] = Math.round(u * 32767);
  into[at + 1] = Math.round(v * 32767);
}

/** The mean normal of the pixels that share a vertex, folded; pixels beyond a jump do not count. */
export function vertexNormals(lattice: Lattice, folded: Int16Array): Int16Array {
  const sums = new Float32Array(3 * lattice.count);
  const one = [0, 0, 0];
  for (let at = 0; at < lattice.links.length; at++) {
    if (!lattice.links[at]) continue;
    unfold(folded[2 * at], folded[2 * at + 1], one);
    for (let k = 4 * at; k < 4 * at + 4; k++) {
      const vertex = 3 * lattice.corners[k];
      sums[vertex] += one[0];
      sums[vertex + 1] += one[1];
      sums[vertex + 2] += one[2];
    }
  }
  const found = new Int16Array(2 * lattice.count);
  for (let k = 0; k < lattice.count; k++) fold(sums[3 * k], sums[3 * k + 1], sums[3 * k + 2], found, 2 * k);
  return found;
}

/** The mean of a value per pixel at each vertex; NaN does not count, and is the mean of nothing. */
export function vertexValues(lattice: Lattice, values: Float32Array): Float32Array {
  const sums = new Float32Array(lattice.count);
  const counts = new Uint8Array(lattice.count);
  for (let at = 0; at < lattice.links.length; at++) {
    if (!lattice.links[at] || Number.isNaN(values[at])) continue;
    for (let k = 4 * at; k < 4 * at + 4; k++) {
      sums[lattice.corners[k]] += values[at];
      counts[lattice.corners[k]]++;
    }
  }
  return sums.map((sum, k) => sum / counts[k]);
}
