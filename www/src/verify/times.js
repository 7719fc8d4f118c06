import { backend, set_device, sync } from 'scatterwise';
import { sameBits } from '../shared/bits.js';
import { WAYS, dispose, ladders, operands } from './ladders.js';

/** All of it takes no longer, in ms. */
const LIMIT = 60_000;
/** A sample lasts at least so long, in ms, and several times what waiting for the GPU takes: browsers round their clocks. */
const SAMPLE = 6;
const MOST_CALLS = 256;
const SAMPLES = 3;
/** A way that takes longer than this at one size, in ms, is left out at the next, where there is more to do. */
const SLOW = 150;

/** Has every scatter go one way, by its place in WAYS, wherever it applies; says how many went it. Any number that is not a place in WAYS lets the library choose. */
const force = (way) => backend[Symbol.for('scatterwise.way')](way);
const CHOSEN = WAYS.length;

/**
 * Times at x: ms of a call for each way, which of them the library chooses, and the ways whose result is not the CPU's.
 * @typedef {{ x: number, ms: Record<string, number>, chosen: string | null, wrong: string[] }} Step
 * @typedef {{ complete: boolean, seconds: number, wait: number, ladders: Record<string, Step[]> }} Times
 */

/**
 * Times every way to scatter over sizes that grow. Ends after a minute, or where `progress` returns false. Tensors are of some 12 MB
 * together at most.
 * @param {(done: number, of: number, times: Times) => boolean} progress
 * @returns {Promise<Times>}
 */
export async function timeWays(progress) {
  await set_device('webgpu');
  const begun = performance.now();
  const times = { complete: false, seconds: 0, wait: 0, ladders: {} };
  const of = ladders.reduce((sum, { sizes }) => sum + sizes.length, 0);
  const isOver = () => performance.now() - begun > LIMIT;
  try {
    times.wait = rounded(await waiting());
    let done = 0;
    for (const ladder of ladders) {
      const steps = (times.ladders[ladder.id] = []);
      const slow = new Set();
      for (const x of ladder.sizes) {
        if (isOver() || progress(done, of, times) === false) return times;
        steps.push(await step(ladder, x, slow, times.wait, isOver));
        done += 1;
        await new Promise((next) => setTimeout(next)); // somebody may want to stop
      }
    }
    progress(done, of, times);
    times.complete = !isOver();
    return times;
  } finally {
    force(CHOSEN);
    times.seconds = rounded((performance.now() - begun) / 1000);
    await set_device('cpu');
  }
}

/** How long it takes to wait for a GPU that has nearly nothing to do. */
async function waiting() {
  const [{ make, call }] = [ladders[0]];
  const own = operands({ make, call }, 256, 'webgpu');
  try {
    const all = [];
    for (let round = 0; round < 5; round += 1) {
      const start = performance.now();
      call(own);
      await sync();
      all.push(performance.now() - start);
    }
    return Math.min(...all);
  } finally {
    dispose(own);
  }
}

async function step(ladder, x, slow, wait, isOver) {
  const right = await result(ladder, x, 'cpu');
  const found = { x, ms: {}, chosen: await chosenWay(ladder, x), wrong: [] };
  for (const way of ladder.ways) {
    if (slow.has(way) || isOver()) continue;
    const before = force(WAYS.indexOf(way));
    const own = await result(ladder, x, 'webgpu');
    if (force(WAYS.indexOf(way)) === before) continue; // it does not apply
    if (!sameBits(own, right)) found.wrong.push(way);
    const ms = await time(ladder, x, wait, isOver); // compiled by the result above
    found.ms[way] = rounded(ms);
    if (ms > SLOW) slow.add(way);
  }
  force(CHOSEN);
  return found;
}

/** The result of one call into a fresh table. */
async function result(ladder, x, device) {
  const own = operands(ladder, x, device);
  try {
    ladder.call(own);
    return await own.table.data();
  } finally {
    dispose(own);
  }
}

async function chosenWay(ladder, x) {
  const counts = WAYS.map((_, at) => force(at));
  force(CHOSEN);
  await result(ladder, x, 'webgpu');
  const now = WAYS.map((_, at) => force(at));
  force(CHOSEN);
  return WAYS.find((_, at) => now[at] > counts[at]) ?? null;
}

/** ms of a call: of several samples the one in the middle; of what is slow, one. */
async function time(ladder, x, wait, isOver) {
  const own = operands(ladder, x, 'webgpu');
  try {
    const least = Math.min(Math.max(SAMPLE, 3 * wait), SLOW);
    let calls = 1;
    let last = await sample(ladder, own, calls);
    while (last < least && calls < MOST_CALLS) {
      calls *= 2;
      last = await sample(ladder, own, calls);
    }
    const all = [last];
    while (all.length < SAMPLES && last < 2 * SLOW && !isOver()) all.push(await sample(ladder, own, calls));
    return all.sort((a, b) => a - b)[all.length >> 1] / calls;
  } finally {
    dispose(own);
  }
}

async function sample({ call }, own, calls) {
  const start = performance.now();
  for (let at = 0; at < calls; at += 1) call(own);
  await sync();
  return performance.now() - start;
}

const rounded = (value) => Number(value.toPrecision(4));
