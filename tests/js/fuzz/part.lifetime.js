// Part c: tensors and plans that are made, shared, disposed of and forgotten in any order, with finalizers forced now and then. What
// was forgotten has to be given back; what is still held must not change.

import { Numbers } from '../../../src/js/verify/numbers.js';
import { attempt, say } from './outcome.js';

/** When the pool holds more tensors and plans than this, a step lets go of one. */
const HELD = 60;
/** Steps of a round, after which all is let go of. */
const ROUND = 4000;
/** Collections within which all that was let go of has to be given back. */
const COLLECTIONS = 40;

/** Yields `{ name, callable, ran, problems }` for each round: see `parts` in run.js. */
export async function* lifetimePart(stage, { seed, calls, platform }) {
  const start = stage.memory();
  for (let round = 0, count = 0; count < calls; round++) {
    const ran = Math.min(ROUND, calls - count);
    const problems = await live(stage, new Numbers(seed, round), ran, platform);
    // The round ran in a function of its own: what this frame still held would not be collected.
    if (platform.collect) problems.push(...(await emptied(stage, start, platform)));
    count += ran;
    yield { name: `round ${round}`, callable: 'a life', ran, problems: problems.length > 0 ? problems : null };
  }
}

/**
 * Runs `ran` steps on a pool of `{ owned, values }`: a tensor or plan, and the values that it has to have, which a plan has none of. At
 * the end about half of them are disposed of, and the rest is forgotten. Returns the faults.
 */
async function live(stage, numbers, ran, platform) {
  const pool = [];
  const problems = [];
  for (let n = 0; n < ran && problems.length === 0; n++) {
    const { error, threw } = attempt(() => step(stage.lib, pool, numbers, problems));
    if (threw) problems.push(`step ${n}: ${say(error)}`);
    if (n % 1000 === 999) await platform.collect?.();
  }
  check(pool, problems);
  for (const held of pool.splice(0)) if (numbers.once(2)) held.owned.dispose();
  return problems;
}

/** Collects until memory is as it was at the `start`. Returns the fault if it never is. */
async function emptied(stage, start, platform) {
  let now;
  for (let n = 0; n < COLLECTIONS; n++) {
    await platform.collect();
    now = stage.memory();
    if (now.tensors === start.tensors && now.cpu_bytes === start.cpu_bytes) return [];
  }
  return [`memory() was ${JSON.stringify(start)} and is ${JSON.stringify(now)} after ${COLLECTIONS} collections`];
}

/** Notes among `problems` each tensor of the pool that has other values than it should. */
function check(pool, problems) {
  for (const { owned, values } of pool) {
    if (!values) continue;
    const found = owned.data_sync();
    if (found.length !== values.length || found.some((each, k) => each !== values[k])) problems.push(`a tensor changed: ${found} was ${values}`);
  }
}

/**
 * What a step may do, by name. Each gets the package, the random numbers and, but for `makers`, a tensor of the pool; it returns what is
 * to be in the pool from then on, or null.
 */
const steps = {
  make(lib, numbers) {
    const values = Float32Array.from({ length: 1 + numbers.below(40) }, () => numbers.below(100));
    return { owned: new lib.Tensor(values), values };
  },
  parameter(lib, numbers) {
    const values = [numbers.below(9), 1];
    return { owned: new lib.Parameter(values, { name: 'p' }), values };
  },
  subclass(lib) {
    return { owned: new (class Mine extends lib.Tensor {})([1, 2]), values: [1, 2] };
  },
  plan(lib, numbers) {
    return { owned: lib.IndexPlan.along([9], 0, [numbers.below(9), 0]) };
  },
  clone: (lib, numbers, { owned, values }) => ({ owned: owned.clone(), values: values.slice() }),
  reshape: (lib, numbers, { owned, values }) => ({ owned: owned.reshape([1, values.length]), values: values.slice() }),
  gather(lib, numbers, { owned, values }) {
    if (owned.rank !== 1) return null;
    return { owned: owned.gather(0, [0, -1]), values: [values[0], values.at(-1)] };
  },
  mul_(lib, numbers, held) {
    held.owned.mul_(2);
    held.values = held.values.map((each) => each * 2);
    return null;
  },
  refused(lib, numbers, { owned }) {
    attempt(() => owned.scatter_(9, [Symbol('x')], {}));
    return null;
  },
  promise(lib, numbers, { owned }) {
    owned.data().then(() => {});
    return null;
  },
};
/** The steps that need no tensor. */
const makers = ['make', 'parameter', 'subclass', 'plan'];
const all = Object.keys(steps);

/** One step. When the pool is full, it lets go of something: by disposing of it, once or twice, or by forgetting it. */
function step(lib, pool, numbers, problems) {
  if (pool.length > HELD) {
    const [{ owned }] = pool.splice(numbers.below(pool.length), 1);
    if (numbers.once(2)) owned.dispose();
    if (numbers.once(4)) owned.dispose();
    return;
  }
  const name = numbers.pick(all);
  const tensors = pool.filter(({ values }) => values);
  const needsTensor = !makers.includes(name);
  if (needsTensor && tensors.length === 0) return;
  const made = steps[name](lib, numbers, needsTensor ? numbers.pick(tensors) : null);
  if (made) pool.push(made);
  if (numbers.once(50)) check(pool, problems);
}
