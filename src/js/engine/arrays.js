// Typed arrays: their dtypes, whatever their classes claim.
//
// Dtypes are numbers here, their places in `DTYPES`. Errors begin with `op`, the name of the function that the caller called, and name
// the `argument`.

import { describe, failure, wrongKind } from './errors.js';
import { DTYPES } from './wire.js';

const float16 = globalThis.Float16Array ?? Uint16Array; // bits, if the engine has no array for it

export const arrays = [
  Uint8Array, Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array,
  float16, Uint16Array, Float32Array, Float64Array,
];

/** The dtype of each class of arrays, by its name. A class that holds several dtypes has the dtype that it is named after. */
const dtypes = {
  ...Object.fromEntries(DTYPES.map((_, dtype) => [arrays[dtype].name, dtype])),
  Uint8Array: DTYPES.indexOf('uint8'),
  Uint8ClampedArray: DTYPES.indexOf('uint8'),
  Uint16Array: DTYPES.indexOf('uint16'),
  Float16Array: DTYPES.indexOf('float16'),
};

// The platform's own getters: the caller's class may override them and claim anything.
const getter = (name) => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name).get;
const tagOf = getter(Symbol.toStringTag);
const lengthGetter = getter('length');
const bufferOf = getter('buffer');
const offsetOf = /* @__PURE__ */ getter('byteOffset');

export function typedDtype(value) {
  if (typeof value !== 'object') return undefined; // faster than the getter
  const tag = tagOf.call(value);
  return tag === undefined ? undefined : dtypes[tag];
}

/** Up to this number, elements are copied one by one: a call of the platform takes longer. */
export const FEW = 64;

/**
 * Copies `count` elements one by one, from place `from` of `source` to place `at` of `target`. At a NaN it stops and returns false: an
 * engine may change the bits of a NaN that moves as a number. Then the caller must copy all of them by the platform's method.
 */
export function copyFew(target, at, source, from, count) {
  for (let k = 0; k < count; k++) {
    const value = source[from + k];
    if (value !== value) return false;
    target[at + k] = value;
  }
  return true;
}

/** Reverses the bytes of each element, in place. An element has `width` bytes. */
export function turnBytes({ buffer, byteOffset, length }, width) {
  const view = new DataView(buffer, byteOffset, length); // faster than shifts: engines have one instruction for 4 bytes
  const even = length & ~3;
  for (let at = 0; width === 4 && at < length; at += 4) view.setInt32(at, view.getInt32(at), true);
  for (let at = 0; width === 8 && at < length; at += 8) {
    const first = view.getInt32(at);
    view.setInt32(at, view.getInt32(at + 4), true);
    view.setInt32(at + 4, first, true);
  }
  if (width !== 2) return;
  for (let at = 0; at < even; at += 4) {
    const two = view.getInt32(at);
    view.setInt32(at, (two << 16) | (two >>> 16), true);
  }
  if (even < length) view.setInt16(even, view.getInt16(even), true);
}

const { keys } = Uint8Array.prototype;

/** The number of elements of a typed array now. Throws for a detached array, and for one beyond the end of a buffer that shrank. */
export function lengthOf(op, argument, array) {
  const length = lengthGetter.call(array);
  if (length > 0) return length;
  try {
    keys.call(array); // a detached array also has length 0, but this throws for it
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

/**
 * The bytes of a whole buffer or of a DataView, not copied; undefined for any other value. Throws for typed arrays and detached buffers.
 */
export function rawBytes(op, argument, value) {
  const [buffer, start, length] = ArrayBuffer.isView(value) ? dataViewParts(op, argument, value) : [value];
  if (!isBuffer(buffer)) return undefined;
  try {
    return new Uint8Array(buffer, start, length);
  } catch (cause) {
    throw failure(TypeError, 'invalid-argument', op, `${argument} has a buffer that was detached`, { argument, cause });
  }
}

/** The bytes of a file, an ArrayBuffer or a Uint8Array: not copied, in a Uint8Array of the platform's own class. */
export function fileBytes(op, bytes) {
  if (typedDtype(bytes) === dtypes.Uint8Array) return new Uint8Array(bufferOf.call(bytes), offsetOf.call(bytes), lengthOf(op, 'bytes', bytes));
  const whole = ArrayBuffer.isView(bytes) ? undefined : rawBytes(op, 'bytes', bytes);
  if (whole !== undefined) return whole;
  const wanted = 'an ArrayBuffer or a Uint8Array, such as `await response.arrayBuffer()`';
  throw failure(TypeError, 'invalid-argument', op, `bytes must be ${wanted}, not ${describe(bytes)}`, { argument: 'bytes' });
}

const bufferLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength').get;

/**
 * Whether a value is an ArrayBuffer, detached or not, or a SharedArrayBuffer, of any realm. DataView recognises shared memory even in a
 * page that lacks its class.
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

/** Buffer, offset and length of a DataView; the last two in bytes. Throws if its buffer was detached or became too short. */
function dataViewParts(op, argument, value) {
  try {
    return viewParts.map((part) => part.call(value));
  } catch (cause) {
    throw wrongKind(op, argument, 'a DataView whose buffer is there', value, `: ${cause.message}`);
  }
}
