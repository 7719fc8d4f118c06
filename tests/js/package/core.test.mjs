// `scatterwise/core`: what it has, and the errors for what only other entries have. Beside `scatterwise` in one bundle, each keeps its own tensors.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { FUNCTIONS, METHODS, twinOf } from '../../../src/js/arguments/operators.js';
import { ACTIVATIONS, TRANSCENDENTAL } from '../../../src/js/engine/wire.js';
import * as core from 'scatterwise/core';
import * as cpu from 'scatterwise/cpu';

const { activate, bincount, elementwise_mul, IndexPlan, RuntimeError, scope, Tensor } = core;
const allowed = ['scatterwise/cpu', 'scatterwise'];

before(async () => {
  await core.init();
  await cpu.init();
});

/** Asserts that a call is refused by this entry, with these facts beside the code and `allowed`. */
function assertElsewhere(call, facts, what) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof RuntimeError, `${what}: ${error}`);
    const { code, op, argument, value, message } = error;
    assert.deepEqual({ code, argument, value, op, allowed: error.allowed }, { code: 'not-in-this-entry', argument: undefined, value: undefined, ...facts, allowed }, what);
    assert.match(message, /'scatterwise\/core' does not have.*: import 'scatterwise\/cpu' or 'scatterwise'$/);
    return true;
  });
}

test('it exports the functions of no family', () => {
  for (const [name, { family }] of Object.entries(FUNCTIONS)) assert.equal(name in core, family === undefined, name);
  for (const name of ['ExactSum', 'vjp', 'trace']) assert.ok(!(name in core), name);
  for (const name of Object.keys(core)) assert.ok(name in cpu, name);
});

test('a method of a family throws', () => {
  const t = Tensor.ones([2, 2]);
  const absent = Object.entries(METHODS).filter(([, { family }]) => family !== undefined).map(([name]) => name);
  assert.ok(absent.includes('sort') && absent.includes('argmax'));
  for (const name of [...absent, 'to_npy', 'to_image']) assertElsewhere(() => t[name](0), { op: `Tensor.${name}` }, name);
  for (const name of ['from_npy', 'from_image']) assertElsewhere(() => Tensor[name](new Uint8Array(1)), { op: `Tensor.${name}` }, name);
  for (const [name, { family }] of Object.entries(METHODS)) {
    assert.equal(Tensor.prototype[name].length, cpu.Tensor.prototype[name].length, name);
    if (family === undefined && twinOf(`Tensor.${name}`)) assert.equal(typeof Tensor.prototype[`${name}_`], 'function', name);
  }
});

test('a word or an option of a family throws', () => {
  const t = Tensor.ones([2]);
  const exact = { sum: 'exact' };
  const sums = {
    'Tensor.scatter_': () => t.scatter_(0, [0], 1, { reduce: 'add', ...exact }),
    'Tensor.scatter_add': () => t.scatter_add(0, [0], 1, exact),
    'Tensor.index_add_': () => t.index_add_(0, [0], [1], exact),
    scatter_add: () => core.scatter_add(t, [0], [1], exact),
    bincount: () => bincount([1], { weights: [1], ...exact }),
  };
  for (const [op, call] of Object.entries(sums)) assertElsewhere(call, { op, argument: 'sum', value: 'exact' }, op);
  assertElsewhere(() => t.scatter_reduce(0, [0], [1], 'amax', { return_indices: true }), { op: 'Tensor.scatter_reduce', argument: 'return_indices', value: true });
  assert.deepEqual([...t.scatter_reduce(0, [0], [1], 'amax', { return_indices: false }).data_sync()], [1, 1]);
  for (const act of ACTIVATIONS) {
    if (!TRANSCENDENTAL.includes(act)) assert.deepEqual(activate([-1.5, 0.25], act).data_sync(), cpu.activate([-1.5, 0.25], act).data_sync(), act);
    else {
      assertElsewhere(() => activate(t, act), { op: 'activate', argument: 'act', value: act }, act);
      assertElsewhere(() => elementwise_mul(t, t, { act }), { op: 'elementwise_mul', argument: 'act', value: act }, act);
    }
  }
  assert.deepEqual([...t.data_sync()], [1, 1], 'nothing was written');
});

test('it gives the bits of the other entries, in every dtype', () => {
  for (const dtype of ['bool', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float16', 'bfloat16', 'float32', 'float64']) {
    const results = [core, cpu].map((library) => {
      const make = (values, shape) => new library.Tensor(values, { shape }).astype(dtype);
      const t = make(Array.from({ length: 60 }, (_, k) => (k * 37) % 23), [6, 10]);
      const index = Array.from({ length: 60 }, (_, k) => (k * 7) % 6);
      const src = make(Array.from({ length: 60 }, (_, k) => (k * 11) % 13), [6, 10]);
      const plan = library.IndexPlan.along([6, 10], 0, new library.Tensor(index, { shape: [6, 10], dtype: 'int32' }));
      const all = [t.scatter_add(plan, src), t.scatter_reduce(plan, src, 'prod'), t.scatter_reduce(plan, src, 'amax'), t.gather(plan), t.mul(src), t.index_add(1, [9, 9, 0], 2), t.maximum(t.add(src))];
      return all.map((each) => each.data_sync());
    });
    assert.deepEqual(results[0], results[1], dtype);
  }
});

test('scopes, plans and warm_up work as elsewhere', async () => {
  const { tensors } = core.memory();
  assert.equal(scope(() => Tensor.ones([3]).mul(2).data_sync().join()), '2,2,2');
  assert.equal(core.memory().tensors, tensors);
  assert.equal(IndexPlan.along([3], 0, [1, 1]).has_duplicates, true);
  assert.equal(await core.warm_up({ ops: ['scatter_', 'gather', 'bincount'], dtypes: ['float32'] }), undefined);
  assert.throws(() => core.warm_up({ ops: ['spmm'] }), { code: 'invalid-argument', argument: 'ops' });
  assert.throws(() => core.warm_up({ dtypes: ['float'] }), { code: 'unknown-dtype' });
});

test('in a bundle with scatterwise, each keeps its own tensors', async (t) => {
  const folder = await mkdtemp(fileURLToPath(new URL('../../../target/both-', import.meta.url)));
  t.after(() => rm(folder, { recursive: true }));
  const script = `import * as core from 'scatterwise/core'; import * as whole from 'scatterwise'; export { core, whole };`;
  await writeFile(join(folder, 'both.js'), script);
  const outfile = join(folder, 'bundle.mjs');
  await build({ entryPoints: [join(folder, 'both.js')], outfile, bundle: true, format: 'esm', platform: 'node', conditions: ['module'], external: ['./packed.js', './core/packed.js'] });
  const both = await import(pathToFileURL(outfile));
  const binary = (name) => new URL(`../../../target/npm/scatterwise/${name}`, import.meta.url);
  await both.core.init({ wasm: binary('scatterwise_core_simd.wasm') });
  await both.whole.init({ device: 'cpu', wasm: binary('scatterwise_simd.wasm') });
  const [small, large] = [both.core.Tensor.ones([2]), both.whole.Tensor.ones([2])];
  assert.deepEqual([both.core.memory().tensors, both.whole.memory().tensors], [1, 1]);
  for (const call of [() => small.mul(large), () => large.mul(small), () => both.core.scatter_update(large, [0], [1]), () => both.whole.spmm([0], [0], small, [[1]])]) {
    assert.throws(call, { name: 'TypeError', message: /is a Tensor of another copy of scatterwise: it was imported twice, or by two of its entries/ });
  }
  await assert.rejects(both.whole.init({ wasm: binary('scatterwise_core_simd.wasm') }), { code: 'already-started' });
});
