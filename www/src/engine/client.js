import { t } from '../shared/messages.js';

/**
 * The library in a worker of its own: the page stays responsive, and loads WebAssembly only when something is asked.
 * @typedef {import('../shared/picture.js').Picture} Picture
 * @typedef {{ name: string, message: string, facts: Record<string, unknown> }} Failure
 * @typedef {{ result: Picture | null, failure: Failure | null, unchanged: boolean | null }} Answer
 * @typedef {{ steps: (import('scatterwise').Step | import('scatterwise').Read)[], factors?: Factors | null, result: Picture | null, failure: Failure | null }} Trace
 * @typedef {{ places: number[], values: number[] }} Factor for each element of a product, where its factor is and what it is
 * @typedef {{ self: Factor, src: Factor, results: number[] }} Factors `results` are the values before the activation
 */

/** How long a worker may be silent while a question is open, in ms: the code of an example may never end. Shaders are compiled on WebGPU. */
const SILENCE = { cpu: 20_000, webgpu: 90_000 };

/** One worker for each device, by device: switching the library between devices would start the GPU again each time. */
const engines = new Map();
let lastId = 0; // of a question

/**
 * Starts the worker of a device. Each answer settles the question with the same number. After an uncaught error, and where it is silent for too
 * long, the worker is terminated, every open question of it is rejected, and the next question starts another one.
 */
function start(device) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const engine = { worker, open: new Map(), timer: 0 };
  const end = (why) => {
    clearTimeout(engine.timer);
    worker.terminate();
    if (engines.get(device) === engine) engines.delete(device);
    for (const { reject } of engine.open.values()) reject(new Error(why));
  };
  /** Counts the silence from now on, while a question is open. */
  engine.listen = () => {
    clearTimeout(engine.timer);
    const late = () => end(t('device.late', { seconds: SILENCE[device] / 1000 }));
    if (engine.open.size > 0) engine.timer = setTimeout(late, SILENCE[device]);
  };
  worker.addEventListener('message', ({ data: { id, value, problem } }) => {
    const { resolve, reject } = engine.open.get(id);
    engine.open.delete(id);
    engine.listen();
    if (problem) reject(new Error(problem));
    else resolve(value);
  });
  worker.addEventListener('error', ({ message }) => end(message || 'the worker could not be started'));
  engines.set(device, engine);
  return engine;
}

/** Sends a question to the worker of a device, and resolves to its answer. `kind` is a key of `answers` in worker.js. */
function ask(kind, device, question) {
  const { worker, open, listen } = engines.get(device) ?? start(device);
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    open.set(id, { resolve, reject });
    if (open.size === 1) listen();
    worker.postMessage({ id, kind, device, ...question });
  });
}

/** Makes the call that `model` describes. @returns {Promise<Answer>} */
export const call = (model, device) => ask('call', device, { model });

/** The value of the last line of some code, on the CPU. `unchanged` is null. @returns {Promise<Answer>} */
export const valueOf = (code) => ask('value', 'cpu', { code });

/** Every write or read of the call, by the library's own `trace`. @returns {Promise<Trace>} */
export const trace = (model) => ask('trace', 'cpu', { model });

/**
 * Runs an example of the documentation on one device. Of the results and errors that its comments promise there are `ran`, of which
 * `passed` came; where none is promised, that it runs counts as one. `faults` has what went wrong: its line, what was expected and
 * what was got.
 * @returns {Promise<{ ran: number, passed: number, faults: { line: number, expected: string, got: string }[] }>}
 */
export const runBlock = (code, device) => ask('block', device, { code });

/** What `rounds` other orders of the writes of a call would give; the same `seed` gives the same orders. @returns {Promise<import('./race.js').Race | null>} */
export const race = (model, rounds, seed) => ask('race', 'cpu', { model, rounds, seed });

/** The steps of a sum, in order and exactly. @returns {Promise<import('./sums.js').Sums | null>} */
export const sums = (model) => ask('sums', 'cpu', { model });
