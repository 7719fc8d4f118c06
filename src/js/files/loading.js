// The common part of reading and writing files of many tensors.
//
// Errors begin with `op`, the name of the function that the caller called. `pairs` is a list of names with their tensors.

import { readOptions } from '../arguments/arguments.js';
import { describe, failure, readable, RuntimeError, shortened, ValueError, wrongKind } from '../engine/errors.js';

/** The class of the error of this library that a call throws; undefined if it throws another error, or none. */
function classOf(call) {
  try {
    call();
  } catch (error) {
    if (typeof error?.code === 'string') return error.constructor;
  }
  return undefined;
}

/**
 * The error classes that belong to a class Tensor. This entry has no copy of them, because the caller's `instanceof` would not know it.
 * Two calls that throw before they do anything else give the classes: an empty file is a ValueError, a shape of 99 sizes a RuntimeError.
 */
export function errorsOf(Tensor) {
  return { ValueError: classOf(() => Tensor.from_npy(new Uint8Array(0))), RuntimeError: classOf(() => Tensor.zeros(Array(99))) };
}

const loadOptions = ['Tensor', 'device', 'names'];

/**
 * The checked options of a function that loads: `Tensor`, `device` (undefined for that of new tensors) and `names` (undefined for all).
 * Adds `errors`, the error classes; `refuse(text, cause)`, which throws the error with `code` for an unreadable file; and `fail(code,
 * text, cause)`, which throws a RuntimeError.
 */
export function readLoadOptions(op, code, options) {
  const hint = `: ${op}(bytes, { Tensor })`;
  const { Tensor, device, names } = readOptions(op, options, loadOptions);
  const errors = readable(op, 'Tensor', () => (typeof Tensor === 'function' ? errorsOf(Tensor) : {}));
  if (!errors.ValueError || !errors.RuntimeError) throw wrongKind(op, 'Tensor', 'the class Tensor of scatterwise', Tensor, hint);
  const refuse = (text, cause) => {
    throw failure(errors.ValueError, code, op, text, { argument: 'bytes', cause });
  };
  return { Tensor, device, names: readNames(op, names), errors, refuse, fail: failing(op, errors.RuntimeError) };
}

/** `refuse` and `fail` of `readLoadOptions` for a function without a class: the error classes are this entry's own copies. */
export const plainErrors = (op, code) => ({
  refuse: (text, cause) => {
    throw failure(ValueError, code, op, text, { argument: 'bytes', cause });
  },
  fail: failing(op, RuntimeError),
});

/** A function `(code, text, cause)` that throws an error of the given class RuntimeError. */
export const failing = (op, RuntimeError) => (code, text, cause) => {
  throw failure(RuntimeError, code, op, text, { cause });
};

/**
 * A function `(code, text, cause)` that throws the RuntimeError of the first tensor's library, which it looks up only then. Without a
 * tensor it throws an Error.
 */
export const failingAs = (op, pairs) => (...details) =>
  failing(op, pairs.length > 0 ? errorsOf(pairs[0][1].constructor).RuntimeError : Error)(...details);

/** The option `names`, copied; undefined if missing. */
function readNames(op, names) {
  if (names === undefined) return undefined;
  return readable(op, 'names', () => {
    const list = Array.isArray(names) ? Array.from(names) : [names];
    const wrong = Array.isArray(names) ? list.findIndex((name) => typeof name !== 'string') : 0;
    if (wrong < 0) return list;
    throw wrongKind(op, 'names', 'an array of strings', Array.isArray(names) ? list[wrong] : names);
  });
}

/**
 * The names to load, each once: those in the option, or all of `available`, the names in the file. Throws for a name that the file lacks.
 */
export function wantedNames(op, { names, errors }, available) {
  for (const name of names ?? []) {
    if (available.includes(name)) continue;
    const list = available.length > 0 ? `there are ${shortenedList(available)}` : 'it has no tensors';
    throw failure(errors.ValueError, 'unknown-name', op, `the file has no '${shortened(name)}'; ${list}`, { argument: 'names', value: name, allowed: available });
  }
  return names === undefined ? available : [...new Set(names)];
}

/** Names for an error: the first ten, and the number of the others. */
export function shortenedList(names) {
  const some = names.slice(0, 10).map((name) => `'${shortened(name)}'`).join(', ');
  return names.length > 10 ? `${some} and ${names.length - 10} more` : some;
}

/**
 * The error to throw after a tensor in a file caused `error`. An error of the library gets `op` and the tensor's name; any other stays
 * unchanged.
 */
export function naming(op, name, error) {
  if (typeof error?.code !== 'string' || typeof error.op !== 'string') return error;
  const { code, op: formerOp, ...facts } = error;
  const text = error.message.replace(`${formerOp}: `, '');
  return failure(error.constructor, code, op, `'${shortened(name)}': ${text}`, { ...facts, cause: error });
}

export const dispose = (pairs) => pairs.forEach(([, tensor]) => tensor.dispose());

/**
 * Ends the task if many tensors were made, as each read does (task.js): loading may have nothing to wait for. This entry has no copy of that
 * module, so it reads a tensor of the caller's class.
 */
export async function endTask(Tensor) {
  const empty = Tensor.zeros([0], { device: 'cpu' });
  await empty.data();
  empty.dispose();
}

/** The pairs of an object of tensors by name, read once. Throws for any other value, and for names that a file cannot hold. */
export function readTensors(op, tensors) {
  const wanted = 'an object of tensors by their names';
  const pairs = readable(op, 'tensors', () => {
    const isRecord = typeof tensors === 'object' && tensors !== null && !Array.isArray(tensors) && !isTensor(tensors);
    if (tensors instanceof Map) throw wrongKind(op, 'tensors', wanted, tensors, `: ${op}(Object.fromEntries(tensors))`);
    if (!isRecord) throw wrongKind(op, 'tensors', wanted, tensors, `: ${op}({ weights, bias })`);
    return Object.entries(tensors);
  });
  for (const [name, tensor] of pairs) {
    const argument = `tensors['${shortened(name)}']`;
    if (!isTensor(tensor)) throw failure(TypeError, 'invalid-argument', op, `${argument} must be a Tensor, not ${describe(tensor)}`, { argument: 'tensors' });
    checkName(op, 'tensors', name);
  }
  return pairs;
}

/** Whether a value is a tensor of any copy of the library: this entry has no class to ask. */
function isTensor(value) {
  try {
    return Object.prototype.toString.call(value) === '[object Tensor]' && typeof value.to_npy === 'function';
  } catch {
    return false; // a revoked Proxy
  }
}

/** Throws for a text that UTF-8 cannot write, because it has half of a surrogate pair. Errors call it `argument`. */
export function checkName(op, argument, name) {
  if (!/\p{Surrogate}/u.test(name)) return;
  throw failure(TypeError, 'invalid-argument', op, `the name ${JSON.stringify(shortened(name))} has half of a surrogate pair, which UTF-8 cannot write`, { argument });
}
