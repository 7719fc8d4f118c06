// What each operator is, for small tensors held in JavaScript's own typed arrays: the loop over the index in row-major order, whose
// stores round or wrap. Nothing here is the library's. tests/web/random.oracle.js has the dtypes without such an array.

export const arrays = {
  bool: Uint8Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array,
  int64: BigInt64Array, uint64: BigUint64Array, float32: Float32Array, float64: Float64Array,
};
export const dtypes = Object.keys(arrays);
export const sizeOf = (shape) => shape.reduce((product, size) => product * size, 1);

/** What a store rounds to the dtype. */
export const combine = {
  replace: (dtype, a, b) => b,
  add: (dtype, a, b) => (dtype === 'bool' ? a | b : a + b),
  multiply: (dtype, a, b) => (dtype === 'int32' || dtype === 'uint32' ? Math.imul(a, b) : a * b),
};

/** Coordinates of a flat place. */
function unravel(place, shape) {
  const at = new Array(shape.length);
  for (let d = shape.length - 1; d >= 0; d--) {
    at[d] = place % shape[d];
    place = Math.floor(place / shape[d]);
  }
  return at;
}
function ravel(at, shape) {
  let place = 0;
  for (let d = 0; d < shape.length; d++) place = place * shape[d] + at[d];
  return place;
}

/** Where each entry of index is in self and in src: pairs of flat places, in row-major order. */
function* alongDim(shape, dim, index, sourceShape) {
  const d = dim < 0 ? dim + shape.length : dim;
  for (let k = 0; k < index.data.length; k++) {
    const at = unravel(k, index.shape);
    const from = sourceShape ? ravel(at, sourceShape) : k;
    const entry = Number(index.data[k]);
    at[d] = entry < 0 ? entry + shape[d] : entry;
    yield [ravel(at, shape), from];
  }
}

/** The same for tuples, and for rows, which are tuples of one. */
function* byTuples(shape, index, depth) {
  const inner = sizeOf(shape.slice(depth));
  const tuples = depth === 0 ? sizeOf(index.shape.slice(0, -1)) : index.data.length / depth;
  for (let k = 0; k < tuples; k++) {
    let place = 0;
    for (let d = 0; d < depth; d++) {
      const entry = Number(index.data[k * depth + d]);
      place = place * shape[d] + (entry < 0 ? entry + shape[d] : entry);
    }
    for (let i = 0; i < inner; i++) yield [place * inner + i, k * inner + i];
  }
}

function places({ form, self, index, dim, source }) {
  if (form === 'along') return alongDim(self.shape, dim, index, source?.shape);
  return byTuples(self.shape, index, form === 'rows' ? 1 : index.shape.at(-1));
}

/** Values written: a copy of self's with the updates applied. */
export function scattered(call) {
  const { self, source, how } = call;
  const data = self.data.slice();
  const scalar = source.shape ? undefined : arrays[self.dtype].of(source.scalar)[0];
  for (const [to, from] of places(call)) data[to] = combine[how](self.dtype, data[to], source.shape ? source.data[from] : scalar);
  return data;
}

export function gathered(call) {
  const { form, self, index } = call;
  const shape = form === 'along' ? index.shape : [...index.shape.slice(0, -1), ...self.shape.slice(index.shape.at(-1))];
  const data = new self.data.constructor(sizeOf(shape));
  for (const [from, to] of places(call)) data[to] = self.data[from];
  return { shape, data };
}

/** NumPy's broadcasting: aligned at the right. `begin` puts other elsewhere. */
export function multiplied({ self, source, begin }) {
  const { dtype } = self;
  const y = source.shape ? source : { shape: [], data: arrays[dtype].of(source.scalar) };
  const rank = Math.max(self.shape.length, y.shape.length);
  const spread = (sizes, from) => Array.from({ length: rank }, (_, d) => sizes[d - from] ?? 1);
  const left = spread(self.shape, rank - self.shape.length);
  const right = spread(y.shape, begin ?? rank - y.shape.length);
  const shape = left.map((size, d) => (size === 1 ? right[d] : size));
  const data = new self.data.constructor(sizeOf(shape));
  const place = (at, sizes) => ravel(at.map((each, d) => (sizes[d] === 1 ? 0 : each)), sizes);
  for (let k = 0; k < data.length; k++) {
    const at = unravel(k, shape);
    data[k] = combine.multiply(dtype, self.data[place(at, left)], y.data[place(at, right)]);
  }
  return { shape, data };
}
