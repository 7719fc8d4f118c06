// What each operator is, for small tensors held in JavaScript's own typed arrays: the loop over the index in row-major order, whose
// stores round or wrap. Nothing here is the library's. tests/js/web/random.oracle.js has the dtypes without such an array.

export const arrays = {
  bool: Uint8Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array,
  int64: BigInt64Array, uint64: BigUint64Array, float32: Float32Array, float64: Float64Array,
};
export const dtypes = Object.keys(arrays);
export const sizeOf = (shape) => shape.reduce((product, size) => product * size, 1);

/**
 * What an update `b` makes of a value `a`, by the word for it. It may be wider than the dtype: the store into an array rounds or wraps it.
 */
export const combine = {
  replace: (dtype, a, b) => b,
  add: (dtype, a, b) => (dtype === 'bool' ? a | b : a + b),
  // A product of two 32-bit integers may be too large for a number to hold exactly.
  multiply: (dtype, a, b) => (dtype === 'int32' || dtype === 'uint32' ? Math.imul(a, b) : a * b),
  sub: (dtype, a, b) => a - b,
  div: (dtype, a, b) => (/^float/.test(dtype) || typeof a === 'bigint' ? a / b : Math.trunc(a / b)),
  amax: (dtype, a, b) => (typeof a === 'bigint' ? (a > b ? a : b) : Math.max(a, b)),
  amin: (dtype, a, b) => (typeof a === 'bigint' ? (a < b ? a : b) : Math.min(a, b)),
};
Object.assign(combine, { sum: combine.add, prod: combine.multiply, mean: combine.add });

/** The position that an index value means in a dimension of `size`, by a mode or without one; -1 where nothing is at it. */
function position(value, size, mode) {
  if (mode === 'wrap') return ((value % size) + size) % size;
  if (mode === 'clip') return Math.min(Math.max(value, 0), size - 1);
  const at = value < 0 ? value + size : value;
  return at >= 0 && at < size ? at : -1;
}

/** A sum divided by the number of its terms. An integer is rounded down, also where it is negative. */
function divided(dtype, sum, terms) {
  if (typeof sum !== 'bigint') return /^float/.test(dtype) ? sum / terms : Math.floor(sum / terms);
  const quotient = sum / BigInt(terms);
  return sum < 0n && quotient * BigInt(terms) !== sum ? quotient - 1n : quotient;
}

/** The coordinates of a flat place in row-major order. */
function unravel(place, shape) {
  const at = new Array(shape.length);
  for (let d = shape.length - 1; d >= 0; d--) {
    at[d] = place % shape[d];
    place = Math.floor(place / shape[d]);
  }
  return at;
}
/** The flat place of coordinates. */
function ravel(at, shape) {
  let place = 0;
  for (let d = 0; d < shape.length; d++) place = place * shape[d] + at[d];
  return place;
}

/**
 * For each entry of an index along a dimension, in row-major order, the pair of flat places that it joins: the one in self, -1 where
 * it is left out, and the one in the source. Without `sourceShape` the second is the place of the entry itself, as a gather needs it.
 */
function* alongDim(shape, dim, index, sourceShape, mode) {
  const d = dim < 0 ? dim + shape.length : dim;
  for (let k = 0; k < index.data.length; k++) {
    const at = unravel(k, index.shape);
    const from = sourceShape ? ravel(at, sourceShape) : k;
    at[d] = position(Number(index.data[k]), shape[d], mode);
    yield [at[d] < 0 ? -1 : ravel(at, shape), from];
  }
}

/** The same pairs for an index of tuples of `depth` values, or of rows, which are tuples of one: each names the elements behind them. */
function* byTuples(shape, index, depth, mode) {
  const inner = sizeOf(shape.slice(depth));
  const tuples = depth === 0 ? sizeOf(index.shape.slice(0, -1)) : index.data.length / depth; // tuples of nothing have no values to count
  for (let k = 0; k < tuples; k++) {
    let place = 0;
    for (let d = 0; d < depth; d++) {
      const at = position(Number(index.data[k * depth + d]), shape[d], mode);
      place = place < 0 || at < 0 ? -1 : place * shape[d] + at;
    }
    for (let i = 0; i < inner; i++) yield [place < 0 ? -1 : place * inner + i, k * inner + i];
  }
}

/** The same pairs for an index of slices along a dimension, in the row-major order of the values. */
function* bySlices(shape, dim, index, mode) {
  const d = dim < 0 ? dim + shape.length : dim;
  const sizes = shape.map((size, at) => (at === d ? index.data.length : size));
  for (let k = 0; k < sizeOf(sizes); k++) {
    const at = unravel(k, sizes);
    at[d] = position(Number(index.data[at[d]]), shape[d], mode);
    yield [at[d] < 0 ? -1 : ravel(at, shape), k];
  }
}

/** The pairs of a call. */
function places({ form, self, index, dim, source, mode }) {
  if (form === 'along') return alongDim(self.shape, dim, index, source?.shape, mode);
  if (form === 'slices') return bySlices(self.shape, dim, index, mode);
  return byTuples(self.shape, index, form === 'rows' ? 1 : index.shape.at(-1), mode);
}

/** What a scatter makes of self: a copy of its data with the updates applied, in the order of the index. */
export function scattered(call) {
  const { self, source, how, include_self = true } = call;
  const data = self.data.slice();
  const scalar = source.shape ? undefined : arrays[self.dtype].of(source.scalar)[0];
  // How many values each place that was written to is made of: self is one of them with include_self, and else the first update replaces
  // it.
  const terms = new Map();
  for (const [to, from] of places(call)) {
    if (to < 0) continue;
    const update = source.shape ? source.data[from] : scalar;
    const count = terms.get(to) ?? Number(include_self);
    data[to] = count === 0 ? update : combine[how](self.dtype, data[to], update);
    terms.set(to, count + 1);
  }
  if (how === 'mean') for (const [to, count] of terms) data[to] = divided(self.dtype, data[to], count);
  return data;
}

/** What a gather reads: `{ shape, data }`. An element is 0 where its index entry is left out. */
export function gathered(call) {
  const { form, self, index } = call;
  /** The shapes of results: of a gather by tuples, and of slices along dim. */
  const nd = () => [...index.shape.slice(0, -1), ...self.shape.slice(index.shape.at(-1))];
  const slices = () => self.shape.map((size, d) => (d === (call.dim < 0 ? call.dim + self.shape.length : call.dim) ? index.data.length : size));
  const shape = form === 'along' ? index.shape : form === 'slices' ? slices() : nd();
  const data = new self.data.constructor(sizeOf(shape));
  for (const [from, to] of places(call)) if (from >= 0) data[to] = self.data[from];
  return { shape, data };
}

/** The product, `{ shape, data }`. The shapes are aligned at their ends, as in NumPy, or source at dimension `begin` of self. */
export function multiplied({ self, source, begin }) {
  const { dtype } = self;
  const y = source.shape ? source : { shape: [], data: arrays[dtype].of(source.scalar) };
  const rank = Math.max(self.shape.length, y.shape.length);
  const widened = (sizes, from) => Array.from({ length: rank }, (_, d) => sizes[d - from] ?? 1);
  const left = widened(self.shape, rank - self.shape.length);
  const right = widened(y.shape, begin ?? rank - y.shape.length);
  const shape = left.map((size, d) => (size === 1 ? right[d] : size));
  const data = new self.data.constructor(sizeOf(shape));
  const place = (at, sizes) => ravel(at.map((each, d) => (sizes[d] === 1 ? 0 : each)), sizes);
  for (let k = 0; k < data.length; k++) {
    const at = unravel(k, shape);
    data[k] = combine.multiply(dtype, self.data[place(at, left)], y.data[place(at, right)]);
  }
  return { shape, data };
}
