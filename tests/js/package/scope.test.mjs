// scope: what a function made and does not return is freed when it returns. open_scope: the same across awaits.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ExactSum, IndexPlan, init, memory, open_scope, RuntimeError, scope, Tensor, unique, vjp } from 'scatterwise';

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
  const { x } = scope(() => vjp('mul', [1, 1], t, [3, 4]));
  assert.deepEqual([...x.data_sync()], [3, 4]);
  let deep = [t];
  for (let k = 0; k < 100_000; k++) deep = [deep];
  assert.equal(scope(() => deep), deep);
});

test('a result that may hold tensors out of sight is refused, and freed', () => {
  const t = new Tensor([1, 2]);
  class Box { held = t.mul(7); }
  let held;
  const results = [() => new Box(), () => new Map([[1, t]]), () => () => t, () => [{ deep: new Set([t]) }], () => new Date(0), () => new Proxy(t, {})];
  for (const result of results) {
    const run = () => scope(() => { held = t.mul(8); return result(); });
    assert.throws(run, { name: 'TypeError', code: 'invalid-argument', op: 'scope', message: /^scope: the result of fn must be a value, a tensor, or an array or plain object of these, not a/ });
    isGone(held);
  }
  for (const value of [null, 1, 2n, 'text', Symbol.iterator, new Float32Array(2), new DataView(new ArrayBuffer(8)), new ArrayBuffer(8), [null, [1n]], { a: undefined }]) {
    assert.equal(scope(() => value), value);
  }
});

test('an error about a freed tensor says what freed it', () => {
  let freed;
  scope(() => { freed = Tensor.ones([2]); });
  assert.throws(() => freed.mul(2), { code: 'disposed', message: 'Tensor.mul: this tensor was freed when its scope ended; return it from there, or keep() it' });
  assert.throws(() => Tensor.ones([2]).mul(freed), { code: 'disposed', argument: 'other', message: /^Tensor.mul: other was freed when its scope ended/ });
  assert.equal(freed[Symbol.for('nodejs.util.inspect.custom')](), 'Tensor(disposed)');
  freed.dispose(); // does nothing
  assert.throws(() => freed.shape, /freed when its scope ended/);
  const disposed = Tensor.ones([2]);
  disposed.dispose();
  assert.throws(() => disposed.shape, /was disposed of; make a clone/);
});

test('open_scope frees at its end what was made since, across awaits', async () => {
  const t = new Tensor([1, 2, 3]);
  const { tensors } = memory();
  const s = open_scope();
  const product = t.mul(t);
  const total = await product.sum().item();
  const moved = await t.to('cpu');
  const { values } = await unique(t);
  const kept = s.keep({ list: [t.div(total)], total });
  assert.equal(memory().tensors - tensors, 8);
  s.dispose();
  assert.equal(memory().tensors - tensors, 1);
  for (const each of [product, moved, values]) isGone(each);
  assert.deepEqual([kept.total, kept.list[0].size, t.size], [14, 3, 3]);
  s.dispose(); // does nothing
  assert.equal(t.mul(2).size, 3);
  assert.equal(memory().tensors - tensors, 2, 'a closed scope takes nothing');
  assert.equal(s[Symbol.dispose ?? 'dispose'], s.dispose);
});

test('closing a scope closes those inside it', async () => {
  const t = new Tensor([1]);
  const [outer, a] = [open_scope(), t.mul(2)];
  const [inner, b] = [open_scope(), t.mul(3)];
  const [kept, c] = scope((keep) => [keep(t.mul(4)), t.mul(5)]);
  const later = scope(() => ({ deep: [t.mul(6)] }));
  const d = await t.to('cpu');
  outer.dispose();
  [a, b, c, d, later.deep[0]].forEach(isGone);
  inner.dispose();
  assert.equal(kept.data_sync()[0], 4);
  // Within a scope: what is left open ends with it, its results stay; and a scope that is closed from inside is closed.
  let left;
  const result = scope(() => { open_scope(); left = t.mul(7); return [t.mul(8)]; });
  isGone(left);
  assert.deepEqual([...result[0].data_sync()], [8]);
  const around = open_scope();
  scope(() => { left = t.mul(9); around.dispose(); isGone(left); left = t.mul(10); });
  assert.equal(left.data_sync()[0], 10);
});

test('what a promise makes belongs to the scope that lasts, not to one that ends before', async () => {
  const t = new Tensor([1, 2]);
  let wait;
  const s = open_scope();
  scope(() => { wait = [t.to('cpu'), unique(t)]; });
  const [moved, { values }] = await Promise.all(wait);
  assert.deepEqual([moved.size, values.size], [2, 2]);
  s.dispose();
  [moved, values].forEach(isGone);
});

test('refusals of open_scope', () => {
  const s = open_scope();
  const made = Tensor.ones([1]);
  for (const value of [new Map(), () => {}, [new Set()], new Proxy(made, {})]) {
    assert.throws(() => s.keep(value), { name: 'TypeError', op: 'open_scope', message: /the argument of keep must be a value, a tensor/ });
  }
  Tensor.zeros([1]).with_data(() => {
    for (const run of [open_scope, s.dispose]) assert.throws(run, { code: 'reentrant-call', op: 'open_scope' });
  });
  assert.equal(made.size, 1, 'it is still open');
  s.dispose();
  isGone(made);
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
