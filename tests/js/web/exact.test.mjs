// ExactSum in a page, on both devices: the vectors, and any division into parts and devices.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rowsInPages } from './web.mjs';

const row = rowsInPages('exact', { device: 'webgpu' });
const recorded = JSON.parse(readFileSync(new URL('../../vectors/precise.json', import.meta.url), 'utf8')).cases.filter(({ op }) => op === 'ExactSum');

row(
  'the vectors of ExactSum on both devices',
  async ({ ExactSum, Tensor }) => {
    const { cases } = await (await fetch('/tests/vectors/precise.json')).json();
    const { bytesOf } = await import('/tests/vectors/package/values.js');
    const { difference, typed, untyped } = await import('/tests/js/calls/elements.js');
    const wrong = [];
    let ran = 0;
    for (const device of ['cpu', 'webgpu']) {
      for (const { id, args, kwargs, expect } of cases.filter(({ op }) => op === 'ExactSum')) {
        const tensor = (recorded) => new Tensor(typed(recorded.dtype, bytesOf(recorded)), { dtype: recorded.dtype, shape: recorded.shape, device });
        const part = (number) => new ExactSum(kwargs.shape, { dtype: kwargs.dtype, device }).add(0, tensor(args[`index${number}`]), tensor(args[`src${number}`]));
        const [all, second, third] = [2, 0, 1].map(part);
        all.merge(ExactSum.from_bytes(await second.to_bytes(), { device })).merge(third);
        for (const [name, wanted] of Object.entries(expect.outputs)) {
          const found = difference(wanted.dtype, untyped(await all[name]().data()), bytesOf(wanted));
          if (found !== null) wrong.push(`${id} ${name} on ${device}: ${JSON.stringify(found)}`);
        }
        if (all.device !== device) wrong.push(`${id}: ${all.device}`);
        ran++;
      }
    }
    return { wrong, ran };
  },
  ({ wrong, ran }) => {
    assert.deepEqual(wrong, []);
    assert.equal(ran, 2 * recorded.length);
  },
);

row(
  'parts of both devices have the same bytes, and the bits of one call',
  async ({ ExactSum, Tensor, memory, sync }) => {
    const { Numbers } = await import('/src/js/verify/numbers.js');
    const numbers = new Numbers(44);
    const wrong = [];
    const before = memory();
    for (const dtype of ['float16', 'bfloat16', 'float32', 'float64']) {
      for (let round = 0; round < 4; round++) {
        const places = 1 + numbers.below(9);
        const terms = Array.from({ length: 200 }, () => [numbers.below(places), (numbers.below(2) ? 1 : -1) * 2 ** (numbers.below(40) - 24) * (1 + numbers.below(65536) / 65536)]);
        const [index, src] = [(some) => Int32Array.from(some, ([place]) => place), (some, device) => new Tensor(some.map(([, value]) => value), { dtype, device })];
        const whole = new ExactSum([places], { dtype, device: 'cpu' }).add(0, index(terms), src(terms, 'cpu'));
        const merged = new ExactSum([places], { dtype });
        for (let at = 150; at >= 0; at -= 50) {
          const chunk = terms.slice(at, at + 50);
          const device = at % 100 === 0 ? 'cpu' : 'webgpu';
          const part = new ExactSum([places], { dtype, device }).add(0, index(chunk), src(chunk, device));
          merged.merge(ExactSum.from_bytes(await part.to_bytes()));
          part.dispose();
        }
        const [ours, theirs] = await Promise.all([merged, whole].map((sums) => sums.to_bytes()));
        if (String(ours) !== String(theirs)) wrong.push(`${dtype}: bytes`);
        const inOneCall = Tensor.zeros([places], { dtype, device: 'webgpu' }).scatter_add(0, index(terms), src(terms, 'webgpu'), { sum: 'exact' });
        for (const one of [merged.sum(), whole.sum()]) if (String(await one.data()) !== String(await inOneCall.data())) wrong.push(`${dtype}: sums`);
        merged.merge(merged);
        if (String(await merged.mean().data()) !== String(await whole.mean().data())) wrong.push(`${dtype}: twice as many terms, the same mean`);
      }
    }
    const errors = [];
    for (const call of [() => new ExactSum([2], { device: 'cpu' }).merge(new ExactSum([2])), () => new ExactSum([2], { device: 'cpu' }).add(0, Tensor.zeros([1], { dtype: 'int32' }), [1])]) {
      try {
        call();
      } catch ({ name, code }) {
        errors.push(`${name} ${code}`);
      }
    }
    const sums = new ExactSum([1000]);
    const { gpu_bytes: held, tensors } = memory();
    sums.dispose();
    await sync();
    const late = await new ExactSum([3]).add(0, new Tensor([0, 9], { dtype: 'int32' }).gather(0, [0, 1]), [1, 1]).to_bytes().catch(({ name, position }) => [name, position]);
    return { wrong, errors, grew: held - before.gpu_bytes > 40_000 && tensors > before.tensors, freed: held - memory().gpu_bytes > 40_000, late };
  },
  ({ wrong, errors, grew, freed, late }) => {
    assert.deepEqual(wrong, []);
    assert.deepEqual(errors, ['RuntimeError wrong-device', 'RuntimeError wrong-device']);
    assert.deepEqual([grew, freed], [true, true], 'memory() counts the sums');
    assert.deepEqual(late, ['IndexError', [1]]);
  },
);

row(
  'gradients, modes and shapes without elements are as on the CPU',
  async ({ bincount, ExactSum, IndexPlan, Tensor, vjp }) => {
    const hard = [1e8, 1, -1e8, 3];
    const results = async (device) => {
      const made = (values, dtype = 'float32') => new Tensor(values, { dtype, device });
      const index = made([0, 2, -1, 7], 'int32');
      const zeros = Tensor.zeros([3], { device });
      const tensors = [
        vjp('gather', made(hard), Tensor.zeros([1], { device }), 0, made([0, 0, 0, 0], 'int32'), { sum: 'exact' }).self,
        vjp('mul', made([hard, hard]), Tensor.ones([2, 4], { device }), made([[1]]), { sum: 'exact' }).y,
        ...['wrap', 'clip', 'drop', 'inside'].map((mode) => zeros.scatter_add(0, index, made(hard), { mode, sum: 'exact' })),
        zeros.scatter_add(IndexPlan.along([3], 0, [0, 2, 0, 2]), made(hard), { sum: 'exact' }),
        zeros.scatter_reduce(0, made([0, 0, 0, 2], 'int32'), made(hard), 'mean', { sum: 'exact', include_self: false }),
        bincount(made([0, 0, 0, 1], 'int32'), { weights: made(hard), sum: 'exact' }),
        new ExactSum([3], { device }).add(0, index, made(hard), { mode: 'drop' }).mean(),
        new ExactSum([0], { device }).sum(),
        new ExactSum([2, 0], { device }).count(),
      ];
      const lists = await Promise.all(tensors.map((tensor) => tensor.tolist()));
      return [lists.map((list) => String(list)), String(await new ExactSum([0], { device }).to_bytes())];
    };
    return [await results('cpu'), await results('webgpu')];
  },
  ([cpu, webgpu]) => {
    assert.deepEqual(webgpu, cpu);
    assert.deepEqual(cpu[0].slice(0, 2), ['4', '8'], 'the gradients are exact');
  },
);
