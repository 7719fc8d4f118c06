/** Whether two arrays of 32-bit elements have the same length and the same bits, NaN and −0 included. */
export function sameBits(one, other) {
  const [a, b] = [one, other].map((array) => new Uint32Array(array.buffer, array.byteOffset, array.length));
  return a.length === b.length && a.every((word, at) => word === b[at]);
}
