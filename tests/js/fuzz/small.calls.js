// Small random calls that are valid; spoil.js puts a fault into one. A call is plain data: see `smallCall`.

import { REDUCES, REDUCTIONS } from '../../../src/js/engine/wire.js';
import { arrays, combine, dtypes, sizeOf } from './small.oracle.js';

/**
 * The operators that are drawn, one as often as it stands here. A second word tells which way it addresses, where it has more than one or
 * it would not follow from the name: see `formOf`.
 */
const OPERATORS = [
  ...['scatter_', 'scatter_', 'scatter_', 'scatter', 'scatter_add along', 'scatter_add_ along', 'scatter_add nd', 'scatter_add_ nd', 'scatter_mul'],
  ...['scatter_reduce', 'scatter_reduce', 'scatter_reduce_', 'scatter_nd nd', 'scatter_nd_ nd', 'scatter_update', 'scatter_sub', 'scatter_max'],
  ...['index_add slices', 'index_add_ slices', 'index_copy slices', 'index_fill_ slices', 'index_select slices', 'take_along_dim'],
  ...['gather', 'gather', 'gather_nd', 'mul', 'mul_', 'elementwise_mul'],
];
/** Whether an operator only reads self: it takes no source. */
export const isReading = (op) => /^(gather|index_select|take)/.test(op);
const isInteger = (dtype) => /int/.test(dtype);
/** Whether elements are bigints in JavaScript. */
const isWide = (dtype) => /64$/.test(dtype) && isInteger(dtype);

/** A random element: also values at which sums and products round, wrap or overflow, and special ones such as NaN and -0. */
function value(dtype, numbers) {
  const any = numbers.next();
  if (dtype === 'bool') return any & 1;
  if (isWide(dtype)) return numbers.once(3) ? BigInt(any % 7) : (BigInt(any) << 32n) | BigInt(numbers.next());
  if (isInteger(dtype)) return numbers.once(3) ? any % 5 : any;
  const special = [0, -0, NaN, Infinity, -Infinity, 1e-45, 3.4e38, -1e-39, 16777216, 1 / 3];
  return numbers.once(8) ? numbers.pick(special) : ((any % 200_001) - 100_000) / (numbers.once(2) ? 3 : 1024);
}

const tensor = (dtype, shape, numbers) => ({ dtype, shape, data: arrays[dtype].from({ length: sizeOf(shape) }, () => value(dtype, numbers)) });
/** Sizes of `least` to 3 dimensions, each 1 to 4, or now and then 0. */
const shapeOf = (numbers, least) => Array.from({ length: least + numbers.below(4 - least) }, () => (numbers.once(25) ? 0 : 1 + numbers.below(4)));

/** A source that is one number, which the dtype can hold. */
function scalar(dtype, numbers) {
  const whole = numbers.below(100);
  if (dtype === 'bool') return { scalar: whole & 1 };
  if (isWide(dtype)) return { scalar: BigInt(whole) };
  return { scalar: isInteger(dtype) ? whole : whole / 7 };
}

/**
 * An index of that shape. `placesAt(k)` is how many positions entry k has to choose from: it is in range, and negative where it counts from
 * the end. Few positions are used (`spread`), so that many entries name the same one.
 */
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

/** For each way of addressing, the operands that a call on self needs: `{ index, dim, source }`, or what of these there is. */
const forms = {
  /** An index with a size for each dimension. It may be shorter than self, and the source longer than the index. */
  along({ op, self, numbers }) {
    const { dtype, shape } = self;
    const dim = numbers.below(shape.length);
    /** Whether a size of the index is one less than that of self. */
    const isShorter = () => op !== 'take_along_dim' && numbers.once(4); // there, an index of size 1 broadcasts
    const sizes = shape.map((size) => Math.max(size - (isShorter() ? 1 : 0), Math.min(size, 1)));
    // All but these two take an index that is longer than self along dim.
    if (!['scatter_', 'scatter'].includes(op) && shape[dim] > 0 && numbers.once(2)) sizes[dim] += numbers.below(5);
    const longer = sizes.map((size) => size + (numbers.once(6) ? 1 : 0));
    const source = numbers.once(4) ? scalar(dtype, numbers) : tensor(dtype, longer, numbers);
    return { index: indexOf(numbers, sizes, () => shape[dim]), dim: numbers.once(3) ? dim - shape.length : dim, source };
  },
  /** An index of tuples, each of which names an element of self or all elements behind its first `depth` dimensions. */
  nd({ self, numbers }) {
    const { dtype, shape } = self;
    const depth = 1 + numbers.below(shape.length);
    const outer = [shape.slice(0, depth).includes(0) ? 0 : numbers.below(5)];
    const source = numbers.once(4) ? scalar(dtype, numbers) : tensor(dtype, [...outer, ...shape.slice(depth)], numbers);
    return { index: indexOf(numbers, [...outer, depth], (k) => shape[k % depth]), source };
  },
  /** An index of one dimension, whose entries name slices along `dim`. */
  slices({ op, self, numbers }) {
    const { dtype, shape } = self;
    const dim = numbers.below(shape.length);
    const length = shape[dim] === 0 ? 0 : numbers.below(5);
    const sizes = shape.map((size, d) => (d === dim ? length : size));
    const source = /fill/.test(op) ? scalar(dtype, numbers) : tensor(dtype, sizes, numbers);
    return { index: indexOf(numbers, [length], () => shape[dim]), dim: numbers.once(3) ? dim - shape.length : dim, source };
  },
  /** An index whose entries name rows, that is slices along the first dimension. */
  rows({ self, numbers }) {
    const { dtype, shape } = self;
    const outer = [shape[0] === 0 ? 0 : numbers.below(5)];
    const source = numbers.once(4) ? scalar(dtype, numbers) : tensor(dtype, [...outer, ...shape.slice(1)], numbers);
    return { index: indexOf(numbers, outer, () => shape[0]), source };
  },
  /**
   * A factor that broadcasts to self: as in NumPy, or for elementwise_mul the sizes of some dimensions of self in a row, from `begin` on.
   */
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
/** The way in which an operator addresses self: the name of one of `forms`. */
const formOf = (op) => (/nd$/.test(op) ? 'nd' : /slices$/.test(op) ? 'slices' : rowsOps.includes(op) ? 'rows' : /^(mul|elem)/.test(op) ? 'product' : 'along');
const reductions = REDUCTIONS.map(([word]) => word);
for (const word of [...REDUCES, ...reductions]) {
  if (!Object.hasOwn(combine, word)) throw new Error(`small.oracle.js does not say what '${word}' is: add it to combine`);
}
/** How an update may meet a value, by operator: the words of `reduce`, or what its name says. Those that are not here add. */
const hows = {
  scatter_reduce: reductions, scatter_reduce_: reductions, 'scatter_nd nd': REDUCES, 'scatter_nd_ nd': REDUCES,
  scatter_update: ['replace'], scatter_sub: ['sub'], scatter_max: ['amax'], 'index_copy slices': ['replace'], 'index_fill_ slices': ['replace'],
  scatter_: ['replace', 'add', 'multiply'], scatter: ['replace', 'add', 'multiply'], scatter_mul: ['multiply'] };

/** Gives a call a mode, and an index of which some values are out of range: only the mode makes it valid. */
function addMode(call, numbers) {
  const { index, self, form } = call;
  const d = call.dim < 0 ? call.dim + self.shape.length : call.dim;
  const sizes = Array.from(index.data, (_, k) => (form === 'nd' ? self.shape[k % index.shape.at(-1)] : self.shape[d]));
  call.mode = numbers.pick(sizes.some((size) => size === 0) ? ['drop'] : ['wrap', 'clip', 'drop']);
  const values = sizes.map((size) => numbers.below(4 * size + 4) - 2 * size - 2);
  index.data = arrays[index.dtype].from(values, index.dtype === 'int64' ? BigInt : Number);
}

/** Changes the zeros of a source to ones, so that integers can be divided by it. */
function withoutZeros({ self, source }) {
  const one = isWide(self.dtype) ? 1n : 1;
  if (!source.shape) source.scalar ||= one;
  else source.data = source.data.map((value) => value || one);
}

/**
 * A random call that is valid, as data. A tensor in it is `{ dtype, shape, data }`, a source that is one number `{ scalar }`.
 * - `op`: the operator, as in `OPERATORS`. `form`: how it addresses self, of `forms`. `how`: how an update meets a value, of `hows`.
 * - `self`, `index`, `dim`, `source`: its operands, where it has them. `begin`: the dimension of self with which the first one of source is
 *   aligned. `mode`: what an index value out of range does. `include_self`: that of scatter_reduce.
 * - `planned`: whether an IndexPlan takes the place of dim and index. `given`: what the operands are handed over as.
 */
export function smallCall(numbers) {
  const op = numbers.pick(OPERATORS);
  const form = formOf(op);
  const dtype = numbers.once(2) ? 'float32' : numbers.pick(dtypes);
  const self = tensor(dtype, shapeOf(numbers, 1), numbers);
  // bool has no mean, no difference and no quotient, and an integer none by zero.
  const words = (hows[op] ?? ['add']).filter((word) => dtype !== 'bool' || !['mean', 'sub', 'div'].includes(word));
  const how = words.length > 0 ? numbers.pick(words) : 'add';
  if (how === 'add' && op === 'scatter_sub') return smallCall(numbers); // a bool, which has no difference: another call is drawn
  const call = { op, form, how, self, ...forms[form]({ op, self, numbers }) };
  if (how === 'div' && !/^float/.test(dtype)) withoutZeros(call);
  if (isReading(op)) delete call.source;
  if (/^scatter_reduce/.test(op)) call.include_self = numbers.once(2);
  const takesMode = /^(scatter_(reduce|nd)|scatter_$|scatter$|index|gather|take)/.test(op) && numbers.once(4);
  if (takesMode) addMode(call, numbers);
  call.planned = Boolean(call.index) && op !== 'take_along_dim' && numbers.once(4);
  call.given = numbers.pick(['tensors', 'tensors', 'arrays', 'typed arrays']);
  return call;
}
