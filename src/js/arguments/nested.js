// Turns nested arrays of the caller into flat values, and flat values into nested arrays.
//
// Dtypes are numbers here, their places in `DTYPES`. Errors begin with `op`, the name of the function that the caller called, and name
// the `argument`. `data` comes from the caller, and `shape` is the shape of its first elements. Reading an array may run code of the
// caller, which may change the array. The result is `{ shape, values, count, stored, own }`: the first `count` values are the elements in
// row-major order, of the dtype `stored`; `own` is their default dtype as a tensor.

import { arrays, FEW, lengthOf, typedDtype } from '../engine/arrays.js';
import { bigintText, describe, failure, readable, RuntimeError, ValueError } from '../engine/errors.js';
import { DTYPES, MAX_RANK } from '../engine/wire.js';
import { addressable, elements, shapeText } from './arguments.js';
import { positionOf } from './positions.js';

const [BOOL, INT64, UINT64, FLOAT32, FLOAT64] = ['bool', 'int64', 'uint64', 'float32', 'float64'].map((name) => DTYPES.indexOf(name));

/**
 * Reads nested arrays, or one number, boolean or bigint. The innermost arrays may be typed arrays of one kind; then the result has
 * `isTyped`. Throws for any other value, for unequal lengths in one level, and for too many levels or elements.
 */
export function flatten(op, argument, data) {
  return readable(op, argument, () => {
    const [shape, rowDtype] = shapeOf(op, argument, data);
    addressable(op, shape, argument);
    if (rowDtype !== undefined) return flattenRows(op, argument, data, shape, rowDtype);
    return numbersOf(data, shape) ?? scalarsOf(op, argument, data, shape);
  });
}

/** The lengths of the array, its first element, the first element of that, and so on; and the dtype of a typed innermost array. */
function shapeOf(op, argument, data) {
  const shape = [];
  const push = (length) => {
    if (shape.push(length) > MAX_RANK) throw failure(RuntimeError, 'rank-limit', op, `${argument} is nested more than ${MAX_RANK} deep`, { argument });
  };
  let level = data;
  for (; Array.isArray(level); level = level[0]) push(level.length);
  const rowDtype = shape.length > 0 ? typedDtype(level) : undefined;
  if (rowDtype !== undefined) push(lengthOf(op, argument, level));
  return [shape, rowDtype];
}

/**
 * Visits every element of nested arrays of `shape` in row-major order. `visit` gets an element and returns whether it is valid. At an
 * invalid element, or an array of a wrong length, the walk stops and returns `{ path, found }`: the places that lead there, and the
 * value. Otherwise it returns undefined.
 */
function walk(data, shape, visit) {
  const path = [];
  const go = (level, depth) => {
    if (depth === shape.length) return visit(level) ? undefined : { path: path.slice(0, depth), found: level };
    if (!Array.isArray(level) || level.length !== shape[depth]) return { path: path.slice(0, depth), found: level };
    for (let at = 0; at < shape[depth]; at++) {
      path[depth] = at;
      const wrong = go(level[at], depth + 1);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
  return go(data, 0);
}

/** Reads data that has only numbers, the usual case; undefined for other data. For few numbers a plain array is faster. */
function numbersOf(data, shape) {
  const size = elements(shape);
  if (size <= FEW && shape.length <= 2) return fewNumbersOf(data, shape);
  // Reserves at most a million places: the first elements may promise more elements than there are.
  let all = new Float64Array(Math.min(size, 2 ** 20));
  let count = 0;
  const length = shape.at(-1);
  const wrong = walk(data, shape.slice(0, -1), (row) => {
    if (!Array.isArray(row) || row.length !== length) return false;
    for (let at = 0, end; at < length; at = end) {
      if (count === all.length) all = longer(all, size);
      end = Math.min(length, at + all.length - count);
      if (!copyNumbers(all, count, row, at, end)) return false;
      count += end - at;
    }
    return true;
  });
  return wrong === undefined ? { shape, values: all, count, stored: FLOAT64, own: FLOAT32 } : undefined;
}

/** Copies the elements from `at` to `end` of a row to place `to` of a list. Returns false at an element that is no number. */
function copyNumbers(list, to, row, at, end) {
  for (let from = at; from < end; from++) {
    const value = row[from];
    if (typeof value !== 'number') return false;
    list[to + from - at] = value;
  }
  return true;
}

/** Reads at most FEW numbers in up to two dimensions by plain loops, faster than `walk`; undefined for other data. */
function fewNumbersOf(data, shape) {
  const [rows, length] = shape.length === 2 ? shape : [1, shape[0]]; // a single number has no length: undefined
  const values = [];
  for (let row = 0; row < rows; row++) {
    const level = shape.length === 2 ? data[row] : shape.length === 1 ? data : [data];
    if (!Array.isArray(level) || (length !== undefined && level.length !== length)) return undefined;
    for (let at = 0; at < level.length; at++) {
      const value = level[at];
      if (typeof value !== 'number' || values.length === FEW) return undefined;
      values.push(value);
    }
  }
  // A getter among the elements may have changed a length.
  return values.length === elements(shape) ? { shape, values, count: values.length, stored: FLOAT64, own: FLOAT32 } : undefined;
}

/** A copy of an array with room for twice as many numbers, but at most `most`. */
function longer(values, most) {
  const more = new Float64Array(Math.min(2 * values.length, most));
  more.set(values);
  return more;
}

/**
 * Reads numbers, booleans and bigints; throws for other elements. If any is a bigint, all become integers. Booleans become a bool tensor
 * only if there are no numbers.
 */
function scalarsOf(op, argument, data, shape) {
  const values = [];
  // The types among the values.
  const seen = { number: false, boolean: false, bigint: false };
  const wrong = walk(data, shape, (value) => {
    const type = typeof value;
    if (!(type in seen)) return false;
    seen[type] = true;
    values.push(value);
    return true;
  });
  if (wrong !== undefined) throw notFlat(op, argument, shape, wrong);
  if (seen.bigint) return integersOf(op, argument, values, shape);
  const stored = seen.boolean && !seen.number ? BOOL : FLOAT64;
  return { shape, values: values.map(Number), count: values.length, stored, own: stored === BOOL ? BOOL : FLOAT32 };
}

/** The values of an array with bigints, as int64 or uint64. Numbers and booleans beside them become integers; a fraction is refused. */
function integersOf(op, argument, values, shape) {
  const refuse = (value, what, at) => {
    const position = at === undefined ? undefined : positionOf(shape, at);
    throw failure(TypeError, 'invalid-argument', op, `${argument} holds ${what}`, { argument, position, value });
  };
  let isUnsigned = false; // whether a value takes uint64
  let isSigned = false; // whether a value is negative
  const integers = values.map((value, at) => {
    if (typeof value === 'number' && !Number.isInteger(value)) refuse(`${value}`, `${value} beside bigints, which make all of it integers: write whole numbers only`, at);
    const big = BigInt(value);
    if (big < -(2n ** 63n) || big >= 2n ** 64n) refuse(bigintText(big), `${bigintText(big)}, beyond 64 bits`, at);
    isUnsigned ||= big >= 2n ** 63n;
    isSigned ||= big < 0n;
    return big;
  });
  if (isUnsigned && isSigned) refuse('bigints', 'bigints that no 64-bit dtype holds together');
  const stored = isUnsigned ? UINT64 : INT64;
  return { shape, values: integers, count: integers.length, stored, own: stored };
}

/** Reads nested arrays whose innermost ones, the rows, are typed arrays of `dtype`. `shape` includes their length. */
function flattenRows(op, argument, data, shape, dtype) {
  const rows = [];
  const wrong = walk(data, shape.slice(0, -1), (row) => {
    if (typedDtype(row) !== dtype || lengthOf(op, argument, row) !== shape.at(-1)) return false;
    rows.push(row);
    return true;
  });
  if (wrong !== undefined) throw notFlat(op, argument, shape, wrong);
  const values = new arrays[dtype](elements(shape));
  for (const [at, row] of rows.entries()) values.set(row, at * shape.at(-1));
  return { shape, values, count: values.length, stored: dtype, own: dtype, isTyped: true };
}

/** The error for the value that stopped `walk`: a wrong element, a row of another kind, or an array of another length. */
function notFlat(op, argument, shape, { path, found }) {
  const at = path.map((index) => `[${index}]`).join('');
  const isArray = Array.isArray(found) || typedDtype(found) !== undefined;
  if (path.length === shape.length && !isArray) {
    const value = describe(found);
    return failure(TypeError, 'invalid-argument', op, `${argument}${at} holds ${value}; numbers, booleans and bigints are allowed`, { argument, position: path, value });
  }
  if (isArray && found.length === shape[path.length]) {
    const text = `${argument}${at} is ${describe(found)}, and the row before it is none: rows are all plain arrays, or typed arrays of one kind`;
    return failure(ValueError, 'ragged-data', op, text, { argument, position: path });
  }
  const is = Array.isArray(found) ? `an array of ${found.length}` : describe(found);
  const others = path.length === shape.length ? 'a number' : `${isArray ? 'one' : 'an array'} of ${shape[path.length]}`;
  return failure(ValueError, 'ragged-data', op, `${argument}${at} is ${is}, where others have ${others}: nested arrays must have equal lengths`, { argument, position: path });
}

/** The largest number of arrays and values in a list: engines run out of memory with more. */
const MAX_LISTED = 2 ** 26;

/** Throws if a tensor of this shape is too large for a list. `count` is the number of its values, plus the arrays around them if any. */
export function checkListed(op, shape, count) {
  if (count > MAX_LISTED) throw failure(RuntimeError, 'out-of-memory', op, `the values of shape ${shapeText(shape)} are more than an engine can hold in a list: use data()`);
}

/** Flat values in row-major order as nested arrays of a shape; one value for an empty shape. Bools, which are numbers, become booleans. */
export function nest(op, values, shape, isBool) {
  // `total` counts the arrays inside the outermost one, and the values: shape [2, 3] has 2 + 6.
  const total = shape.reduce(([all, rows], size) => [all + rows * size, rows * size], [0, 1])[0];
  if (values.length > 0) checkListed(op, shape, total);
  let next = 0;
  const build = (depth) => {
    if (depth === shape.length) return isBool ? values[next++] !== 0 : values[next++];
    // Too many arrays without values. With values, the check above has refused them.
    if (total > MAX_LISTED) return rowsOfNothing(shape[depth], () => build(depth + 1));
    const level = new Array(shape[depth]);
    for (let at = 0; at < level.length; at++) level[at] = build(depth + 1);
    return level;
  };
  return build(0);
}

/** A Proxy that looks like an array of `length` rows, too many to allocate. Each read calls `row`. */
function rowsOfNothing(length, row) {
  const isRow = (key) => typeof key === 'string' && /^\d+$/.test(key) && Number(key) < length;
  const traps = { get: (list, key) => (isRow(key) ? row() : list[key]), has: (list, key) => isRow(key) || key in list };
  return new Proxy(new Array(length), traps);
}
