// Small random calls, valid ones and ones with a single known fault. A call is plain data: see `smallCall`.

import { REDUCES, REDUCTIONS } from '../../src/js/wire.js';
import { arrays, combine, dtypes, sizeOf } from './small.oracle.js';

const OPERATORS = [
  ...['scatter_', 'scatter_', 'scatter_', 'scatter', 'scatter_add along', 'scatter_add_ along', 'scatter_add nd', 'scatter_add_ nd', 'scatter_mul'],
  ...['scatter_reduce', 'scatter_reduce', 'scatter_reduce_', 'scatter_nd nd', 'scatter_nd_ nd', 'scatter_update', 'scatter_sub', 'scatter_max'],
  ...['index_add slices', 'index_add_ slices', 'index_copy slices', 'index_fill_ slices', 'index_select slices', 'take_along_dim'],
  ...['gather', 'gather', 'gather_nd', 'mul', 'mul_', 'elementwise_mul'],
];
export const isReading = (op) => /^(gather|index_select|take)/.test(op);
const isInteger = (dtype) => /int/.test(dtype);
const wide = (dtype) => /64$/.test(dtype) && isInteger(dtype);

/** Values at which sums and products round, wrap, overflow, or are odd. */
function value(dtype, numbers) {
  const any = numbers.next();
  if (dtype === 'bool') return any & 1;
  if (wide(dtype)) return numbers.once(3) ? BigInt(any % 7) : (BigInt(any) << 32n) | BigInt(numbers.next());
  if (isInteger(dtype)) return numbers.once(3) ? any % 5 : any;
  const odd = [0, -0, NaN, Infinity, -Infinity, 1e-45, 3.4e38, -1e-39, 16777216, 1 / 3];
  return numbers.once(8) ? numbers.pick(odd) : ((any % 200_001) - 100_000) / (numbers.once(2) ? 3 : 1024);
}

const tensor = (dtype, shape, numbers) => ({ dtype, shape, data: arrays[dtype].from({ length: sizeOf(shape) }, () => value(dtype, numbers)) });
const shapeOf = (numbers, least) => Array.from({ length: least + numbers.below(4 - least) }, () => (numbers.once(25) ? 0 : 1 + numbers.below(4)));

function scalar(dtype, numbers) {
  const whole = numbers.below(100);
  if (dtype === 'bool') return { scalar: whole & 1 };
  if (wide(dtype)) return { scalar: BigInt(whole) };
  return { scalar: isInteger(dtype) ? whole : whole / 7 };
}

function indexOf(numbers, shape, placesAt) {
  const dtype = numbers.once(3) ? 'int64' : 'int32';
  const spread = 1 + numbers.below(4);
  const entries = Array.from({ length: sizeOf(shape) }, (_, k) => {
    const places = placesAt(k);
    const position = numbers.below(Math.min(spread, places));
    return numbers.once(3) ? position - places : position;
  });
  return { dtype, shape, data: arrays[dtype].from(entries, dtype === 'int64' ? BigInt : Number) };
}

const forms = {
  along({ op, self, numbers }) {
    const { dtype, shape } = self;
    const dim = numbers.below(shape.length);
    const isShorter = () => op !== 'take_along_dim' && numbers.once(4); // what is shorter there broadcasts
    const sizes = shape.map((size) => Math.max(size - (isShorter() ? 1 : 0), Math.min(size, 1)));
    if (!['scatter_', 'scatter'].includes(op) && shape[dim] > 0 && numbers.once(2)) sizes[dim] += numbers.below(5);
    const longer = sizes.map((size) => size + (numbers.once(6) ? 1 : 0));
    const source = numbers.once(4) ? scalar(dtype, numbers) : tensor(dtype, longer, numbers);
    return { index: indexOf(numbers, sizes, () => shape[dim]), dim: numbers.once(3) ? dim - shape.length : dim, source };
  },
  nd({ self, numbers }) {
    const { dtype, shape } = self;
    const depth = 1 + numbers.below(shape.length);
    const outer = [shape.slice(0, depth).includes(0) ? 0 : numbers.below(5)];
    const source = numbers.once(4) ? scalar(dtype, numbers) : tensor(dtype, [...outer, ...shape.slice(depth)], numbers);
    return { index: indexOf(numbers, [...outer, depth], (k) => shape[k % depth]), source };
  },
  slices({ op, self, numbers }) {
    const { dtype, shape } = self;
    const dim = numbers.below(shape.length);
    const length = shape[dim] === 0 ? 0 : numbers.below(5);
    const sizes = shape.map((size, d) => (d === dim ? length : size));
    const source = /fill/.test(op) ? scalar(dtype, numbers) : tensor(dtype, sizes, numbers);
    return { index: indexOf(numbers, [length], () => shape[dim]), dim: numbers.once(3) ? dim - shape.length : dim, source };
  },
  rows({ self, numbers }) {
    const { dtype, shape } = self;
    const outer = [shape[0] === 0 ? 0 : numbers.below(5)];
    const source = numbers.once(4) ? scalar(dtype, numbers) : tensor(dtype, [...outer, ...shape.slice(1)], numbers);
    return { index: indexOf(numbers, outer, () => shape[0]), source };
  },
  product({ op, self, numbers }) {
    const { dtype, shape } = self;
    if (op === 'elementwise_mul') {
      const begin = numbers.below(shape.length);
      const end = begin + 1 + numbers.below(shape.length - begin);
      return { begin, source: tensor(dtype, shape.slice(begin, end), numbers) };
    }
    const sizes = shape.slice(numbers.once(3) ? numbers.below(shape.length + 1) : 0).map((size) => (numbers.once(4) ? 1 : size));
    return { source: numbers.once(5) ? scalar(dtype, numbers) : tensor(dtype, sizes, numbers) };
  },
};

const rowsOps = ['scatter_mul', 'scatter_update', 'scatter_sub', 'scatter_max'];
const formOf = (op) => (/nd$/.test(op) ? 'nd' : /slices$/.test(op) ? 'slices' : rowsOps.includes(op) ? 'rows' : /^(mul|elem)/.test(op) ? 'product' : 'along');
const reductions = REDUCTIONS.map(([word]) => word);
for (const word of [...REDUCES, ...reductions]) {
  if (!Object.hasOwn(combine, word)) throw new Error(`small.oracle.js does not say what '${word}' is: add it to combine`);
}
const hows = {
  scatter_reduce: reductions, scatter_reduce_: reductions, 'scatter_nd nd': REDUCES, 'scatter_nd_ nd': REDUCES,
  scatter_update: ['replace'], scatter_sub: ['sub'], scatter_max: ['amax'], 'index_copy slices': ['replace'], 'index_fill_ slices': ['replace'],
  scatter_: ['replace', 'add', 'multiply'], scatter: ['replace', 'add', 'multiply'], scatter_mul: ['multiply'] };

/** A mode, and index values that only it bears. */
function widen(call, numbers) {
  const { index, self, form } = call;
  const d = call.dim < 0 ? call.dim + self.shape.length : call.dim;
  const sizes = Array.from(index.data, (_, k) => (form === 'nd' ? self.shape[k % index.shape.at(-1)] : self.shape[d]));
  call.mode = numbers.pick(sizes.some((size) => size === 0) ? ['drop'] : ['wrap', 'clip', 'drop']);
  const values = sizes.map((size) => numbers.below(4 * size + 4) - 2 * size - 2);
  index.data = arrays[index.dtype].from(values, index.dtype === 'int64' ? BigInt : Number);
}

function withoutZeros({ self, source }) {
  const one = wide(self.dtype) ? 1n : 1;
  if (!source.shape) source.scalar ||= one;
  else source.data = source.data.map((value) => value || one);
}

/**
 * `{ op, form, how, self, index, dim, source, begin, planned, given }`: what it does, to what, how the operands are handed over. A tensor is
 * `{ dtype, shape, data }`, a source that is none `{ scalar }`.
 */
export function smallCall(numbers) {
  const op = numbers.pick(OPERATORS);
  const form = formOf(op);
  const dtype = numbers.once(2) ? 'float32' : numbers.pick(dtypes);
  const self = tensor(dtype, shapeOf(numbers, 1), numbers);
  // bool has no mean, no difference and no quotient, and an integer none by zero.
  const words = (hows[op] ?? ['add']).filter((word) => dtype !== 'bool' || !['mean', 'sub', 'div'].includes(word));
  const how = words.length > 0 ? numbers.pick(words) : 'add';
  if (how === 'add' && op === 'scatter_sub') return smallCall(numbers);
  const call = { op, form, how, self, ...forms[form]({ op, self, numbers }) };
  if (how === 'div' && !/^float/.test(dtype)) withoutZeros(call);
  if (isReading(op)) delete call.source;
  if (/^scatter_reduce/.test(op)) call.include_self = numbers.once(2);
  const takesMode = /^(scatter_(reduce|nd)|scatter_$|scatter$|index|gather|take)/.test(op) && numbers.once(4);
  if (takesMode) widen(call, numbers);
  call.planned = Boolean(call.index) && op !== 'take_along_dim' && numbers.once(4);
  call.given = numbers.pick(['tensors', 'tensors', 'arrays', 'typed arrays']);
  return call;
}
