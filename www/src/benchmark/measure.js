import { judge } from '../../../benches/browser/page/oracle.js';
import { byHand, byPeer, byUs } from './ways.js';
import { workloads } from './workloads.js';

/** A sample is as many calls in a row as take at least so long, in ms: browsers round their clocks. */
const SAMPLE_MS = 8;
const WARM_UP_MS = 100; // ms: a browser recompiles a loop while it runs
const ROUNDS = 9;
const MOST_CALLS = 4096; // of a sample

/**
 * The outcome of one implementation. `verdict` compares its result with that of the loop: the same bits, rounded differently, wrong; or the
 * library has no such operator, or it failed. Where the result is right there are times, in ms a call: the median and the quartiles.
 * @typedef {{ verdict: 'exact' | 'rounded' | 'wrong' | 'lacks' | 'failed', median?: number, low?: number, high?: number }} Outcome
 */

/**
 * Measures one workload at one size: each round takes a sample of every implementation. A result is checked before it is timed.
 * @param {string} name of the workload @param {number} size in elements @param {string[]} chosen ids of implementations
 * @param {Record<string, import('./peers/index.js').Peer>} peers the libraries that are loaded
 * @returns {Promise<Record<string, Outcome>>} by the ids in `chosen`
 */
export async function measure(name, size, chosen, peers) {
  const workload = workloads[name];
  const arrays = workload.make(size);
  const expected = arrays[workload.out].slice();
  workload.loop({ ...arrays, [workload.out]: expected }); // into `expected`; the operands stay as they are
  const outcomes = {};
  const running = [];
  try {
    for (const id of chosen) {
      const { way, ...outcome } = await prepareWay(id, workload, arrays, peers[id], expected);
      outcomes[id] = outcome;
      if (way) running.push({ id, way, samples: [] });
    }
    for (const each of running) each.calls = await callsOfSample(each.way);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { way, calls, samples } of running) samples.push((await time(way, calls)) / calls);
    }
    for (const { id, samples } of running) Object.assign(outcomes[id], quartiles(samples));
    return outcomes;
  } finally {
    for (const { way } of running) await way.dispose();
  }
}

/**
 * An implementation that is ready to be timed, as `way`, if its result is right; otherwise the reason alone. A library that fails is an
 * outcome, for which there is a verdict; anything else that fails is a fault of this site, and is thrown.
 * @param {string} id @param {import('./workloads.js').Workload} workload @param {Record<string, Int32Array | Float32Array>} arrays the operands
 * @param {import('./peers/index.js').Peer | undefined} peer for the id of a library @param {Int32Array | Float32Array} expected the right result
 * @returns {Promise<{ verdict: Outcome['verdict'], way?: import('./ways.js').Way }>}
 */
async function prepareWay(id, workload, arrays, peer, expected) {
  let way;
  try {
    way = await (id === 'loop' ? byHand(workload, arrays) : peer ? byPeer(workload, arrays, peer) : byUs(workload, arrays, id));
    if (!way) return { verdict: 'lacks' };
    const verdict = judge(await way.result(), expected);
    if (verdict === 'exact' || verdict === 'rounded') return { verdict, way };
    console.warn(`${id}: ${verdict}`);
    await way.dispose();
    return { verdict: 'wrong' };
  } catch (error) {
    if (!peer) throw error;
    console.warn(`${id}: ${error?.message ?? error}`);
    await way?.dispose();
    return { verdict: 'failed' };
  }
}

/** The median and the quartiles, of times in ms. */
function quartiles(samples) {
  const all = samples.toSorted((a, b) => a - b);
  const at = (share) => all[Math.round(share * (all.length - 1))];
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** How many ms `calls` calls in a row take. */
async function time(way, calls) {
  await way.before?.();
  const started = performance.now();
  await way.run(calls);
  return performance.now() - started;
}

/** Warms up, and finds how many calls make a sample: a power of two, as the number is doubled until they last long enough. */
async function callsOfSample(way) {
  let [calls, spent, last] = [1, 0, 0]; // ms in all, and ms of the last sample
  const isShort = () => last < SAMPLE_MS && calls < MOST_CALLS;
  while (spent < WARM_UP_MS || isShort()) {
    last = await time(way, calls);
    spent += last;
    if (isShort()) calls *= 2;
  }
  return calls;
}
