// Small random calls, valid ones and ones with a single known fault. A call is plain data: see `smallCall`.

import { arrays, dtypes, sizeOf } from './small.oracle.js';

const OPERATORS = [
  ...['scatter_', 'scatter_', 'scatter_', 'scatter', 'scatter_add along', 'scatter_add_ along', 'scatter_add nd', 'scatter_add_ nd', 'scatter_mul'],
  ...['gather', 'gather', 'gather_nd', 'mul', 'mul_', 'elementwise_mul'],
];
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
    const sizes = shape.map((size) => Math.max(size - (numbers.once(4) ? 1 : 0), Math.min(size, 1)));
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

const formOf = (op) => (/nd$/.test(op) ? 'nd' : op === 'scatter_mul' ? 'rows' : /^(mul|elem)/.test(op) ? 'product' : 'along');
const hows = { scatter_: ['replace', 'add', 'multiply'], scatter: ['replace', 'add', 'multiply'], scatter_mul: ['multiply'] };

/**
 * `{ op, form, how, self, index, dim, source, begin, planned, given }`: what it does, to what, how the operands are handed over. A tensor is
 * `{ dtype, shape, data }`, a source that is none `{ scalar }`.
 */
export function smallCall(numbers) {
  const op = numbers.pick(OPERATORS);
  const form = formOf(op);
  const dtype = numbers.once(2) ? 'float32' : numbers.pick(dtypes);
  const self = tensor(dtype, shapeOf(numbers, 1), numbers);
  const how = numbers.pick(hows[op] ?? ['add']);
  const call = { op, form, how, self, ...forms[form]({ op, self, numbers }) };
  if (/^gather/.test(op)) delete call.source;
  call.planned = Boolean(call.index) && numbers.once(4);
  call.given = numbers.pick(['tensors', 'tensors', 'arrays', 'typed arrays']);
  return call;
}
