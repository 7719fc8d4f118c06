// Pictures in Node, which has none: objects with their fields.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { init, memory, Tensor } from 'scatterwise';

before(() => init({ device: 'cpu' }));

const data = [1, 2, 3, 4, 5, 6, 7, 8];

test('an object with data, width and height becomes a tensor', async () => {
  for (const bytes of [Uint8ClampedArray.from(data), Uint8Array.from(data), Buffer.from(data)]) {
    const t = Tensor.from_image({ data: bytes, width: 2, height: 1 });
    assert.deepEqual([t.dtype, t.shape], ['uint8', [1, 2, 4]]);
    bytes.fill(9);
    assert.deepEqual(await t.tolist(), [[data.slice(0, 4), data.slice(4)]]);
  }
  const image = { data: Uint8Array.from(data), width: 1, height: 2 };
  const t = Tensor.from_image(image, { dtype: 'float32', shape: [8], name: 'x' });
  assert.deepEqual([t.dtype, t.name, await t.tolist()], ['float32', 'x', data]);
  const { tensors } = memory();
  assert.throws(() => Tensor.from_image(image, { shape: [7] }), { name: 'ValueError', code: 'shape-mismatch', op: 'Tensor.from_image' });
  assert.throws(() => Tensor.from_image(image, { dtyp: 'int8' }), { name: 'TypeError', code: 'unknown-option' });
  assert.equal(memory().tensors, tensors);
});

test('anything else is a clear error', () => {
  const kind = { name: 'TypeError', op: 'Tensor.from_image', argument: 'image', message: /ImageData, ImageBitmap.*data.*width and height/ };
  for (const image of [undefined, null, 1, 'x.png', {}, [], { width: 1, height: 1 }, () => {}]) assert.throws(() => Tensor.from_image(image), kind);
  const bytes = new Uint8Array(8);
  for (const wrong of [[1, 2, 3, 4], new Float32Array(8), 'x', null, bytes.buffer]) {
    assert.throws(() => Tensor.from_image({ data: wrong, width: 2, height: 1 }), { name: 'TypeError', message: /image\.data must be a Uint8ClampedArray/ });
  }
  for (const [width, height] of [[0, 1], [2, 0], [-2, -1], [0.5, 4], ['2', 1], [undefined, 1], [NaN, 1], [Infinity, 1]]) {
    assert.throws(() => Tensor.from_image({ data: bytes, width, height }), { name: 'ValueError', code: 'invalid-image', message: /positive integers/ });
  }
  for (const [width, height] of [[1, 1], [2, 2], [1e9, 1e9]]) {
    assert.throws(() => Tensor.from_image({ data: bytes, width, height }), { name: 'ValueError', code: 'invalid-image', message: /has 8 bytes of data/ });
  }
  const gone = new Uint8Array(8);
  structuredClone(gone, { transfer: [gone.buffer] });
  assert.throws(() => Tensor.from_image({ data: gone, width: 2, height: 1 }), { name: 'TypeError', message: /detached/ });
  const adversarial = {
    get data() {
      throw new Error('mine');
    },
  };
  assert.throws(() => Tensor.from_image(adversarial), { name: 'TypeError', message: /image cannot be read/ });
  const disguised = { width: 1, height: 1, [Symbol.toStringTag]: 'ImageBitmap' };
  assert.throws(() => Tensor.from_image(disguised), { name: 'ValueError', code: 'invalid-image', message: /cannot be drawn/ });
});

test('a tensor becomes a picture of its own memory', async () => {
  const t = new Tensor(Uint8Array.from(data), { shape: [2, 1, 4] });
  const picture = await t.to_image();
  assert.deepEqual(picture, { data: Uint8ClampedArray.from(data), width: 1, height: 2, colorSpace: 'srgb' });
  picture.data.fill(0);
  assert.deepEqual(await t.reshape([8]).tolist(), data);
  assert.ok(await Tensor.from_image(await t.to_image()).equals(t));
  const pixels = async (shape) => [...(await new Tensor(Uint8Array.from(data.slice(0, 6)), { shape }).to_image()).data];
  const grey = [1, 2, 3, 4, 5, 6].flatMap((value) => [value, value, value, 255]);
  assert.deepEqual(await pixels([2, 3]), grey);
  assert.deepEqual(await pixels([2, 3, 1]), grey);
  assert.deepEqual(await pixels([1, 2, 3]), [1, 2, 3, 255, 4, 5, 6, 255]);
});

test('a picture keeps its colour space, or gets the one that is asked for', async () => {
  const image = (colorSpace) => ({ data: Uint8ClampedArray.from(data), width: 2, height: 1, colorSpace });
  for (const [colorSpace, kept] of [['display-p3', 'display-p3'], ['srgb', 'srgb'], [undefined, 'srgb'], ['rec2020', 'srgb'], [1, 'srgb']]) {
    const t = Tensor.from_image(image(colorSpace));
    assert.deepEqual(await t.to_image(), image(kept));
    for (const asked of ['srgb', 'display-p3']) assert.deepEqual(await t.to_image({ colorSpace: asked }), image(asked));
    for (const options of [{}, undefined, { colorSpace: undefined }]) assert.equal((await t.to_image(options)).colorSpace, kept);
    t.scatter_(2, [[[0]]], 9); // the same tensor, with other numbers
    assert.equal((await t.to_image()).colorSpace, kept);
    assert.equal((await t.reshape([1, 2, 4]).to_image()).colorSpace, 'srgb'); // another tensor
  }
  const again = Tensor.from_image(await Tensor.from_image(image('display-p3')).to_image());
  assert.equal((await again.to_image()).colorSpace, 'display-p3');
  const t = Tensor.zeros([1, 1], { dtype: 'uint8' });
  assert.equal((await t.to_image({ colorSpace: 'display-p3' })).colorSpace, 'display-p3');
  for (const colorSpace of ['p3', null, 1, 'toString']) assert.throws(() => t.to_image({ colorSpace }), { name: 'TypeError', op: 'Tensor.to_image', argument: 'colorSpace', message: /'srgb' or 'display-p3'/ });
  assert.throws(() => t.to_image({ colourSpace: 'srgb' }), { name: 'TypeError', code: 'unknown-option' });
});

test('other dtypes and shapes are refused', () => {
  const op = 'Tensor.to_image';
  for (const dtype of ['float32', 'int8', 'bool']) assert.throws(() => Tensor.zeros([2, 2], { dtype }).to_image(), { name: 'TypeError', code: 'dtype-mismatch', op, message: /astype\('uint8'\)/ });
  for (const shape of [[], [4], [2, 2, 2], [2, 2, 5], [0, 2], [2, 0, 4], [2, 2, 0], [1, 2, 2, 4]]) {
    assert.throws(() => Tensor.zeros(shape, { dtype: 'uint8' }).to_image(), { name: 'ValueError', code: 'invalid-shape', op });
  }
});
