// `node tests/fuzz/fuzz.mjs --calls N --seed S [--entry PATH] [--minutes M] [--part NAME]…`: tries to break the package from JavaScript,
// the same way for the same seed. Prints what it did; exits with 1 where something was wrong.

import { fileURLToPath, pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fuzz, partNames } from './run.js';

const built = fileURLToPath(new URL('../../target/npm/scatterwise/node.js', import.meta.url));
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000000' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: 'Infinity' },
    entry: { type: 'string', default: built },
    part: { type: 'string', multiple: true, default: partNames },
  },
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** What only Node has. */
export const platform = {
  /** Lets finalizers run: they never do within one synchronous task. */
  async collect() {
    collect();
    await new Promise((done) => setTimeout(done, 0));
  },
  /** What nobody caught: traps in finalizers. */
  uncaught: [],
  big: process.env.BIG === '1',
};

let copies = 0;
/** A fresh copy of the package, started. */
export async function load() {
  const lib = await import(`${pathToFileURL(resolve(values.entry)).href}?copy=${process.pid}-${copies++}`);
  await lib.init({ device: 'cpu' });
  return lib;
}

// A getter of `then` that throws rejects promises that nobody made.
process.on('unhandledRejection', () => {});
process.on('uncaughtException', (error) => platform.uncaught.push(error));

const start = Date.now();
const report = await fuzz({ load, seed: Number(values.seed), calls: Number(values.calls), minutes: Number(values.minutes), chosen: values.part, platform, tell: (line) => console.log(line) });
const total = Object.values(report.counts).reduce((sum, count) => sum + count, 0);
for (const { part, call, problem } of report.faults) console.log(`FAULT ${part}: ${call}\n      ${problem}`);
console.log(`ended: ${JSON.stringify(report.kinds)}`);
console.log(`seed ${values.seed}: ${total} calls in ${((Date.now() - start) / 1000).toFixed(1)} s, ${report.times} wrong, ${report.faults.length} kinds of fault, ${report.restarts} restarts`);
process.exitCode = report.faults.length > 0 ? 1 : 0;
