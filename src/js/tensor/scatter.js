// Scatters and gathers: the methods, and the functions on rows. indexed.js runs them. types.d.ts describes each.
//
// Errors begin with `op`, the name of the operator.

import * as rust from '#glue';
import { FUNCTIONS, METHODS } from '../arguments/operators.js';
import { methodReaders, readRows } from '../arguments/readers.js';
import { beginWith, call, invoke, made, requireStart, temporary } from '../engine/engine.js';
import { handle, isTensor, stranger, TENSOR } from '../engine/handles.js';
import { RUN_ARGMAX, ARGMAX } from '../engine/wire.js';
import { argumentsOfScatter, fitted, gather, IN_PLACE, indicesOf, scatter } from './indexed.js';
import { results, runMethod } from './own.js';
import { addMethods, addRows, tensorOf } from './tensor.js';

addRows('gather', (op, row, name) => {
  const read = methodReaders[name];
  return {
    method(one, two, three) {
      return tensorOf(gather(op, this, read(op, one, two, three)));
    },
  };
});

addRows('scatter', (op, row, name, intoCopy) => {
  const read = methodReaders[name];
  return {
    method(one, two, three, four, five) {
      const args = read(op, one, two, three, four, five);
      if (HAS.groups && args.update & ARGMAX) return scatterArgmax(op, this, args, intoCopy);
      const written = scatter(op, this, 'this', args, intoCopy);
      return intoCopy ? tensorOf(written) : this;
    },
  };
});

addMethods({
  take_along_dim(index, dim, options) {
    return runMethod('Tensor.take_along_dim', METHODS.take_along_dim, this, index, dim, options)[0];
  },
});

/** Scatters a maximum or minimum into a tensor or a copy of it. Returns the written tensor and that of the argmax. */
const scatterArgmax = (op, self, args, intoCopy) =>
  call(op, () => {
    const tensor = handle(op, 'this', self);
    const numbers = argumentsOfScatter(op, fitted(op, args, tensor), tensor);
    const target = intoCopy ? made(op, rust.share(tensor)) : tensor;
    numbers[0] = target;
    beginWith(numbers);
    const argmax = invoke(op, RUN_ARGMAX);
    if (argmax === 0 && intoCopy) temporary(target); // frees the copy when the call ends
    const indices = results(op, argmax, indicesOf(args))[0];
    return { values: intoCopy ? tensorOf(target) : self, indices };
  });

/**
 * The public function for a row of FUNCTIONS. It updates rows of a Parameter or a Tensor in place, and returns the tensor. It gets its
 * name from the property, which a minifier does not rename.
 */
function rowsFunction(op) {
  const row = FUNCTIONS[op];
  const [name] = row.args; // what errors call the tensor
  const functions = {
    [op]: (x, indices, updates, options) => {
      requireStart(op);
      if (!isTensor(x)) throw stranger(op, name, x, TENSOR, 'a Parameter or a Tensor');
      scatter(op, x, name, readRows(op, row, indices, updates, options), IN_PLACE);
      return x;
    },
  };
  return functions[op];
}

export const scatter_mul = rowsFunction('scatter_mul');
export const scatter_update = rowsFunction('scatter_update');
export const scatter_add = rowsFunction('scatter_add');
export const scatter_sub = rowsFunction('scatter_sub');
export const scatter_div = rowsFunction('scatter_div');
export const scatter_max = rowsFunction('scatter_max');
export const scatter_min = rowsFunction('scatter_min');
