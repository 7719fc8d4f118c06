import { sync } from 'scatterwise';
import { upload, workloads } from './workloads.js';

/** A sample lasts at least so long, in ms: browsers round their clocks. */
const SAMPLE = 8;
const WARM_UP = 100; // a browser compiles a loop anew while it runs
const ROUNDS = 9;
const MOST_CALLS = 4096;

/** Each way to run a workload: makes ready, and yields a function that runs it `count` times and is done when it returns. */
const ways = {
  loop: (workload, arrays) => {
    const own = Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, array.slice()]));
    return {
      async run(count) {
        for (let call = 0; call < count; call += 1) workload.loop(own);
      },
      result: async () => own[workload.out],
      dispose() {},
    };
  },
  cpu: (workload, arrays) => ours(workload, arrays, 'cpu'),
  webgpu: (workload, arrays) => ours(workload, arrays, 'webgpu'),
};

function ours(workload, arrays, device) {
  const tensors = upload(arrays, device);
  let last;
  return {
    async run(count) {
      for (let call = 0; call < count; call += 1) {
        const made = workload.run(tensors);
        if (!workload.fresh) continue;
        last?.dispose();
        last = made;
      }
      if (device === 'webgpu') await sync();
    },
    result: () => (workload.fresh ? last : tensors[workload.out]).data(),
    dispose() {
      last?.dispose();
      for (const tensor of Object.values(tensors)) tensor.dispose();
    },
  };
}

const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, q) => values[Math.round(q * (values.length - 1))];

/**
 * Measures one workload at one size: all ways in turn, round after round, and whether they agree after one call.
 * @param {string} name @param {number} size @param {string[]} chosen
 * @returns {Promise<Record<string, { median: number, low: number, high: number, same: boolean }>>} ms a call, and the
 *   quartiles around it; same bits as the loop
 */
export async function measure(name, size, chosen) {
  const workload = workloads[name];
  const arrays = workload.make(size);
  const running = {};
  try {
    for (const way of chosen) running[way] = { ...ways[way](workload, arrays), samples: [] };
    const expected = await firstResult(running.loop);
    for (const way of Object.values(running)) {
      way.same = way === running.loop || bitsEqual(await firstResult(way), expected);
      way.calls = await callsFor(way);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const way of Object.values(running)) way.samples.push((await time(way, way.calls)) / way.calls);
    }
    const facts = ({ samples, same }) => {
      const all = sorted(samples);
      return { median: quantile(all, 0.5), low: quantile(all, 0.25), high: quantile(all, 0.75), same };
    };
    return Object.fromEntries(Object.entries(running).map(([way, each]) => [way, facts(each)]));
  } finally {
    for (const way of Object.values(running)) way.dispose();
  }
}

async function firstResult(way) {
  await way.run(1);
  return (await way.result()).slice();
}

async function time(way, calls) {
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

function bitsEqual(one, other) {
  const [a, b] = [one, other].map((array) => new Uint32Array(array.buffer, array.byteOffset, array.length));
  return a.length === b.length && a.every((word, at) => word === b[at]);
}
