// The adapter of jax-js. It has no public scatter. Its sums are the gradient of a gather, from zeros, so only sums into zeros are offered.

import { fromNumbers, numbersOf } from '/vectors/index.js';

const dtypes = { float32: 'float32', int32: 'int32', uint32: 'uint32', float16: 'float16', bool: 'bool' };

export function jaxjs(jax, device, version) {
  const np = jax.numpy;
  return {
    name: 'jax-js', version, device,
    async call({ op, self, args: { dim, index, src, indices, updates, other, y }, options }) {
      const dtype = dtypes[self?.dtype];
      if (!dtype) return `no tensors of ${self?.dtype}`;
      const { axis, reduce, keepdim = false, ...more } = options;
      if (Object.keys(more).length > 0) return `no option ${Object.keys(more)}`;
      const array = (value, type = dtypes[value.dtype]) => {
        const numbers = numbersOf(value);
        const Type = { float32: Float32Array, int32: Int32Array, uint32: Uint32Array, bool: Int32Array, float16: globalThis.Float16Array }[type];
        return np.array(Type.from(numbers, Number), { shape: value.shape, dtype: type });
      };
      const at = (value) => array({ ...value, dtype: 'int32', data: numbersOf(value).map(Number) }, 'int32');
      const isWide = (value) => value?.dtype === 'int64' && value.data.some((each) => BigInt.asIntN(32, each) !== each);
      if (dtype === 'float16' && !globalThis.Float16Array) return 'no Float16Array here';
      if (isWide(index) || isWide(indices)) return 'indices are int32';
      const make = {
        add: () => array(self).add(array(other)), sub: () => array(self).sub(array(other)), div: () => array(self).div(array(other)),
        maximum: () => np.maximum(array(self), array(other)), minimum: () => np.minimum(array(self), array(other)),
        elementwise_mul: () => array(self).mul(array(y)),
        sum: () => np.sum(array(self), dim ?? null, { keepdims: keepdim }), prod: () => np.prod(array(self), dim ?? null, { keepdims: keepdim }),
        amax: () => np.max(array(self), dim ?? null, { keepdims: keepdim }), amin: () => np.min(array(self), dim ?? null, { keepdims: keepdim }),
        index_select: () => np.take(array(self), at(index), dim), gather: () => np.takeAlongAxis(array(self), at(index), dim),
        scatter_add_axis: () => scattered(jax, array(self), (table) => np.takeAlongAxis(table, at(index), dim), array(src)),
        scatter_nd: () => scattered(jax, array(self), (table) => np.take(table, at({ ...indices, shape: [indices.shape[0]] }), 0), array(updates)),
      }[op === 'scatter_add_nd' ? 'scatter_nd' : op];
      if (!make) return `not tried: ${op}`;
      const integers = !dtype.startsWith('float');
      if (/^(add|sub|div|maximum|minimum)$/.test(op) && (!other?.data || (integers && op === 'div'))) return undefined;
      if (integers && (op === 'sum' || op === 'prod')) return 'sums keep their dtype';
      if (op === 'elementwise_mul' && axis !== undefined && axis !== -1 && axis + y.shape.length !== self.shape.length) return 'no axis: dimensions are aligned at the end';
      if (op.startsWith('scatter')) {
        if (integers) return 'its sums are gradients, which integers do not have';
        if (op === 'scatter_nd' && reduce !== 'add') return 'no scatter but sums';
        if (numbersOf(self).some((x) => !Object.is(Number(x), 0))) return 'sums into zeros only';
        if (indices && (indices.shape.length !== 2 || indices.shape[1] !== 1)) return 'indices of one column only';
        if (index && `${index.shape}` !== `${src?.shape}`) return 'one update for each index';
      }
      const result = make();
      const shape = result.shape;
      const as = self.dtype;
      return fromNumbers(as, shape, await result.data());
    },
  };
}

/** The gradient of a gather: the updates, summed into zeros where the gather reads. */
function scattered(jax, table, gather, updates) {
  const [value, back] = jax.vjp(gather, [table]);
  value.dispose();
  return [back(updates)].flat()[0];
}
