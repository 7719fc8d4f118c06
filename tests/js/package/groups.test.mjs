// Groups from JavaScript on the CPU: the vectors, and how groups live and end.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as library from 'scatterwise';
import { difference, untyped } from '../calls/elements.js';
import { expectedOf, grouped, isKnown } from '../groups.js';
import { bytesOf } from '../../vectors/package/values.js';

const { bin_codes, group_by, Groups, histogramdd, init, memory, open_scope, scope, Tensor } = library;
await init({ device: 'cpu' });

const { cases } = JSON.parse(readFileSync(new URL('../../vectors/groups.json', import.meta.url), 'utf8'));

test('the vectors of groups.json', async () => {
  const wrong = [];
  const classes = { TypeError, ...library };
  for (const row of cases.filter(({ op, required }) => op === 'group_by' && required).filter(isKnown)) {
    const { id, expect } = row;
    try {
      const results = grouped(library, row);
      if (expect.accept) wrong.push(`${id}: no error`);
      if (expect.accept) continue;
      const expected = expectedOf(row);
      assert.deepEqual(Object.keys(results).sort(), Object.keys(expected).sort(), id);
      for (const [name, result] of Object.entries(results)) {
        const data = untyped(await result.data());
        const facts = ({ dtype, shape }) => `${dtype} [${shape}]`;
        const compare = (one) => {
          if (facts(one) !== facts(result)) return { got: facts(result), expected: facts(one) };
          if (!one.sha256) return difference(one.dtype, data, bytesOf(one), row.compare === 'exact' ? {} : row.compare);
          const sha256 = createHash('sha256').update(data).digest('hex');
          return sha256 === one.sha256 ? undefined : { got: sha256, expected: one.sha256 };
        };
        const found = expected[name].map(compare);
        if (found.every(Boolean)) wrong.push(`${id} ${name}: got ${found[0].got}, expected ${found[0].expected}`);
      }
    } catch (error) {
      if (!expect.accept?.some((name) => error instanceof classes[name])) wrong.push(`${id}: ${error}`);
      else if (expect.position && `${error.position}` !== `${expect.position}`) wrong.push(`${id}: position ${error.position}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('groups of the codes of bins have the counts of a histogram', () => {
  const sample = new Tensor(Float32Array.from({ length: 9000 }, (_, k) => Math.sin(k * k) * 2), { shape: [3000, 3] });
  for (const options of [{ bins: 4 }, { bins: [2, 3, [-1, 0, 0.5]], range: [[0, 1], null, null] }]) {
    const { codes, edges, size } = bin_codes(sample, options);
    const { hist, edges: expected } = histogramdd(sample, options);
    assert.equal(size, hist.size);
    assert.deepEqual([...group_by(codes, size, { ignore_index: -1 }).counts.data_sync()], [...hist.data_sync()]);
    edges.forEach((each, at) => assert.deepEqual(each.data_sync(), expected[at].data_sync()));
  }
  assert.deepEqual([...bin_codes([0.5, NaN, 9], { bins: 2, range: [[0, 1]] }).codes.data_sync()], [1, -1, -1]);
});

test('a code beyond int64 is left out by its number', async () => {
  const most = 2n ** 64n - 1n;
  for (const codes of [new BigUint64Array([most, 1n, 0n, 1n]), new Tensor([most, 1n, 0n, 1n], { dtype: 'uint64' })]) {
    assert.deepEqual(await group_by(codes, 2, { ignore_index: most }).counts.tolist(), [1, 2]);
    assert.throws(() => group_by(codes, 2, { ignore_index: most - 1n }), { name: 'IndexError', position: [0] });
    assert.throws(() => group_by(codes, 2, { ignore_index: -1 }), { name: 'IndexError', position: [0] });
  }
});

test('groups own their counts, offsets and order', () => {
  const before = memory();
  const groups = group_by([2, 0, 2], 3);
  assert.equal(groups.counts, groups.counts, 'the same tensor each time');
  const { counts, order } = groups;
  groups.dispose();
  groups.dispose();
  for (const use of [() => counts.shape, () => order.shape, () => groups.size, () => groups.reduce('count')]) {
    assert.throws(use, { code: 'disposed' });
  }
  assert.deepEqual({ ...memory(), cpu_reserved_bytes: 0 }, { ...before, cpu_reserved_bytes: 0 });
});

test('scopes free groups with what belongs to them, and keep them with it', () => {
  const before = memory().tensors;
  const kept = scope((keep) => {
    void group_by([0, 1], 2).order;
    const groups = keep(group_by([1, 1], 2));
    void groups.counts;
    return groups;
  });
  assert.deepEqual([...kept.counts.data_sync()], [0, 2]);
  kept.dispose();
  const ours = open_scope();
  const { groups } = ours.keep({ groups: group_by([1], 2) });
  void groups.offsets;
  ours.dispose();
  assert.deepEqual([...groups.offsets.data_sync()], [0, 0, 1]);
  groups.dispose();
  assert.equal(memory().tensors, before);
});

test('a call that is refused says why', () => {
  const groups = group_by([0, 2], 3);
  const values = new Tensor([1, 2], { dtype: 'int32' });
  assert.throws(() => new Groups(), { name: 'TypeError' });
  assert.throws(() => group_by([0, 1], -1), { name: 'ValueError', argument: 'size' });
  assert.throws(() => group_by([0], 1, { mode: 'clip' }), { code: 'unknown-option' });
  assert.throws(() => groups.reduce(values, 'max'), { name: 'ValueError', position: [1], message: /group 1 has no rows/ });
  assert.throws(() => groups.reduce(values, 'largest'), { name: 'ValueError', argument: 'how' });
  assert.throws(() => groups.agg(values, 'max'), { name: 'TypeError', argument: 'how' });
  assert.throws(() => groups.reduce(values, 'max', { empty: 0.5 }), { name: 'TypeError', argument: 'empty' });
  assert.throws(() => groups.reduce([1, 2, 3], 'sum'), { name: 'ValueError', code: 'shape-mismatch', argument: 'values' });
  assert.throws(() => Groups.prototype.reduce.call({}, values, 'sum'), { name: 'TypeError' });
  assert.equal(String(groups), 'Groups(size=3, rows=2, device=cpu)');
  groups.dispose();
  assert.equal(String(groups), 'Groups(disposed)');
});
