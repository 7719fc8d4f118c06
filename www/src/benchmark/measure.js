import { judge } from '../../../benches/browser/page/oracle.js';
import { byHand, byPeer, byUs } from './ways.js';
import { workloads } from './workloads.js';

/** A sample lasts at least so long, in ms: browsers round their clocks. */
const SAMPLE = 8;
const WARM_UP = 100; // a browser compiles a loop anew while it runs
const ROUNDS = 9;
const MOST_CALLS = 4096;

/**
 * The outcome of one implementation: ms a call and the quartiles, if the result is right. `verdict` compares with the loop:
 * the same bits, rounded differently, wrong; or the library has no such operator, or it failed.
 * @typedef {{ verdict: 'exact' | 'rounded' | 'wrong' | 'lacks' | 'failed', median?: number, low?: number, high?: number }} Outcome
 */

/**
 * Measures one workload at one size: each round takes a sample of every implementation. A result is checked before it is timed.
 * @param {string} name @param {number} size @param {string[]} chosen the loop is among them
 * @param {Record<string, import('./peers/index.js').Peer>} peers those that are loaded
 * @returns {Promise<Record<string, Outcome>>}
 */
export async function measure(name, size, chosen, peers) {
  const workload = workloads[name];
  const arrays = workload.make(size);
  const expected = arrays[workload.out].slice();
  workload.loop({ ...arrays, [workload.out]: expected });
  const outcomes = {};
  const running = [];
  try {
    for (const id of chosen) {
      const { way, ...outcome } = await start(id, workload, arrays, peers[id], expected);
      outcomes[id] = outcome;
      if (way) running.push({ id, way, samples: [] });
    }
    for (const each of running) each.calls = await callsFor(each.way);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { way, calls, samples } of running) samples.push((await time(way, calls)) / calls);
    }
    for (const { id, samples } of running) Object.assign(outcomes[id], quartiles(samples));
    return outcomes;
  } finally {
    for (const { way } of running) await way.dispose();
  }
}

/** An implementation that is ready to be timed if its result is right; otherwise the reason. */
async function start(id, workload, arrays, peer, expected) {
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
    if (!peer) throw error; // a fault of ours is not a footnote
    console.warn(`${id}: ${error?.message ?? error}`);
    await way?.dispose();
    return { verdict: 'failed' };
  }
}

function quartiles(samples) {
  const all = samples.toSorted((a, b) => a - b);
  const at = (q) => all[Math.round(q * (all.length - 1))];
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

async function time(way, calls) {
  await way.before?.();
  const started = performance.now();
  await way.run(calls);
  return performance.now() - started;
}

/** Warms up, and finds how many calls make a sample. */
async function callsFor(way) {
  let [calls, spent, last] = [1, 0, 0];
  while (spent < WARM_UP || (last < SAMPLE && calls < MOST_CALLS)) {
    last = await time(way, calls);
    spent += last;
    if (last < SAMPLE && calls < MOST_CALLS) calls *= 2;
    else if (spent >= WARM_UP) break;
  }
  return calls;
}
