// What the tests of this folder share: the package, and looks at what comes of a call.

import assert from 'node:assert/strict';
import { attempt, kindOf, say } from '../fuzz/outcome.js';

export { collect, entry, load } from '../fuzz/package.mjs';
export { attempt, say };

/** The error of a call; fails where there is none. */
export function refused(run, what = String(run)) {
  const { error, threw, value } = attempt(run);
  assert.ok(threw, `${what} was not refused and gave ${say(value)}`);
  return error;
}

/** The same, and it has to be one of the library's own, with the facts given. */
export function typed(run, facts = {}, what = String(run)) {
  const error = refused(run, what);
  isTyped(error, facts, what);
  return error;
}

export function isTyped(error, facts = {}, what = 'the call') {
  assert.equal(kindOf(error), 'typed', `${what} gave ${say(error)}`);
  for (const [name, fact] of Object.entries(facts)) {
    if (fact instanceof RegExp) assert.match(String(error[name]), fact, what);
    else assert.deepEqual(error[name], fact, `${what}: ${name} of ${say(error)}`);
  }
}

/** A buffer or the one under an array, taken away. */
export function detached(value) {
  const buffer = value.buffer ?? value;
  structuredClone(buffer, { transfer: [buffer] });
  return value;
}

/** That the library gives right results. */
export function works(lib) {
  const t = new lib.Tensor([[1, 2], [3, 4]]);
  t.scatter_(1, [[1, 0], [1, 0]], [[4, 3], [2, 1]]);
  assert.deepEqual([...t.data_sync()], [3, 4, 1, 2]);
  t.dispose();
}

/** That a tensor can be written to and keeps its values. */
export function isFree(t) {
  const values = [...t.data_sync()];
  assert.equal(t.mul_(1), t);
  assert.deepEqual([...t.data_sync()], values);
}

/** Runs it, and again many times, whatever it throws. */
export function often(times, run) {
  for (let n = 0; n < times; n++) attempt(run);
}
