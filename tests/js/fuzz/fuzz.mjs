// `node tests/js/fuzz/fuzz.mjs --calls N --seed S [--entry PATH] [--minutes M] [--part NAME]…`: tries to break the package from JavaScript,
// the same way for the same seed. Prints its work; exits with 1 after a fault.

import { parseArgs } from 'node:util';
import { catchAll, entry, load, platform } from './package.mjs';
import { fuzz, partNames } from './run.js';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000000' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: 'Infinity' },
    entry: { type: 'string', default: entry },
    part: { type: 'string', multiple: true, default: partNames },
  },
});

catchAll();
process.exitCode = 1; // unless it comes to its end below
const start = Date.now();
const report = await fuzz({ load: () => load(values.entry), seed: Number(values.seed), calls: Number(values.calls), minutes: Number(values.minutes), chosen: values.part, platform, tell: (line) => console.log(line) });
const total = Object.values(report.counts).reduce((sum, count) => sum + count, 0);
for (const { part, call, problem } of report.faults) console.log(`FAULT ${part}: ${call}\n      ${problem}`);
console.log(`ended: ${JSON.stringify(report.kinds)}`);
console.log(`seed ${values.seed}: ${total} calls in ${((Date.now() - start) / 1000).toFixed(1)} s, ${report.times} wrong, ${report.faults.length} kinds of fault, ${report.restarts} restarts`);
process.exitCode = report.faults.length > 0 ? 1 : 0;
