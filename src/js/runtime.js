// What the glue stands on: tools/glue.mjs puts this in the place of wasm-bindgen's own helpers and loader, and keeps their
// names. They serve older engines and other uses too, in twice the bytes. Ours are for engines that run what rustc compiles
// to, and for one binary, which startup.js starts once.

import { describe } from './values.js';
import { unstarted } from './unstarted.js';

/** The exports of the binary. */
export let wasm = unstarted;

// ---------------------------------------------------------------- its memory
// A pointer comes as a signed number.

/** Views of the whole memory; a memory that grows leaves them with a length of 0. */
let bytes;
let view;

function refresh() {
  if (bytes?.byteLength) return;
  bytes = new Uint8Array(wasm.memory.buffer);
  view = new DataView(wasm.memory.buffer);
}

export function getDataViewMemory0() {
  refresh();
  return view;
}

// New views, not parts of one: subarray() takes twice as long, because it asks which class to make.
export const getArrayU8FromWasm0 = (pointer, length) => new Uint8Array(wasm.memory.buffer, pointer >>> 0, length);
export const getArrayU32FromWasm0 = (pointer, length) => new Uint32Array(wasm.memory.buffer, pointer >>> 0, length);

/** Safari's decoders fail beyond two gigabytes in all. */
const MAX_DECODED = 2146435072;
let decoded = MAX_DECODED;
let decoder;

export function getStringFromWasm0(pointer, length) {
  decoded += length;
  if (decoded >= MAX_DECODED) {
    decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    decoded = length;
  }
  return decoder.decode(getArrayU8FromWasm0(pointer, length));
}

/** Writes an address and a length to where Rust wants what a function returns. */
function returnSlice(at, pointer, length) {
  getDataViewMemory0().setInt32((at >>> 0) + 4, length, true);
  view.setInt32(at >>> 0, pointer, true);
}

export function returnString(at, text) {
  let { length } = text;
  let pointer = wasm.__wbindgen_malloc(length, 1) >>> 0;
  refresh();
  let done = 0;
  // Names are short and ASCII: done before an encoder would be.
  for (; done < length; done++) {
    const code = text.charCodeAt(done);
    if (code > 127) break;
    bytes[pointer + done] = code;
  }
  if (done < length) {
    const encoded = new TextEncoder().encode(text);
    pointer = wasm.__wbindgen_realloc(pointer, length, (length = encoded.length), 1);
    getArrayU8FromWasm0(pointer, length).set(encoded);
  }
  returnSlice(at, pointer, length);
}

export const returnOptionalString = (at, text) => (isLikeNone(text) ? returnSlice(at, 0, 0) : returnString(at, text));

// ---------------------------------------------------------------- objects
// Rust holds JavaScript's in a table of the binary; JavaScript holds Rust's by their address.

export function addToExternrefTable0(value) {
  const at = wasm.__externref_table_alloc();
  wasm.__wbindgen_externrefs.set(at, value);
  return at;
}

export function takeFromExternrefTable0(at) {
  const value = wasm.__wbindgen_externrefs.get(at);
  wasm.__externref_table_dealloc(at);
  return value;
}

/** What a call returned: `[value, error, whether it is one]`. */
export function checked(result) {
  if (result[2]) throw takeFromExternrefTable0(result[1]);
  return result[0];
}

/** The same of one without a value. */
export function done(result) {
  if (result[1]) throw takeFromExternrefTable0(result[0]);
}

/**
 * For objects that stand for one of Rust's: `own` gives an object its address, `make` makes one for an address. What nobody
 * frees is released with the object.
 */
export function keeper(Class, release) {
  let registry; // made when it is needed: a server that only imports this may lack the class
  const own = (object, pointer) => {
    registry ??= new FinalizationRegistry((held) => release(held, 1));
    object.__wbg_ptr = pointer;
    registry.register(object, pointer, object);
    return object;
  };
  const make = (pointer) => own(Object.create(Class().prototype), pointer);
  const free = (object) => {
    const pointer = object.__wbg_ptr;
    object.__wbg_ptr = 0;
    registry.unregister(object);
    release(pointer, 0);
  };
  return { own, make, free };
}

export function getArrayJsValueViewFromWasm0(pointer, length) {
  return Array.from(getArrayU32FromWasm0(pointer, length), (at) => wasm.__wbindgen_externrefs.get(at));
}

export const isLikeNone = (value) => value === undefined || value === null;

export const optional = (value) => (isLikeNone(value) ? 0 : addToExternrefTable0(value));

/** Makes of a function one whose errors Rust gets: what passed through Rust would leave the stack as it was. */
export const handleError = (call) => (...args) => {
  try {
    return call(...args);
  } catch (error) {
    wasm.__wbindgen_exn_store(addToExternrefTable0(error));
  }
};

/** In the place of an import that this library never calls. */
export function unused() {
  throw new Error('not in use');
}

/** A value in the text of an error of the GPU: an error in practice. */
export const debugString = (value) =>
  value instanceof Error ? `${value.name}: ${value.message}\n${value.stack}` : describe(value);

let closures;

/** A function of Rust's that may change what it holds. It lives while it runs, whoever lets go of it meanwhile. */
export function makeMutClosure(a, b, invoke) {
  const state = { a, b }; // what the registry needs to know
  let holders = 1;
  const real = (...args) => {
    holders++;
    const own = state.a;
    state.a = 0; // not to be called from within
    try {
      const result = invoke(own, b, ...args);
      if (result) done(result);
    } finally {
      state.a = own;
      real._wbg_cb_unref();
    }
  };
  real._wbg_cb_unref = () => {
    if (--holders) return;
    wasm.__wbindgen_destroy_closure(state.a, b);
    state.a = 0;
    closures.unregister(state);
  };
  closures ??= new FinalizationRegistry((left) => wasm.__wbindgen_destroy_closure(left.a, left.b));
  closures.register(real, state, state);
  return real;
}

// ---------------------------------------------------------------- start

function finish({ exports }) {
  wasm = exports;
  bytes = undefined;
  wasm.__wbindgen_start();
}

/** Whether a value is of a class that may not be there. */
export const isA = (name, value) => globalThis[name] && value instanceof globalThis[name];

/** Loads the binary, unless it is there: from a URL, a Request, or a promise of a Response, bytes or a module. */
export async function load(source, imports) {
  if (wasm !== unstarted) return;
  const isPlace = typeof source === 'string' || isA('Request', source) || isA('URL', source);
  const made = await instantiate(await (isPlace ? fetch(source) : source), imports());
  finish(made.instance ?? made);
}

async function instantiate(source, imports) {
  if (!isA('Response', source)) return WebAssembly.instantiate(source, imports);
  if (!source.ok) throw new Error(`failed to fetch Wasm: ${source.status} ${source.statusText} fetching '${source.url}'`);
  if (WebAssembly.instantiateStreaming) {
    try {
      return await WebAssembly.instantiateStreaming(source, imports);
    } catch (error) {
      if (!/basic|cors|default/.test(source.type) || source.headers.get('Content-Type') === 'application/wasm') throw error;
      console.warn(
        '`WebAssembly.instantiateStreaming` failed because your server does not serve Wasm with `application/wasm` MIME type. Falling back to `WebAssembly.instantiate` which is slower. Original error:\n',
        error,
      );
    }
  }
  return WebAssembly.instantiate(await source.arrayBuffer(), imports);
}

/** The same at once, from bytes or a module. */
export function loadSync(source, imports) {
  if (wasm !== unstarted) return;
  finish(new WebAssembly.Instance(source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source), imports()));
}
