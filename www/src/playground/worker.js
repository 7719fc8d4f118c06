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

/** The name of the code in stacks; the worker itself has none. */
const SOURCE = 'playground-code';

/** A function of the tools, whose body is `code`, in a block of its own: there it may declare names that the package has too. */
const functionOf = (code, tools) =>
  new AsyncFunction(...names, ...Object.keys(tools), `'use strict';{\n${code}\n}\n//# sourceURL=${SOURCE}`);

/** The line of an error's innermost frame in such a function, as the engine counts lines; 0 where it does not say. */
function rawLine(error) {
  // Firefox gives the name `… > AsyncFunction`.
  const found = new RegExp(`(?:${SOURCE}|> \\w*Function):(\\d+):\\d+`).exec(error?.stack);
  return found ? Number(found[1]) : 0;
}

/** The line of the code in which an error was thrown, or that called what threw it; 0 where it is not known. */
async function lineOf(error) {
  // Engines put lines of their own before the body: how many, an error in the first line of a function says.
  const first = await functionOf('throw new Error()', {})().catch(rawLine);
  const raw = rawLine(error);
  return raw > 0 ? raw - first + 1 : 0;
}

/** What shows nothing, for a run of which only the time counts. */
const silent = {
  show: async () => {},
  console: Object.assign(Object.create(console), Object.fromEntries(levels.map((level) => [level, () => {}]))),
  $value: async (_line, value) => void (await value),
};

/**
 * Runs the code and resolves to how many ms it took, until the GPU had done its part, when everything it showed is posted.
 * @param {string} code @param {object} [others] tools in the place of the usual ones
 */
async function run(code, others = {}) {
  const tools = {
    console: shownConsole,
    $package: scatterwise, // for the imports of the code: see transform.js
    $exports: exports,
    show: (...values) => show('show', 0, values),
    $value: async (line, value) => {
      const settled = await value;
      if (settled !== undefined) await show('value', line, [settled]);
    },
    ...others,
  };
  // Parsed by itself first: in the block of `functionOf`, code with a brace too many could parse, and an error could be about the block.
  new AsyncFunction(`'use strict';${code}`);
  const body = functionOf(code, tools);
  const started = performance.now();
  const returned = await body(...names.map((name) => scatterwise[name]), ...Object.values(tools));
  await scatterwise.sync();
  const ms = performance.now() - started;
  if (returned !== undefined && others !== silent) show('value', 0, [returned]);
  await posted;
  return ms;
}

/**
 * Has the library on threads find its files, by name, in this worker: it has no network, and `fetch` and `Worker` take addresses. The library believes
 * that it lies at the address of sandbox-plugin.js.
 */
function serveFiles(files) {
  const named = (url) => files[String(url).split('/').pop()];
  const { fetch, Worker } = self;
  self.fetch = async (url, ...more) => (named(url) ? new Response(named(url), { headers: { 'content-type': 'application/wasm' } }) : fetch(url, ...more));
  // The script of a thread imports nothing, so it need not be a module, which an opaque origin could not load.
  self.Worker = class extends Worker {
    constructor(url, ...more) {
      const text = named(url);
      super(text ? URL.createObjectURL(new Blob([text], { type: 'text/javascript' })) : url, ...(text ? [] : more));
    }
  };
}

self.addEventListener('message', async ({ data: { code, device, wasm, files, isTwice } }) => {
  try {
    if (files) serveFiles(files);
    await init({ device, ...(wasm && { wasm }) });
    post({ type: 'ready', info: scatterwise.backend() });
    const ms = await run(code);
    // Code that cannot run a second time has no second time.
    const again = isTwice ? await run(code, silent).catch(() => undefined) : undefined;
    post({ type: 'done', ms, again });
  } catch (error) {
    await posted.catch(() => {}); // earlier outputs come before the error
    post({ type: 'failed', failure: describeFailure(error), line: await lineOf(error) });
  }
});
