// Results on a GPU that are as long as they can be until their number was read.

import * as rust from '#glue';
import * as gpu from '#gpu';
import { CALL, call, made } from '../engine/engine.js';
import { awaited, handle } from '../engine/handles.js';
import { tensorOf } from './tensor.js';

/** The first elements of each list: as many as the tensor `count` says, which is read into `number`, an array of one element. Frees the lists and the tensor. */
export async function shortened(op, lists, count, number) {
  const out = [];
  try {
    await gpu.readInto(op, handle(op, 'x', count), number);
    call(op, () => {
      for (const list of lists) out.push(awaited(tensorOf(made(op, rust.first_elements(CALL[op], handle(op, 'x', list), Number(number[0]))))));
    });
    return out;
  } catch (error) {
    for (const each of out) each.dispose();
    throw error;
  } finally {
    for (const each of [...lists, count]) each.dispose();
  }
}
