// Starting the library: once, however often and from wherever it is asked for. Nothing here runs on import.

import startGlue, { initSync as startGlueSync } from '#glue';
import * as gpu from '#gpu';
import { flavour } from '#binary';
import { readOptions } from './arguments.js';
import { isBuffer, isDetached } from './arrays.js';
import { attach, isStarted } from './engine.js';
import { failure, RuntimeError, shortened, wrongKind } from './errors.js';
import { guardFunction, guardModule } from './guard.js';
import { backend, choose, inTurn, readChoice, useCpu, wasChosen } from './session.js';

const initOptions = ['device', 'wasm', 'powerPreference', 'gpu', 'gpu_device'];

const WAYS_OUT = "copy the package's .wasm files beside the bundle, tell where they are with init({ wasm: url }), or import 'scatterwise/inline', which has one inside";
/** The codes of faults of the .wasm file after which the copy in `packed.js` is used in its place. */
const AWAY = ['wasm-not-found', 'wasm-invalid'];
const KINDS = { init: 'a URL, a Request, a Response, bytes or a WebAssembly.Module', initSync: 'bytes or a WebAssembly.Module' };

/** Where a binary is, in errors. */
const GIVEN = 'the bytes that were given';
const placeOf = (url) => (url === '' ? 'the Response that was given' : `the .wasm at ${url}`);

/** What the names of this build's binaries begin with. */
const NAME = flavour === 'cpu' ? 'scatterwise_cpu' : 'scatterwise';

const trouble = (code, text, cause) => failure(RuntimeError, code, 'init', text, { cause });

/** How large the frame of the guard is, in values of 8 bytes. */
const GUARDED = flavour === 'cpu' ? 4096 : 8192;

/** How many calls of init() are under way. */
let pending = 0;
/** The URL that the library was started from, where it was one. */
let startedFrom;

/**
 * Makes an entry's `init`. `locate` is where the binary is when the caller does not say; `read` reads a URL that `fetch` cannot, and
 * returns undefined for any other; `fallback` imports `packed.js`, where the file is not to be had.
 */
export function initFrom(locate, read = () => undefined, fallback = undefined) {
  return async function init(options) {
    const op = 'init';
    if (typeof options === 'string') throw wrongKind(op, 'options', 'an object', options, `: init({ device: '${shortened(options)}' })`);
    const { device, wasm, powerPreference, gpu: source, gpu_device } = readOptions(op, options, initOptions);
    gpu.readSource(op, source, gpu_device);
    gpu.readDevice(op, gpu_device);
    const choice = gpu_device !== undefined && device === undefined ? 'webgpu' : readChoice(op, device);
    gpu.powerNumber(op, powerPreference);
    const url = wasm === undefined ? undefined : urlOf(wasm);
    if (!isStarted() && gpu_device === undefined && source === undefined) gpu.prepare({ device: choice, powerPreference });
    pending++;
    try {
      return await inTurn(async () => {
        if (!isStarted()) await (wasm === undefined ? startOwn(locate, read, fallback) : startFrom(url ?? wasm, read));
        else if (url !== undefined && url.href !== startedFrom) {
          throw trouble('already-started', `the library runs already, and cannot be started once more from ${url.href}: leave the option wasm out`);
        }
        if (gpu_device !== undefined) gpu.adopt(op, gpu_device);
        else if (!(source !== undefined && gpu.offer(op, source)) && wasChosen() && device === undefined) return backend();
        await choose(op, choice, powerPreference);
        return backend();
      });
    } finally {
      pending--;
    }
  };
}

/** Starts on the CPU from bytes or a module already at hand. */
export function initSync(wasm) {
  if (isStarted()) return backend();
  if (pending > 0) throw failure(RuntimeError, 'start-under-way', 'initSync', 'init() is under way: await it instead of calling initSync()');
  const module = wasm instanceof WebAssembly.Module ? wasm : compileSync(bytesOf(wasm, 'initSync'));
  checkIdentity(module, GIVEN);
  attach(startGlueSync({ module }), guardSync());
  useCpu(flavour === 'cpu' ? undefined : 'the CPU: initSync() starts there');
  return backend();
}

/** The guard, also where nothing may be compiled: see `notCompiled`. */
function guardSync() {
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(guardModule(GUARDED))).exports.guard;
  } catch {
    return guardFunction(GUARDED);
  }
}

/** Starts from the package's own binary, or from the copy of it where there is one. */
async function startOwn(locate, read, fallback) {
  try {
    await startFrom(located(locate), read);
  } catch (error) {
    if (fallback === undefined || !AWAY.includes(error.code)) throw error;
    const copy = await fallback().then(({ unpack }) => unpack()).catch(() => undefined);
    if (copy === undefined) throw error;
    await startFrom(copy, read);
  }
}

/** Some bundlers leave `import.meta.url` without a value, or with one that is no URL. */
function located(locate) {
  try {
    return locate();
  } catch (cause) {
    if (cause instanceof RuntimeError) throw cause;
    throw trouble('wasm-not-found', `the script has no address of its own, beside which the .wasm would be: it was loaded from a blob: URL, or a bundler has not told it (${cause?.message}); ${WAYS_OUT}`, cause);
  }
}

async function startFrom(source, read) {
  const module = await moduleOf(source, read);
  const url = source.href ?? source.url;
  checkIdentity(module, url === undefined ? GIVEN : placeOf(url));
  const guard = WebAssembly.instantiate(guardModule(GUARDED)).then(({ instance }) => instance.exports.guard, () => guardFunction(GUARDED));
  let exports;
  try {
    exports = await startGlue({ module_or_path: module });
  } catch (cause) {
    throw trouble('wasm-failed', `the .wasm could not be started (${cause?.message}): there may be too little memory`, cause);
  }
  attach(exports, await guard);
  startedFrom = source instanceof URL ? source.href : undefined;
}

// ---------------------------------------------------------------- the binary

/** A URL that was given as one; undefined for anything else. */
function urlOf(wasm) {
  if (wasm instanceof URL) return wasm;
  if (typeof wasm !== 'string') return undefined;
  try {
    return new URL(wasm, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch (cause) {
    throw trouble('wasm-not-found', `wasm is '${shortened(wasm)}', which is no URL: give a whole one, with its protocol`, cause);
  }
}

async function moduleOf(source, read) {
  const given = await source;
  if (isModule(given)) return given;
  if (given instanceof URL || isRequest(given)) {
    const url = given.href ?? given.url;
    const file = given instanceof URL ? read(given) : undefined;
    return file === undefined ? fromResponse(await fetched(given, url), url) : compile(await fileBytes(file, url), placeOf(url));
  }
  if (typeof Response !== 'undefined' && given instanceof Response) return fromResponse(given, given.url);
  return compile(bytesOf(given, 'init'), GIVEN);
}

/** Also one of another realm, where an edge runtime compiles those of a program. */
function isModule(given) {
  try {
    return Boolean(WebAssembly.Module.customSections(given, 'scatterwise'));
  } catch {
    return false;
  }
}

const isRequest = (given) => typeof Request !== 'undefined' && given instanceof Request;

async function fetched(source, url) {
  if (typeof fetch === 'undefined') {
    throw trouble('wasm-not-found', `this environment has no fetch(); in Jest's jsdom set testEnvironmentOptions: { customExportConditions: ['node'] }; else ${WAYS_OUT}`);
  }
  try {
    return await fetch(source);
  } catch (cause) {
    const why = `the .wasm could not be fetched from ${url} (${cause?.message}): the server may be out of reach, or CORS or the content security policy (connect-src) forbid it`;
    throw trouble('wasm-not-found', `${why}; ${WAYS_OUT}`, cause);
  }
}

async function fileBytes(file, url) {
  try {
    return await file;
  } catch (cause) {
    throw trouble('wasm-not-found', `the .wasm could not be read from ${url} (${cause?.message}); ${WAYS_OUT}`, cause);
  }
}

async function fromResponse(response, url) {
  if (!response.ok) throw trouble('wasm-not-found', `the server has answered HTTP ${response.status} for ${placeOf(url)}: a bundler may have moved the script and not the file; ${WAYS_OUT}`);
  const isBun = typeof globalThis.Bun !== 'undefined'; // it ends a program that waits for compileStreaming() and nothing else
  const isWasm = /^application\/wasm\b/.test(response.headers.get('content-type') ?? '');
  if (isWasm && WebAssembly.compileStreaming && !isBun) {
    try {
      return await WebAssembly.compileStreaming(response);
    } catch (cause) {
      // The DOM of a test (happy-dom) has a Response of its own, which the engine refuses before it has looked inside.
      if (cause instanceof WebAssembly.CompileError || response.bodyUsed) throw notCompiled(cause, placeOf(url));
    }
  }
  let bytes;
  try {
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw trouble('wasm-not-found', `${placeOf(url)} broke off (${cause?.message}); ${WAYS_OUT}`, cause);
  }
  return compile(bytes, placeOf(url));
}

function bytesOf(given, op) {
  const isWhole = isBuffer(given);
  if (!isWhole && !ArrayBuffer.isView(given)) throw wrongKind(op, 'wasm', KINDS[op], given);
  if (isDetached(isWhole ? given : given.buffer)) throw wrongKind(op, 'wasm', KINDS[op], given, ', whose buffer was detached');
  return isWhole ? new Uint8Array(given) : new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
}

function compile(bytes, where) {
  checkMagic(bytes, where);
  return compiled(() => WebAssembly.compile(bytes), where);
}

function compileSync(bytes) {
  checkMagic(bytes, GIVEN);
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    throw notCompiled(cause, GIVEN);
  }
}

/** Development servers answer with a page where there is no file. */
function checkMagic(bytes, where) {
  if ([0, 97, 115, 109].every((byte, at) => bytes[at] === byte)) return;
  const start = String.fromCharCode(...bytes.subarray(0, 8)).replace(/[^\x20-\x7e]/g, '.');
  throw trouble('wasm-invalid', `there is no WebAssembly in ${where}, where '${start}' comes first: a development server may have answered with a page; ${WAYS_OUT}`);
}

async function compiled(compile, where) {
  try {
    return await compile();
  } catch (cause) {
    throw notCompiled(cause, where);
  }
}

function notCompiled(cause, where) {
  if (/unsafe-eval|content security|CSP/i.test(cause?.message)) {
    return trouble('wasm-forbidden', `the content security policy forbids WebAssembly: add 'wasm-unsafe-eval' to script-src (${cause.message})`, cause);
  }
  if (/code generation|disallowed by embedder/i.test(cause?.message)) {
    const text = `this runtime compiles no WebAssembly while it runs (${cause.message}): import the .wasm as a module and give that to init({ wasm }); in Next.js copy it beside your script and import './${NAME}_simd.wasm?module'`;
    return trouble('wasm-forbidden', text, cause);
  }
  return trouble('wasm-invalid', `${where} cannot be compiled (${cause?.message}): the file may be cut off, or the engine too old; ${WAYS_OUT}`, cause);
}

/** Every binary of ours says what it is in a section of its own. */
function checkIdentity(module, where) {
  const [section] = WebAssembly.Module.customSections(module, 'scatterwise');
  const is = section === undefined ? undefined : new TextDecoder().decode(section);
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
  if (is === `${VERSION} ${flavour}` && ['memory', '__wbindgen_start', 'block'].every((name) => exported.includes(name))) return;
  const name = flavour === 'cpu' ? 'scatterwise/cpu' : 'scatterwise';
  const found = is === undefined ? 'another program' : `scatterwise ${is.replace(' full', '').replace(' cpu', ' without GPU code')}`;
  throw trouble('wasm-mismatch', `there is ${found} in ${where}, and not what belongs to '${name}' ${VERSION}: take the file from the same package as the script`);
}
