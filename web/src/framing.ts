/** Binary messages: a header of JSON, then arrays as they lie in memory. */

import type { Header } from "./messages";

export type Arrays = Record<string, Float32Array | Uint8Array | Int16Array | Int32Array>;

const types = { float32: Float32Array, uint8: Uint8Array, int16: Int16Array, int32: Int32Array };

/** Header and arrays of a binary message; the arrays are views, nothing is copied. */
export function unpack(frame: ArrayBuffer): { header: Header; arrays: Arrays } {
  const length = new DataView(frame).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(frame, 4, length)));
  const arrays: Arrays = {};
  for (const entry of header.arrays) {
    const count = entry.shape.reduce((a: number, b: number) => a * b, 1);
    arrays[entry.name] = new types[entry.type as keyof typeof types](frame, 4 + length + entry.offset, count);
  }
  return { header, arrays };
}
