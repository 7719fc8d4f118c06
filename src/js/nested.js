// Nested arrays of the caller's to flat values, and flat values to nested arrays.

import { arrays, FEW, lengthOf, typedDtype } from './arrays.js';
import { addressable, elements, shapeText } from './arguments.js';
import { bigintText, describe, failure, readable, RuntimeError, ValueError } from './errors.js';
import { DTYPES, MAX_RANK } from './wire.js';

const [BOOL, INT64, UINT64, FLOAT32, FLOAT64] = ['bool', 'int64', 'uint64', 'float32', 'float64'].map((name) => DTYPES.indexOf(name));

/**
 * Nested arrays, or one number, boolean or bigint: `{ shape, values, stored, own }`. The values are flat, and hold the dtype `stored`;
 * `own` is the dtype that they become when nothing else is said. The innermost arrays may be typed arrays of one kind.
 */
export function flatten(op, argument, data) {
  return readable(op, argument, () => {
    const [shape, row] = shapeOf(op, argument, data);
    addressable(op, shape);
    if (row !== undefined) return flattenRows(op, argument, data, shape, row);
    return numbersOf(data, shape) ?? scalarsOf(op, argument, data, shape);
  });
}

/** The lengths along the first elements, and the dtype of the innermost array where it is a typed one. */
function shapeOf(op, argument, data) {
  const shape = [];
  let level = data;
  for (; Array.isArray(level); level = level[0]) {
    if (shape.push(level.length) > MAX_RANK) throw failure(RuntimeError, 'rank-limit', op, `${argument} is nested more than ${MAX_RANK} deep`, { argument });
  }
  const row = shape.length > 0 ? typedDtype(level) : undefined;
  if (row !== undefined) shape.push(lengthOf(op, argument, level));
  return [shape, row];
}

/**
 * Visits every element in row-major order. `visit` gets a value and says whether it may be an element. Returns undefined if all is well;
 * else the path to the first value that is no element, or that does not have the shape which the first elements have, and that value.
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

/** Numbers alone, as nearly always; undefined where something else is among them. Of a few, a plain array is the quickest. */
function numbersOf(data, shape) {
  const size = elements(shape);
  if (size <= FEW && shape.length <= 2) return fewNumbersOf(data, shape);
  let all = size <= FEW ? [] : new Float64Array(Math.min(size, 2 ** 20));
  let at = 0;
  const wrong = walk(data, shape, (value) => {
    if (typeof value !== 'number') return false;
    if (size > FEW && at === all.length) all = longer(all, size); // as many as there are is known only at the end
    all[at++] = value;
    return true;
  });
  return wrong === undefined ? { shape, values: all, count: at, stored: FLOAT64, own: FLOAT32 } : undefined;
}

/** The same of a few in one or two dimensions, which is quicker without visiting. */
function fewNumbersOf(data, shape) {
  const [rows, length] = shape.length === 2 ? shape : [1, shape[0]];
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

function longer(values, most) {
  const more = new Float64Array(Math.min(2 * values.length, most));
  more.set(values);
  return more;
}

/** The elements of nested arrays: numbers, booleans and bigints. Any other value is refused. */
function scalarsOf(op, argument, data, shape) {
  const values = [];
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

/** Beside bigints, other numbers count as integers too; a fraction among them is refused. */
function integersOf(op, argument, values, shape) {
  const refuse = (value, what) => {
    throw failure(TypeError, 'invalid-argument', op, `${argument} holds ${what}`, { argument, value });
  };
  let isUnsigned = false;
  let isSigned = false;
  const integers = values.map((value) => {
    if (typeof value === 'number' && !Number.isInteger(value)) refuse(`${value}`, `${value} beside bigints, which make all of it integers: write whole numbers only`);
    const big = BigInt(value);
    if (big < -(2n ** 63n) || big >= 2n ** 64n) refuse(bigintText(big), `${bigintText(big)}, beyond 64 bits`);
    isUnsigned ||= big >= 2n ** 63n;
    isSigned ||= big < 0n;
    return big;
  });
  if (isUnsigned && isSigned) refuse('bigints', 'bigints that no 64-bit dtype holds together');
  const stored = isUnsigned ? UINT64 : INT64;
  return { shape, values: integers, count: integers.length, stored, own: stored };
}

/** Rows that are typed arrays of one kind. */
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

/** The most arrays and values in all that engines hold without running out of memory. */
const MOST = 2 ** 26;

/** Flat values as nested arrays; a scalar for an empty shape. */
export function nest(op, values, shape, isBool) {
  const total = shape.reduce(([all, rows], size) => [all + rows * size, rows * size], [0, 1])[0];
  if (total > MOST && values.length > 0) {
    throw failure(RuntimeError, 'out-of-memory', op, `nested arrays of shape ${shapeText(shape)} are more than an engine can hold: use data()`);
  }
  let next = 0;
  const build = (depth) => {
    if (depth === shape.length) return isBool ? values[next++] !== 0 : values[next++];
    if (total > MOST) return rowsOfNothing(shape[depth], () => build(depth + 1));
    const level = new Array(shape[depth]);
    for (let at = 0; at < level.length; at++) level[at] = build(depth + 1);
    return level;
  };
  return build(0);
}

/** Many rows without an element: each is made when it is looked at. */
function rowsOfNothing(length, row) {
  const isRow = (key) => typeof key === 'string' && /^\d+$/.test(key) && Number(key) < length;
  return new Proxy(new Array(length), { get: (list, key) => (isRow(key) ? row() : list[key]), has: (list, key) => isRow(key) || key in list });
}
