// The functions beside the classes: scatter_mul, elementwise_mul, trace. types.d.ts says what each public function does.
//
// `op` is the name of the function, with which errors begin.

import * as rust from '#glue';
import { integer, operatorOf, readOptions, refuseOptions, text } from '../arguments/arguments.js';
import { factorHandle, operandHandle, OWN_DTYPE, readOperand, readValue } from '../arguments/operands.js';
import { readGather, readGatherNd, readIndexAdd, readIndexCopy, readIndexFill, readIndexSelect, readRows, readScatter, readScatterAdd, readScatterMul, readScatterNd, readScatterReduce } from '../arguments/readers.js';
import { CALL, call, DTYPE_OF, made, requireStart, view, word } from '../engine/engine.js';
import { failure, unknownWord, ValueError } from '../engine/errors.js';
import { isTensor, kindOf, stranger, TENSOR } from '../engine/handles.js';
import { ADDRESS, DESTINATION_RANK, DTYPES, INDEX_RANK, NO_ACTIVATION, NO_SOURCE, SOURCE_RANK, STEPS, ACTIVATIONS, VALUES } from '../engine/wire.js';
import { IN_PLACE, scatter, traceGather, traceScatter } from './indexed.js';
import { labelsOf, tensorOf } from './tensor.js';

/**
 * Updates rows of `x`, a Parameter or a Tensor, in place, and returns it. `name` is what errors call it, `reduce` the word in REDUCES of
 * what is done with each update. `surplus`, an argument after updates, is looked at to refuse options: these functions take none.
 */
function updateRows(op, name, x, reduce, indices, updates, surplus) {
  requireStart(op);
  refuseOptions(op, surplus, 'a mode is given to IndexPlan.nd, whose plan stands in the place of indices');
  if (!isTensor(x)) throw stranger(op, name, x, TENSOR, 'a Parameter or a Tensor');
  scatter(op, x, name, readRows(op, reduce, indices, updates), IN_PLACE);
  return x;
}

/** A public function that updates rows by the word `reduce`. It gets its name `op` from the property, which a minifier leaves as it is. */
const rowsFunction = (op, reduce) => ({ [op]: (x, indices, updates, surplus) => updateRows(op, 'x', x, reduce, indices, updates, surplus) })[op];

export const scatter_mul = (input_x, indices, updates, surplus) => updateRows('scatter_mul', 'input_x', input_x, 'multiply', indices, updates, surplus);
export const scatter_update = rowsFunction('scatter_update', 'replace');
export const scatter_add = rowsFunction('scatter_add', 'add');
export const scatter_sub = rowsFunction('scatter_sub', 'sub');
export const scatter_div = rowsFunction('scatter_div', 'div');
export const scatter_max = rowsFunction('scatter_max', 'amax');
export const scatter_min = rowsFunction('scatter_min', 'amin');

/** The names of the options of elementwise_mul, in the order of its last arguments. */
const elementwiseOptions = ['axis', 'act', 'name'];
/** Whether an option was given; null stands for the default, as None does in Paddle. */
const given = (value) => value !== undefined && value !== null;

/**
 * Reads the options of elementwise_mul, which are its last three arguments, or one object in the place of the first of them. `activation` becomes
 * its number, or NO_ACTIVATION; an axis that was left out is -1, which aligns the last dimensions; `name` may be undefined.
 */
export function readElementwise(op, [axis, act, name]) {
  const areOptions = typeof axis === 'object' && axis !== null;
  if (areOptions && (given(act) || given(name))) {
    throw failure(TypeError, 'invalid-argument', op, 'act and name stand behind an object with options: give them in it', { argument: given(act) ? 'act' : 'name' });
  }
  const options = areOptions ? readOptions(op, axis, elementwiseOptions) : { axis, act, name };
  return {
    axis: given(options.axis) ? integer(op, 'axis', options.axis) : -1,
    activation: given(options.act) ? activationNumber(op, text(op, 'act', options.act)) : NO_ACTIVATION,
    name: given(options.name) ? text(op, 'name', options.name) : undefined,
  };
}

/** The number of an activation by its name. The error for another name proposes the one that was probably meant. */
function activationNumber(op, name) {
  const number = ACTIVATIONS.indexOf(name);
  if (number >= 0) return number;
  const near = nearestActivation(name);
  const way = near === undefined ? 'leave it out for none' : `did you mean '${near}'?`;
  throw unknownWord(ValueError, 'unknown-act', op, 'act', name, `there is no such activation: ${way}`, ACTIVATIONS);
}

/** The activation that was probably meant by a name: equal to it but for case and separators, or one letter away; undefined where there is none. */
function nearestActivation(name) {
  // The caller's text may be very long; no activation has as many letters.
  const plain = (word) => word.slice(0, 40).toLowerCase().replace(/[^a-z0-9]/g, '');
  const [wanted, words] = [plain(name), ACTIVATIONS.map((word) => [word, plain(word)])];
  return (words.find(([, word]) => word === wanted) ?? words.find(([, word]) => areNear(word, wanted)))?.[0];
}

/** Whether one letter inserted, removed or replaced turns one word into the other. */
function areNear(one, two) {
  if (Math.abs(one.length - two.length) > 1) return false;
  let same = 0; // how many letters at the start are equal
  while (same < one.length && one[same] === two[same]) same++;
  // Replaced, only in `one`, only in `two`: without that letter, what is behind it must be equal.
  return [[1, 1], [1, 0], [0, 1]].some(([fromOne, fromTwo]) => one.slice(same + fromOne) === two.slice(same + fromTwo));
}

/** The result has the level-of-detail offsets of x, and the name that the options give it. */
export function elementwise_mul(x, y, ...options) {
  const op = 'elementwise_mul';
  const { axis, activation, name } = readElementwise(op, options);
  const left = readOperand(op, 'x', x);
  const right = readValue(op, 'y', y);
  const lod = kindOf(left) === TENSOR ? labelsOf(left).lod : undefined;
  const created = call(op, () => {
    const first = operandHandle(op, 'x', left, OWN_DTYPE);
    return made(op, rust.multiply(CALL[op], first, factorHandle(op, 'y', right, first), axis, activation));
  });
  return tensorOf(created, { name, lod });
}

// ---------------------------------------------------------------- trace

/** An entry of the table `traced`, for the function `op` that updates rows by the word `reduce`. */
const tracedRows = (op, reduce) => ({ [op]: [op, (name, indices, updates) => readRows(name, reduce, indices, updates), traceScatter] });

/**
 * The operators by the name that trace takes: the name that errors begin with, the function that reads the arguments, and the one that traces.
 * `scatter_add` is the method of a tensor, not the function on rows.
 */
const traced = {
  scatter_: ['Tensor.scatter_', readScatter, traceScatter],
  scatter_add: ['Tensor.scatter_add', readScatterAdd, traceScatter],
  scatter_reduce: ['Tensor.scatter_reduce', readScatterReduce, traceScatter],
  scatter_nd: ['Tensor.scatter_nd', readScatterNd, traceScatter],
  scatter_mul: ['scatter_mul', readScatterMul, traceScatter],
  ...tracedRows('scatter_update', 'replace'),
  ...tracedRows('scatter_sub', 'sub'),
  ...tracedRows('scatter_div', 'div'),
  ...tracedRows('scatter_max', 'amax'),
  ...tracedRows('scatter_min', 'amin'),
  index_add: ['Tensor.index_add', readIndexAdd, traceScatter],
  index_copy: ['Tensor.index_copy', readIndexCopy, traceScatter],
  index_fill: ['Tensor.index_fill', readIndexFill, traceScatter],
  index_select: ['Tensor.index_select', readIndexSelect, traceGather],
  gather: ['Tensor.gather', readGather, traceGather],
  gather_nd: ['Tensor.gather_nd', readGatherNd, traceGather],
};

/** Runs the operator `name` on a copy of the tensor `self`, and returns its result with a step for each write or read. */
export function trace(name, self, ...args) {
  const op = 'trace';
  requireStart(op);
  if (!isTensor(self)) throw stranger(op, 'self', self);
  const [tracedOp, readArguments, run] = operatorOf(op, name, traced);
  const { result, steps } = run(tracedOp, self, readArguments(tracedOp, ...args), describeSteps);
  return { steps, result: tensorOf(result) };
}

/**
 * The handle of a result, and the steps of the report that Rust has just made, read before the call ends. `dtype` is the number of the result's.
 * A step of a scatter has three values (`valuesPerStep`), one of a gather one. The block says where the coordinates and the values are: all
 * of the first step, then all of the second and so on.
 */
function describeSteps(result, dtype, valuesPerStep) {
  const count = word(STEPS);
  const ranks = [INDEX_RANK, SOURCE_RANK, DESTINATION_RANK].map(word);
  const places = view(DTYPE_OF.uint32);
  let at = word(ADDRESS) / 4; // where the next coordinate is, in elements of `places`
  const place = (rank) => {
    if (rank === NO_SOURCE) return null;
    at += rank;
    return Array.from(places.subarray(at - rank, at));
  };
  const name = DTYPES[dtype];
  // Rust writes every value in 8 bytes: a 64-bit integer as itself, any other as a float64.
  const values = view(name === 'int64' || name === 'uint64' ? dtype : DTYPE_OF.float64);
  let next = word(VALUES) / 8; // where the next value is, in elements of `values`
  const value = () => (name === 'bool' ? values[next++] !== 0 : values[next++]);
  const steps = Array.from({ length: count }, (_, k) => {
    const [index, source, destination] = ranks.map(place);
    if (valuesPerStep === 1) return { k, index, source, destination, value: value() };
    return { k, index, source, destination, before: value(), operand: value(), after: value() };
  });
  return { result, steps };
}
