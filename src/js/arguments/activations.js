// Reads the options of elementwise_mul and its siblings, such as the name of an activation. tools/package.mjs defines HAS: for each family
// whether the entry has it.

import { failure, refuseAbsent, unknownWord, ValueError } from '../engine/errors.js';
import { ACTIVATIONS, NO_ACTIVATION, TRANSCENDENTAL } from '../engine/wire.js';
import { integer, readOptions, refuseOptions, text } from './arguments.js';
import { FUNCTIONS } from './operators.js';

/** Whether an option was given; null stands for the default, as None does in Paddle. */
const given = (value) => value !== undefined && value !== null;

/**
 * Reads the options of elementwise_mul or a sibling: the last three arguments, or one object instead of the first of them. `activation` becomes its
 * number or NO_ACTIVATION. A missing axis becomes -1, which aligns the last dimensions. `name` may be undefined.
 */
export function readElementwise(op, [axis, act, name, surplus]) {
  refuseOptions(op, surplus);
  const areOptions = typeof axis === 'object' && axis !== null;
  if (areOptions && (given(act) || given(name))) {
    throw failure(TypeError, 'invalid-argument', op, 'act and name stand behind an object with options: give them in it', { argument: given(act) ? 'act' : 'name' });
  }
  const options = areOptions ? readOptions(op, axis, FUNCTIONS.elementwise_mul.options) : { axis, act, name };
  return {
    axis: given(options.axis) ? integer(op, 'axis', options.axis) : -1,
    activation: given(options.act) ? activationNumber(op, text(op, 'act', options.act)) : NO_ACTIVATION,
    name: given(options.name) ? text(op, 'name', options.name) : undefined,
  };
}

/** The number of an activation by its name. The error for an unknown name proposes the closest one. */
export function activationNumber(op, name) {
  const number = ACTIVATIONS.indexOf(name);
  if (!HAS.activations && TRANSCENDENTAL.includes(name)) refuseAbsent(op, 'act', name);
  if (number >= 0) return number;
  const near = nearestActivation(name);
  const isSoftmax = /^(log)?softmax$/.test(plain(name));
  const way = near !== undefined ? `did you mean '${near}'?` : isSoftmax ? SOFTMAX : op === 'activate' ? "for none there is 'assign'" : 'leave it out for none';
  throw unknownWord(ValueError, 'unknown-act', op, 'act', name, `there is no such activation: ${way}`, ACTIVATIONS);
}

/** How to compute what users take for an activation: it needs sums, so it is none. */
const SOFTMAX = "an activation looks at one element, and a softmax at a row: e = activate(x.sub(x.amax(-1, { keepdim: true })), 'exp'), then e.div(e.sum(-1, { keepdim: true }))";
/** What other libraries call some of the activations, as `plain` writes it. */
const others = { silu: 'swish', identity: 'assign', linear: 'assign' };

/** A name without case and separators. The caller's text may be very long; no activation has as many letters. */
const plain = (name) => name.slice(0, 40).toLowerCase().replace(/[^a-z0-9]/g, '');

/** The closest activation to an unknown name: equal except for case and separators, or one letter away, or the same in other libraries; else undefined. */
function nearestActivation(name) {
  const [wanted, words] = [plain(name), ACTIVATIONS.map((word) => [word, plain(word)])];
  if (Object.hasOwn(others, wanted)) return others[wanted];
  return (words.find(([, word]) => word === wanted) ?? words.find(([, word]) => areNear(word, wanted)))?.[0];
}

function areNear(one, two) {
  if (Math.abs(one.length - two.length) > 1) return false;
  let same = 0; // the number of equal letters at the start
  while (same < one.length && one[same] === two[same]) same++;
  // One letter is replaced, only in `one`, or only in `two`. The rest must be equal.
  return [[1, 1], [1, 0], [0, 1]].some(([fromOne, fromTwo]) => one.slice(same + fromOne) === two.slice(same + fromTwo));
}
