// Starting the library: once, however often and from wherever it is asked for. Nothing here runs on import.

import { __wbg_get_imports as imports, backend, set_device, start, start_cpu } from '#glue';
import { load, loadSync } from './runtime.js';
import { plain_options } from './values.js';

/** The promise of the first start, under way or done; undefined before it and after a failure. */
let starting;
let started = false;

/** Whether these options ask for the CPU and nothing else: then nothing is left to choose, which runs less code. */
const wantCpu = (options) => plain_options(options, ['device'], ({ device }) => device === 'cpu');

/**
 * Makes an entry's `init`. `source` turns the option `wasm`, or its absence, into what the glue takes: a URL, a Request,
 * a Response, bytes, a module, or a promise of one of these. `prepare` is what can begin before that is there.
 *
 * A call while another is under way waits for it. Once started, a `device` is switched to, as by `set_device`, and the
 * other options have had their time.
 */
export function initFrom(source, prepare) {
  return async function init({ wasm, ...options } = {}) {
    if (starting) {
      await starting;
      return options.device === undefined ? backend() : set_device(options.device);
    }
    const binary = source(wasm);
    prepare(options);
    starting = load(binary, imports).then(() => (wantCpu(options) ? start_cpu(true) : start(options)));
    try {
      const info = await starting;
      started = true;
      return info;
    } catch (error) {
      starting = undefined;
      throw error;
    }
  };
}

/** Starts on the CPU from bytes or a module already at hand. */
export function initSync(wasm) {
  if (started) return backend();
  if (starting) throw new Error('init() is under way: await it instead of calling initSync()');
  loadSync(wasm, imports);
  const info = start_cpu(false);
  starting = Promise.resolve();
  started = true;
  return info;
}
