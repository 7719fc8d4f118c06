// The adapter of scatterwise: `scatterwise(library, device)` takes the exports of an entry, which is set to that device.

/** Methods that have another name in the vectors; functions that share a method's name begin with `ops_` there. */
const methods = { scatter_add_axis: 'scatter_add', scatter_add_nd: 'scatter_add' };
/** Options of the vectors that are arguments here. */
const positional = { scatter_reduce: ['reduce'], scatter_reduce_: ['reduce'], segment_reduce: ['reduce'], binned_statistic: ['statistic'] };

/** @returns {import('../index.js').Adapter} */
export function scatterwise(library, device, version) {
  return {
    name: 'scatterwise',
    version,
    device,
    async call({ op, self, args, options }, watch) {
      if (/^(group_by|compress|where|flatnonzero)/.test(op)) return 'this adapter does not make calls of several forms';
      const scope = library.open_scope();
      const tensor = (value, Type = library.Tensor) => {
        if (Array.isArray(value)) return value.map((each) => tensor(each));
        return value?.data ? new Type(value.data.buffer.slice(0), { dtype: value.dtype, shape: value.shape }) : value;
      };
      const read = async (one) => ({ dtype: one.dtype, shape: one.shape, data: bitsOf(one.dtype, await one.data()) });
      const name = methods[op] ?? op;
      const operator = op.startsWith('ops_') ? library[op.slice('ops_'.length)] : (library.Tensor.prototype[name] ?? library[name]);
      const isMethod = operator === library.Tensor.prototype[name];
      if (typeof operator !== 'function' || op === 'ExactSum') return scope.dispose() ?? `no ${op}`;
      const table = tensor(self, op === 'scatter_mul' ? library.Parameter : undefined);
      watch(async () => {
        const after = self?.data && (await read(table));
        scope.dispose();
        return after;
      });
      const list = Object.values(args).map((each) => tensor(each));
      const given = Object.fromEntries(Object.entries(options).map(([key, each]) => [key, tensor(each)]));
      for (const key of positional[op] ?? []) if (key in given) list.push(take(given, key));
      if (isMethod && list.length === 0 && Object.keys(given).length > 0) list.push(undefined); // a dim that is left out
      if (Object.keys(given).length > 0) list.push(given);
      const result = await (isMethod ? table[name](...list) : operator(table, ...list));
      if (result instanceof library.Tensor) return read(result);
      const outputs = {};
      for (const [key, one] of Object.entries(result)) outputs[key] = Array.isArray(one) ? await Promise.all(one.map(read)) : await read(one);
      return outputs;
    },
  };
}

/** Takes a key out of an object. */
function take(object, key) {
  const { [key]: value } = object;
  delete object[key];
  return value;
}

/** The elements as the vectors have them: those of a half type as bits. */
const bitsOf = (dtype, data) => (dtype.endsWith('float16') ? new Uint16Array(data.buffer, data.byteOffset, data.length) : data);
