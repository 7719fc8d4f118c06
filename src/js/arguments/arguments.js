// Reads the arguments of the caller: numbers, words, sizes and options. Every function here may run code of the caller.
//
// A function that reads an argument returns it in the library's form, or throws. Errors begin with `op`, the name of the function that
// the caller called, and name the `argument`. `wanted` describes what it must be.

import { failure, readable, RuntimeError, shortened, unknownWord, unreadable, ValueError, wrongKind } from '../engine/errors.js';
import { DEVICES, DTYPES, MAX_ELEMENTS, MAX_RANK } from '../engine/wire.js';

export function integer(op, argument, value) {
  if (Number.isInteger(value)) return value;
  throw wrongKind(op, argument, 'an integer', value);
}

export function finite(op, argument, value) {
  if (Number.isFinite(value)) return value;
  throw wrongKind(op, argument, 'a finite number', value);
}

export const isNumeric = (value) => typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';

export function numeric(op, argument, value) {
  if (isNumeric(value)) return value;
  throw wrongKind(op, argument, 'a number', value);
}

export function flag(op, argument, value) {
  if (typeof value === 'boolean') return value;
  throw wrongKind(op, argument, 'true or false', value);
}

export function text(op, argument, value, wanted = 'a string') {
  if (typeof value === 'string') return value;
  throw wrongKind(op, argument, wanted, value);
}

/** Whether an object has no class: an array has one. Of any realm. Throws for a Proxy that hides its prototype. */
export function isPlain(object) {
  const prototype = Object.getPrototypeOf(object);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** One of the words `allowed`. `code` is the code of the error for any other word, and `must` describes what it must be. */
export function word(op, argument, value, wanted, allowed, code, must) {
  const name = text(op, argument, value, wanted);
  if (allowed.includes(name)) return name;
  throw unknownWord(ValueError, code, op, argument, name, `it must be ${must ?? `one of ${allowed.join(', ')}`}`, allowed);
}

export const dtypeNumber = (op, value) => DTYPES.indexOf(word(op, 'dtype', value, 'the name of a dtype', DTYPES, 'unknown-dtype'));

/** The dtype of positions or counts. */
export const positionDtype = (op, value) => DTYPES.indexOf(word(op, 'dtype', value, 'the name of a dtype', ['int64', 'int32'], 'unknown-dtype', "'int64' or 'int32'"));

export const deviceName = (op, value) => word(op, 'device', value, 'the name of a device', DEVICES, 'unknown-device', "'cpu' or 'webgpu'");

const isSize = (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32;

/** The sizes of a shape, copied. `more` is what the caller gave behind it: where sizes are no array, the error shows the array of them. */
export function sizes(op, value, more = []) {
  return readable(op, 'shape', () => {
    if (!Array.isArray(value)) throw wrongKind(op, 'shape', 'an array of numbers', value, typeof value === 'number' ? `: ${op}(${shapeText([value, ...more.filter(Number.isInteger)])})` : '');
    const { length } = value;
    if (length > MAX_RANK) throw failure(RuntimeError, 'rank-limit', op, `a tensor has at most ${MAX_RANK} dimensions, not ${length}`);
    return counts(op, 'shape', 'invalid-shape', value, length);
  });
}

/** The sizes of a new shape for `size` elements, copied. One may be -1 and is inferred. Without a -1, Rust checks the number of elements. `more` is as for `sizes`. */
export function sizesOf(op, value, size, more) {
  const shape = readable(op, 'shape', () => (Array.isArray(value) && value.length <= MAX_RANK ? Array.from(value) : undefined));
  const inferred = shape === undefined ? -1 : shape.indexOf(-1);
  if (inferred < 0) return sizes(op, shape ?? value, more); // without a -1, or refused there
  if (shape.indexOf(-1, inferred + 1) >= 0) throw failure(ValueError, 'invalid-shape', op, 'only one size may be -1', { argument: 'shape' });
  shape[inferred] = 1;
  sizes(op, shape); // throws for another size that is not valid
  const others = elements(shape);
  const fits = others > 0 && size % others === 0;
  if (!fits) {
    shape[inferred] = -1;
    const text = others === 0 && size === 0 ? 'may have any size for -1, as it makes no elements: say which' : `has no size for -1 that makes ${size} elements`;
    throw failure(ValueError, 'shape-mismatch', op, `${shapeText(shape)} ${text}`, { argument: 'shape' });
  }
  shape[inferred] = size / others;
  return shape;
}

/** The first `length` entries of an array, which must be unsigned 32-bit integers. `code` is the code of the error for others. */
function counts(op, argument, code, list, length) {
  const copy = [];
  for (let at = 0; at < length; at++) {
    const count = list[at];
    if (!isSize(count)) throw failure(ValueError, code, op, `${argument} must hold integers from 0 to 4294967295`, { argument });
    copy.push(count);
  }
  return copy;
}

export function elements(shape) {
  let product = 1;
  for (let dim = 0; dim < shape.length; dim++) product *= shape[dim];
  return product;
}

/** A shape, a position or offsets as text: `[2, 3]`. */
export const shapeText = (shape) => `[${shape.join(', ')}]`;

/**
 * Returns the shape; throws if its elements cannot be addressed, before anything is counted in 32 bits. Ignores sizes of 0, so that
 * strides are small enough too.
 */
export function addressable(op, shape, argument = 'shape') {
  let product = 1;
  for (let dim = 0; dim < shape.length; dim++) if (shape[dim] > 0) product *= shape[dim];
  if (product <= MAX_ELEMENTS) return shape;
  const zeros = shape.includes(0) ? ' (sizes of 0 do not count)' : '';
  throw failure(ValueError, 'invalid-shape', op, `shape ${shapeText(shape)} has more elements than can be addressed: at most ${MAX_ELEMENTS}${zeros}`, { argument });
}

/**
 * Copies Paddle's level-of-detail offsets for a tensor of a shape: a list for each level. The offsets of a level divide the pieces of the
 * next level; those of the last level divide the rows of the tensor. They begin with 0, do not decrease, and end with the number of
 * pieces or rows that they divide.
 */
export function offsets(op, value, shape) {
  const levels = readable(op, 'lod', () => {
    if (!Array.isArray(value)) throw wrongKind(op, 'lod', 'an array of arrays', value);
    return Array.from(value, (level) => {
      if (!Array.isArray(level)) throw wrongKind(op, 'lod', 'an array of numbers', level);
      return counts(op, 'lod', 'invalid-lod', level, level.length);
    });
  });
  for (const [at, level] of levels.entries()) {
    const pieces = at + 1 < levels.length ? Math.max(levels[at + 1].length - 1, 0) : (shape[0] ?? 0);
    const isValid = level.length >= 2 && level[0] === 0 && level.every((offset, k) => k === 0 || offset >= level[k - 1]);
    if (!isValid || level.at(-1) !== pieces) {
      const rule = `lod[${at}] is ${shapeText(level)}; offsets are two or more: they begin with 0, do not decrease and end with ${pieces} here`;
      throw failure(ValueError, 'invalid-lod', op, rule, { argument: 'lod', position: [at], shapes: { self: shape } });
    }
  }
  return levels;
}

/** Stands for missing options. It has no prototype, because the page may have put properties with these names there. */
const noOptions = Object.freeze({ __proto__: null });

/**
 * Reads the options named in the list `known`, each once, into an object, which is empty without options. Refuses any other own property:
 * a misspelt option must not be ignored. If given, `take` makes the object instead of the loop: engines are faster with names in the
 * source than with a list of names.
 */
export function readOptions(op, options, known, take) {
  if (options === undefined) return noOptions;
  try {
    if (typeof options !== 'object' || options === null || Array.isArray(options)) throw wrongKind(op, 'options', 'an object', options);
    for (const key in options) {
      if (known.includes(key) || !Object.prototype.hasOwnProperty.call(options, key)) continue;
      throw failure(TypeError, 'unknown-option', op, `there is no option '${shortened(key)}'; there is ${known.join(', ') || 'none'}`, { argument: 'options', value: key, allowed: known });
    }
    if (take !== undefined) return take(options);
    const values = {};
    for (let at = 0; at < known.length; at++) values[known[at]] = options[known[at]];
    return values;
  } catch (thrown) {
    throw unreadable(op, 'options', thrown);
  }
}

/** The entry of `table`, an object of operators by name, for a name from the caller. */
export const operatorOf = (op, name, table) => table[word(op, 'op', name, 'the name of an operator', Object.keys(table), 'invalid-argument')];

/**
 * Throws if a function without options gets an object as a surplus argument, which JavaScript would ignore. Any other value passes, such
 * as the number that `map` gives to a callback. `way` ends the text: where the option belongs.
 */
export function refuseOptions(op, given, way = '') {
  if (typeof given === 'object' && given !== null) throw failure(TypeError, 'unknown-option', op, `it takes no options${way}`, { argument: 'options' });
}
