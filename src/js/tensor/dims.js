// Reductions along dimensions: the methods sum, amax, argmax and their siblings. types.d.ts describes them.
//
// Errors begin with `op`, the name of the operator. "Within a call" means between `enter` and `leave` of engine.js.

import * as rust from '#glue';
import { readDims } from '../arguments/readers.js';
import { CALL, call, made, setDims } from '../engine/engine.js';
import { handle } from '../engine/handles.js';
import { ALL_DIMS } from '../engine/wire.js';
import { addRows, tensorOf } from './tensor.js';

const [LEAST, MOST] = [-(2 ** 31), 2 ** 31 - 1];

/**
 * Puts dims into the block, within a call, as signed integers of 32 bits. A dim beyond their range becomes its nearest end. Returns how many dims
 * there are.
 */
export function writeDims(dims) {
  if (dims === undefined) return ALL_DIMS;
  setDims(dims.map((dim) => Math.min(Math.max(dim, LEAST), MOST)));
  return dims.length;
}

/** Reduces dimensions of a tensor, and returns the handle of the new tensor. */
const reduceDims = (op, self, { dims, keepdim, dtype }) =>
  call(op, () => {
    const tensor = handle(op, 'this', self);
    return made(op, rust.reduce_dims(CALL[op], tensor, writeDims(dims), keepdim, dtype));
  });

// gradients.js imports this file in builds without the family.
if (HAS.dims) {
  addRows('dims', (op, row) => ({
    method(dim, options) {
      return tensorOf(reduceDims(op, this, readDims(op, row, dim, options)));
    },
  }));
}
