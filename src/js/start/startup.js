// Starts the library once, for any number of calls of init(). Nothing here runs on import.
//
// The binary is the compiled library, a .wasm. `url` is its address as text, `where` names its origin in errors, and a module is a
// WebAssembly.Module. `locate`, `read` and `fallback` are the parameters of `initFrom`. tools/package.mjs defines facts of the build:
// VERSION; ENTRY, the name by which it is imported; BINARY, with which the names of its binaries begin; IDENTITY, what its binary says of
// itself; and HAS, for each family whether the build has it.

import startGlue, { initSync as startGlueSync } from '#glue';
import * as gpu from '#gpu';
import { readOptions, refuseOptions } from '../arguments/arguments.js';
import { isBuffer, isDetached } from '../engine/arrays.js';
import { attach, isStarted, requireStart } from '../engine/engine.js';
import { failure, RuntimeError, shortened, wrongKind } from '../engine/errors.js';
import { guardFunction, guardModule } from '../engine/guard.js';
import { resolved } from '../engine/task.js';
import { backend, choose, inTurn, readChoice, useCpu, wasChosen } from './session.js';

export const initOptions = ['device', 'wasm', 'powerPreference', 'gpu', 'gpu_device'];

/** The end of errors about a missing binary. */
const WAYS_OUT = "copy the package's .wasm files beside the bundle, tell where they are with init({ wasm: url }), or import 'scatterwise/inline', which has one inside";
/** After errors with these codes, the start tries the copy of the binary in `packed.js`. */
const COPY_HELPS = ['wasm-not-found', 'wasm-invalid'];
const WANTED = { init: 'a URL, a Request, a Response, bytes or a WebAssembly.Module', initSync: 'bytes or a WebAssembly.Module' };

const GIVEN = 'the binary that was given';
const whereIs = (url) => (url === '' ? 'the Response that was given' : `the .wasm at ${url}`);

const startError = (code, text, cause, op = 'init') => failure(RuntimeError, code, op, text, { cause });

/** The number of 8-byte values in the frame of the guard (guard.js): 32 KB without GPU code, else 64 KB. */
const GUARD_VALUES = HAS.webgpu ? 8192 : 4096;

let pendingInits = 0;
/** The URL of the binary that started the library, as text; undefined for another source. */
let startedFrom;

/**
 * Makes an entry's `init`. `locate` returns the package's own binary or its URL, for a caller without `wasm`. `read` gets a URL: if
 * `fetch` cannot read it, `read` returns a promise of its bytes, else undefined. `fallback` imports `packed.js`, for a binary that fails
 * to load; an entry may have none.
 */
export function initFrom(locate, read = () => undefined, fallback = undefined) {
  return async function init(options) {
    const op = 'init';
    if (typeof options === 'string') throw wrongKind(op, 'options', 'an object', options, `: init({ device: '${shortened(options)}' })`);
    const { device, wasm, powerPreference, gpu: gpuObject, gpu_device } = readOptions(op, options, initOptions);
    // Check all options before anything begins.
    gpu.checkGpuObject(op, gpuObject, gpu_device);
    gpu.checkDevice(op, gpu_device);
    const choice = gpu_device !== undefined && device === undefined ? 'webgpu' : readChoice(op, device);
    gpu.powerNumber(op, powerPreference); // throws for an unknown word
    const urlObject = wasm === undefined ? undefined : urlOf(wasm);
    if (isStarted()) requireStart(op); // throws inside another call
    // Request the adapter while the binary is still loading.
    if (!isStarted() && gpu_device === undefined && gpuObject === undefined) gpu.prepare({ device: choice, powerPreference });
    pendingInits++;
    try {
      return await inTurn(async () => {
        if (!isStarted()) await (wasm === undefined ? startOwn(locate, read, fallback) : startFrom(urlObject ?? wasm, read));
        else if (urlObject !== undefined && urlObject.href !== startedFrom) {
          throw startError('already-started', `the library runs already, and cannot be started once more from ${urlObject.href}: leave the option wasm out`);
        } else if (wasm !== undefined && urlObject === undefined) checkSource(await settled(wasm)); // the library runs: no binary is read
        if (gpu_device !== undefined) gpu.adopt(op, gpu_device);
        else {
          // An init() without a new request changes nothing.
          const isNewGpu = gpuObject !== undefined && gpu.offer(op, gpuObject);
          if (!isNewGpu && wasChosen() && device === undefined) return resolved(backend());
        }
        await choose(op, choice, powerPreference);
        return resolved(backend());
      });
    } finally {
      pendingInits--;
    }
  };
}

/** Starts on the CPU from bytes or a module, synchronously. Does nothing after the start. */
export function initSync(wasm, options) {
  const op = 'initSync';
  refuseOptions(op, options);
  if (isStarted()) {
    requireStart(op); // throws inside another call
    if (!isModule(wasm) && !isBytes(wasm)) throw wrongKind(op, 'wasm', WANTED[op], wasm);
    return backend();
  }
  if (pendingInits > 0) throw failure(RuntimeError, 'start-under-way', op, 'init() is under way: await it instead of calling initSync()');
  const module = isModule(wasm) ? wasm : compileSync(bytesOf(wasm, op), op);
  checkIdentity(module, GIVEN, op);
  attach(startGlueSync({ module }), guardSync());
  useCpu(HAS.webgpu ? 'the CPU: initSync() starts there' : undefined);
  return backend();
}

/** Makes the stack guard synchronously: in WebAssembly, or in JavaScript if the platform compiles no WebAssembly. */
function guardSync() {
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(guardModule(GUARD_VALUES))).exports.guard;
  } catch {
    return guardFunction(GUARD_VALUES);
  }
}

/**
 * Starts from the package's own binary. If that fails to load, starts from the copy in `packed.js`; without a copy it throws the first
 * error.
 */
async function startOwn(locate, read, fallback) {
  try {
    await startFrom(located(locate), read);
  } catch (error) {
    if (fallback === undefined || !COPY_HELPS.includes(error.code)) throw error;
    const copy = await fallback().then(({ unpack }) => unpack()).catch(() => undefined);
    if (copy === undefined) throw error;
    await startFrom(copy, read);
  }
}

/** Calls `locate`, which throws if a bundler left `import.meta.url` empty or not a URL. */
function located(locate) {
  try {
    return locate();
  } catch (cause) {
    if (cause instanceof RuntimeError) throw cause;
    throw startError('wasm-not-found', `the script has no address of its own, beside which the .wasm would be: it was loaded from a blob: URL, or a bundler has not told it (${cause?.message}); ${WAYS_OUT}`, cause);
  }
}

/** Starts from a source: a URL object, anything else that init() takes as `wasm`, or a promise of either. */
async function startFrom(given, read) {
  const settledTo = await settled(given);
  const source = urlOf(settledTo) ?? settledTo;
  const loading = moduleOf(source, read);
  // Compile the guard while the binary is on its way.
  const guard = WebAssembly.instantiate(guardModule(GUARD_VALUES)).then(({ instance }) => instance.exports.guard, () => guardFunction(GUARD_VALUES));
  const module = await loading;
  const url = source.href ?? source.url; // a URL has href, a Request or a Response has url; bytes and modules have neither
  checkIdentity(module, url === undefined ? GIVEN : whereIs(url));
  let exports;
  try {
    exports = await startGlue({ module_or_path: module });
  } catch (cause) {
    throw startError('wasm-failed', `the .wasm could not be started (${cause?.message}): there may be too little memory`, cause);
  }
  attach(exports, await guard);
  startedFrom = isUrl(source) ? source.href : undefined;
}

// ---------------------------------------------------------------- the binary

/** `wasm` as a URL object, if it is one or a text, which may be relative to the page; otherwise undefined. Throws if the text is no URL. */
function urlOf(wasm) {
  if (isUrl(wasm)) return wasm;
  if (typeof wasm !== 'string') return undefined;
  try {
    return new URL(wasm, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch (cause) {
    throw startError('wasm-not-found', `wasm is '${shortened(wasm)}', which is no URL: give a whole one, with its protocol`, cause);
  }
}

/** The caller's `wasm`, or the result of its promise. */
const settled = (given) => found(() => given, (why) => `the promise that was given as wasm has rejected (${why})`);

/** Waits for the result of `get`. If that fails, `text` makes the error's text from the reason, and the ways out follow it. */
async function found(get, text) {
  try {
    return await get();
  } catch (cause) {
    throw startError('wasm-not-found', `${text(cause?.message)}; ${WAYS_OUT}`, cause);
  }
}

/** Whether a value is of a class that the platform may lack. False for a Proxy that hides its class. */
function isA(Class, value) {
  try {
    return Class !== undefined && value instanceof Class;
  } catch {
    return false;
  }
}

/** Whether a value is a Request: a URL with headers, credentials and the like. */
const isRequest = (value) => isA(globalThis.Request, value);
const isUrl = (value) => isA(globalThis.URL, value);
const isResponse = (value) => isA(globalThis.Response, value);

/** Throws unless a value is a source of a binary. */
function checkSource(source) {
  const isSource = [isModule, isUrl, isRequest, isResponse, isBytes].some((is) => is(source));
  if (!isSource) throw wrongKind('init', 'wasm', WANTED.init, source);
}

/**
 * A promise of the module from a source: a module, a URL object, a Request, a Response or bytes. It rejects for any other value. `read`
 * gets a URL first; if it returns undefined, the URL is fetched.
 */
async function moduleOf(source, read) {
  if (isUrl(source) || isRequest(source)) {
    const url = source.href ?? source.url;
    const file = isUrl(source) ? read(source) : undefined;
    return file === undefined ? fromResponse(await fetched(source, url), url) : compile(await fileBytes(file, url), whereIs(url));
  }
  if (isModule(source)) return source;
  if (isResponse(source)) return fromResponse(source, source.url);
  return compile(bytesOf(source, 'init'), GIVEN);
}

/** Whether a value is a module, of any realm, as in edge runtimes: customSections throws for other values. */
function isModule(given) {
  try {
    return Boolean(WebAssembly.Module.customSections(given, 'scatterwise'));
  } catch {
    return false;
  }
}

/** The response for a URL or a Request with the address `url`. */
async function fetched(source, url) {
  if (typeof fetch === 'undefined') {
    throw startError('wasm-not-found', `this environment has no fetch(); in Jest's jsdom set testEnvironmentOptions: { customExportConditions: ['node'] }; else ${WAYS_OUT}`);
  }
  return found(() => fetch(source), (why) => `the .wasm could not be fetched from ${url} (${why}): the server may be out of reach, or CORS or the content security policy (connect-src) forbid it`);
}

/** The bytes of a file that `read` reads. */
const fileBytes = (file, url) => found(() => file, (why) => `the .wasm could not be read from ${url} (${why})`);

/** The module of a response. Compiles it while it arrives, if possible. */
async function fromResponse(response, url) {
  if (!response.ok) throw startError('wasm-not-found', `the server has answered HTTP ${response.status} for ${whereIs(url)}: a bundler may have moved the script and not the file; ${WAYS_OUT}`);
  const isBun = typeof globalThis.Bun !== 'undefined'; // Bun exits while a program waits only for compileStreaming()
  const isWasm = /^application\/wasm\b/.test(response.headers.get('content-type') ?? '');
  if (isWasm && WebAssembly.compileStreaming && !isBun) {
    try {
      return await WebAssembly.compileStreaming(response);
    } catch (cause) {
      // Otherwise compile the bytes below: the DOM of a test (happy-dom) has its own Response, which the engine refuses without reading
      // it.
      if (cause instanceof WebAssembly.CompileError || response.bodyUsed) throw notCompiled(cause, whereIs(url));
    }
  }
  const buffer = await found(() => response.arrayBuffer(), (why) => `${whereIs(url)} broke off (${why})`);
  return compile(new Uint8Array(buffer), whereIs(url));
}

const isBytes = (value) => isBuffer(value) || ArrayBuffer.isView(value);

/** The bytes of a buffer or of a view, not copied. `op` is the function that got them. Throws for any other value. */
function bytesOf(given, op) {
  const isWhole = isBuffer(given);
  if (!isBytes(given)) throw wrongKind(op, 'wasm', WANTED[op], given);
  if (isDetached(isWhole ? given : given.buffer)) throw wrongKind(op, 'wasm', WANTED[op], given, ', whose buffer was detached');
  return isWhole ? new Uint8Array(given) : new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
}

async function compile(bytes, where) {
  checkMagic(bytes, where);
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw notCompiled(cause, where);
  }
}

/** The module of bytes that the function `op` got. */
function compileSync(bytes, op) {
  checkMagic(bytes, GIVEN, op);
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    throw notCompiled(cause, GIVEN, op);
  }
}

/** Throws for bytes without WebAssembly's first bytes: for a missing file, a development server answers with a page. */
function checkMagic(bytes, where, op) {
  if ([0, 97, 115, 109].every((byte, at) => bytes[at] === byte)) return;
  const start = String.fromCharCode(...bytes.subarray(0, 8)).replace(/[^\x20-\x7e]/g, '.');
  throw startError('wasm-invalid', `there is no WebAssembly in ${where}, where '${start}' comes first: a development server may have answered with a page; ${WAYS_OUT}`, undefined, op);
}

/** The error for a binary that the engine did not compile: forbidden by a content security policy or a runtime, or damaged. */
function notCompiled(cause, where, op) {
  if (/unsafe-eval|content security|CSP/i.test(cause?.message)) {
    return startError('wasm-forbidden', `the content security policy forbids WebAssembly: add 'wasm-unsafe-eval' to script-src (${cause.message})`, cause, op);
  }
  if (/code generation|disallowed by embedder/i.test(cause?.message)) {
    const text = `this runtime compiles no WebAssembly while it runs (${cause.message}): import the .wasm as a module and give that to init({ wasm }); in Next.js copy it beside your script and import './${BINARY}_simd.wasm?module'`;
    return startError('wasm-forbidden', text, cause, op);
  }
  return startError('wasm-invalid', `${where} cannot be compiled (${cause?.message}): the file may be cut off, or the engine too old; ${WAYS_OUT}`, cause, op);
}

/**
 * Throws unless a module is the binary of this version with these families. Checks its section `scatterwise` (build.rs) and
 * wasm-bindgen's exports.
 */
function checkIdentity(module, where, op) {
  const [section] = WebAssembly.Module.customSections(module, 'scatterwise');
  const identity = section === undefined ? undefined : new TextDecoder().decode(section);
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
  if (identity === IDENTITY && ['memory', '__wbindgen_start', 'block'].every((name) => exported.includes(name))) return;
  const found = identity === undefined ? 'another program' : `scatterwise ${identity.replace(' full', '').replace(' cpu', ' without GPU code')}`;
  throw startError('wasm-mismatch', `there is ${found} in ${where}, and not what belongs to '${ENTRY}' ${VERSION}: take the file from the same package as the script`, undefined, op);
}
