// Starting the library: once, however often and from wherever it is asked for. Nothing here runs on import.

import load, { backend, initSync as loadSync, set_device, start, start_sync } from '#glue';

/** The promise of the first start, under way or done; undefined before it and after a failure. */
let starting;
let started = false;

/**
 * Makes an entry's `init`. `source` turns the option `wasm`, or its absence, into what the glue takes: a URL, a Request,
 * a Response, bytes, a module, or a promise of one of these.
 *
 * A call while another is under way waits for it. Once started, a `device` is switched to, as by `set_device`, and the
 * other options have had their time.
 */
export function initFrom(source) {
  return async function init({ wasm, ...options } = {}) {
    if (starting) {
      await starting;
      return options.device === undefined ? backend() : set_device(options.device);
    }
    starting = load({ module_or_path: source(wasm) }).then(() => start(options));
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
  loadSync({ module: wasm });
  const info = start_sync();
  starting = Promise.resolve();
  started = true;
  return info;
}

/** The binary that this engine can run. Both URLs are literal, for bundlers to find. */
export const defaultWasm = () =>
  WebAssembly.validate(simdProbe)
    ? new URL('./scatterwise_simd.wasm', import.meta.url)
    : new URL('./scatterwise_scalar.wasm', import.meta.url);

/** A module of one function that uses two SIMD instructions. */
const simdProbe = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);
