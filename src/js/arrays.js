// Typed arrays: which dtype they hold, whatever properties the caller has given them.

import { describe, failure, wrongKind } from './errors.js';
import { DTYPES } from './wire.js';

const float16 = globalThis.Float16Array ?? Uint16Array; // its bits where the engine has no array for it

/** The array of each dtype, by the dtype's number. */
export const arrays = [
  Uint8Array, Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array,
  float16, Uint16Array, Float32Array, Float64Array,
];

const dtypes = {
  ...Object.fromEntries(DTYPES.map((_, dtype) => [arrays[dtype].name, dtype])),
  Uint8Array: DTYPES.indexOf('uint8'),
  Uint8ClampedArray: DTYPES.indexOf('uint8'),
  Uint16Array: DTYPES.indexOf('uint16'),
  Float16Array: DTYPES.indexOf('float16'),
};

// The platform's own getters: a class of the caller's may say anything of itself.
const getter = (name) => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name).get;
const tagOf = getter(Symbol.toStringTag);
const lengthGetter = getter('length');
const bufferOf = getter('buffer');
const offsetOf = getter('byteOffset');

/** The dtype of a typed array's elements; undefined for anything else. */
export function typedDtype(value) {
  if (typeof value !== 'object') return undefined; // the getter is a call
  const tag = tagOf.call(value);
  return tag === undefined ? undefined : dtypes[tag];
}

/** Up to this number, elements are copied one by one: a call of the platform takes longer. */
export const FEW = 64;

/**
 * Copies a few elements one by one. Stops at a NaN and returns false: an engine may change the bits of a NaN that it moves as a number,
 * and the platform's copies do not.
 */
export function copyFew(target, at, source, from, count) {
  for (let k = 0; k < count; k++) {
    const value = source[from + k];
    if (value !== value) return false;
    target[at + k] = value;
  }
  return true;
}

const { keys } = Uint8Array.prototype;

/** How many elements a typed array has now. One that was detached, or lies beyond a buffer that shrank, has none and is refused. */
export function lengthOf(op, argument, array) {
  const length = lengthGetter.call(array);
  if (length > 0) return length;
  try {
    keys.call(array); // looks whether the array is there
  } catch (cause) {
    const why = isDetached(bufferOf.call(array)) ? 'whose buffer was detached: it was transferred to another place' : 'that lies beyond its buffer, which shrank';
    throw failure(TypeError, 'invalid-argument', op, `${argument} is a typed array ${why}`, { argument, cause });
  }
  return 0;
}

export function isDetached(buffer) {
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}

/** The bytes of an ArrayBuffer, a SharedArrayBuffer or a DataView, not copied; undefined for anything else. */
export function rawBytes(op, argument, value) {
  const [buffer, start, length] = ArrayBuffer.isView(value) ? viewed(op, argument, value) : [value];
  if (!isBuffer(buffer)) return undefined;
  try {
    return new Uint8Array(buffer, start, length);
  } catch (cause) {
    throw failure(TypeError, 'invalid-argument', op, `${argument} has a buffer that was detached`, { argument, cause });
  }
}

/** The bytes of a file, not copied: an array of the platform's own class, whatever the caller's is. */
export function fileBytes(op, bytes) {
  if (typedDtype(bytes) === dtypes.Uint8Array) return new Uint8Array(bufferOf.call(bytes), offsetOf.call(bytes), lengthOf(op, 'bytes', bytes));
  const buffer = ArrayBuffer.isView(bytes) ? undefined : rawBytes(op, 'bytes', bytes);
  if (buffer !== undefined) return buffer;
  const wanted = 'an ArrayBuffer or a Uint8Array, such as `await response.arrayBuffer()`';
  throw failure(TypeError, 'invalid-argument', op, `bytes must be ${wanted}, not ${describe(bytes)}`, { argument: 'bytes' });
}

const bufferLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength').get;

/**
 * Whether it is an ArrayBuffer, detached or not, or a SharedArrayBuffer, of this realm or another. A page may be given shared memory without
 * having its class.
 */
export const isBuffer = (value) => succeeds(() => bufferLength.call(value)) || succeeds(() => new DataView(value));

function succeeds(run) {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

const viewGetter = (name) => Object.getOwnPropertyDescriptor(DataView.prototype, name).get;
const viewParts = ['buffer', 'byteOffset', 'byteLength'].map(viewGetter);

/** The parts of a DataView, which throws where its buffer was detached or became too short. */
function viewed(op, argument, value) {
  try {
    return viewParts.map((part) => part.call(value));
  } catch (cause) {
    throw wrongKind(op, argument, 'a DataView whose buffer is there', value, `: ${cause.message}`);
  }
}
