// A plain `[]` says nothing of its other dimensions: every operator takes it as no entries and no values, whatever the rank of its table.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { FUNCTIONS, METHODS } from '../../../src/js/arguments/operators.js';
import { ALONG, SLICES } from '../../../src/js/engine/wire.js';
import * as lib from 'scatterwise';

const { ExactSum, group_by, IndexPlan, init, Tensor, trace, vjp } = lib;

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

test('every gather takes [] for no entries', async () => {
  for (const make of tables) {
    const table = make();
    for (const dim of [0, -1]) {
      const shape = table.shape.with(dim, 0);
      const gathered = [table.gather(dim, []), table.gather(IndexPlan.along(table.shape, dim, [])), table.index_select(dim, []), table.take_along_dim([], dim), trace('gather', table, dim, []).result];
      for (const each of gathered) assert.deepEqual([each.shape, each.dtype], [shape, 'float32']);
      for (const name of ['gather', 'index_select']) {
        for (const cotangent of [[], Tensor.zeros(shape)]) assert.ok(await vjp(name, cotangent, table, dim, []).self.equals(Tensor.zeros(table.shape)), `${name} of ${table.shape}`);
      }
      assert.ok(await vjp('take_along_dim', [], table, [], dim).self.equals(Tensor.zeros(table.shape)));
    }
    for (const options of [{ mode: 'clip' }, { ignore_index: 1 }, { fill_value: 7 }]) assert.deepEqual(table.gather(0, [], options).shape, table.shape.with(0, 0));
    assert.deepEqual(table.take_along_dim([]).shape, [0]);
    // One tuple of no numbers, which names all of the table.
    assert.ok(await table.gather_nd([]).equals(table));
  }
});

test('every gradient of a scatter takes [] for no entries', async () => {
  for (const make of tables) {
    const table = make();
    const cotangent = Tensor.full(table.shape, 2);
    for (const [name, { form, args, hasGradient, alias = name }] of scatters) {
      if (!hasGradient) continue;
      const behind = args.includes('reduce') ? ['amax'] : [];
      const place = form === ALONG || form === SLICES ? [0, []] : [[]];
      const { self, ...source } = vjp(alias, cotangent, table, ...place, [], ...behind);
      assert.ok(await self.equals(cotangent), `${name} on ${table.shape}`);
      for (const gradient of Object.values(source)) assert.equal((await gradient.data()).length, 0, name);
    }
    assert.ok(await vjp('scatter_mul', cotangent, table, [], []).self.equals(cotangent));
  }
});

/** A tensor without elements. */
const nothing = () => Tensor.zeros([0]);

/** Calls of all other operators that take arrays, with `[]` for each of them: the operator, and the shapes of its results. */
const others = {
  ...Object.fromEntries(['mul', 'add', 'sub', 'div', 'maximum', 'minimum', 'lt', 'le', 'gt', 'ge', 'eq', 'ne'].map((name) => [name, () => [nothing()[name]([])]])),
  ...Object.fromEntries(['logical_and', 'logical_or'].map((name) => [name, () => [nothing().isnan()[name]([])]])),
  ...Object.fromEntries(['mul', 'add', 'sub', 'div', 'max', 'min'].map((name) => [`elementwise_${name}`, () => [lib[`elementwise_${name}`]([], [])]])),
  where: () => [lib.where([], nothing(), []), lib.where([], [], nothing())],
  flatnonzero: async () => [await lib.flatnonzero([])],
  compress: async () => [await lib.compress([], new Float32Array(0)), await lib.compress([], nothing())],
  segment_reduce: () => [lib.segment_reduce([], 'sum', { lengths: [] }), lib.segment_reduce([], 'sum', { offsets: [0] }), lib.segment_reduce(new Float32Array(0), 'amax', { lengths: [] })],
  scatter_softmax: () => [lib.scatter_softmax([], []), lib.scatter_softmax([], [], 0, { size: 3 })],
  scatter_logsumexp: () => [lib.scatter_logsumexp([], []), lib.scatter_logsumexp([], [], 0, { size: 0 })],
  spmm: () => [lib.spmm([], [], [], []), lib.spmm([], [], undefined, [])],
  activate: () => [lib.activate([], 'relu')],
  bincount: () => [lib.bincount([]), lib.bincount([], { weights: [], mask: [] })],
  histogram: () => [lib.histogram([], { weights: [], mask: [] }).hist.index_select(0, [])],
  histogramdd: () => [lib.histogramdd([]).hist.index_select(0, []), lib.histogramdd([], { bins: [2, 3], weights: [], mask: [] }).hist.reshape([-1]).index_select(0, [])],
  bin_codes: () => [lib.bin_codes([], { bins: 3 }).codes, lib.bin_codes([], { bins: 3, range: [[0, 1]] }).codes],
  binned_statistic: () => [lib.binned_statistic([], [], 'mean', { range: [[0, 1]], mask: [] }).statistic.index_select(0, [])],
  unique: async () => Object.values(await lib.unique([])),
  searchsorted: () => [lib.searchsorted([], []), lib.searchsorted([1, 2], [])],
};

test('every other operator takes [] for each of its arrays', async () => {
  // A name of an argument that may be an array, in any row.
  const arrays = ['other', 'x', 'y', 'mask', 'data', 'src', 'rows', 'sample', 'edges', 'values'];
  const wanted = Object.entries({ ...METHODS, ...FUNCTIONS }).filter(([, { run, args }]) => !['scatter', 'gather', 'rows'].includes(run) && args.some((each) => arrays.includes(each)));
  assert.deepEqual(Object.keys(others).sort(), wanted.map(([name]) => name).sort());
  for (const [name, make] of Object.entries(others)) for (const result of await make()) assert.deepEqual(result.shape, [0], name);
});

test('histograms of [] are counts of 0', async () => {
  for (const [hist, shape] of [[lib.histogram([], { bins: 3 }).hist, [3]], [lib.histogramdd([], { bins: 3 }).hist, [3]], [lib.histogramdd([], { bins: [3, 2], range: [[0, 1], [0, 1]] }).hist, [3, 2]]]) {
    assert.deepEqual(hist.shape, shape);
    assert.ok((await hist.data()).every((count) => Number(count) === 0));
  }
  assert.throws(() => lib.histogramdd([], { bins: 3, weights: [1] }), { code: 'shape-mismatch' });
});

test('groups take [] for their codes, values and mask', async () => {
  const groups = group_by([], 3, { mask: [] });
  assert.deepEqual(await groups.counts.tolist(), [0, 0, 0]);
  assert.deepEqual(await groups.agg([], ['sum']).sum.tolist(), [0, 0, 0]);
});

test('other checks stay', () => {
  const table = Tensor.full([3, 4], 7);
  const refused = { name: 'ValueError', code: 'shape-mismatch' };
  assert.throws(() => table.index_add(0, [0], []), refused);
  assert.throws(() => table.scatter_nd([[0]], []), refused);
  assert.throws(() => lib.scatter_add(table, [0], []), refused);
  assert.throws(() => table.scatter_nd(IndexPlan.nd([3, 4], [[0]]), []), refused);
  assert.throws(() => new ExactSum([3, 4]).add([[0]], []), refused);
  for (const call of [() => table.scatter_add(5, [], []), () => table.gather(5, []), () => table.take_along_dim([], 5), () => IndexPlan.along([3, 4], 5, []), () => vjp('gather', [], table, 5, []), () => vjp('scatter_add', table, table, 5, [], [])]) {
    assert.throws(call, { code: 'dim-out-of-range' });
  }
  assert.throws(() => Tensor.full([], 1).gather(0, []), { code: 'rank-mismatch', argument: 'self' });
  assert.throws(() => Tensor.full([], 1).take_along_dim([], 0), { code: 'rank-mismatch', argument: 'self' });
  assert.throws(() => table.gather(0, new Int32Array(0)), { code: 'rank-mismatch' });
  assert.throws(() => vjp('gather', [], table, 0, [[0]]), refused);
  assert.throws(() => table.scatter_add(0, new Int32Array(0), []), { code: 'rank-mismatch' });
  const freed = new Tensor(none());
  freed.dispose();
  assert.throws(() => table.index_add(0, freed, []), { code: 'disposed' });
});
