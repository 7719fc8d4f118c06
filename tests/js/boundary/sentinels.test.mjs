// Every method refuses objects that look like tensors and are none, with an error of the library's own. The methods are read from the
// prototypes, so new ones are tested at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callables } from '../fuzz/callables.js';
import { templatesOf } from '../fuzz/templates.js';
import { Stage, World } from '../fuzz/world.js';
import { assertTyped, assertWorks, assertWritable, attempt, load, refused, say } from './package.mjs';

const stage = await new Stage(load, 'cpu').open();
const { lib } = stage;
const all = callables(stage);
const takingThis = all.filter(({ kind }) => ['method', 'getter', 'setter'].includes(kind));

/** Whether a member is the tag, which may be read without a tensor: it is the same for all of the class. */
const isTag = ({ key }) => key === '[Symbol.toStringTag]';

/** How a call ends, as `attempt` has it, once its promise has settled where it returns one. */
async function outcomeOf(run) {
  const outcome = attempt(run);
  if (!(outcome.value instanceof Promise)) return outcome;
  return outcome.value.then((value) => ({ value }), (error) => ({ error, threw: true }));
}

/** The values passed as `this`, made from `right`, the tensor or plan of the method. `w` is the World of the call. */
const wrong = {
  undefined: () => undefined,
  null: () => null,
  'a number': () => 7,
  'a string': () => 'Tensor',
  'a symbol': () => Symbol('t'),
  'a bigint': () => 7n,
  'an object': () => ({}),
  'an object without a prototype': () => Object.create(null),
  'a function': () => () => {},
  'the class': () => lib.Tensor,
  'the prototype of tensors': () => lib.Tensor.prototype,
  'the prototype of parameters': () => lib.Parameter.prototype,
  'the prototype of plans': () => lib.IndexPlan.prototype,
  'an object made of the prototype': () => Object.create(lib.Tensor.prototype),
  'a Proxy of it': (right) => new Proxy(right, {}),
  'a revoked Proxy of it': (right) => {
    const { proxy, revoke } = Proxy.revocable(right, {});
    revoke();
    return proxy;
  },
  'an heir of it': (right) => Object.create(right),
  'a copy of its own properties': (right) => Object.assign(Object.create(Object.getPrototypeOf(right)), right),
  'a spread copy': (right) => ({ ...right }),
  'one with all its descriptors': (right) => Object.create(Object.getPrototypeOf(right), Object.getOwnPropertyDescriptors(right)),
  'one of another copy of the package': (right) => (right instanceof lib.Tensor ? stage.foreign.tensor : stage.foreign.plan),
  'one of the other class': (right, w) => (right instanceof lib.Tensor ? w.plan : w.self),
  'a disposed one': (right) => {
    right.dispose();
    return right;
  },
};

test('every method is known to belong to a class', () => {
  const types = new Set(takingThis.map(({ type }) => type));
  assert.ok(types.has('Tensor') && types.has('IndexPlan'));
  assert.ok(takingThis.length >= 35, `${takingThis.length} methods and getters`);
});

for (const [name, make] of Object.entries(wrong)) {
  test(`as this: ${name}`, async () => {
    for (const callable of takingThis) {
      if (isTag(callable)) continue;
      const { tensors, cpu_bytes } = lib.memory();
      const w = new World(stage);
      const right = w.selfOf(callable);
      const self = make(right, w);
      const [template] = templatesOf(callable);
      const { value, error, threw } = await outcomeOf(() => callable.call(self, template(w)));
      // Printing never throws, because a debugger prints anything. Disposing of a disposed tensor, or of an object like a tensor, does nothing.
      const isFine = (/toString|inspect/.test(callable.key) && typeof value === 'string') || (/dispose/.test(callable.key) && value === undefined);
      if (!isFine) {
        assert.ok(threw, `${callable.name} was not refused and gave ${say(value)}`);
        assertTyped(error, name === 'a disposed one' ? { code: 'disposed' } : {}, callable.name);
      }
      // That self was disposed of, which one case does, is no problem.
      assert.deepEqual(await w.after({ wasRefused: false }).then((found) => found.filter((problem) => !/disposed/.test(problem))), [], callable.name);
      assert.deepEqual([lib.memory().tensors, lib.memory().cpu_bytes], [tensors, cpu_bytes], callable.name);
    }
    assertWorks(lib);
  });
}

test('as an operand: tensors that are none, or of another kind', () => {
  const t = new lib.Tensor([1, 2, 3]);
  const index = new lib.Tensor([0, 1], { dtype: 'int32' });
  const plan = lib.IndexPlan.along([3], 0, [0]);
  const strangers = [
    new Proxy(index, {}), Object.create(index), Object.assign(Object.create(lib.Tensor.prototype), index), lib.Tensor.prototype, stage.foreign.tensor,
    new Proxy(plan, {}), Object.create(plan), stage.foreign.plan, Object.create(lib.IndexPlan.prototype),
  ];
  for (const stranger of strangers) {
    const calls = [
      () => t.gather(0, stranger), () => t.gather_nd(stranger), () => t.scatter_(0, stranger, 1), () => t.scatter_(0, index, stranger), () => t.mul(stranger),
      () => t.mul_(stranger), () => t.scatter_add(0, index, stranger), () => t.scatter_add_(stranger, 1), () => lib.scatter_mul(t, stranger, 2),
      () => lib.scatter_mul(stranger, index, 2), () => lib.elementwise_mul(stranger, t), () => lib.elementwise_mul(t, stranger), () => new lib.Tensor(stranger),
      () => lib.trace('gather', stranger, 0, [0]), () => lib.IndexPlan.along([3], 0, stranger), () => t.gather(stranger),
    ];
    for (const call of calls) {
      const { error, threw } = attempt(call);
      assert.ok(threw, String(call));
      assertTyped(error, {}, String(call));
    }
  }
  assert.deepEqual([...t.data_sync()], [1, 2, 3]);
  const { message } = attempt(() => t.mul(new Proxy(t, {}))).error;
  assert.match(message, /Proxy/, 'the error says what it is and what to do');
});

test('a throwing call, 100,000 times', () => {
  const t = new lib.Tensor([1, 2, 3]);
  const before = lib.memory();
  const mine = new Error('mine');
  const calls = [
    () => t.scatter_(0, [0, 9], 1),
    () => t.scatter_(0, { get length() { throw mine; } }, 1),
    () => t.gather(0, [0, Symbol.iterator]),
    () => new lib.Tensor([[1, 2], [3]]),
    () => lib.Tensor.prototype.clone.call({}),
  ];
  for (let n = 0; n < 20_000; n++) for (const call of calls) attempt(call);
  assert.deepEqual(lib.memory(), before);
  assert.equal(t.mul_(2), t);
  assertWorks(lib);
});

test('a constructor whose prototype is read by code of the caller\'s', () => {
  const before = lib.memory().tensors;
  const target = new Proxy(function () {}, {
    get(original, name) {
      if (name !== 'prototype') return original[name];
      // The constructor is halfway: what these calls use and free must not become part of its tensor.
      for (let n = 0; n < 200; n++) lib.Tensor.ones([1]).dispose();
      victim = lib.Tensor.full([3], 7);
      return lib.Tensor.prototype;
    },
  });
  let victim;
  const t = Reflect.construct(lib.Tensor, [[1, 2]], target);
  t.mul_(2);
  assert.deepEqual([[...t.data_sync()], [...victim.data_sync()]], [[2, 4], [7, 7, 7]]);
  t.dispose();
  assert.deepEqual([...victim.data_sync()], [7, 7, 7]);
  victim.dispose();
  assert.equal(lib.memory().tensors, before);
});

test('a class that is given another parent', () => {
  const t = new lib.Tensor([1, 2]);
  const before = lib.memory().tensors;
  const makers = { Tensor: () => new lib.Tensor([3]), IndexPlan: () => lib.IndexPlan.along([3], 0, [0]) };
  for (const [name, make] of Object.entries(makers)) {
    const parent = Object.getPrototypeOf(lib[name]);
    Object.setPrototypeOf(lib[name], function () { return t; });
    try {
      refused(make, name);
    } finally {
      Object.setPrototypeOf(lib[name], parent);
    }
    assertWritable(t);
    assert.equal(lib.memory().tensors, before, name);
  }
  assertWorks(lib);
});

test('a constructor that is called a second time on one object', () => {
  const before = lib.memory().tensors;
  class Twice extends lib.Tensor {
    constructor() {
      super([1, 2]);
      try {
        super([3, 4, 5]);
      } catch {
        // `this` is bound already; nothing refers to the second tensor
      }
    }
  }
  const t = new Twice();
  assert.deepEqual([...t.data_sync()], [1, 2]);
  t.dispose();
  assert.ok(lib.memory().tensors <= before + 1, 'the collector has the second one');
  // A constructor that returns an object of the caller's: nothing of it is changed or taken for a tensor.
  const Base = Object.setPrototypeOf(function () { return Object.freeze({ own: true }); }, lib.Tensor);
  const odd = attempt(() => Reflect.construct(lib.Tensor, [[1]], Base));
  if (odd.threw) assertTyped(odd.error);
  assertWorks(lib);
});
