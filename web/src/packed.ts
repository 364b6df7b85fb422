/** Arrays inside a page of one file: differences of whole numbers, by planes of bytes, deflated, in base64. */

export interface Packed {
  data: string;
  type: "uint8" | "int16" | "int32";
  /** Numbers per place, which lie one after another. */
  channels: number;
}

const types = { uint8: Uint8Array, int16: Int16Array, int32: Int32Array };

/** The whole numbers of an array. */
export async function unpackNumbers(packed: Packed): Promise<Uint8Array | Int16Array | Int32Array> {
  const deflated = Uint8Array.from(atob(packed.data), (character) => character.charCodeAt(0));
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream("deflate"));
  return fromPlanes(new Uint8Array(await new Response(stream).arrayBuffer()), packed);
}

/** Put planes of bytes together, and differences back into numbers. */
export function fromPlanes(planes: Uint8Array, { type, channels }: Packed): Uint8Array | Int16Array | Int32Array {
  const width = types[type].BYTES_PER_ELEMENT;
  const count = planes.length / width;
  const bytes = new Uint8Array(planes.length);
  for (let k = 0; k < count; k++) for (let b = 0; b < width; b++) bytes[k * width + b] = planes[b * count + k];
  const numbers = new types[type](bytes.buffer);
  for (let k = channels; k < count; k++) numbers[k] += numbers[k - channels];
  return numbers;
}
