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
      const scope = library.open_scope();
      const tensor = (value, Type = library.Tensor) => {
        if (Array.isArray(value)) return value.map((each) => tensor(each));
        return value?.data ? new Type(value.data.buffer.slice(0), { dtype: value.dtype, shape: value.shape }) : value;
      };
      const tensors = (record) => Object.fromEntries(Object.entries(record).map(([key, each]) => [key, tensor(each)]));
      const name = methods[op] ?? op;
      const operator = op.startsWith('ops_') ? library[op.slice('ops_'.length)] : (library.Tensor.prototype[name] ?? library[name]);
      if (typeof operator !== 'function' || op === 'ExactSum') return scope.dispose() ?? `no ${op}`;
      const table = tensor(self, op === 'scatter_mul' ? library.Parameter : undefined);
      watch(async () => {
        const after = self?.data && (await read(table));
        scope.dispose();
        return after;
      });
      const [named, given] = [tensors(args), tensors(options)];
      if (op === 'group_by') return outputsOf(grouped(library, table, named, given));
      const list = Object.values(named);
      for (const key of positional[op] ?? []) if (key in given) list.push(take(given, key));
      const isMethod = operator === library.Tensor.prototype[name];
      if (isMethod && list.length === 0 && Object.keys(given).length > 0) list.push(undefined); // a dim that is left out
      if (Object.keys(given).length > 0) list.push(given);
      return outputsOf(await (isMethod ? table[name](...list) : operator(table, ...list)));
    },
  };
}

/** What a vector asks of groups: `result` names it, with the arguments of that call. */
function grouped(library, codes, { size, result, values, how, q, group }, { ignore_index, mask, ...options }) {
  const groups = library.group_by(codes, size, { ignore_index, mask });
  switch (result) {
    case 'layout': return { counts: groups.counts, offsets: groups.offsets, order: groups.order, cumcount: groups.cumcount() };
    case 'count': return groups.reduce('count');
    case 'members': return new library.Tensor(groups.members_sync(group));
    case 'reduce': return groups.reduce(values, how, options);
    case 'agg': return groups.agg(values, how, options);
    case 'quantile': return groups.quantile(values, q, options);
    case 'cumcount': return groups.cumcount();
    default: return groups[result];
  }
}

/** A result as the vectors have it: a tensor, a list of tensors, or tensors and lists of them by their names. */
async function outputsOf(result) {
  if (isTensor(result)) return read(result);
  if (Array.isArray(result)) return Promise.all(result.map(read));
  const outputs = {};
  for (const [key, one] of Object.entries(result)) outputs[key] = Array.isArray(one) ? await Promise.all(one.map(read)) : await read(one);
  return outputs;
}

const isTensor = (one) => typeof one.data === 'function';
const read = async (one) => ({ dtype: one.dtype, shape: one.shape, data: bitsOf(one.dtype, await one.data()) });

/** Takes a key out of an object. */
function take(object, key) {
  const { [key]: value } = object;
  delete object[key];
  return value;
}

/** The elements as the vectors have them: those of a half type as bits. */
const bitsOf = (dtype, data) => (dtype.endsWith('float16') ? new Uint16Array(data.buffer, data.byteOffset, data.length) : data);
