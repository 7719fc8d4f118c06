// Scatters and gathers: the methods, and the functions on rows. indexed.js runs them. types.d.ts describes each.
//
// Errors begin with `op`, the name of the operator.

import { refuseOptions } from '../arguments/arguments.js';
import { FUNCTIONS } from '../arguments/operators.js';
import { methodReaders, readRows } from '../arguments/readers.js';
import { requireStart } from '../engine/engine.js';
import { isTensor, stranger, TENSOR } from '../engine/handles.js';
import { WINNERS } from '../engine/wire.js';
import { gather, IN_PLACE, scatter, scatterWinners, takeAlongDim } from './indexed.js';
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
      if (HAS.groups && args.update & WINNERS) return scatterWinners(op, this, args, intoCopy, tensorOf);
      const written = scatter(op, this, 'this', args, intoCopy);
      return intoCopy ? tensorOf(written) : this;
    },
  };
});

addMethods({
  take_along_dim(index, dim, options) {
    const op = 'Tensor.take_along_dim';
    return tensorOf(takeAlongDim(op, this, methodReaders.take_along_dim(op, index, dim, options)));
  },
});

/**
 * The public function for a row of FUNCTIONS. It updates rows of a Parameter or a Tensor in place, and returns the tensor. It gets its
 * name from the property, which a minifier does not rename. Refuses options if its row has none.
 */
function rowsFunction(op) {
  const row = FUNCTIONS[op];
  const [name] = row.args; // what errors call the tensor
  const functions = {
    [op]: (x, indices, updates, options) => {
      requireStart(op);
      if (row.options.length === 0) refuseOptions(op, options, 'a mode is given to IndexPlan.nd, whose plan stands in the place of indices');
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
