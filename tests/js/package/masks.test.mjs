// Masks from JavaScript on the CPU: what the vectors do not have.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compress, compress_sync, flatnonzero, init, memory, Tensor, vjp, where } from 'scatterwise';

await init({ device: 'cpu' });

test('compress names x where x cannot be selected from, and looks at the mask of no tensors', () => {
  const before = memory().tensors;
  const scalar = new Tensor(5);
  for (const select of [compress, compress_sync]) {
    assert.throws(() => select([true], scalar), { code: 'rank-mismatch', argument: 'x' });
    assert.throws(() => select([[true]], []), { code: 'rank-mismatch', argument: 'mask' });
    assert.throws(() => select([1, 2], []), { code: 'unsupported-dtype', argument: 'mask' });
  }
  assert.deepEqual(compress_sync([true], []), []);
  scalar.dispose();
  assert.equal(memory().tensors, before);
});

test('a fill that the dtype lacks is refused, and none is cut', async () => {
  for (const [fill, dtype] of [[2 ** 63, 'int64'], [1e30, 'int64'], [-1e30, 'int64'], [2 ** 31, 'int32']]) {
    assert.throws(() => flatnonzero([1], { size: 2, fill, dtype }), { code: 'value-overflow', argument: 'fill' });
  }
  assert.deepEqual(await flatnonzero([1], { size: 2, fill: -(2 ** 63) }).tolist(), [0n, -(2n ** 63n)]);
});

test('vjp takes the masks that where and compress take', async () => {
  const x = Tensor.zeros([0, 2]);
  assert.deepEqual((await vjp('compress', [], [], x)).x.shape, [0, 2]);
  assert.deepEqual((await vjp('where', [1, 2], [true, false], new Tensor([3, 4]), 0)).x.data_sync(), Float32Array.of(1, 0));
  assert.throws(() => vjp('where', [1], [1], new Tensor([3]), 0), { argument: 'mask' });
});
