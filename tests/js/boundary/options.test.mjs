// An option that a function does not have is refused before anything is written: by every operator of the table (src/js/arguments/operators.js), and
// by what is in no table.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { METHODS, operators, operatorsWhere, rowOf, twinOf } from '../../../src/js/arguments/operators.js';
import { ALONG, SLICES, TUPLES } from '../../../src/js/engine/wire.js';
import * as lib from 'scatterwise';
import * as devtools from 'scatterwise/devtools';
import * as files from 'scatterwise/files';
import * as threads from 'scatterwise/threads';
import * as verifying from 'scatterwise/verify';
import { assertTyped, say } from './package.mjs';

const { ExactSum, IndexPlan, init, Parameter, Tensor, trace, vjp } = lib;

before(() => init({ device: 'cpu' }));

/** Every operator by the name that errors begin with, and every in-place variant. */
const all = operators().flatMap((op) => [op, twinOf(op)].filter(Boolean));
const isMethod = (op) => op.startsWith('Tensor.');
const short = (op) => op.replace('Tensor.', '');

/** The options of all operators. */
const everyOption = [...new Set(operators().flatMap((op) => rowOf(op).options))];

/** An argument of the right kind, by its name. */
const valueOf = (name, { form, words }) => {
  const given = {
    dim: 0, dtype: 'int32', act: 'exp', statistic: 'sum', reduce: words?.[0][0], dense: [[1]], index: form === SLICES ? [0] : [[0]], indices: [[0]], edges: [0, 1],
    rows: [0], columns: [0], value: 1, values: [1], input_x: new Parameter([[1]]), x: form === TUPLES ? new Parameter([[1]]) : [[1]],
  };
  return given[name] ?? (Object.hasOwn(given, name) ? undefined : [[1]]);
};

/** Asserts that a call refuses an option: a TypeError with that code, which names the function. */
async function assertRefused(op, call, what) {
  try {
    var value = await call();
  } catch (error) {
    assertTyped(error, { name: 'TypeError', code: 'unknown-option', op, argument: 'options' }, what);
    return;
  }
  assert.fail(`${what} was not refused and gave ${say(value)}`);
}

test('every operator refuses every option that it does not have', async () => {
  for (const op of all) {
    const row = rowOf(op);
    for (const option of ['nonsense', '__proto__', ...everyOption.filter((name) => !row.options.includes(name))]) {
      const options = Object.defineProperty({}, option, { value: undefined, enumerable: true });
      const self = new Tensor([[1]]);
      const args = row.args.map((name) => valueOf(name, row));
      const owner = isMethod(op) ? self : lib;
      await assertRefused(op, () => owner[short(op)](...args, options), `${op} with ${option}`);
      assert.deepEqual(await self.tolist(), [[1]], `${op} wrote`);
      const { tuples } = row;
      if (tuples) await assertRefused(op, () => self[short(op)](...tuples.map((name) => valueOf(name, row)), options), `${op} by tuples with ${option}`);
    }
  }
});

test('operators refuse it beside a plan, in vjp and in trace', async () => {
  const plans = { [ALONG]: IndexPlan.along([1, 1], 0, [[0]]), [SLICES]: IndexPlan.select([1, 1], 0, [0]), [TUPLES]: IndexPlan.nd([1, 1], [[0]]) };
  const self = new Tensor([[1]]);
  for (const [name, row] of Object.entries(METHODS)) {
    if (!/scatter|gather/.test(row.run)) continue;
    for (const op of [`Tensor.${name}`, twinOf(`Tensor.${name}`)].filter(Boolean)) {
      const rest = row.args.filter((arg) => !/^(dim|index|indices)$/.test(arg)).map((arg) => valueOf(arg, row));
      await assertRefused(op, () => self[short(op)](plans[row.form], ...rest, { nonsense: 1 }), `${op} with a plan`);
      for (const options of [{ mode: 'clip' }, { ignore_index: 0 }]) {
        assert.throws(() => self[short(op)](plans[row.form], ...rest, options), { name: 'ValueError', code: 'unknown-option' }, `${op} with ${say(options)} beside a plan`);
      }
    }
  }
  for (const [alias, { op, name, row }] of Object.entries(operatorsWhere(({ hasGradient }) => hasGradient))) {
    const args = row.args.slice(op === name ? 1 : 0).map((arg) => valueOf(arg, row));
    await assertRefused(op, () => vjp(alias, [[1]], op === name ? valueOf(row.args[0], row) : self, ...args, { nonsense: 1 }), `vjp of ${op}`);
  }
  for (const [alias, { op, name, row }] of Object.entries(operatorsWhere(({ run }) => ['scatter', 'rows', 'gather'].includes(run)))) {
    const args = row.args.slice(op === name ? 1 : 0).map((arg) => valueOf(arg, row));
    await assertRefused(op, () => trace(alias, self, ...args, { nonsense: 1 }), `trace of ${op}`);
  }
});

const none = { nonsense: 1 };

/** A call with an option that it does not have, for each function and method that is in no table of operators. */
function callsOfOthers() {
  const t = new Tensor([[1]]);
  const sums = new ExactSum([1]);
  const plan = IndexPlan.along([1], 0, [0]);
  const groups = lib.group_by([0], 1);
  return {
    Tensor: () => new Tensor([1], none),
    'Tensor.zeros': () => Tensor.zeros([1], none),
    'Tensor.ones': () => Tensor.ones([1], none),
    'Tensor.full': () => Tensor.full([1], 1, none),
    'Tensor.arange': () => Tensor.arange(0, 1, 1, none),
    'Tensor.from_npy': () => Tensor.from_npy(new Uint8Array(1), none),
    'Tensor.from_image': () => Tensor.from_image({ data: new Uint8ClampedArray(4), width: 1, height: 1 }, none),
    'Tensor.clone': () => t.clone({ dtype: 'int32' }),
    'Tensor.reshape': () => t.reshape([1], none),
    'Tensor.to': () => t.to('cpu', none),
    'Tensor.data': () => t.data(none),
    'Tensor.data_sync': () => t.data_sync(none),
    'Tensor.with_data': () => t.with_data(() => 1, none),
    'Tensor.tolist': () => t.tolist(none),
    'Tensor.item': () => t.item(none),
    'Tensor.equals': () => t.equals(t, none),
    'Tensor.to_npy': () => t.to_npy(none),
    'Tensor.to_image': () => t.to_image(none),
    'IndexPlan.along': () => IndexPlan.along([1], 0, [0], { sum: 'exact' }),
    'IndexPlan.nd': () => IndexPlan.nd([1], [[0]], none),
    'IndexPlan.select': () => IndexPlan.select([1], 0, [0], none),
    ExactSum: () => new ExactSum([1], none),
    'ExactSum.from_bytes': () => ExactSum.from_bytes(new Uint8Array(1), none),
    'ExactSum.add': () => sums.add(0, [0], [1], { sum: 'exact' }),
    'ExactSum.merge': () => sums.merge(new ExactSum([1]), none),
    'ExactSum.sum': () => sums.sum(none),
    'ExactSum.mean': () => sums.mean(none),
    'ExactSum.count': () => sums.count(none),
    'ExactSum.to_bytes': () => sums.to_bytes(none),
    elementwise_mul: () => lib.elementwise_mul([1], [1], -1, 'exp', 'name', none),
    warm_up: () => lib.warm_up(none),
    with_data: () => lib.with_data([t], () => 1, none),
    scope: () => lib.scope(() => 1, none),
    open_scope: () => lib.open_scope(none),
    'the keep of scope': () => lib.scope((keep) => keep(new Tensor(1), new Tensor(2))),
    'the keep of open_scope': () => lib.open_scope().keep(new Tensor(1), new Tensor(2)),
    'the dispose of open_scope': () => lib.open_scope().dispose(none),
    init: () => init(none),
    initSync: () => lib.initSync(new Uint8Array(1), none),
    set_device: () => lib.set_device('cpu', none),
    backend: () => lib.backend(none),
    is_ready: () => lib.is_ready(none),
    flatnonzero_sync: () => lib.flatnonzero_sync([1], { size: 1 }),
    compress_sync: () => lib.compress_sync([true], [1], none),
    unique_sync: () => lib.unique_sync([1], none),
    memory: () => lib.memory(none),
    sync: () => lib.sync(none),
    gpu_device: () => lib.gpu_device(none),
    'Tensor.from_gpu_buffer': undefined, // needs a buffer: tests/js/web/interop.test.mjs
    'Tensor.gpu_buffer': () => t.gpu_buffer(none),
    'Tensor.dispose': () => t.dispose(none),
    'IndexPlan.ready': () => plan.ready(none),
    'IndexPlan.dispose': () => plan.dispose(none),
    'ExactSum.dispose': () => sums.dispose(none),
    group_by: () => lib.group_by([0], 1, none),
    'Groups.members_sync': () => groups.members_sync(0, none),
    'Groups.reduce': () => groups.reduce([1], 'sum', none),
    'Groups.agg': () => groups.agg([1], ['sum'], none),
    'Groups.quantile': () => groups.quantile([1], 0.5, none),
    'Groups.cumcount': () => groups.cumcount(none),
    'Groups.dispose': () => groups.dispose(none),
    keep_awake: () => threads.keep_awake(() => 1, none),
    load_npz: () => files.load_npz(new Uint8Array(1), { Tensor, ...none }),
    list_npz: () => files.list_npz(new Uint8Array(1), none),
    save_npz: () => files.save_npz({ t }, none),
    load_safetensors: () => files.load_safetensors(new Uint8Array(1), { Tensor, ...none }),
    list_safetensors: () => files.list_safetensors(new Uint8Array(1), none),
    save_safetensors: () => files.save_safetensors({ t }, none),
    show_in_devtools: () => devtools.show_in_devtools(Tensor, none),
    verify: () => verifying.verify(none),
  };
}

test('what is no operator refuses it too', async () => {
  for (const [what, call] of Object.entries(callsOfOthers())) {
    const op = what.split(' of ').at(-1);
    if (call !== undefined) await assertRefused(op, call, what);
  }
  // A call that `map` or `forEach` makes has surplus numbers.
  assert.deepEqual([['exp'], ['abs']].map(([act], at) => lib.activate([1], act, at).shape), [[1], [1]]);
});

/** What JavaScript itself calls, with arguments of its own, and classes of errors. */
const others = ['constructor', 'toString', 'toJSON', 'IndexError', 'RuntimeError', 'ValueError', 'default', 'vjp', 'trace', 'Parameter', 'IndexPlan', 'Groups'];

test('these are all functions and methods of all entries', () => {
  const known = new Set([...all, ...Object.keys(callsOfOthers())]);
  const check = (owner, prefix) => {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (typeof value !== 'function' || others.includes(name)) continue;
      assert.ok(known.has(`${prefix}${name}`), `${prefix}${name} is not tried above`);
    }
  };
  for (const entry of [lib, devtools, files, threads, verifying]) check({ ...entry }, '');
  for (const type of [Tensor, IndexPlan, ExactSum, lib.Groups]) for (const owner of [type, type.prototype]) check(owner, `${type.name}.`);
});
