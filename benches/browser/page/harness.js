// What every rival's page runs: the driver loads a case, then takes samples of its modes in turn with the other pages.

import { expected, judge } from './oracle.js';
import { cliffs, makeInputs, sized, workloads } from './workloads.js';

export function serveBench(rival) {
  let current;

  const api = {
    start: () => rival.start(),

    /** Prepares one case and checks each mode. `{ modes: { name: { verdict, note, estimate } } }` or `{ lacks }`. */
    async load({ id, size, dtype, oneSlot, modes: wanted, warm = 60, patience = Infinity }) {
      await api.unload();
      const w = sized([...workloads, ...cliffs].find((one) => one.id === id), size);
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
      await mode.before?.();
      const begin = performance.now();
      for (let i = 0; i < calls; i++) {
        const done = mode.run();
        if (done instanceof Promise) await done;
      }
      await mode.settle?.();
      return (performance.now() - begin) / calls;
    },

    async unload() {
      await current?.prepared.dispose?.();
      current = undefined;
    },
  };

  async function check(mode, w, inputs, name) {
    try {
      if (mode.limit) return { verdict: 'limit', estimate: await estimate(name) };
      const source = name.startsWith('in place') ? inputs.unit : inputs.src;
      const wanted = expected(w, inputs, source);
      const begin = performance.now();
      const got = await mode.result();
      const once = performance.now() - begin;
      const first = judge(got, wanted);
      // The first call compiles as well; what takes this long does not take it for that.
      if (once > 5 * current.patience) return { slow: `one call takes ${(once / 1000).toFixed(0)} s here`, verdict: first };
      const time = await estimate(name);
      // Once more after many calls: reused memory is where results go wrong. In place the table has moved on.
      const later = name.startsWith('in place') || time > 300 ? first : judge(await mode.result(), wanted);
      return { verdict: worse(first, later), estimate: time };
    } catch (error) {
      return { failed: String(error?.message ?? error).slice(0, 300) };
    }
  }

  const worse = (a, b) => [a, b].find((verdict) => !['exact', 'rounded'].includes(verdict)) ?? (a === b ? a : 'rounded');

  /** Warms up and estimates: the best of a few samples that grow until the clock, which ticks every 0.1 ms, can tell. */
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
