// The reproductions that need memory filled to the brim.

import assert from 'node:assert/strict';
import { assertTyped, assertWorks, attempt, say, typed } from './package.mjs';

/** Adds tensors of `size` bytes to `held` until one is refused, which has to be as out-of-memory. */
function fill({ Tensor }, size, held) {
  for (;;) {
    const { value, error, threw } = attempt(() => Tensor.zeros([size], { dtype: 'int8' }));
    if (threw) return assertTyped(error, { code: 'out-of-memory' }, `${size} bytes`);
    held.push(value);
  }
}
/** Elements of a large tensor: of float32 they take nearly 1 GiB, a quarter of the memory that there can be. A multiple of 3. */
const LARGE = 2 ** 28 - 1;

export const memoryIsFull = {
  'memory filled with ever smaller tensors'(lib) {
    const held = [];
    const notWholePages = 2 ** 28 - 456;
    for (const size of [notWholePages, 2 ** 24, 2 ** 16, 512]) fill(lib, size, held);
    const { error, threw } = attempt(() => assertWorks(lib));
    if (threw) assertTyped(error);
    for (const tensor of held) tensor.dispose();
    assertWorks(lib);
  },
  'a long word while 3.5 GiB are held'({ Tensor }) {
    const held = [1, 2, 3].map((value) => Tensor.full([LARGE], value)); // each holds 1 more than its place here
    held.push(Tensor.full([2 ** 27], 4));
    typed(() => held[0].astype('€'.repeat(2 ** 28)));
    for (let n = 0; n < 8; n++) attempt(() => held.push(Tensor.full([2 ** 26], held.length + 1)));
    const at = Int32Array.from({ length: 20_000 }, (_, k) => k * 3000);
    for (const [k, tensor] of held.entries()) {
      assert.ok(tensor.gather(0, at).data_sync().every((value) => value === k + 1), `tensor ${k} was written to`);
    }
  },
  'memory filled after a copy was refused'(lib) {
    const held = [1, 2, 3].map(() => lib.Tensor.zeros([LARGE]));
    const shared = held[0].clone();
    for (const call of [() => held[0].mul_(2), () => held[0].reshape([3, LARGE / 3]).dispose(), () => held[0].data_sync()]) {
      const { error, threw } = attempt(call);
      if (threw) assertTyped(error);
    }
    const small = [];
    for (let size = 2 ** 26; size >= 1; size /= 2) {
      const before = small.length;
      fill(lib, size, small);
      for (const tensor of small.slice(before, before + 200)) tensor.scatter_(0, [0], size % 127);
    }
    assert.ok(lib.memory().cpu_bytes < 2 ** 32, `${lib.memory().cpu_bytes} bytes in a memory of 4 GiB`);
    assert.equal(shared.size, LARGE);
    for (const tensor of [...held, ...small, shared]) tensor.dispose();
    assertWorks(lib);
  },
  'words of half a gigabyte'({ Tensor }) {
    const long = 'x'.repeat(2 ** 29 - 25);
    for (const call of [() => new Tensor([1]).astype(long), () => new Tensor([1]).scatter_(0, [0], 1, { reduce: long })]) {
      assert.ok(typed(call).message.length < 2000, say(call));
    }
  },
  async 'tolist() of many rows without elements'({ Tensor }) {
    const { length, error } = await Tensor.zeros([LARGE, 0]).tolist().catch((error) => ({ error }));
    if (error) assertTyped(error);
    else assert.equal(length, LARGE);
  },
};
