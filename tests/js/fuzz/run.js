// Runs the parts and counts. The same in Node and in a page: what only one of them has comes in through `platform`.

import { archivePart } from './part.archive.js';
import { adversarialPart } from './part.adversarial.js';
import { lifetimePart } from './part.lifetime.js';
import { memoryPart } from './part.memory.js';
import { npyPart } from './part.npy.js';
import { oraclePart } from './part.oracle.js';
import { overflowPart } from './part.overflow.js';
import { reentryPart } from './part.reentry.js';
import { say } from './outcome.js';
import { Stage } from './world.js';

/**
 * Each part is an async generator, called with the stage and `{ seed, calls, platform }`. It makes about `calls` calls, and yields for
 * each, or for some together, `{ name, callable, problems, ran }`: the call in words; the function or what else was tried (`name` where it
 * is not given); what was wrong, null where nothing was; and how many calls it was (1 where it is not given).
 */
const parts = { adversarial: adversarialPart, oracle: oraclePart, lifetime: lifetimePart, reentry: reentryPart, overflow: overflowPart, npy: npyPart, archive: archivePart, memory: memoryPart };
export const partNames = Object.keys(parts);
/** Which part of all calls each makes; the rest are adversarial ones. */
const shares = { oracle: 0.2, lifetime: 0.08, reentry: 0.08, overflow: 0.3, npy: 0.03, archive: 0.005, memory: 0.002 };

/** A part ends early where it has broken the package more often than this. */
const MOST_RESTARTS = 60;

/**
 * Runs the `chosen` parts, for about `calls` calls or `minutes`, whichever ends first; all calls follow from the `seed`. `load()` imports a
 * fresh copy of the package and starts it; `plant(lib, stage)` may put a fault into it; `platform` is what package.mjs has of Node. `tell`
 * gets a line for each part, and the run ends where `stop(fault)` is true of a fault. Resolves to the report:
 * - `counts`: the calls, by part. `kinds`: how often calls ended in each way that `kindOf` tells apart, or with a 'value'.
 * - `faults`: `{ part, call, callable, problem }` of what was wrong, once for each callable and text. `times`: how often something was
 *   wrong.
 * - `restarts`: how often a call broke the package, so that it was loaded again.
 */
export async function fuzz({ load, device = 'cpu', seed = 1, calls = 10_000, minutes = Infinity, chosen = partNames, platform = {}, plant, tell = () => {}, stop = () => false }) {
  const report = { seed, counts: {}, kinds: {}, faults: [], times: 0, restarts: 0 };
  const until = Date.now() + minutes * 60_000;
  const taken = chosen.reduce((sum, name) => sum + (shares[name] ?? 0), 0);
  const seen = new Set();
  Error.stackTraceLimit = 0; // much of the time would go into texts that nobody reads
  for (const name of chosen) {
    const start = Date.now();
    const share = chosen.length === 1 ? 1 : (shares[name] ?? 1 - taken);
    const stage = await new Stage(load, device, plant).open();
    let count = 0;
    const options = { seed, calls: Math.round(calls * share), platform };
    for await (const { name: call, callable = name, problems, ran = 1 } of parts[name](stage, options)) {
      count += ran;
      if (problems) {
        report.times += 1;
        for (const problem of problems) note(report, seen, { part: name, call, callable, problem });
        if (report.faults.some(stop)) return report;
        if (isFatal(problems)) {
          if (++report.restarts > MOST_RESTARTS) break;
          await stage.open();
        }
      }
      if (count % 100 < ran && Date.now() > until) break; // the clock is read every 100 calls
    }
    for (const error of platform.uncaught?.splice(0) ?? []) note(report, seen, { part: name, call: 'a finalizer', callable: 'a finalizer', problem: `throws ${say(error)}` });
    for (const problem of await stage.close()) note(report, seen, { part: name, call: 'the end', callable: 'the end', problem });
    report.counts[name] = count;
    for (const [kind, times] of Object.entries(stage.kinds)) report.kinds[kind] = (report.kinds[kind] ?? 0) + times;
    tell(`${name}: ${count} calls in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
  return report;
}

/**
 * Keeps one fault of each callable (the name of a function, or what else was tried) and text. Texts are the same if they begin alike for
 * 90 characters, whatever the numbers: the ends of longer ones are values.
 */
function note(report, seen, fault) {
  const key = `${fault.callable} ${fault.problem.replace(/0x[\da-f]+|-?[\d.]+(e[+-]\d+)?|NaN|-?Infinity/g, '#').slice(0, 90)}`;
  if (seen.has(key)) return;
  seen.add(key);
  report.faults.push(fault);
}

/** Whether the package may be broken by what happened, so that later calls would say nothing. */
const isFatal = (problems) => problems.some((problem) => /a trap|next call|another tensor|cannot be written/.test(problem));
