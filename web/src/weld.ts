/** Which corners neighbouring pixels share: the same numbering of vertices as that of the meshes for download. */

const inside = 1;
const joinedRight = 2;
const joinedDown = 4;
/** Pixels per band of columns: triangles of a band reuse vertices that the graphics card still holds. */
const band = 16;

/** A welded lattice: for each vertex its lattice point, for each pixel the vertices of its corners. */
export interface Lattice {
  rows: number;
  columns: number;
  count: number;
  /** Column and row of each vertex's lattice point; pixel (r, c) lies between points (r, c) and (r + 1, c + 1). */
  places: Uint16Array;
  /** Vertices of a pixel's corners: above left, above right, below left, below right. */
  corners: Uint32Array;
  links: Uint8Array;
}

/** Number the vertices by rows of lattice points, columns, and the pixels around a point; there are at most `most`. */
export function weld(links: Uint8Array, rows: number, columns: number, most = 4 * (rows + 1) * (columns + 1)): Lattice {
  const corners = new Uint32Array(4 * rows * columns);
  const places = new Uint16Array(2 * most);
  let count = 0;
  const number = new Uint32Array(4);
  const leader = new Uint8Array(4);
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      findLeaders(links, rows, columns, row, column, leader);
      for (let slot = 0; slot < 4; slot++) {
        if (leader[slot] === 4) continue;
        if (leader[slot] === slot) {
          places[2 * count] = column;
          places[2 * count + 1] = row;
          number[slot] = count++;
        }
        const pixel = (row - 1 + (slot >> 1)) * columns + column - 1 + (slot & 1);
        // The point is the pixel's opposite corner: below right of the pixel above left of it.
        corners[4 * pixel + 3 - slot] = number[leader[slot]];
      }
    }
  }
  return { rows, columns, count, places: count < most ? places.slice(0, 2 * count) : places, corners, links };
}

/** The first of the pixels around a point that each of them shares its corner with; 4 where there is no pixel. */
function findLeaders(links: Uint8Array, rows: number, columns: number, row: number, column: number, found: Uint8Array): void {
  const [above, below] = [row > 0, row < rows];
  const at = row * columns + column;
  const a = above && column > 0 ? links[at - columns - 1] : 0;
  const b = above && column < columns ? links[at - columns] : 0;
  const c = below && column > 0 ? links[at - 1] : 0;
  const d = below && column < columns ? links[at] : 0;
  const top = a & joinedRight;
  const left = a & joinedDown;
  const beside = b & joinedDown;
  const bottom = c & joinedRight;
  found[0] = a & inside ? 0 : 4;
  found[1] = !(b & inside) ? 4 : top || (beside && bottom && left) ? 0 : 1;
  found[2] = !(c & inside) ? 4 : left || (bottom && beside && top) ? 0 : bottom && beside ? 1 : 2;
  found[3] = !(d & inside) ? 4 : (beside && top) || (bottom && left) ? 0 : beside ? 1 : bottom ? 2 : 3;
}

/** Vertex numbers of two triangles per pixel, along the diagonal over which the surface bends less. */
export function triangles(lattice: Lattice, heights: Float32Array): Uint32Array {
  const { rows, columns, corners, links } = lattice;
  let pixels = 0;
  for (let at = 0; at < links.length; at++) pixels += links[at] & inside;
  const found = new Uint32Array(6 * pixels);
  let next = 0;
  for (let first = 0; first < columns; first += band) {
    const last = Math.min(columns, first + band);
    for (let row = 0; row < rows; row++) {
      for (let column = first; column < last; column++) {
        const at = row * columns + column;
        if (!(links[at] & inside)) continue;
        const [a, b, c, d] = [corners[4 * at], corners[4 * at + 1], corners[4 * at + 2], corners[4 * at + 3]];
        const falling = Math.abs(heights[a] - heights[d]) <= Math.abs(heights[b] - heights[c]);
        found[next++] = a;
        found[next++] = c;
        found[next++] = falling ? d : b;
        found[next++] = falling ? a : b;
        found[next++] = falling ? d : c;
        found[next++] = falling ? b : d;
      }
    }
  }
  return found;
}

/** Vertex numbers of two triangles per open pair of neighbours: the walls that would close the jumps. */
export function walls(lattice: Lattice): Uint32Array {
  const { rows, columns, corners, links } = lattice;
  const found: number[] = [];
  const wall = (here: number, there: number, first: number, second: number, back: number) => {
    const [a, b] = [corners[4 * here + first], corners[4 * here + second]];
    const [c, d] = [corners[4 * there + first - back], corners[4 * there + second - back]];
    found.push(a, b, d, a, d, c);
  };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      if (!(links[at] & inside)) continue;
      if (column + 1 < columns && links[at + 1] & inside && !(links[at] & joinedRight)) wall(at, at + 1, 1, 3, 1);
      if (row + 1 < rows && links[at + columns] & inside && !(links[at] & joinedDown)) wall(at, at + columns, 2, 3, 2);
    }
  }
  return new Uint32Array(found);
}

/** Links of a map without jumps, from the alpha of its picture. */
export function linksOf(picture: Uint8Array, rows: number, columns: number): Uint8Array {
  const known = (at: number) => picture[4 * at + 3] > 0;
  return new Uint8Array(rows * columns).map((_, at) => {
    if (!known(at)) return 0;
    const right = (at + 1) % columns > 0 && known(at + 1) ? joinedRight : 0;
    return inside | right | (at + columns < rows * columns && known(at + columns) ? joinedDown : 0);
  });
}
