// Values of tensors on their way out.

import * as rust from '#glue';
import * as gpu from '#gpu';
import { elements, readOptions } from './arguments.js';
import { arrays, lengthOf, typedDtype } from './arrays.js';
import { ADDRESS, DTYPES } from './wire.js';
import { call, DTYPE_OF, made, temporary, view, word } from './engine.js';
import { failure, outOfMemory, readable, ValueError, wrongKind } from './errors.js';
import { handle } from './handles.js';

/** The platform's own: a class of the caller's may have another. */
const { set: setElements } = Uint8Array.prototype;

const outOptions = ['out'];

/** The option `out`. */
export function readOut(op, options) {
  return options === undefined ? undefined : readOptions(op, options, outOptions).out;
}

/** Which arrays may receive a dtype, by their own dtypes. */
function receives(dtype, kind) {
  if (dtype === 'bool') return kind === 'uint8';
  if (dtype === 'float16') return kind === 'float16' || kind === 'uint16';
  return kind === (dtype === 'bfloat16' ? 'uint16' : dtype);
}

function checkOut(op, dtype, size, out) {
  const kind = typedDtype(out);
  if (kind === undefined || !receives(dtype, DTYPES[kind])) throw wrongKind(op, 'out', `a typed array for ${dtype}`, out);
  const length = readable(op, 'out', () => lengthOf(op, 'out', out));
  if (length !== size) throw failure(ValueError, 'shape-mismatch', op, `out has ${length} elements and the tensor ${size}; they must be equal`, { argument: 'out' });
}

/** A new array for so many elements of a dtype. */
function newArray(op, dtype, size) {
  const Elements = arrays[DTYPE_OF[dtype]];
  try {
    return new Elements(size);
  } catch {
    throw outOfMemory(op, size * Elements.BYTES_PER_ELEMENT);
  }
}

/** The values of a tensor in a new typed array, or in the caller's; a promise of it where the tensor is on the GPU. */
export function copyOut(op, tensor, dtype, shape, device, out) {
  const size = elements(shape);
  if (out !== undefined) checkOut(op, dtype, size, out);
  if (device === 'cpu') return copyFromCpu(op, tensor, dtype, size, out);
  const values = newArray(op, dtype, size);
  return gpu.readInto(op, handle(op, 'this', tensor), values).then(() => (out === undefined ? values : copyInto(op, dtype, size, values, out)));
}

/** Up to so many elements are copied one by one: that is quicker than a call of the platform's. */
const FEW = 64;

function copyFromCpu(op, tensor, dtype, size, out) {
  return call(op, () => {
    rust.locate(handle(op, 'this', tensor));
    const from = word(ADDRESS);
    // The caller's array may be for the bits of a half type.
    const number = out === undefined ? DTYPE_OF[dtype] : typedDtype(out);
    const memory = view(number);
    const start = from / memory.BYTES_PER_ELEMENT;
    if (size > FEW) {
      if (out === undefined) return sliced(op, memory, start, size);
      setElements.call(out, memory.subarray(start, start + size));
      return out;
    }
    const values = out ?? new arrays[number](size);
    for (let at = 0; at < size; at++) values[at] = memory[start + at];
    return values;
  });
}

function sliced(op, memory, start, size) {
  try {
    return memory.slice(start, start + size);
  } catch {
    throw outOfMemory(op, size * memory.BYTES_PER_ELEMENT);
  }
}

/** The caller's array may have changed while the GPU was waited for. */
function copyInto(op, dtype, size, values, out) {
  checkOut(op, dtype, size, out);
  setElements.call(out, new arrays[typedDtype(out)](values.buffer));
  return out;
}

/** The values of a tensor on the CPU as JavaScript's numbers or bigints: the half types as float32. */
export function valuesOf(op, tensor, dtype, shape) {
  const size = elements(shape);
  if (dtype !== 'float16' && dtype !== 'bfloat16') return copyFromCpu(op, tensor, dtype, size);
  return call(op, () => {
    const wide = temporary(made(op, rust.astype(handle(op, 'this', tensor), DTYPE_OF.float32)));
    rust.locate(wide);
    const start = word(ADDRESS) / 4;
    return sliced(op, view(DTYPE_OF.float32), start, size);
  });
}
