/**
 * The library in a worker of its own: the page stays responsive, and loads WebAssembly only when something is asked.
 * @typedef {import('../shared/picture.js').Picture} Picture
 * @typedef {{ name: string, message: string, facts: Record<string, unknown> }} Failure
 * @typedef {{ result: Picture | null, failure: Failure | null, unchanged: boolean | null }} Answer
 * @typedef {{ steps: import('scatterwise').Step[], result: Picture | null, failure: Failure | null }} Trace
 */

let worker = null;
let last = 0;
const open = new Map();

function start() {
  worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data: { id, value, problem } }) => {
    const { resolve, reject } = open.get(id);
    open.delete(id);
    if (problem) reject(new Error(problem));
    else resolve(value);
  });
  worker.addEventListener('error', (event) => {
    for (const { reject } of open.values()) reject(new Error(event.message || 'the worker could not be started'));
    open.clear();
    worker = null;
  });
}

function ask(kind, question) {
  if (!worker) start();
  last += 1;
  const id = last;
  return new Promise((resolve, reject) => {
    open.set(id, { resolve, reject });
    worker.postMessage({ id, kind, ...question });
  });
}

/** Makes the call that `model` describes. @returns {Promise<Answer>} */
export const call = (model, device) => ask('call', { model, device });

/** Every write of the call, by the library's own `trace`. @returns {Promise<Trace>} */
export const trace = (model) => ask('trace', { model });

/** Runs an example of the documentation and says which of its promises were kept. */
export const runBlock = (code, device) => ask('block', { code, device });

/** What `backend()` says when new tensors go to `device`. */
export const info = (device) => ask('info', { device });
