import { force_way, init, set_device, sync } from 'scatterwise/timing';
import { sameBits } from '../shared/bits.js';
import { WAYS, dispose, ladders, operands } from './ladders.js';

/** After this time, in ms, nothing new is begun. */
const LIMIT_MS = 60_000;
/** A sample is as many calls in a row as take at least so long, in ms, and three times what waiting for the GPU takes: browsers round their clocks. */
const SAMPLE_MS = 6;
const MOST_CALLS = 256; // of a sample
const SAMPLES = 3;
/** A way that takes longer than this at one size, in ms, is left out at all later ones of the ladder. No sample has to be longer. */
const SLOW_MS = 150;

/** No place in WAYS: `force_way` has the library choose again. */
const FREE_CHOICE = WAYS.length;

/**
 * Times at x: ms of a call for each way, which of them the library chooses (null: it could not be seen), and the ways whose result is not the CPU's.
 * Of all times: whether all was measured, how many seconds it took, and how many ms a wait for the idle GPU takes.
 * @typedef {{ x: number, ms: Record<string, number>, chosen: string | null, wrong: string[] }} Step
 * @typedef {{ complete: boolean, seconds: number, wait: number, ladders: Record<string, Step[]> }} Times
 */

/**
 * Times every way to scatter over sizes that grow. Ends after a minute, or where `progress` returns false. Tensors are of some 12 MB
 * together at most.
 * @param {(done: number, of: number, times: Times) => boolean} progress hears how many sizes are done, before each and after the last
 * @returns {Promise<Times>}
 */
export async function timeWays(progress) {
  await init({ device: 'cpu' });
  await set_device('webgpu');
  const begun = performance.now();
  const times = { complete: false, seconds: 0, wait: 0, ladders: {} };
  const of = ladders.reduce((sum, { sizes }) => sum + sizes.length, 0);
  const isOver = () => performance.now() - begun > LIMIT_MS;
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
        await new Promise((next) => setTimeout(next)); // lets the worker hear that it is to stop
      }
    }
    progress(done, of, times);
    times.complete = !isOver();
    return times;
  } finally {
    force_way(FREE_CHOICE);
    times.seconds = rounded((performance.now() - begun) / 1000);
    await set_device('cpu');
  }
}

/** How many ms it takes to wait for a GPU that has nearly nothing to do. */
async function waiting() {
  const { make, call } = ladders[0];
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

/**
 * The times of a ladder at x. Ways in `slow` are left out, and ways that turn out to be slow are put into it.
 * @param {import('./ladders.js').Ladder} ladder @param {number} x @param {Set<string>} slow @param {number} wait ms, as `waiting` finds them
 * @param {() => boolean} isOver whether the minute has passed @returns {Promise<Step>}
 */
async function step(ladder, x, slow, wait, isOver) {
  const right = await result(ladder, x, 'cpu');
  const found = { x, ms: {}, chosen: await chosenWay(ladder, x), wrong: [] };
  for (const way of ladder.ways) {
    if (slow.has(way) || isOver()) continue;
    const before = force_way(WAYS.indexOf(way));
    const own = await result(ladder, x, 'webgpu');
    if (force_way(WAYS.indexOf(way)) === before) continue; // no scatter has gone it: it does not apply
    if (!sameBits(own, right)) found.wrong.push(way);
    const ms = await time(ladder, x, wait, isOver); // the call above has compiled it
    found.ms[way] = rounded(ms);
    if (ms > SLOW_MS) slow.add(way);
  }
  force_way(FREE_CHOICE);
  return found;
}

/** The table after one call on a device. */
async function result(ladder, x, device) {
  const own = operands(ladder, x, device);
  try {
    ladder.call(own);
    return await own.table.data();
  } finally {
    dispose(own);
  }
}

/** The way that the library chooses, which is the one whose count a call raises; null where none is raised. */
async function chosenWay(ladder, x) {
  const counts = () => WAYS.map((_, at) => force_way(at)); // a count is known only while its way is forced
  const before = counts();
  force_way(FREE_CHOICE);
  await result(ladder, x, 'webgpu');
  const after = counts();
  force_way(FREE_CHOICE);
  return WAYS.find((_, at) => after[at] > before[at]) ?? null;
}

/** ms of a call by the forced way: the median of several samples, or a single one if it is slow. */
async function time(ladder, x, wait, isOver) {
  const own = operands(ladder, x, 'webgpu');
  try {
    const least = Math.min(Math.max(SAMPLE_MS, 3 * wait), SLOW_MS); // ms of a sample
    let calls = 1;
    let last = await sample(ladder, own, calls);
    while (last < least && calls < MOST_CALLS) {
      calls *= 2;
      last = await sample(ladder, own, calls);
    }
    const all = [last];
    while (all.length < SAMPLES && last < 2 * SLOW_MS && !isOver()) all.push(await sample(ladder, own, calls));
    return all.sort((a, b) => a - b)[all.length >> 1] / calls;
  } finally {
    dispose(own);
  }
}

/** How many ms `calls` calls in a row take. */
async function sample({ call }, own, calls) {
  const start = performance.now();
  for (let at = 0; at < calls; at += 1) call(own);
  await sync();
  return performance.now() - start;
}

/** A number rounded to four significant digits. */
const rounded = (value) => Number(value.toPrecision(4));
