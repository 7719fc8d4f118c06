// What the tests of files share.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { memory, Tensor, ValueError } from 'scatterwise';
import { load_npz, load_safetensors } from 'scatterwise/files';

export const folder = new URL('files/', import.meta.url);
/** The bytes of a file there, by its whole name. `npz` and `safe` load one, by its name without the ending. */
export const file = (name) => readFileSync(new URL(name, folder));
export const npz = (name, options) => load_npz(file(`${name}.npz`), { Tensor, ...options });
export const safe = (name, options) => load_safetensors(file(`${name}.safetensors`), { Tensor, ...options });

/**
 * For `assert.rejects` and `assert.throws`: asserts that an error is that of a file that `load_npz` or `load_safetensors` cannot read
 * (`format` is 'npz' or 'safetensors'), and that its text matches `message`.
 */
export const isRefused = (format, message) => (error) => {
  assert.ok(error instanceof ValueError, String(error));
  assert.deepEqual([error.code, error.op, error.argument], [`invalid-${format}`, `load_${format}`, 'bytes'], error.message);
  assert.match(error.message, message);
  return true;
};

/** Runs work that must leave no tensor behind. */
export async function leavesNothing(work) {
  const { tensors } = memory();
  await work();
  assert.equal(memory().tensors, tensors);
}
