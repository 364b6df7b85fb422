/** Colour ramps of depth and of signed values, those of the package's pictures (a test compares them). */

const join = (lines: string[]) => lines.join(" ").split(" ");

/** Near is light. */
export const depthRamp = join([
  "f9eda7 ece89e dee495 cfe08d bfdb88 afd784 9dd283 8ccd84 7ac885 69c287 58bb8a",
  "48b58d 3aad8f 2fa690 279e90 229690 1f8e8e 1e878c 1d7f8a 1c7787 1b6f84 196781",
  "18607d 17587a 195075 1b4971 1e416b 203a65 22325d 232b54 23254b 211f42 1f1939",
]);
/** Blue below zero, orange above; dark is zero. */
export const signedRamp = join([
  "b5ddff a9d6fd 9ad0fe 8cc9fd 7bc3ff 6bbcfe 61b5f9 5baef0 56a7e7 51a0df 4c99d6",
  "4692ce 418bc5 3c84bd 387eb4 3377ac 2e71a4 296a9b 256493 215d8b 1c5782 18517a",
  "144a72 10446a 0d3e62 09395a 073351 052d49 042741 032239 041d30 051727 181008",
  "231102 2b1400 321900 3a1d00 412200 492601 512b00 583001 613500 683a02 713f01",
  "794404 814908 884f0d 905512 985a17 a0601c a86620 b16c25 b9722a c1782f c97e34",
  "d18538 da8b3d e29142 ea9847 f39e4d fba552 feae65 feb87a fec38e fecda2",
]);

/** A ramp as 256 texels, RGBA. */
export function texels(ramp: string[]): Uint8Array {
  const found = new Uint8Array(4 * 256).fill(255);
  for (let k = 0; k < 256; k++) {
    const at = (k / 255) * (ramp.length - 1);
    const [low, share] = [Math.min(Math.floor(at), ramp.length - 2), at - Math.min(Math.floor(at), ramp.length - 2)];
    for (let c = 0; c < 3; c++) {
      const [from, to] = [low, low + 1].map((j) => parseInt(ramp[j].slice(2 * c, 2 * c + 2), 16));
      found[4 * k + c] = Math.round(from + (to - from) * share);
    }
  }
  return found;
}

/** A ramp as a gradient of the style sheet. */
export function gradient(ramp: string[], towards: string): string {
  return `linear-gradient(${towards}, ${ramp.map((one) => `#${one}`).join(", ")})`;
}
