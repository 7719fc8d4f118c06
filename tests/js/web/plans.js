// Plans, in the page that imports this. Each function resolves to data that can be sent to Node.

import { Numbers } from '../../../src/js/verify/numbers.js';
import * as library from '../../../target/npm/scatterwise/index.js';
import { difference, typed, untyped } from '../calls/elements.js';
import { planOf, run } from '../calls/make.js';
import { wideCall } from '../calls/random.js';

const { IndexPlan, Parameter, Tensor, memory, scatter_mul, set_device, sync } = library;
const DEVICES = ['cpu', 'webgpu'];

/**
 * Runs `count` random calls on each device in four ways: without a plan, twice with one that was made on the CPU and serves both devices,
 * and with one that was made of the index on that device. Resolves to how many calls `ran`, how many results were `compared` with that
 * without a plan, and the `failures`.
 */
export async function runRandomPlans({ seed, count }) {
  const outcome = { failures: [], ran: 0, compared: 0 };
  for (let n = 0; outcome.ran < count; n++) {
    const call = wideCall(new Numbers(seed, n));
    if (!call.index) continue;
    outcome.ran += 1;
    const made = [];
    const tensor = ({ dtype, shape, data }, device) => {
      made.push(new Tensor(typed(dtype, untyped(data)), { dtype, shape, device }));
      return made.at(-1);
    };
    const shared = planOf(call, tensor(call.index, 'cpu'), library, made);
    // With a plan of tuples it is added in place, which is to give the same.
    const planned = call.op === 'Tensor.scatter_add' && call.form === 'nd' ? { ...call, op: 'Tensor.scatter_add_' } : call;
    const results = DEVICES.map((device) => {
      let index = tensor(call.index, device);
      if (call.computed) made.push((index = index.mul(1)));
      const own = planOf(call, index, library, made);
      const ways = [[call, { index }], [planned, { plan: shared }], [planned, { plan: shared }], [planned, { plan: own }]];
      const reads = ways.map(([way, where]) => {
        const self = tensor(call.self, device);
        const source = call.source === call.self ? self : call.source?.shape ? tensor(call.source, device) : call.source?.scalar;
        const result = run(library, way, { self, source, ...where });
        made.push(result);
        return result.data();
      });
      return Promise.all(reads);
    });
    for (const [k, result] of results.entries()) {
      const [direct, ...planned] = (await result).map(untyped);
      for (const [way, bytes] of planned.entries()) {
        outcome.compared += 1;
        const found = difference(call.self.dtype, bytes, direct, { payloads: false });
        if (found) outcome.failures.push({ id: `call ${n}: ${call.op} on ${DEVICES[k]}, plan ${way}`, ...found });
      }
    }
    for (const each of made) each.dispose();
  }
  return outcome;
}

/** The error of a call as data, or 'no error'. */
const told = (call) => {
  try {
    call();
    return 'no error';
  } catch ({ name, code, op, argument, message }) {
    return { name, code, op, argument, message };
  }
};

/**
 * What the class is; the errors of uses of a disposed plan (`disposed`) and of wrong uses (`wrong`); and the values after them (`after`).
 */
export function theClass() {
  const plan = IndexPlan.along([3], 0, [0, 2]);
  const t = new Parameter([1, 2, 3], { device: 'cpu' });
  const facts = {
    isPlan: plan instanceof IndexPlan,
    name: IndexPlan.name,
    shape: plan.shape,
    updates: plan.updates,
    has_duplicates: plan.has_duplicates,
    sameObject: t.scatter_(plan, 9) === t && t.scatter_add_(plan, 1) === t && scatter_mul(t, plan, 2) === t,
    values: Array.from(t.data_sync()),
    isTensor: t.gather(plan) instanceof Tensor,
  };
  (Symbol.dispose ? plan[Symbol.dispose] : plan.dispose).call(plan);
  plan.dispose();
  const other = IndexPlan.along([3], 0, [0]);
  other.dispose();
  facts.disposed = [
    ...[() => t.scatter_(plan, 1), () => t.scatter(plan, 1), () => t.scatter_add(plan, 1), () => t.scatter_add_(plan, 1)],
    ...[() => t.gather(plan), () => t.gather_nd(plan), () => scatter_mul(t, plan, 1), () => t.scatter_(other, 1)],
    ...[() => plan.updates, () => plan.has_duplicates, () => plan.shape, () => plan.ready()],
  ].map(told);
  facts.wrong = [
    ...[() => new IndexPlan(), () => IndexPlan.along(), () => IndexPlan.along([3]), () => IndexPlan.along([3], 0), () => IndexPlan.nd([3])],
    ...[() => IndexPlan.along([3], 0, plan), () => t.mul(plan), () => t.scatter_(0, plan, 1), () => t.scatter_(Object.create(IndexPlan.prototype), 1)],
    ...[() => t.scatter_({ __proto__: IndexPlan.prototype, __wbg_ptr: -5 }, 1)], // a pointer as wasm-bindgen's own classes keep it
  ].map(told);
  facts.after = Array.from(t.data_sync());
  return facts;
}

/**
 * Makes, uses and disposes of a plan in each of the `rounds`, on both devices, which are switched between. Resolves to `memory()` before,
 * during and after that, and to whether both devices counted the same.
 */
export async function soak(rounds) {
  const t = Tensor.zeros([500], { device: 'webgpu' });
  const here = Tensor.zeros([500], { device: 'cpu' });
  const bins = Int32Array.from({ length: 1000 }, (_, k) => (k * 7) % 500);
  const use = async (plan) => {
    t.scatter_add_(plan, 1);
    here.scatter_add_(plan, 1);
    const results = [t.gather(plan), here.gather(plan)];
    await results[0].data();
    for (const result of results) result.dispose();
  };
  const warm = IndexPlan.along([500], 0, bins);
  await use(warm);
  warm.dispose();
  await sync();
  const before = memory();
  let during = null;
  for (let round = 0; round < rounds; round++) {
    const plan = IndexPlan.along([500], 0, bins);
    plan.has_duplicates;
    await use(plan);
    during ??= memory();
    plan.dispose();
    if (round % 20 === 0) await set_device(round % 40 === 0 ? 'cpu' : 'webgpu');
  }
  await set_device('webgpu');
  await sync();
  const after = memory();
  const same = (await t.data()).every((count, k) => count === here.data_sync()[k]);
  t.dispose();
  here.dispose();
  return { before, during, after, same };
}
