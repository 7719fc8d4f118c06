// Tensors in the state of frameworks that wrap, freeze, copy or render values twice. They must be the same tensors afterwards.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createDraft, enableMapSet, finishDraft, produce, setAutoFreeze } from 'immer';
import { autorun, isObservable, observable, runInAction, toJS } from 'mobx';
import { StrictMode, createElement, useEffect, useMemo, useRef, useState } from 'react';
import { act, create } from 'react-test-renderer';
import { computed, effect, isReactive, markRaw, nextTick, reactive, readonly, ref, shallowReactive, toRaw, triggerRef, watch } from 'vue';
import { collect, load } from '../fuzz/package.mjs';

const lib = await load();
const { IndexPlan, Parameter, Tensor, memory } = lib;
let t;
beforeEach(() => (t = new Tensor([1, 2, 3])));
const values = (tensor) => [...tensor.data_sync()];

/**
 * Asserts that `got` is the tensor `expected` itself, with the values 1, 2, 3, and works in every way; it has the same values afterwards.
 */
function assertWhole(got, expected = t) {
  assert.equal(got, expected);
  assert.equal(got.mul_(2), expected);
  assert.deepEqual(values(got), [2, 4, 6]);
  assert.deepEqual(values(got.gather(0, [2])), [6]);
  assert.deepEqual(values(new Tensor([1, 1, 1]).mul(got)), [2, 4, 6]);
  got.mul_(0.5);
}

test('Vue: ref, reactive, readonly, arrays, Maps and Sets', () => {
  assertWhole(ref(t).value);
  assertWhole(reactive({ t }).t);
  assertWhole(reactive({ deep: { list: [{ t }] } }).deep.list[0].t);
  assertWhole(readonly({ t }).t);
  assertWhole(readonly(reactive({ t })).t);
  assertWhole(shallowReactive({ t }).t);
  assertWhole(reactive([t])[0]);
  assertWhole(reactive(new Map([['t', t]])).get('t'));
  assertWhole([...reactive(new Set([t]))][0]);
  assertWhole(computed(() => reactive({ t }).t).value);
  assertWhole(markRaw(t));
  assertWhole(toRaw(ref(t).value));
  assert.ok(!isReactive(reactive({ t }).t));
  assert.equal(reactive(t), t);
});

test('Vue: parameters, subclasses and plans', () => {
  class Own extends Tensor {}
  for (const each of [new Parameter([1, 2, 3], { name: 'p' }), new Own([1, 2, 3])]) assertWhole(reactive({ each }).each, each);
  const plan = IndexPlan.along([3], 0, [2]);
  const state = reactive({ plan, t });
  assert.equal(state.plan, plan);
  assert.deepEqual(values(state.t.gather(state.plan)), [3]);
  state.plan.dispose();
});

test('Vue: an effect runs when the tensor is another one, or when it is told', async () => {
  const r = ref(t);
  const seen = [];
  effect(() => seen.push(values(r.value)));
  r.value.mul_(2);
  assert.equal(seen.length, 1, 'writing in place is not seen');
  triggerRef(r);
  r.value = r.value.mul(2);
  assert.deepEqual(seen, [[1, 2, 3], [2, 4, 6], [4, 8, 12]]);
  const state = reactive({ t });
  let changes = 0;
  watch(state, () => (changes += 1), { deep: true });
  state.t = t.clone();
  await nextTick();
  assert.equal(changes, 1);
});

test('Vue: disposing of a tensor in state gives its memory back, once', () => {
  const { tensors } = memory();
  const state = reactive({ list: [new Tensor([1]), new Tensor([2])] });
  for (const each of state.list) each.dispose();
  for (const each of state.list) each.dispose();
  assert.equal(memory().tensors, tensors);
});

test('MobX: observable objects, arrays and Maps', () => {
  assertWhole(observable({ t }).t);
  assertWhole(observable({ deep: { list: [t] } }).deep.list[0]);
  assertWhole(observable([t])[0]);
  assertWhole(observable(new Map([['t', t]])).get('t'));
  assertWhole(observable.box(t).get());
  assertWhole(toJS(observable({ t })).t);
  assert.ok(!isObservable(observable({ t }).t));
  const state = observable({ t });
  const seen = [];
  const stop = autorun(() => seen.push(values(state.t)));
  runInAction(() => (state.t = state.t.mul(2)));
  stop();
  assert.deepEqual(seen, [[1, 2, 3], [2, 4, 6]]);
});

test('Immer: drafts leave tensors alone, and what is frozen works', () => {
  enableMapSet();
  const before = { t, list: [t], map: new Map([['t', t]]), count: 0 };
  const after = produce(before, (draft) => {
    draft.count += 1;
    assert.equal(draft.t, t);
    draft.t.mul_(1);
    draft.list.push(t);
    draft.map.set('u', t);
  });
  assert.ok(Object.isFrozen(after));
  assertWhole(after.t);
  assertWhole(after.list[1]);
  assertWhole(after.map.get('u'));
  const replaced = produce(after, (draft) => void (draft.t = draft.t.mul(3)));
  assert.deepEqual(values(replaced.t), [3, 6, 9]);
  assertWhole(after.t);
  const draft = createDraft(replaced);
  draft.count = 5;
  assert.equal(finishDraft(draft).t, replaced.t);
  setAutoFreeze(true);
  Object.freeze(t);
  assertWhole(produce({ t }, (state) => void (state.more = 1)).t);
  t.dispose();
  assert.throws(() => t.size, { code: 'disposed' });
});

globalThis.IS_REACT_ACT_ENVIRONMENT = true;
const { error: complain } = console;
// React's test renderer warns at every use that it is deprecated. It is used all the same: nothing else renders without a page.
console.error = (text, ...rest) => /deprecated/.test(text) || complain(text, ...rest);

test('React: StrictMode renders twice and runs effects twice', async () => {
  let renders = 0;
  const { tensors } = memory();
  function App({ data }) {
    renders += 1;
    const [state] = useState(() => new Tensor(data));
    const doubled = useMemo(() => state.mul(2), [state]);
    const owned = useRef(null);
    const [sum, setSum] = useState(0);
    useEffect(() => {
      owned.current = new Tensor(data);
      owned.current.mul_(3);
      owned.current.data().then(([first]) => setSum(first));
      return () => owned.current.dispose();
    }, [data]);
    return createElement('p', { tensor: state }, `${String(doubled)} ${sum}`);
  }
  const data = [1, 2];
  let root;
  await act(async () => (root = create(createElement(StrictMode, null, createElement(App, { data })))));
  assert.ok(renders >= 2, `${renders} renders`);
  assert.equal(root.toJSON().children.join(''), '[2. 4.] 3');
  assert.ok(root.toJSON().props.tensor instanceof Tensor);
  await act(async () => root.update(createElement(StrictMode, null, createElement(App, { data: [1, 2] }))));
  assert.equal(root.toJSON().children.join(''), '[2. 4.] 3');
  await act(async () => root.unmount());
  root = null;
  // StrictMode calls the functions of state and memos twice and drops one result: those tensors are for the collector to free, which may
  // keep some.
  for (let n = 0; n < 20 && memory().tensors > tensors; n++) await collect();
  assert.ok(memory().tensors <= tensors + 4, `${memory().tensors - tensors} tensors are left`);
});

test('React: a tensor as a dependency is compared by identity', async () => {
  let runs = 0;
  function App({ tensor }) {
    useEffect(() => void (runs += 1), [tensor]);
    return String(useMemo(() => tensor.size, [tensor]));
  }
  let root;
  await act(async () => (root = create(createElement(App, { tensor: t }))));
  await act(async () => root.update(createElement(App, { tensor: t })));
  assert.equal(runs, 1);
  await act(async () => root.update(createElement(App, { tensor: t.clone() })));
  assert.equal(runs, 2);
  assert.equal(root.toJSON(), '3');
  await act(async () => root.unmount());
});
