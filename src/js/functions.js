// The functions beside the classes: scatter_mul, elementwise_mul, trace.

import * as rust from '#glue';
import { integer, operatorOf, readOptions, refuseOptions, text } from './arguments.js';
import { ADDRESS, DESTINATION_RANK, DTYPES, INDEX_RANK, NO_ACTIVATION, NO_SOURCE, SOURCE_RANK, STEPS, ACTIVATIONS, VALUES } from './wire.js';
import { CALL, call, DTYPE_OF, made, requireStart, view, word } from './engine.js';
import { failure, unknownWord, ValueError } from './errors.js';
import { isTensor, kindOf, stranger, TENSOR } from './handles.js';
import { IN_PLACE, scatter, traceGather, traceScatter } from './indexed.js';
import { factorHandle, operandHandle, OWN, readOperand, readValue } from './operands.js';
import { readGather, readGatherNd, readIndexAdd, readIndexCopy, readIndexFill, readIndexSelect, readRows, readScatter, readScatterAdd, readScatterMul, readScatterNd, readScatterReduce } from './readers.js';
import { adopt, labelsOf } from './tensor.js';

/** Updates rows of a Parameter or Tensor in place. There is nothing behind updates: `surplus` would be ignored. */
function rows(op, name, x, reduce, indices, updates, surplus) {
  requireStart(op);
  refuseOptions(op, surplus, 'a mode is given to IndexPlan.nd, whose plan stands in the place of indices');
  if (!isTensor(x)) throw stranger(op, name, x, TENSOR, 'a Parameter or a Tensor');
  scatter(op, x, name, readRows(op, reduce, indices, updates), IN_PLACE);
  return x;
}

/** A function that updates rows. */
const rowsFunction = (op, reduce) => ({ [op]: (x, indices, updates, surplus) => rows(op, 'x', x, reduce, indices, updates, surplus) })[op];

export const scatter_mul = (input_x, indices, updates, surplus) => rows('scatter_mul', 'input_x', input_x, 'multiply', indices, updates, surplus);
export const scatter_update = rowsFunction('scatter_update', 'replace');
export const scatter_add = rowsFunction('scatter_add', 'add');
export const scatter_sub = rowsFunction('scatter_sub', 'sub');
export const scatter_div = rowsFunction('scatter_div', 'div');
export const scatter_max = rowsFunction('scatter_max', 'amax');
export const scatter_min = rowsFunction('scatter_min', 'amin');

const elementwiseOptions = ['axis', 'act', 'name'];
const given = (value) => value !== undefined && value !== null;

/** The last three arguments, or one object with them. null stands for the default, as None does in Paddle. */
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

function activationNumber(op, name) {
  const number = ACTIVATIONS.indexOf(name);
  if (number >= 0) return number;
  const near = nearest(name);
  const way = near === undefined ? 'leave it out for none' : `did you mean '${near}'?`;
  throw unknownWord(ValueError, 'unknown-act', op, 'act', name, `there is no such activation: ${way}`, ACTIVATIONS);
}

/** The word that was probably meant: equal but for case and separators, or one letter away. */
function nearest(name) {
  const plain = (word) => word.slice(0, 40).toLowerCase().replace(/[^a-z0-9]/g, '');
  const [wanted, words] = [plain(name), ACTIVATIONS.map((word) => [word, plain(word)])];
  return (words.find(([, word]) => word === wanted) ?? words.find(([, word]) => areNear(word, wanted)))?.[0];
}

/** Whether one letter inserted, removed or replaced turns one word into the other. */
function areNear(one, two) {
  if (Math.abs(one.length - two.length) > 1) return false;
  let same = 0;
  while (same < one.length && one[same] === two[same]) same++;
  const rests = [[1, 1], [1, 0], [0, 1]].map(([a, b]) => [one.slice(same + a), two.slice(same + b)]);
  return rests.some(([a, b]) => a === b);
}

export function elementwise_mul(x, y, ...options) {
  const op = 'elementwise_mul';
  const { axis, activation, name } = readElementwise(op, options);
  const left = readOperand(op, 'x', x);
  const right = readValue(op, 'y', y);
  const lod = kindOf(left) === TENSOR ? labelsOf(left).lod : undefined;
  const created = call(op, () => {
    const first = operandHandle(op, 'x', left, OWN);
    return made(op, rust.multiply(CALL[op], first, factorHandle(op, 'y', right, first), axis, activation));
  });
  return adopt(created, { name, lod });
}

// ---------------------------------------------------------------- trace

/** A function that updates rows, as an entry of the table below. */
const tracedRows = (op, reduce) => ({ [op]: [op, (name, indices, updates) => readRows(name, reduce, indices, updates), traceScatter] });

/** The operators by the name that trace takes: how their arguments are read, and how they are traced. `scatter_add` is the method. */
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

/** The named operator on a copy of a tensor, with its steps. */
export function trace(name, self, ...args) {
  const op = 'trace';
  requireStart(op);
  if (!isTensor(self)) throw stranger(op, 'self', self);
  const [traces, readArguments, run] = operatorOf(op, name, traced);
  const { result, steps } = run(traces, self, readArguments(traces, ...args), describeSteps);
  return { steps, result: adopt(result) };
}

/** The steps of the report that Rust just made: of a scatter each has three values, of a gather one. */
function describeSteps(result, dtype, valuesPerStep) {
  const count = word(STEPS);
  const ranks = [INDEX_RANK, SOURCE_RANK, DESTINATION_RANK].map(word);
  const places = view(DTYPE_OF.uint32);
  let at = word(ADDRESS) / 4;
  const place = (rank) => {
    if (rank === NO_SOURCE) return null;
    at += rank;
    return Array.from(places.subarray(at - rank, at));
  };
  const name = DTYPES[dtype];
  const values = view(name === 'int64' || name === 'uint64' ? dtype : DTYPE_OF.float64);
  let next = word(VALUES) / 8;
  const value = () => (name === 'bool' ? values[next++] !== 0 : values[next++]);
  const steps = Array.from({ length: count }, (_, k) => {
    const [index, source, destination] = ranks.map(place);
    if (valuesPerStep === 1) return { k, index, source, destination, value: value() };
    return { k, index, source, destination, before: value(), operand: value(), after: value() };
  });
  return { result, steps };
}
