// What every rival's page runs: the driver loads a case, then takes samples of its modes in turn with the other pages.
//
// A rival has `start()`, which resolves to facts about itself, and `prepare(w, inputs, dtype)`, where `w` is a workload as `sized` makes it and
// `inputs` are those of `makeInputs`. `prepare` returns, or resolves to, `{ modes, note, dispose }`, or a text that says what the rival
// lacks. A mode has
// - `run()`: one call, which may return a promise;
// - `result()`: one call and its result as a typed array, or as a list of them for a workload of groups.js, or a promise of that;
// - `before()` and `settle()`, where needed: run before a sample, and waited for at its end, until a GPU is done;
// - `note`: how the rival computes it, where that is not its own operator; else the note of all modes is taken;
// - `limit`: whether it is a copy of as many bytes, which has no result;
// - `pause`: milliseconds to wait before each call, which are not counted.

import { groups } from './groups.js';
import { isUnstable } from './groups-oracle.js';
import { expected, isRace, judge } from './oracle.js';
import { contended, makeInputs, planned, sized, workloads } from './workloads.js';

/** Puts the functions that the driver calls on the page, as `bench`. */
export function serveBench(rival) {
  let current; // the case that is loaded: { prepared, w, warm, patience }

  const api = {
    start: () => rival.start(),

    /**
     * Prepares one case, in place of the one before, and checks each mode, or each of the wanted ones. `warm`: the milliseconds to warm up for.
     * `patience`: the milliseconds that a call may take. Resolves to `{ modes: { name: { verdict, note, estimate } } }` or `{ lacks }`; a
     * mode may have `failed` or `slow`, a reason, and is then not there to be sampled.
     */
    async load({ id, size, dtype, oneSlot, modes: wanted, warm = 60, patience = Infinity }) {
      await api.unload();
      const w = sized([...workloads, ...contended, ...planned, ...groups].find((one) => one.id === id), size);
      const inputs = makeInputs(w, dtype, { oneSlot });
      const prepared = await rival.prepare(w, inputs, dtype);
      if (typeof prepared === 'string') return { lacks: prepared };
      current = { prepared, w, warm, patience };
      const results = {};
      for (const [name, mode] of Object.entries(prepared.modes)) {
        if (wanted && !wanted.includes(name)) continue;
        results[name] = { note: mode.note ?? prepared.note, ...(await check(mode, w, inputs, name)) };
        if (results[name].failed || results[name].slow) delete prepared.modes[name];
      }
      return { modes: results };
    },

    /** The milliseconds of one call, from `calls` in a row. */
    async sample({ mode: name, calls }) {
      const mode = current.prepared.modes[name];
      if (mode.pause) return sampleApart(mode, calls);
      await mode.before?.();
      const begin = performance.now();
      for (let i = 0; i < calls; i++) {
        const done = mode.run();
        if (done instanceof Promise) await done;
      }
      await mode.settle?.();
      return (performance.now() - begin) / calls;
    },

    /** Disposes of the case that is loaded, if there is one. */
    async unload() {
      await current?.prepared.dispose?.();
      current = undefined;
    },
  };

  /** The milliseconds of one call, from up to 5 with pauses before them; their median. */
  async function sampleApart({ run, pause }, calls) {
    const times = [];
    for (let i = 0; i < Math.min(calls, 5); i++) {
      await new Promise((next) => setTimeout(next, pause));
      const begin = performance.now();
      run();
      times.push(performance.now() - begin);
    }
    return times.sort((a, b) => a - b)[times.length >> 1];
  }

  /**
   * Checks a mode of the case that is loaded. Resolves to its verdict ('racing' if a replacement keeps any update, 'unstable' if a sort mixes equal
   * values) and estimate; or to `slow`, with the verdict; or to `failed`.
   */
  async function check(mode, w, inputs, name) {
    try {
      if (mode.limit) return { verdict: 'limit', estimate: await estimate(name) };
      // In place a call is made many times on one table, with the sources that keep it in range.
      const source = name.startsWith('in place') ? inputs.unit : inputs.src;
      const wanted = expected(w, inputs, source);
      const judged = (result) => {
        const verdict = judge(result, wanted);
        if (rightness.includes(verdict)) return verdict;
        return isRace(w, inputs, source, result) ? 'racing' : isUnstable(w, inputs, result) ? 'unstable' : verdict;
      };
      const begin = performance.now();
      const got = await mode.result();
      const once = performance.now() - begin;
      const first = judged(got);
      // The first call compiles as well, but compiling does not take so long.
      if (once > 5 * current.patience) return { slow: `one call takes ${(once / 1000).toFixed(0)} s here`, verdict: first };
      const time = await estimate(name);
      // Once more after many calls: reused memory is where results go wrong. Not in place, where the table has
      // moved on, and not for a call of over 300 ms, of which there were few.
      const later = name.startsWith('in place') || time > 300 ? first : judged(await mode.result());
      return { verdict: worse(first, later), estimate: time };
    } catch (error) {
      return { failed: String(error?.message ?? error).slice(0, 300) };
    }
  }

  /** The verdict on two results together: the worse one. A wrong one is worse than all of these. */
  const rightness = ['exact', 'rounded', 'racing', 'unstable'];
  const worse = (a, b) => (rightness.indexOf(a) < 0 || (rightness.includes(b) && rightness.indexOf(a) > rightness.indexOf(b)) ? a : b);

  /**
   * Warms up a mode and estimates the milliseconds of a call: the best of a few samples. A sample has more and more calls until it takes
   * some 8 ms, because the clock ticks every 0.1 ms; one of less than 0.4 ms does not count. Calls too short even for that are taken for
   * 0.02 ms. A call that takes 300 ms or more is made once.
   */
  async function estimate(mode) {
    const [begin, warm] = [performance.now(), current.warm];
    let best = Infinity;
    let calls = 1;
    for (let round = 0; round < 12 && (round === 0 || (round === 1 && best < 300) || performance.now() - begin < warm); round++) {
      const time = await api.sample({ mode, calls });
      if (time * calls > 0.4) best = Math.min(best, time);
      if (time * calls < 8) calls = Math.min(calls * 4, 4096);
    }
    return Number.isFinite(best) ? best : 0.02;
  }

  globalThis.bench = api;
}
