// The running WebAssembly instance: whether it may be called, its memory, and the errors of its calls.

import * as rust from '#glue';
import { arrays } from './arrays.js';
import { errorOf, failure, outOfMemory, RuntimeError } from './errors.js';
import { ADDRESS, ARGUMENTS, CALLS, DIMS, DTYPES, HIGH, LENGTH, LOW } from './wire.js';

const places = (names) => Object.freeze(Object.fromEntries(names.map((name, at) => [name, at])));

/** The number of an operator or function by its name, as it stands in errors. */
export const CALL = places(CALLS);
/** The number of an argument by its name. */
export const ARGUMENT = places(ARGUMENTS);
/** The number of a dtype by its name. */
export const DTYPE_OF = places(DTYPES);

// ---------------------------------------------------------------- calls

function notStarted(op) {
  const text = 'scatterwise has not started: call `await init()` first';
  throw Object.assign(failure(RuntimeError, 'not-initialized', op, text), { message: text });
}

/**
 * Called before every call of Rust. Before the start it throws. Afterwards it is a WebAssembly function with a large stack frame that
 * does nothing: where the stack is too short for a call, it is this function that fails, and not Rust in the middle of its work.
 */
let guard = notStarted;
let running = false;
/** Why nothing can be called any more. */
let broken;
/** Handles that exist for the length of a call. */
const temporaries = [];
/** The handle that a call returned last, until a tensor or plan has it. Where the stack ended in between, the next call frees it. */
let unclaimed = 0;

export const isStarted = () => guard !== notStarted;

/** Throws before the start. For operators whose first argument can only be made after it: without this, the argument would be blamed. */
export function requireStart(op) {
  if (!isStarted()) notStarted(op);
}

/** Begins the half of a call that calls Rust and no code of the caller's. The caller's arguments have been read before. */
export function enter(op) {
  if (running) throw failure(RuntimeError, 'reentrant-call', op, 'it was called from inside another call of scatterwise');
  if (broken) throw stopped(op);
  guard(op);
  if (unclaimed !== 0) free(unclaimed);
  unclaimed = 0;
  running = true;
}

/** Ends it, also after an error: temporary tensors are freed. */
export function leave() {
  while (temporaries.length > 0) rust.free(temporaries.pop());
  running = false;
}

/** What is to be thrown where a call of Rust threw: a trap stops the library. */
export function caught(op, error) {
  if (error instanceof WebAssembly.RuntimeError) broken = error;
  return broken ? stopped(op) : error;
}

/** Runs `body` between the two. The most frequent calls write this out. */
export function call(op, body) {
  enter(op);
  try {
    return body();
  } catch (error) {
    throw caught(op, error);
  } finally {
    leave();
  }
}

/** A trap is a defect of this library; what its memory holds can no longer be relied on. */
const stopped = (op) =>
  failure(RuntimeError, 'library-stopped', op, `scatterwise failed in an earlier call (${broken.message}) and cannot be used any more: reload the page, and please report it`, { cause: broken });

/** Keeps a handle until the end of the call. */
export function temporary(handle) {
  temporaries.push(handle);
  claim();
  return handle;
}

/** Says that the handle that was made last belongs to somebody. */
export function claim() {
  unclaimed = 0;
}

/** The handle that a call returned, or its error. */
export function made(op, handle) {
  if (handle === 0) throw lastError(op);
  unclaimed = handle;
  return handle;
}

/** The error of the call that failed just now. */
export function lastError(op) {
  rust.facts();
  const json = textAt(word(ADDRESS), word(LENGTH));
  return json === '' ? outOfMemory(op) : errorOf(json);
}

/** Throws it. */
export function fail(op) {
  throw lastError(op);
}

/** Frees a tensor or a plan. After a trap there is nothing to be done. */
export function free(handle) {
  if (!broken) rust.free(handle);
}

// ---------------------------------------------------------------- memory

let memory;
let block;
/** Views of the whole memory by dtype. Memory that grows leaves them with a length of 0. */
const views = [];

/** The memory as elements of a dtype. */
export function view(dtype) {
  const known = views[dtype];
  return known !== undefined && known.length > 0 ? known : (views[dtype] = new arrays[dtype](memory.buffer));
}

const { uint8: UINT8, uint32: UINT32 } = DTYPE_OF;

/** A word of the block. */
export const word = (at) => view(UINT32)[block + at];

export function setDims(dims) {
  const words = view(UINT32);
  for (let at = 0; at < dims.length; at++) words[block + DIMS + at] = dims[at];
}

export function dims(rank) {
  const words = view(UINT32);
  const sizes = [];
  for (let at = 0; at < rank; at++) sizes.push(words[block + DIMS + at]);
  return sizes;
}

/** The two words of a 64-bit integer. */
export function setInteger(value) {
  const bits = BigInt.asUintN(64, value);
  view(UINT32)[block + LOW] = Number(bits & 0xffffffffn);
  view(UINT32)[block + HIGH] = Number(bits >> 32n);
}

/** Makes every view of the memory useless, the caller's too: growing detaches them, by nothing as well. */
export function detachViews() {
  memory.grow(0);
}

let decoder;
const textAt = (address, length) => (length === 0 ? '' : (decoder ??= new TextDecoder()).decode(view(UINT8).slice(address, address + length)));

// ---------------------------------------------------------------- start

/** Takes over the instance that was started. */
export function attach(exports, stackGuard) {
  memory = exports.memory;
  block = (rust.block() >>> 0) / 4;
  guard = stackGuard;
}
