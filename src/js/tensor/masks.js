// Masks: the comparisons lt to ne, isnan, the operations on truth values, the choice by a mask, and what it selects. types.d.ts describes them.

import * as rust from '#glue';
import { integer, readOptions } from '../arguments/arguments.js';
import { readRow } from '../arguments/kinds.js';
import { operandHandle, OWN_DTYPE, readOperand, truthHandle } from '../arguments/operands.js';
import { FUNCTIONS, METHODS } from '../arguments/operators.js';
import { add, begin, call, invoke, made, requireStart, temporary, word } from '../engine/engine.js';
import { readable } from '../engine/errors.js';
import { awaited, handle, isTensor, stranger } from '../engine/handles.js';
import { resolved } from '../engine/task.js';
import { RESULTS, RUN } from '../engine/wire.js';
import { shortened } from './counted.js';
import { run, runFunction, runMethod } from './own.js';
import { addMethods, tensorOf } from './tensor.js';

const method = (name, self, ...given) => runMethod(`Tensor.${name}`, METHODS[name], self, ...given)[0];

const methods = {
  lt(other, options) {
    return method('lt', this, other, options);
  },
  le(other, options) {
    return method('le', this, other, options);
  },
  gt(other, options) {
    return method('gt', this, other, options);
  },
  ge(other, options) {
    return method('ge', this, other, options);
  },
  eq(other, options) {
    return method('eq', this, other, options);
  },
  ne(other, options) {
    return method('ne', this, other, options);
  },
  isnan(options) {
    return method('isnan', this, options);
  },
  logical_and(other, options) {
    return method('logical_and', this, other, options);
  },
  logical_or(other, options) {
    return method('logical_or', this, other, options);
  },
  logical_not(options) {
    return method('logical_not', this, options);
  },
};
if (HAS.masks) addMethods(methods); // warm_up.js imports this file in every build

export function where(mask, x, y, options) {
  return runFunction('where', mask, x, y, options)[0];
}

/** What a call found: the positions, and if a GPU alone knows their number a tensor with it; and the size that the caller gave, or NaN. */
function found(op, x, options) {
  requireStart(op);
  const read = readRow(op, FUNCTIONS.flatnonzero, [x, options]);
  return [run(op, read), read.values[1]];
}

/** Positions that a GPU found, as many as the tensor `count` says. Frees both. */
const counted = async (op, positions, count) => (await shortened(op, [positions], count, new Int32Array(1)))[0];

export function flatnonzero(x, options) {
  const op = 'flatnonzero';
  const [results, size] = found(op, x, options);
  if (!Number.isNaN(size)) return results[0];
  results.forEach(awaited); // a scope around this call must not free what the caller has yet to wait for
  const [positions, count] = results;
  return count === undefined ? resolved(positions) : counted(op, positions, count);
}

export function flatnonzero_sync(x, options) {
  const op = 'flatnonzero_sync';
  requireStart(op);
  const { dtype } = readOptions(op, options, ['dtype']);
  return found(op, x, { dtype })[0][0];
}

/** One step of compress, within a call: the handle of its first result. 0 stands for an operand that a step does not have. */
function step(op, mask, x, dim, positions = 0) {
  begin();
  for (const each of [mask, x, dim, positions]) add(each);
  return made(op, invoke(op, RUN));
}

/** The array of tensors that x may be, or undefined. An empty array is one of no tensors. */
function listOf(op, x) {
  if (ArrayBuffer.isView(x) || isTensor(x)) return undefined;
  return readable(op, 'x', () => {
    if (!Array.isArray(x) || (x.length > 0 && !isTensor(x[0]))) return undefined;
    return Array.from(x, (each, at) => {
      if (!isTensor(each)) throw stranger(op, `x[${at}]`, each);
      return each;
    });
  });
}

/**
 * Selects slices of x, or of each tensor of a list. Returns them, or if a GPU alone knows how many there are what `selected` needs: the positions, a
 * tensor with their number, tensors that keep x as it is now, dim, and whether x is a list.
 */
function select(op, mask, x, options) {
  requireStart(op);
  const truth = readOperand(op, 'mask', mask);
  const list = listOf(op, x);
  const given = list ?? [readOperand(op, 'x', x)];
  const { dim: axis = 0 } = readOptions(op, options, FUNCTIONS.compress.options);
  const dim = integer(op, 'dim', axis);
  const out = [];
  try {
    const waits = call(op, () => {
      const maskHandle = truthHandle(op, 'mask', truth);
      const handles = given.map((each) => operandHandle(op, 'x', each, OWN_DTYPE));
      const kept = handles.map((each) => temporary(step(op, maskHandle, each, dim)));
      const positions = temporary(step(op, maskHandle, 0, dim));
      const count = word(RESULTS) > 1 ? temporary(made(op, rust.next_result())) : 0;
      if (count === 0) for (const each of kept) out.push(tensorOf(step(op, 0, each, dim, positions)));
      else for (const each of [positions, count, ...kept]) out.push(awaited(tensorOf(made(op, rust.share(each)))));
      return count !== 0;
    });
    return waits ? { waiting: out, dim, isList: list !== undefined } : { result: list ? out : out[0] };
  } catch (error) {
    for (const each of out) each.dispose();
    throw error;
  }
}

/** The slices that `select` has yet to select. Frees its tensors. */
async function selected(op, { waiting: [all, count, ...kept], dim, isList }) {
  const out = [];
  const used = [...kept];
  try {
    const positions = await counted(op, all, count);
    used.push(positions);
    call(op, () => {
      for (const each of kept) out.push(awaited(tensorOf(step(op, 0, handle(op, 'x', each), dim, handle(op, 'x', positions)))));
    });
    return isList ? out : out[0];
  } catch (error) {
    used.push(...out);
    throw error;
  } finally {
    for (const each of used) each.dispose();
  }
}

export function compress(mask, x, options) {
  const op = 'compress';
  const { result, ...later } = select(op, mask, x, options);
  if (result === undefined) return selected(op, later);
  [result].flat().forEach(awaited);
  return resolved(result);
}

export function compress_sync(mask, x, options) {
  return select('compress_sync', mask, x, options).result;
}
