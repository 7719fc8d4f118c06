// Finds what WebGPU refuses and the CPU does, in the page that imports this.

import { operators } from '../../../src/js/arguments/operators.js';
import { ACTIVATIONS } from '../../../src/js/engine/wire.js';
import { outcomeOf, shortName } from '../../../src/js/verify/calls.js';
import { Numbers } from '../../../src/js/verify/numbers.js';
import { formOf } from '../../../src/js/verify/random.js';
import * as library from '../../../target/npm/scatterwise/index.js';
import { ARRAYS, untyped } from '../calls/elements.js';

const tensor = (dtype, list) => ({ dtype, shape: [list.length], bytes: untyped(ARRAYS[dtype].from(list)) });

/** Calls by their words in the list. Of float64 alone: the random calls of every other dtype fail if one is refused. */
function* calls() {
  const self = tensor('float64', [1, 1]);
  for (const act of ACTIVATIONS) yield [act, { op: 'activate', self, args: { act }, options: {} }];
  for (const op of ['scatter_softmax', 'scatter_logsumexp']) yield [op, { op, self, args: { index: tensor('int32', [0, 0]) }, options: {} }];
  for (const op of operators()) {
    const form = formOf(op);
    if (form) yield [shortName(op), { op, args: {}, options: {}, ...form(op, 'float64', new Numbers(1)) }];
  }
}

/** The words of the calls that only WebGPU refuses, in alphabetical order, and the codes of the errors. */
export async function refused() {
  const [words, codes] = [new Set(), new Set()];
  for (const [word, call] of calls()) {
    const [here, there] = [await outcomeOf(library, call, 'cpu'), await outcomeOf(library, call, 'webgpu')];
    if (here.error || !there.error) continue;
    words.add(word);
    codes.add(there.error.code);
  }
  return { words: [...words].sort(), codes: [...codes] };
}
