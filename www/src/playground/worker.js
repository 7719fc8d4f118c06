// Runs the visitor's code, away from the page: see sandbox.js. `build/sandbox-plugin.js` makes one text of it and the library.
import init, * as scatterwise from 'scatterwise';
import { describeFailure } from '../engine/calls.js';
import { describe } from './describe.js';

const AsyncFunction = (async () => {}).constructor;
const names = Object.keys(scatterwise).filter((name) => name !== 'default');
const post = (message) => self.postMessage(message);

/** Ends when all that was shown so far has been posted. */
let posted = Promise.resolve();

/**
 * Posts values, in the order in which they were shown, also where one of them takes longer to read. They are read as they are now.
 * @param {string} kind and line as in `Output` of session.js @param {number} line @param {unknown[]} values
 */
function show(kind, line, values) {
  const described = Promise.all(values.map((value) => describe(value)));
  described.catch(() => {}); // The error is reported through `posted`; this only keeps it from counting as unhandled.
  posted = posted.then(async () => post({ type: 'output', kind, line, values: await described }));
  posted.catch(() => {});
  return posted;
}

const levels = ['log', 'info', 'debug', 'warn', 'error', 'table'];
/** The kind of an output, from the level of the console. */
const kindOf = (level) => (level === 'warn' || level === 'error' ? level : 'log');
const logging = Object.fromEntries(levels.map((level) => [level, (...values) => void show(kindOf(level), 0, values)]));
/** What else a console does, like measuring time, goes to the browser's own. */
const shownConsole = Object.assign(Object.create(console), logging);

/** The package's names, of which one that it has not is refused, as by an import. */
const exports = new Proxy(scatterwise, {
  get(all, name) {
    if (!(name in all)) throw new SyntaxError(`scatterwise has no export '${String(name)}'`);
    return all[name];
  },
});

/** Runs the code and resolves to how many ms it took, until the GPU had done its part, when everything it showed is posted. */
async function run(code) {
  const tools = {
    console: shownConsole,
    $package: scatterwise, // for the imports of the code: see transform.js
    $exports: exports,
    show: (...values) => show('show', 0, values),
    $value: async (line, value) => {
      const settled = await value;
      if (settled !== undefined) await show('value', line, [settled]);
    },
  };
  // Parsed by itself first: within the block below, code with a brace too many could parse, and an error could be about the block.
  new AsyncFunction(`'use strict';${code}`);
  // A block of its own: there the code may declare names that the package has too.
  const body = new AsyncFunction(...names, ...Object.keys(tools), `'use strict';{\n${code}\n}`);
  const started = performance.now();
  const returned = await body(...names.map((name) => scatterwise[name]), ...Object.values(tools));
  await scatterwise.sync();
  const ms = performance.now() - started;
  if (returned !== undefined) show('value', 0, [returned]);
  await posted;
  return ms;
}

self.addEventListener('message', async ({ data: { code, device, wasm } }) => {
  try {
    await init({ device, wasm });
    post({ type: 'ready', info: scatterwise.backend() });
    post({ type: 'done', ms: await run(code) });
  } catch (error) {
    await posted.catch(() => {}); // what was shown before comes before the error
    post({ type: 'failed', failure: describeFailure(error) });
  }
});
