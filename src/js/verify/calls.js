// A call as plain data, recorded or drawn: `op`, `self`, `args` in the order of the parameters, `options`; the last two are objects by the names of
// the parameters. A tensor is `{ dtype, shape }` with `data` for `decode` or with `bytes`; a number may be `{ scalar, value }`, where
// `scalar` is 'int' or 'float', and `value` may be a text. `library` is the instance that the call is made with: its exports.

import { bytesOf } from './bits.js';

/** The functions on rows, and the methods that take their arguments and then options. */
const family = ['scatter_mul', 'scatter_update', 'scatter_add', 'scatter_sub', 'scatter_div', 'scatter_max', 'scatter_min'];
const methods = ['index_select', 'index_add', 'index_copy', 'index_fill', 'gather', 'gather_nd', 'take_along_dim', 'scatter_nd'];

/**
 * How each is called, with self, a list of arguments, options and the library. The method scatter_add has two entries: by dim, by tuples.
 */
const operators = {
  scatter_: (self, args, options) => self.scatter_(...args, options),
  scatter_add_axis: (self, args, options) => self.scatter_add(...args, options),
  scatter_add_nd: (self, args, options) => self.scatter_add(...args, options),
  scatter_reduce: (self, args, { reduce, ...options }) => self.scatter_reduce(...args, reduce, options),
  ...Object.fromEntries(methods.map((name) => [name, (self, args, options) => self[name](...args, options)])),
  ...Object.fromEntries(family.map((name) => [name, (self, args, options, library) => library[name](self, ...args)])),
  segment_reduce: (self, args, { reduce, ...options }, { segment_reduce }) => segment_reduce(self, reduce, options),
  elementwise_mul: (self, args, options, { elementwise_mul }) => elementwise_mul(self, ...args, options),
  mul: (self, args) => self.mul(...args),
  bincount: (self, args, options, { bincount }) => bincount(self, options),
  histogram: (self, args, options, { histogram }) => histogram(self, options),
  histogramdd: (self, args, options, { histogramdd }) => histogramdd(self, options),
};

/** The operands that stay on the CPU: the library looks at their values before anything runs on a GPU. */
const onCpu = ['bins', 'offsets', 'lengths'];

/** The bytes of recorded data: base64, or a list of int64 numbers. */
export function decode(data) {
  if (Array.isArray(data)) return bytesOf(BigInt64Array.from(data, BigInt));
  return Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
}

/** The number of `{ scalar, value }`: a text is an integer too large for JSON, or a float such as 'NaN'. */
function numberOf({ scalar, value }) {
  if (scalar === 'int' && typeof value === 'string') return BigInt(value);
  return scalar === 'float' ? Number(value) : value;
}

/**
 * Makes the operands and the call on a device, and returns its results, a list of tensors; their values may not be there yet. Every tensor is added
 * to the list `made` as soon as it is there, so that it can be freed also where the call fails. `bytes` are copied: their buffer may be larger.
 */
function begin(library, { op, self, args, options }, device, made) {
  const keep = (tensor) => {
    made.push(tensor);
    return tensor;
  };
  const tensor = ({ dtype, shape, data, bytes }, where) => keep(new library.Tensor((bytes?.slice() ?? decode(data)).buffer, { dtype, shape, device: where }));
  const operand = (value, name) => {
    if (Array.isArray(value)) return value.map((each) => operand(each, name));
    if (value?.dtype) return tensor(value, onCpu.includes(name) ? 'cpu' : device);
    return value?.scalar ? numberOf(value) : value;
  };
  const operands = (record) => Object.entries(record).map(([name, value]) => [name, operand(value, name)]);
  const target = tensor(self, device);
  const result = operators[op](target, operands(args).map(([, value]) => value), Object.fromEntries(operands(options)), library);
  const tensors = 'hist' in result ? [result.hist, result.edges].flat() : [result];
  return tensors.map(keep);
}

/** Makes a call on a device. Resolves to its `results`, or to its `error`; whatever happens, its tensors are gone afterwards. */
export async function outcomeOf(library, call, device) {
  const made = [];
  try {
    const tensors = begin(library, call, device, made);
    const reads = await Promise.allSettled(tensors.map((tensor) => tensor.data()));
    const failed = reads.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
    return { results: tensors.map(({ dtype, shape }, at) => ({ dtype, shape, bytes: bytesOf(reads[at].value) })) };
  } catch (error) {
    return { error };
  } finally {
    for (const tensor of made) free(tensor);
  }
}

/** Frees a tensor. Doing so again does nothing, as for a result that is self. */
function free(tensor) {
  try {
    tensor.dispose();
  } catch {
    // The library has stopped, which is the call's error already.
  }
}

/** An argument as text, for people: a tensor by its dtype and shape. */
function textOf(value) {
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (value?.dtype) return `${value.dtype}[${value.shape}]`;
  return value?.scalar ? String(value.value) : typeof value === 'string' ? `'${value}'` : String(value);
}

/** What an operator is called, where it has two forms here. */
const names = { scatter_add_axis: 'scatter_add', scatter_add_nd: 'scatter_add' };

/** The call in a line, for people. */
export function describe({ op, self, args, options }) {
  const words = [...Object.entries(args), ...Object.entries(options)].map(([name, value]) => `, ${name}: ${textOf(value)}`);
  return `${names[op] ?? op}(${textOf(self)}${words.join('')})`;
}
