// The adapter of TensorFlow.js: `tfjs(tf, backend)` takes @tensorflow/tfjs-core (or @tensorflow/tfjs) with that backend set. What the library
// lacks is not offered, and is not composed of other operations, with one exception: a sum is scattered by scatterND, which begins with
// zeros, so the numbers of a table go before the updates, as updates of their own.

import { fromNumbers, numbersOf } from '../index.js';

const dtypes = { float32: 'float32', int32: 'int32', bool: 'bool' };

/** @returns {import('../index.js').Adapter} */
export function tfjs(tf, backend, version = tf.version_core) {
  return {
    name: 'TensorFlow.js',
    version,
    device: backend,
    async call({ op, self, args, options }, watch) {
      const dtype = dtypes[self?.dtype];
      if (!dtype) return `no tensors of ${self?.dtype}`;
      const made = [];
      const keep = (one) => made[made.push(one) - 1];
      const tensor = (value, type = dtypes[value.dtype] ?? 'int32', shape = value.shape) => keep(tf.tensor(numbersOf(value).map(Number), shape, type));
      const table = tensor(self);
      const read = async (one, as = self.dtype) => fromNumbers(as, one.shape, await one.data());
      watch(async () => {
        const after = await read(table);
        tf.dispose(made);
        return after;
      });
      const isWide = ({ dtype, data }) => dtype === 'int64' && data.some((at) => BigInt.asIntN(32, at) !== at);
      if ([args.index, args.indices].some((each) => each?.data && isWide(each))) return 'indices are int32';
      const make = operatorOf(op, args, options, self);
      if (typeof make !== 'function') return make;
      const result = keep(make(tf, tensor, table));
      return read(result, op === 'where' ? args.x.dtype : op in comparisons ? 'bool' : self.dtype);
    },
  };
}

/** An index whose negative values in range are counted from the end, as the vectors mean them and this library does not. `sizes` has that of each column. */
function fromStart(index, sizes) {
  const numbers = numbersOf(index).map((at, k) => (at < 0 && at >= -sizes[k % sizes.length] ? Number(at) + sizes[k % sizes.length] : Number(at)));
  return fromNumbers('float64', index.shape, numbers); // as they are: int32 may not hold one that has to be refused
}

const only = (options, ...names) => Object.keys(options).every((name) => names.includes(name));

const comparisons = {
  lt: 'less', le: 'lessEqual', gt: 'greater', ge: 'greaterEqual', eq: 'equal', ne: 'notEqual', isnan: 'isNaN', logical_and: 'logicalAnd', logical_or: 'logicalOr', logical_not: 'logicalNot',
};

/** A function that makes the call, or why it is not offered. */
function operatorOf(op, { dim, index, src, other, x: chosen, y, indices, updates }, options, self) {
  const pairs = { add: 'add', sub: 'sub', maximum: 'maximum', minimum: 'minimum', mul: 'mul' };
  const dims = { sum: 'sum', prod: 'prod', amax: 'max', amin: 'min' };
  const isRow = self.shape.length === 1 && index?.shape?.length === 1 && (dim === 0 || dim === -1);
  if (op === 'elementwise_mul' && only(options, 'axis')) {
    const axis = options.axis ?? -1;
    const behind = axis === -1 ? 0 : self.shape.length - axis - y.shape.length;
    if (behind > 0) return 'no axis: dimensions are aligned at the end';
    return (tf, tensor, x) => tf.mul(x, tensor(y));
  }
  if (Object.keys(options).some((name) => name !== 'reduce')) return `no option ${Object.keys(options)}`;
  if (op in comparisons) return other === undefined || dtypes[other?.dtype] === dtypes[self.dtype] ? (tf, tensor, x) => tf[comparisons[op]](x, ...(other ? [tensor(other)] : [])) : 'two tensors of one dtype';
  if (op === 'where') return dtypes[chosen?.dtype] && chosen.dtype === y?.dtype ? (tf, tensor, mask) => tf.where(mask, tensor(chosen), tensor(y)) : 'two tensors of one dtype';
  if (op in pairs && other?.data) return (tf, tensor, x) => tf[pairs[op]](x, tensor(other));
  if (op === 'div' && other?.data && self.dtype === 'float32') return (tf, tensor, x) => tf.div(x, tensor(other));
  if (['sum', 'prod'].includes(op) && self.dtype !== 'float32') return 'sums keep their dtype';
  if (op in dims) return (tf, tensor, x) => tf[dims[op]](x, dim);
  if (op === 'index_select') return (tf, tensor, x) => tf.gather(x, tensor(fromStart(index, [self.shape.at(dim)])), dim);
  if (op === 'gather' && isRow) return (tf, tensor, x) => tf.gather(x, tensor(fromStart(index, self.shape)), 0);
  if (op === 'gather_nd') return (tf, tensor, x) => tf.gatherND(x, tensor(fromStart(indices, self.shape)));
  const isSum = ['scatter_add_axis', 'scatter_add_nd'].includes(op) || (['scatter_', 'scatter_nd'].includes(op) && options.reduce === 'add');
  const replaces = (op === 'scatter_nd' || op === 'scatter_') && options.reduce === undefined;
  if (!isSum && !replaces) return options.reduce ? `no scatter with ${options.reduce}` : `not tried: ${op}`;
  const [given, values] = index && src?.data ? [isRow && { ...index, shape: [index.shape[0], 1] }, src] : [indices, updates];
  if (!given?.data || !values?.data || given.shape.length !== 2 || given.shape[1] === 0) return 'no scatter along a dimension';
  if (index && index.shape[0] !== src.shape[0]) return 'one update for each index';
  const at = op === 'scatter_add_nd' ? given : fromStart(given, self.shape); // negative values are refused there
  if (replaces) return (tf, tensor, x) => tf.tensorScatterUpdate(x, tensor(at), tensor(values));
  const width = at.shape[1];
  const rows = self.shape.slice(0, width);
  const isZero = numbersOf(self).every((x) => Object.is(Number(x), 0));
  return (tf, tensor, x) => {
    if (isZero) return tf.scatterND(tensor(at), tensor(values), self.shape);
    const count = rows.reduce((a, b) => a * b, 1);
    const own = Array.from({ length: count }, (_, k) => rows.map((size, d) => Math.floor(k / rows.slice(d + 1).reduce((a, b) => a * b, 1)) % size));
    const all = tf.concat([tf.tensor(own.flat(), [count, width], 'int32'), tensor(at)]);
    return tf.scatterND(all, tf.concat([tf.reshape(x, [count, ...self.shape.slice(width)]), tensor(values)]), self.shape);
  };
}
