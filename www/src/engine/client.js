/**
 * The library in a worker of its own: the page stays responsive, and loads WebAssembly only when something is asked.
 * @typedef {import('../shared/picture.js').Picture} Picture
 * @typedef {{ name: string, message: string, facts: Record<string, unknown> }} Failure
 * @typedef {{ result: Picture | null, failure: Failure | null, unchanged: boolean | null }} Answer
 * @typedef {{ steps: (import('scatterwise').Step | import('scatterwise').Read)[], factors?: Factors | null, result: Picture | null, failure: Failure | null }} Trace
 * @typedef {{ places: number[], values: number[] }} Factor for each element of a product, where its factor is and what it is
 * @typedef {{ self: Factor, src: Factor, products: number[] }} Factors `products` are the values before the activation
 */

/** One worker for each device: switching the library between devices would start the GPU anew each time. */
const workers = new Map();
/** The questions without an answer yet, by number. */
const open = new Map();
let last = 0;

/** Starts the worker of a device. Its answers settle the questions with their numbers; an error of its own, all that it was asked. */
function start(device) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data: { id, value, problem } }) => {
    const { resolve, reject } = open.get(id);
    open.delete(id);
    if (problem) reject(new Error(problem));
    else resolve(value);
  });
  worker.addEventListener('error', ({ message }) => {
    workers.delete(device); // the next question starts another one
    for (const [id, { reject, of }] of open) {
      if (of !== device) continue;
      open.delete(id);
      reject(new Error(message || 'the worker could not be started'));
    }
  });
  workers.set(device, worker);
}

function ask(kind, device, question) {
  if (!workers.has(device)) start(device);
  last += 1;
  const id = last;
  return new Promise((resolve, reject) => {
    open.set(id, { resolve, reject, of: device });
    workers.get(device).postMessage({ id, kind, device, ...question });
  });
}

/** Makes the call that `model` describes. @returns {Promise<Answer>} */
export const call = (model, device) => ask('call', device, { model });

/** Every write or read of the call, by the library's own `trace`. @returns {Promise<Trace>} */
export const trace = (model) => ask('trace', 'cpu', { model });

/** Runs an example of the documentation and says which of its promises were kept. */
export const runBlock = (code, device) => ask('block', device, { code });

/** What other orders of the writes of a call would give. @returns {Promise<import('./race.js').Race | null>} */
export const race = (model, rounds, seed) => ask('race', 'cpu', { model, rounds, seed });
