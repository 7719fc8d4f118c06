// The running WebAssembly instance: whether it may be called, its memory, and the errors of its calls. tools/package.mjs defines SHARED:
// whether the memory is shared with threads.
//
// Errors begin with `op`, the name of the function that the caller called. A handle is the number by which Rust knows a tensor or a plan,
// never 0. A new handle is unclaimed until a tensor, a plan or the list of temporaries holds it. The block is an array of 32-bit words in
// the instance's memory, which passes sizes and addresses; constants of wire.js, such as LENGTH, are places in it. A trap is a
// WebAssembly.RuntimeError: after one, nothing may be called.

import * as rust from '#glue';
import { arrays } from './arrays.js';
import { notice } from './collector.js';
import { errorOf, failure, outOfMemory, RuntimeError } from './errors.js';
import { ADDRESS, ARGUMENTS, BLOCK_WORDS, CALLS, DIMS, DTYPES, LENGTH, LOW } from './wire.js';

const places = (names) => Object.freeze(Object.fromEntries(names.map((name, at) => [name, at])));

export const CALL = places(CALLS);
export const ARGUMENT = places(ARGUMENTS);
export const DTYPE_OF = places(DTYPES);

// ---------------------------------------------------------------- calls

/** Throws the error for a call before the start. Its text does not begin with `op`, because no call is at fault. */
function notStarted(op) {
  const text = 'scatterwise has not started: call `await init()` first';
  throw Object.assign(failure(RuntimeError, 'not-initialized', op, text), { message: text });
}

/**
 * `enter` calls this before Rust runs. Before the start it throws. Afterwards it is a function with a large stack frame (guard.js): if
 * the stack is too short for a call, this function fails, instead of Rust in the middle of its work.
 */
let guard = notStarted;
/** Whether a call is running: between `enter` and `leave`. */
let running = false;
let trap;
const temporaries = [];
/** What their arguments are called, for those that are made of the caller's arrays and numbers. */
const ofArrays = [];
/** The handle that the last call returned, while it is unclaimed; else 0. */
let unclaimed = 0;

export const isStopped = () => trap !== undefined;
export const isStarted = () => guard !== notStarted;

/**
 * Throws before the start, and inside another call. A function calls this first if it would otherwise report a wrong argument first (a
 * tensor cannot exist before the start), or if it begins work that runs later.
 */
export function requireStart(op) {
  if (!isStarted()) notStarted(op);
  if (running) throw reentrant(op);
}

const reentrant = (op) => failure(RuntimeError, 'reentrant-call', op, 'it was called from inside another call of scatterwise');

/**
 * Begins the part of a call that calls Rust and runs no code of the caller; `leave` ends it. The arguments must have been read. Throws
 * inside another call, after a trap, before the start, and if the stack is too short. Then `leave` must not be called. It also frees an
 * unclaimed handle, left by a call after which the stack ended.
 */
export function enter(op) {
  if (running) throw reentrant(op);
  if (trap) throw stopped(op);
  guard(op);
  if (unclaimed !== 0) free(unclaimed);
  unclaimed = 0;
  running = true;
}

/** Ends what `enter` began, also after an error. Frees temporary tensors, except after a trap: then Rust is not called again. */
export function leave() {
  while (temporaries.length > 0 && !trap) rust.free(temporaries.pop());
  ofArrays.length = 0;
  running = false;
}

/**
 * The error for the caller after `error` was thrown between `enter` and `leave`: the same error, or after a trap the error that the
 * library stopped.
 */
export function caught(op, error) {
  if (error instanceof WebAssembly.RuntimeError) trap = error;
  return trap ? stopped(op) : error;
}

/** Runs `body` between `enter` and `leave`, and returns its result. The most frequent calls write this out, which is faster. */
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

/** The error for a call that trapped, and for all later calls. A trap is a defect of this library: its memory is no longer reliable. */
const stopped = (op) =>
  failure(RuntimeError, 'library-stopped', op, `scatterwise failed in an earlier call (${trap.message}) and cannot be used any more: reload the page, and please report it`, { cause: trap });

/**
 * Makes a new tensor temporary: the end of the call frees it. Returns its handle. Within a call. `argument`: its name, if it is made of an array or a
 * number of the caller.
 */
export function temporary(handle, argument) {
  temporaries.push(handle);
  if (argument !== undefined) ofArrays.push(argument);
  claim();
  return handle;
}

export function claim() {
  unclaimed = 0;
}

/** The new handle that a function of Rust has returned, unclaimed until `claim`. Throws the error of the call if it is 0. */
export function made(op, handle) {
  if (handle === 0) throw lastError(op);
  unclaimed = handle;
  notice(rust.held_bytes());
  return handle;
}

/** Where the next argument goes, as an index of the memory's float64 numbers. */
let next = 0;

export function begin() {
  next = (block + BLOCK_WORDS) >>> 1;
}

export function beginWith(numbers) {
  begin();
  for (let at = 0; at < numbers.length; at++) add(numbers[at]);
}

export function add(number) {
  view(FLOAT64)[next++] = +number; // booleans as they are would be slow
}

/** Calls the operator `op` in Rust by a verb of wire.js, with the arguments in the block. Returns the handle of the first result, or 0. */
export const invoke = (op, verb) => rust.call(CALL[op], verb);

/** The error of the failed call of Rust, from the facts that Rust keeps. It keeps none if memory was full before the call. */
export function lastError(op) {
  rust.facts();
  const json = textAt(word(ADDRESS), word(LENGTH));
  if (json === '') return outOfMemory(op);
  const error = errorOf(json);
  // Rust knows tensors alone: an array has no `astype`.
  error.message = error.message.replace(/(\w+)\.astype\(('\w+')\)/g, (way, name, dtype) => (ofArrays.includes(name) ? `new Tensor(${name}, { dtype: ${dtype} })` : way));
  return error;
}

export function fail(op) {
  throw lastError(op);
}

/** Frees a tensor or a plan; does nothing after a trap. */
export function free(handle) {
  if (!trap) rust.free(handle);
}

// ---------------------------------------------------------------- memory

let memory;
let instance;
/** The start of the block, in words of 32 bits. */
let block;
/** The bytes of the memory at the start, before there were tensors. */
let bytesAtStart;
/** Views of the whole memory, by the number of a dtype. They have length 0 after the memory has grown. */
const views = [];

/** The whole memory as an array of elements of a dtype, given by its number. Valid until the next call of Rust. */
export function view(dtype) {
  const known = views[dtype];
  // A view of shared memory keeps its length when the memory grows.
  const isWhole = known !== undefined && (SHARED ? known.buffer === memory.buffer : known.length > 0);
  return isWhole ? known : (views[dtype] = new arrays[dtype](memory.buffer));
}

const { uint8: UINT8, uint32: UINT32, float64: FLOAT64 } = DTYPE_OF;

export const word = (at) => view(UINT32)[block + at];

/** The exports of the instance, for the start of threads. */
export const exported = () => instance;

/** The bytes by which the memory has grown since the start. It never shrinks. */
export const grownBytes = () => memory.buffer.byteLength - bytesAtStart;

export function setDims(dims) {
  const words = view(UINT32);
  for (let at = 0; at < dims.length; at++) words[block + DIMS + at] = dims[at];
}

/** The `rank` sizes of the shape in the block. */
export function dims(rank) {
  const words = view(UINT32);
  const sizes = [];
  for (let at = 0; at < rank; at++) sizes.push(words[block + DIMS + at]);
  return sizes;
}

/** Puts a bigint into the block, as a 64-bit integer in two words from number `at` on. */
export function setInteger(value, at = LOW) {
  const bits = BigInt.asUintN(64, value);
  view(UINT32)[block + at] = Number(bits & 0xffffffffn);
  view(UINT32)[block + at + 1] = Number(bits >> 32n);
}

/** Detaches every view of the memory, also the caller's; they have no elements then. Growing does that, even by zero pages. */
export function detachViews() {
  memory.grow(0);
}

let decoder; // made when first needed
/**
 * The UTF-8 text at an address of the memory; both numbers are in bytes. Decodes a copy, because engines may refuse a view of more than 2
 * GiB of memory.
 */
const textAt = (address, length) => (length === 0 ? '' : (decoder ??= new TextDecoder()).decode(view(UINT8).slice(address, address + length)));

// ---------------------------------------------------------------- start

/** Takes over the started instance: its exports, and the function that guards the stack. This completes the start. */
export function attach(exports, stackGuard) {
  instance = exports;
  memory = exports.memory;
  bytesAtStart = memory.buffer.byteLength;
  block = (rust.block() >>> 0) / 4; // an address in bytes, without a sign, becomes one in words
  guard = stackGuard;
}
