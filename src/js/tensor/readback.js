// Read-back: values of tensors for the caller.
//
// Errors begin with `op`, the name of the method. `out` is the caller's array for the values, or undefined. A `dtype` is a name here;
// `view`, `typedDtype` and `arrays` take numbers. Addresses and lengths in the block are in bytes.

import * as rust from '#glue';
import * as gpu from '#gpu';
import { elements, readOptions } from '../arguments/arguments.js';
import { arrays, copyFew, FEW, lengthOf, typedDtype } from '../engine/arrays.js';
import { call, caught, DTYPE_OF, enter, leave, made, temporary, view, word } from '../engine/engine.js';
import { failure, outOfMemory, readable, ValueError, wrongKind } from '../engine/errors.js';
import { handle } from '../engine/handles.js';
import { ADDRESS, DTYPE, DTYPES, LENGTH } from '../engine/wire.js';

/** The platform's own method: the caller's class may override it. */
const { set: setElements } = Uint8Array.prototype;

const outOptions = ['out'];

export function readOut(op, options) {
  return options === undefined ? undefined : readOptions(op, options, outOptions).out;
}

/** Whether a typed array of `arrayDtype` may receive values of `dtype`: a Uint16Array takes the bits of half types, a Uint8Array bools. */
function receives(dtype, arrayDtype) {
  if (dtype === 'bool') return arrayDtype === 'uint8';
  if (dtype === 'float16') return arrayDtype === 'float16' || arrayDtype === 'uint16';
  return arrayDtype === (dtype === 'bfloat16' ? 'uint16' : dtype);
}

function checkOut(op, dtype, size, out) {
  const arrayDtype = typedDtype(out);
  if (arrayDtype === undefined || !receives(dtype, DTYPES[arrayDtype])) throw wrongKind(op, 'out', `a typed array for ${dtype}`, out);
  const length = readable(op, 'out', () => lengthOf(op, 'out', out));
  if (length !== size) throw failure(ValueError, 'shape-mismatch', op, `out has ${length} elements and the tensor ${size}; they must be equal`, { argument: 'out' });
}

function newArray(op, dtype, size) {
  const Elements = arrays[DTYPE_OF[dtype]];
  try {
    return new Elements(size);
  } catch {
    throw outOfMemory(op, size * Elements.BYTES_PER_ELEMENT);
  }
}

/** The values of a tensor on the CPU in a new typed array, or in the caller's; undefined for a tensor on the GPU. */
export function copyFromCpu(op, tensor, out) {
  enter(op);
  try {
    if (!rust.locate(handle(op, 'this', tensor))) return undefined;
    const dtype = word(DTYPE); // its number
    const from = word(ADDRESS);
    const memory = view(dtype);
    const size = word(LENGTH) / memory.BYTES_PER_ELEMENT;
    if (out !== undefined) return fill(op, DTYPES[dtype], from, size, out);
    return size > FEW ? sliced(op, memory, from, size) : few(op, memory, from, size);
  } catch (error) {
    throw caught(op, error);
  } finally {
    leave();
  }
}

/**
 * Copies `size` elements from the byte address `from` to the caller's array, and returns the array. The view of the memory has the
 * array's own kind, so that a Uint16Array gets the bits of a half type.
 */
function fill(op, dtype, from, size, out) {
  checkOut(op, dtype, size, out);
  const memory = view(typedDtype(out));
  const start = from / memory.BYTES_PER_ELEMENT;
  if (size > FEW || !copyFew(out, 0, memory, start, size)) setElements.call(out, memory.subarray(start, start + size));
  return out;
}

/** A few elements of the view `memory`, from a byte address on, in a new array. Copies them one by one, unless one is a NaN. */
function few(op, memory, from, size) {
  const values = new memory.constructor(size);
  return copyFew(values, 0, memory, from / memory.BYTES_PER_ELEMENT, size) ? values : sliced(op, memory, from, size);
}

/** `size` elements of the view `memory`, from a byte address on, in a new array, copied by the platform. */
function sliced(op, memory, from, size) {
  const start = from / memory.BYTES_PER_ELEMENT;
  try {
    return memory.slice(start, start + size);
  } catch {
    throw outOfMemory(op, size * memory.BYTES_PER_ELEMENT);
  }
}

/** A promise of the values of a tensor on the GPU with this dtype and shape, in a new array or in the caller's. */
export function copyFromGpu(op, tensor, { dtype, shape }, out) {
  const size = elements(shape);
  if (out !== undefined) checkOut(op, dtype, size, out);
  const values = newArray(op, dtype, size);
  const read = gpu.readInto(op, handle(op, 'this', tensor), values);
  return out === undefined ? read.then(() => values) : read.then(() => copyInto(op, dtype, size, values, out));
}

/** Copies the values from the GPU to the caller's array, and returns the array. Checks it again, because it may have changed. */
function copyInto(op, dtype, size, values, out) {
  checkOut(op, dtype, size, out);
  setElements.call(out, new arrays[typedDtype(out)](values.buffer)); // a Uint16Array gets the bits of a half type
  return out;
}

/**
 * The values of a tensor on the CPU of the dtype `dtype`, in a typed array of numbers or bigints. Half types become float32, because
 * engines may have no array for them.
 */
export function valuesOf(op, tensor, dtype) {
  if (dtype !== 'float16' && dtype !== 'bfloat16') return copyFromCpu(op, tensor);
  return call(op, () => {
    const wide = temporary(made(op, rust.astype(handle(op, 'this', tensor), DTYPE_OF.float32)));
    rust.locate(wide);
    return sliced(op, view(DTYPE_OF.float32), word(ADDRESS), word(LENGTH) / 4);
  });
}
