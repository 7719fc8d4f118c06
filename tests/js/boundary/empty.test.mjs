// A plain `[]` says nothing of its other dimensions: a scatter takes it as no entries and no values, whatever the rank of its table.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { FUNCTIONS, METHODS } from '../../../src/js/arguments/operators.js';
import { ALONG, SLICES } from '../../../src/js/engine/wire.js';
import * as lib from 'scatterwise';

const { ExactSum, IndexPlan, init, Tensor, trace } = lib;

before(() => init({ device: 'cpu' }));

const tables = [[3], [3, 4], [2, 0, 3]].map((shape) => () => Tensor.full(shape, 7));

/** Index and source without elements, plain and not. */
const none = () => new Int32Array(0);

const scatters = Object.entries(METHODS).filter(([, { run }]) => run === 'scatter');

test('every scatter takes [] for no entries', async () => {
  for (const make of tables) {
    const table = make();
    for (const [name, { form, args }] of scatters) {
      const behind = args.includes('reduce') ? ['amax'] : [];
      const src = args.includes('value') ? 1 : [];
      for (const full of [name, `${name}_`]) {
        const calls = form === ALONG || form === SLICES ? [[0, [], src]] : [[[], src]];
        if (name === 'scatter_add') calls.push([[], []]);
        if (form === SLICES) calls.push([0, none(), src], [0, new Tensor(none()), src]);
        for (const given of calls) {
          const self = table.clone();
          const result = self[full](...given, ...behind);
          assert.ok(await result.equals(table), `${full} with ${JSON.stringify(given)} on ${table.shape}`);
        }
      }
    }
    for (const [name, { run }] of Object.entries(FUNCTIONS)) {
      if (run !== 'rows') continue;
      for (const indices of [[], none()]) assert.ok(await lib[name](table.clone(), indices, []).equals(table), `${name} on ${table.shape}`);
    }
  }
});

test('options, plans, traces and exact sums take it too', async () => {
  const table = Tensor.full([3, 4], 7);
  const { values, indices } = table.scatter_reduce(0, [], [], 'amax', { return_indices: true });
  assert.ok(await values.equals(table));
  assert.deepEqual(indices.shape, [3, 4]);
  for (const options of [{ mode: 'drop' }, { ignore_index: 0 }, { sum: 'exact' }]) assert.ok(await table.scatter_add(0, [], [], options).equals(table));
  assert.ok(await table.index_add(IndexPlan.select([3, 4], 0, []), []).equals(table));
  assert.ok(await table.scatter_nd(IndexPlan.nd([3, 4], Tensor.zeros([0, 1], { dtype: 'int32' })), []).equals(table));
  assert.deepEqual(trace('scatter_add', table, 0, [], []).steps, []);
  assert.deepEqual(trace('scatter_nd', table, [], []).steps, []);
  for (const shape of [[], [3], [3, 4]]) {
    const sums = new ExactSum(shape).add([], []);
    sums.add(0, [], []);
    assert.deepEqual(await sums.sum().data(), new Float32Array(sums.shape.reduce((all, size) => all * size, 1)));
  }
});

test('other checks stay', () => {
  const table = Tensor.full([3, 4], 7);
  const refused = { name: 'ValueError', code: 'shape-mismatch' };
  assert.throws(() => table.index_add(0, [0], []), refused);
  assert.throws(() => table.scatter_nd([[0]], []), refused);
  assert.throws(() => lib.scatter_add(table, [0], []), refused);
  assert.throws(() => table.scatter_nd(IndexPlan.nd([3, 4], [[0]]), []), refused);
  assert.throws(() => new ExactSum([3, 4]).add([[0]], []), refused);
  assert.throws(() => table.scatter_add(5, [], []), { code: 'dim-out-of-range' });
  assert.throws(() => table.scatter_add(0, new Int32Array(0), []), { code: 'rank-mismatch' });
  const freed = new Tensor(none());
  freed.dispose();
  assert.throws(() => table.index_add(0, freed, []), { code: 'disposed' });
});
