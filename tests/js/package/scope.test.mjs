// scope: what a function made and does not return is freed when it returns.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ExactSum, IndexPlan, init, memory, RuntimeError, scope, Tensor, vjp } from 'scatterwise';

before(() => init({ device: 'cpu' }));

/** How many tensors `run` leaves behind. */
function left(run) {
  const { tensors } = memory();
  run();
  return memory().tensors - tensors;
}
const isGone = (tensor) => assert.throws(() => tensor.shape, { code: 'disposed' });

test('frees what it made, and returns the result', () => {
  const t = new Tensor([1, 2, 3]);
  let result;
  assert.equal(left(() => (result = scope(() => t.mul(t).mul(2).mul(t)))), 1);
  assert.deepEqual([...result.data_sync()], [2, 16, 54]);
  assert.deepEqual([...t.data_sync()], [1, 2, 3], 'what came in from outside stays');
  assert.equal(left(() => assert.equal(scope(() => t.mul(2).data_sync()[2]), 6)), 0);
  assert.equal(scope(() => undefined), undefined);
});

test('results in arrays and plain objects, with cycles, at any depth', () => {
  const t = new Tensor([1, 2]);
  const made = scope(() => {
    const list = [t.mul(2), [t.mul(3)], { deep: { er: [t.mul(4)] }, plain: Object.assign(Object.create(null), { one: t.mul(5) }) }];
    list.push(list, t);
    t.mul(6);
    return list;
  });
  assert.deepEqual([made[0], made[1][0], made[2].deep.er[0], made[2].plain.one].map((each) => each.data_sync()[1]), [4, 6, 8, 10]);
  class Box { held = t.mul(7); }
  const box = scope(() => new Box());
  isGone(box.held);
  const map = scope(() => new Map([[1, t.mul(8)]]));
  isGone(map.get(1));
  const { x } = scope(() => vjp('mul', [1, 1], t, [3, 4]));
  assert.deepEqual([...x.data_sync()], [3, 4]);
  let deep = [t];
  for (let k = 0; k < 100_000; k++) deep = [deep];
  assert.equal(scope(() => deep), deep);
});

test('plans and exact sums are freed too, or returned', () => {
  let [lost, sums] = [];
  const plan = scope(() => {
    lost = IndexPlan.along([3], 0, [0]);
    sums = new ExactSum([3]);
    return IndexPlan.along([3], 0, [1, 1]);
  });
  assert.throws(() => lost.shape, { code: 'disposed' });
  assert.throws(() => sums.sum(), { code: 'disposed' });
  assert.deepEqual([...Tensor.zeros([3]).scatter_add(plan, 1).data_sync()], [0, 2, 0]);
});

test('everything is freed when it throws, and the error is its own', () => {
  const t = new Tensor([1]);
  for (const error of [new Error('mine'), 'a text', undefined]) {
    const run = () => scope(() => {
      t.mul(2);
      throw error;
    });
    assert.equal(left(() => assert.throws(run, (caught) => caught === error)), 0);
  }
  assert.equal(left(() => assert.throws(() => scope(() => t.mul(2).scatter_(0, [9], 1)), { name: 'IndexError' })), 0);
  const deeper = () => deeper() + t.mul(2).rank;
  assert.throws(() => scope(deeper), RangeError);
  assert.equal(scope(() => t.mul(2)).size, 1, 'the next scope works');
  const unreadable = () => ({ made: t.mul(2), get more() { throw new Error('mine'); } });
  assert.equal(left(() => assert.throws(() => scope(unreadable), { name: 'TypeError', code: 'invalid-argument' })), 0);
});

test('nested scopes pass results on to the scope around', () => {
  const t = new Tensor([1, 2]);
  let [inner, kept] = [];
  const outer = scope(() => {
    inner = scope(() => [t.mul(2), t.mul(3)]);
    assert.deepEqual([...inner[1].data_sync()], [3, 6], 'still there');
    kept = scope((keep) => keep(t.mul(4)));
    return inner[0];
  });
  assert.deepEqual([...outer.data_sync()], [2, 4]);
  isGone(inner[1]);
  assert.deepEqual([...kept.data_sync()], [4, 8], 'keep takes it out of every scope');
  let [a, b] = [];
  scope((keep) => scope(() => ([a, b] = [keep(t.mul(5)), t.mul(6)]).length));
  assert.equal(a.data_sync()[0], 5);
  isGone(b);
});

test('what was disposed of inside is not freed twice', () => {
  const t = new Tensor([1]);
  assert.equal(left(() => scope(() => { const one = t.mul(2); one.dispose(); return t.mul(3); }).dispose()), 0);
  assert.equal(scope((keep) => keep(scope(() => t.mul(2)))).data_sync()[0], 2);
  const gone = scope(() => { const one = t.mul(2); one.dispose(); return [one]; });
  isGone(gone[0]);
});

test('a function that would wait is refused', async () => {
  const t = new Tensor([1]);
  let ran = false;
  const wanted = { name: 'TypeError', code: 'invalid-argument', argument: 'fn' };
  for (const fn of [async () => { ran = true; }, function* () { ran = true; }]) assert.throws(() => scope(fn), wanted);
  assert.equal(ran, false);
  let made;
  assert.throws(() => scope(() => { made = t.mul(2); return Promise.resolve(made); }), wanted);
  isGone(made);
  assert.throws(() => scope(() => Promise.reject(new Error('left behind'))), wanted);
  await new Promise(setImmediate);
  // What a promise makes later belongs to no scope.
  let later;
  scope(() => { later = t.mul(2).to('cpu'); });
  assert.equal((await later).data_sync()[0], 2);
});

test('wrong arguments', () => {
  for (const fn of [undefined, null, 1, {}, new Tensor([1])]) assert.throws(() => scope(fn), { name: 'TypeError', argument: 'fn' });
  for (const value of [undefined, 1, [], {}, new Proxy(new Tensor([1]), {})]) assert.throws(() => scope((keep) => keep(value)), { name: 'TypeError' });
  Tensor.zeros([1]).with_data(() => {
    assert.throws(() => scope(() => {}), (error) => error instanceof RuntimeError && error.code === 'reentrant-call');
  });
});

test('memory says what is kept in reserve', () => {
  const big = Tensor.zeros([4 << 20]);
  const { cpu_reserved_bytes } = memory();
  big.dispose();
  assert.ok(memory().cpu_reserved_bytes >= cpu_reserved_bytes + (16 << 20));
});

test('a loop that forgets its tensors and yields reuses memory', async () => {
  const t = Tensor.ones([4 << 20]);
  const before = memory().tensors;
  let most = 0;
  for (let turn = 0; turn < 60; turn++) {
    let chain = t;
    for (let step = 0; step < 5; step++) chain = chain.mul(t);
    await new Promise(setImmediate);
    most = Math.max(most, memory().tensors - before);
  }
  assert.ok(most < 100, `${most} of 300 tensors of 16 MiB were there at once`);
});

test('a loop in one task needs no more memory than a turn of it', () => {
  const t = Tensor.ones([4 << 20]);
  const reserved = memory().cpu_reserved_bytes;
  for (let turn = 0; turn < 300; turn++) scope(() => void t.mul(1).mul(2));
  assert.ok(memory().cpu_reserved_bytes <= reserved + 3 * (16 << 20));
});
