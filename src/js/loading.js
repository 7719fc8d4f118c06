// What reading and writing files of many tensors have in common.

import { readOptions } from './arguments.js';
import { describe, failure, readable, shortened, wrongKind } from './errors.js';

/** The class of the error that a call is known to end with. */
function classOf(call) {
  try {
    call();
  } catch (error) {
    if (typeof error?.code === 'string') return error.constructor;
  }
  return undefined;
}

/**
 * The error classes that belong to a class Tensor. This entry has none of its own, since the caller's `instanceof` knows those of one copy
 * of the library only: both calls are refused before they look at anything else.
 */
export function errorsOf(Tensor) {
  return { ValueError: classOf(() => Tensor.from_npy(new Uint8Array(0))), RuntimeError: classOf(() => Tensor.zeros(Array(99))) };
}

const loadOptions = ['Tensor', 'device', 'names'];

/** The options of a function that loads, with `refuse`, which throws the error for a file that cannot be read. */
export function readLoadOptions(op, code, options) {
  const hint = `: ${op}(bytes, { Tensor })`;
  const { Tensor, device, names } = options === undefined ? {} : readOptions(op, options, loadOptions);
  const errors = readable(op, 'Tensor', () => (typeof Tensor === 'function' ? errorsOf(Tensor) : {}));
  if (!errors.ValueError || !errors.RuntimeError) throw wrongKind(op, 'Tensor', 'the class Tensor of scatterwise', Tensor, hint);
  const refuse = (text, cause) => {
    throw failure(errors.ValueError, code, op, text, { argument: 'bytes', cause });
  };
  return { Tensor, device, names: readNames(op, names), errors, refuse, fail: failing(op, errors.RuntimeError) };
}

/** A function that throws a RuntimeError. */
export const failing = (op, RuntimeError) => (code, text, cause) => {
  throw failure(RuntimeError, code, op, text, { cause });
};

/** The same for saving, where the class is that of the tensors. */
export const failingAs = (op, pairs) => (...facts) => failing(op, errorsOf(pairs[0][1].constructor).RuntimeError)(...facts);

function readNames(op, names) {
  if (names === undefined) return undefined;
  return readable(op, 'names', () => {
    const list = Array.isArray(names) ? Array.from(names) : [names];
    const wrong = Array.isArray(names) ? list.findIndex((name) => typeof name !== 'string') : 0;
    if (wrong < 0) return list;
    throw wrongKind(op, 'names', 'an array of strings', Array.isArray(names) ? list[wrong] : names);
  });
}

/** The names to load: those that are asked for, or all that the file has. */
export function wantedNames(op, { names, errors }, has) {
  for (const name of names ?? []) {
    if (has.includes(name)) continue;
    const list = has.length > 0 ? `there are ${shortenedList(has)}` : 'it has no tensors';
    throw failure(errors.ValueError, 'unknown-name', op, `the file has no '${shortened(name)}'; ${list}`, { argument: 'names', value: name, allowed: has });
  }
  return names === undefined ? has : [...new Set(names)];
}

function shortenedList(names) {
  const some = names.slice(0, 10).map((name) => `'${shortened(name)}'`).join(', ');
  return names.length > 10 ? `${some} and ${names.length - 10} more` : some;
}

/** An error of the library's with the tensor's name in it; any other as it is. */
export function naming(op, name, error) {
  if (typeof error?.code !== 'string' || typeof error.op !== 'string') return error;
  const { code, op: was, ...facts } = error;
  const text = error.message.replace(`${was}: `, '');
  return failure(error.constructor, code, op, `'${shortened(name)}': ${text}`, { ...facts, cause: error });
}

/** Frees the tensors of a file that were loaded before one that could not be. */
export const dispose = (pairs) => pairs.forEach(([, tensor]) => tensor.dispose());

/** The names and tensors of an object, read once. */
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

function isTensor(value) {
  try {
    return Object.prototype.toString.call(value) === '[object Tensor]' && typeof value.to_npy === 'function';
  } catch {
    return false; // a revoked Proxy
  }
}

/** Files hold UTF-8, in which half of a surrogate pair has no place. */
export function checkName(op, argument, name) {
  if (!/\p{Surrogate}/u.test(name)) return;
  throw failure(TypeError, 'invalid-argument', op, `the name ${JSON.stringify(shortened(name))} has half of a surrogate pair, which UTF-8 cannot write`, { argument });
}
