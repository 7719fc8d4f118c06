// Shared by the tests of this folder: the package, and assertions about the end of a call.

import assert from 'node:assert/strict';
import { attempt, kindOf, say } from '../fuzz/outcome.js';

export { collect, entry, load } from '../fuzz/package.mjs';
export { attempt, say };

/** The error that `run` throws; the test fails where it throws none. `what` names the call in messages, here and below. */
export function refused(run, what = String(run)) {
  const { error, threw, value } = attempt(run);
  assert.ok(threw, `${what} was not refused and gave ${say(value)}`);
  return error;
}

/** Like `refused`, and the error has to be one of the library's own, with the facts given: see `assertTyped`. */
export function typed(run, facts = {}, what = String(run)) {
  const error = refused(run, what);
  assertTyped(error, facts, what);
  return error;
}

/**
 * Asserts that an error is one of the library's own, with a code and an op, and that its properties are as in `facts`: each the same
 * value, or text that a RegExp matches.
 */
export function assertTyped(error, facts = {}, what = 'the call') {
  assert.equal(kindOf(error), 'typed', `${what} gave ${say(error)}`);
  for (const [name, fact] of Object.entries(facts)) {
    if (fact instanceof RegExp) assert.match(String(error[name]), fact, what);
    else assert.deepEqual(error[name], fact, `${what}: ${name} of ${say(error)}`);
  }
}

/** Detaches a buffer, or the one under a typed array, by transferring it to nobody. Returns `value`, which then has no bytes. */
export function detach(value) {
  const buffer = value.buffer ?? value;
  structuredClone(buffer, { transfer: [buffer] });
  return value;
}

/** Asserts that the library still works: a call with a known result gives it. */
export function assertWorks(lib) {
  const t = new lib.Tensor([[1, 2], [3, 4]]);
  t.scatter_(1, [[1, 0], [1, 0]], [[4, 3], [2, 1]]);
  assert.deepEqual([...t.data_sync()], [3, 4, 1, 2]);
  t.dispose();
}

/** Asserts that a tensor can be read and written to, and keeps its values when it is multiplied by 1: no earlier call left it locked. */
export function assertWritable(t) {
  const values = [...t.data_sync()];
  assert.equal(t.mul_(1), t);
  assert.deepEqual([...t.data_sync()], values);
}

/** Calls `run` `times` times and ignores what it gives or throws: some faults show only after many calls that each leave a little behind. */
export function often(times, run) {
  for (let n = 0; n < times; n++) attempt(run);
}
