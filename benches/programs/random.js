// Numbers for the programs' data, the same for the same seed.

/** A function that returns the next number in 0 … 1, without 1. */
export function random(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** A Float32Array of numbers from `of(k)`. */
export function floats(length, of) {
  const list = new Float32Array(length);
  for (let k = 0; k < length; k++) list[k] = of(k);
  return list;
}

/** An Int32Array of numbers from `of(k)`, without their fractions. */
export function integers(length, of) {
  const list = new Int32Array(length);
  for (let k = 0; k < length; k++) list[k] = of(k);
  return list;
}
