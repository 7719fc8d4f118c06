// A call as plain data, recorded or drawn: `op`, the name with which errors begin, `self`, `args` and `options`. `args` and `options` are
// objects by the names of the parameters; `args` has their order. A tensor is `{ dtype, shape }` with `data` for `decode`, or with
// `bytes`. A number may be `{ scalar, value }`: `scalar` is 'int' or 'float', and `value` may be a text. `library` is the exports of the
// instance that makes the call.

import { rowOf } from '../arguments/operators.js';
import { bytesOf } from './bits.js';

export const shortName = (op) => op.replace('Tensor.', '');

/**
 * Calls an operator, by the name with which errors begin, on `self`. `args` is a list of its arguments. The last argument may be among
 * the options, as `reduce` is in a recorded call; the table distinguishes an argument from an option.
 */
export function invoke(library, op, self, args, options = {}) {
  const { args: names } = rowOf(op);
  const rest = Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));
  const all = [...args, ...names.filter((name) => name in options).map((name) => options[name])];
  if (names[0] === 'dim' && all.length === 0) all.push(undefined); // a dim that is left out
  if (Object.keys(rest).length > 0) all.push(rest);
  return op === shortName(op) ? library[op](self, ...all) : self[shortName(op)](...all);
}

/** The operands that stay on the CPU: the library reads their values before anything runs on a GPU. */
const onCpu = ['bins', 'offsets', 'lengths'];

/** The bytes of recorded data: base64, or a list of int64 numbers. */
export function decode(data) {
  if (Array.isArray(data)) return bytesOf(BigInt64Array.from(data, BigInt));
  return Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
}

/** The number of `{ scalar, value }`. A text is an integer too large for JSON, or a float such as 'NaN'. */
function numberOf({ scalar, value }) {
  if (scalar === 'int' && typeof value === 'string') return BigInt(value);
  return scalar === 'float' ? Number(value) : value;
}

/**
 * Makes the operands and the call on a device, and returns its results, a list of tensors that may still be computed. Adds every tensor
 * to the list `made` at once, so that it can be freed if the call fails. Copies `bytes`, because their buffer may be larger.
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
  const result = invoke(library, op, target, operands(args).map(([, value]) => value), Object.fromEntries(operands(options)));
  const tensors = result instanceof library.Tensor ? [result] : Object.values(result).flat();
  return tensors.map(keep);
}

/** Makes a call on a device and frees its tensors. Resolves to its `results` or its `error`. */
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

/** Frees a tensor. A second time does nothing, as for a result that is self. */
function free(tensor) {
  try {
    tensor.dispose();
  } catch {
    // The library has stopped, which is already the call's error.
  }
}

/** An argument as text for people: a tensor by its dtype and shape. */
function textOf(value) {
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (value?.dtype) return `${value.dtype}[${value.shape}]`;
  return value?.scalar ? String(value.value) : typeof value === 'string' ? `'${value}'` : String(value);
}

/** The call in a line, for people. */
export function describe({ op, self, args, options }) {
  const words = [...Object.entries(args), ...Object.entries(options)].map(([name, value]) => `, ${name}: ${textOf(value)}`);
  return `${shortName(op)}(${textOf(self)}${words.join('')})`;
}
