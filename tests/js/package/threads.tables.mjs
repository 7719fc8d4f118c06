// Runs tables of tests/js/web on threads, in a process that `threads.node.mjs` was imported into; threads.test.mjs starts it. Prints the outcome
// as JSON. Arguments: how many threads, the least work of a chunk, and what to run: `vectors`, `random`,
// `colliding` for the calls of threads.colliding.mjs, or `trap` for a call that traps.

import { runFile } from '../web/conformance.js';
import { runRandom } from '../web/random.js';
import { readdirSync } from 'node:fs';
import * as library from 'scatterwise';
import { runColliding } from './threads.colliding.mjs';

const { backend, divide, init, Tensor } = library;
const [threads, work, what] = process.argv.slice(2);
await init({ device: 'cpu', threads: Number(threads) });
divide(Number(work));

const outcome = { threads: backend().threads, failures: [], ran: 0 };
if (what === 'trap') {
  try {
    for (let call = 0; call < 1000; call++) Tensor.ones([64, 64]).mul([2]).dispose();
  } catch ({ code }) {
    outcome.code = code;
  }
} else if (what === 'colliding') {
  Object.assign(outcome, runColliding(library, Number(work)));
} else if (what === 'random') {
  const { failures } = await runRandom({ seed: 5, count: 2000, devices: ['cpu'] });
  outcome.failures.push(...failures.cpu);
  outcome.ran = 2000;
} else {
  for (const file of readdirSync(new URL('../../vectors', import.meta.url)).filter((name) => name.endsWith('.json'))) {
    const { ran, failures } = await runFile(file.replace('.json', ''), 'cpu');
    outcome.ran += ran;
    outcome.failures.push(...failures);
  }
}
outcome.failures = outcome.failures.slice(0, 10);
console.log(JSON.stringify(outcome));
