// Operands: first read from the caller's values into `Values`, later made tensors of; and what Rust tells of a tensor.

import * as rust from '#glue';
import { addressable, elements, shapeText } from './arguments.js';
import { arrays, copyFew, FEW, lengthOf, rawBytes, typedDtype } from './arrays.js';
import { ARGUMENT, CALL, call, dims, DTYPE_OF, lastError, made, setDims, setInteger, temporary, view, word } from './engine.js';
import { bigintText, failure, RuntimeError, ValueError } from './errors.js';
import { handle, isTensor, stranger, TENSOR } from './handles.js';
import { flatten } from './nested.js';
import { BOOLEAN, DEVICE, DEVICES, DTYPE, DTYPES, INDEX, NUMBER, RANK, SIGNED, UNSIGNED } from './wire.js';

const { bool: BOOL, uint8: UINT8, uint16: UINT16, int32: INT32, float16: FLOAT16, bfloat16: BFLOAT16, float32: FLOAT32, float64: FLOAT64 } = DTYPE_OF;

/** In the place of a dtype: the values' own. */
export const OWN = 254;

/** Values of the caller's that are no tensor: read, but not yet made one. */
export class Values {
  constructor(argument, { shape, values, count, stored, own, isTyped = false, isBytes = false }) {
    this.argument = argument;
    this.shape = shape;
    this.values = values;
    this.count = count;
    this.stored = stored;
    this.own = own;
    /** Whether they come from typed arrays. The caller's own is copied only when the tensor is made. */
    this.isTyped = isTyped;
    /** Whether it has the bytes of the elements. */
    this.isBytes = isBytes;
  }
}

/**
 * Reads an operand: a tensor is itself, anything else becomes `Values`. This may run code of the caller's; `own` does not.
 *
 * Here and below, whether it is a tensor is asked last. That looks for a private field, for which engines are quick only while all
 * objects that they are asked about are of a few kinds.
 */
export const read = (op, argument, value) => (isArray(value) || ArrayBuffer.isView(value) || !isTensor(value) ? readValues(op, argument, value) : value);

function readValues(op, argument, value) {
  if (isNumeric(value) || isArray(value)) return new Values(argument, flatten(op, argument, value));
  const stored = typedDtype(value);
  if (stored === undefined) throw stranger(op, argument, value, TENSOR, 'a Tensor, an array, a typed array or a number');
  const count = lengthOf(op, argument, value);
  return new Values(argument, { shape: addressable(op, [count]), values: value, count, stored, own: stored, isTyped: true });
}

/** Data of a new tensor: as an operand, and bytes with the dtype that is asked for. */
export function readData(op, value, dtype) {
  const mayBeBytes = typeof value === 'object' && value !== null && !isArray(value) && typedDtype(value) === undefined && !isTensor(value);
  const bytes = mayBeBytes ? rawBytes(op, 'data', value) : undefined;
  if (bytes === undefined) return read(op, 'data', value);
  if (dtype === undefined) throw failure(TypeError, 'missing-argument', op, "bytes have no dtype of their own: say { dtype: 'float32' }, for example", { argument: 'dtype' });
  const width = arrays[dtype].BYTES_PER_ELEMENT;
  if (bytes.length % width !== 0) {
    throw failure(ValueError, 'shape-mismatch', op, `data has ${bytes.length} bytes, and each ${DTYPES[dtype]} takes ${width}`, { argument: 'data' });
  }
  const count = bytes.length / width;
  return new Values('data', { shape: addressable(op, [count]), values: bytes, count, stored: dtype, own: dtype, isTyped: true, isBytes: true });
}

/** Numbers, booleans and bigints. */
export const isNumeric = (value) => typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';

/** A source or a factor: a number stays one until the dtype is known that it takes. */
export const readValue = (op, argument, value) => (isNumeric(value) ? value : read(op, argument, value));

/** Array.isArray, which throws for a revoked Proxy. */
function isArray(value) {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** The handle of an operand for the length of a call: the tensor's own, or of a temporary tensor of the dtype `target`. */
export function own(op, argument, operand, target) {
  return operand instanceof Values ? temporary(create(op, operand, target)) : handle(op, argument, operand);
}

/** The handle of a new tensor of values, converted to the dtype `target`, or as an index. */
export function create(op, operand, target, shape = operand.shape) {
  const { argument, values, count } = operand;
  if (elements(shape) !== count) throw wrongCount(op, shape, count);
  const [stored, becomes] = storage(operand, target);
  // What does not fit is told by its place: in nested arrays as they are, in flat ones as they are shaped.
  const place = operand.isTyped && operand.shape.length === 1 ? shape : operand.shape;
  setDims(place);
  const address = rust.reserve(CALL[op], stored, place.length) >>> 0;
  if (address === 0) throw lastError(op);
  copy(op, operand, stored, address);
  if (place !== shape) setDims(shape);
  const created = rust.adopt(CALL[op], ARGUMENT[argument], becomes, shape.length);
  if (created === 0) throw withOriginal(lastError(op), operand);
  return made(op, created);
}

/** The dtype that values are written in, and the one that they become. */
function storage({ values, count, stored, own, isTyped }, target) {
  const becomes = target === OWN ? own : target;
  // The bits of a half type, and the bytes of a bool, travel in the array of their width.
  if (isTyped && stored === UINT16 && (becomes === FLOAT16 || becomes === BFLOAT16)) return [becomes, becomes];
  if (isTyped && stored === UINT8 && becomes === BOOL) return [BOOL, BOOL];
  if (isTyped || stored !== FLOAT64) return [stored, becomes];
  // Numbers are rounded to float32 alike by a Float32Array and by Rust.
  if (becomes === FLOAT32) return [FLOAT32, FLOAT32];
  if (becomes === INDEX && areInt32(values, count)) return [INT32, INDEX];
  return [stored, becomes];
}

function areInt32(values, count) {
  for (let at = 0; at < count; at++) if ((values[at] | 0) !== values[at]) return false;
  return true;
}

function copy(op, { argument, values, count, stored: from, isTyped, isBytes }, stored, address) {
  const target = view(isBytes ? UINT8 : isTyped ? from : stored);
  const at = address / target.BYTES_PER_ELEMENT;
  if (!isTyped) {
    if (ArrayBuffer.isView(values)) target.set(values.subarray(0, count), at);
    else for (let k = 0; k < count; k++) target[at + k] = values[k];
    return;
  }
  const now = lengthOf(op, argument, values);
  if (now !== (isBytes ? count * arrays[from].BYTES_PER_ELEMENT : count)) throw wrongCount(op, [count], now);
  if (isBytes || count > FEW || !copyFew(target, at, values, 0, count)) target.set(values, at);
}

/** The error for data whose number of elements is not the shape's. */
function wrongCount(op, shape, given) {
  const text = `shape ${shapeText(shape)} needs ${elements(shape)} elements, but the data has ${given}`;
  return failure(ValueError, 'shape-mismatch', op, text, { argument: 'shape', shapes: { shape } });
}

/**
 * The error of an index value as it was given: Rust knows integers of 64 bits with a sign, and was given the nearest of them for what
 * lies beyond.
 */
export function withOriginal(error, operand) {
  const { code, position, value } = error;
  if (code !== 'index-out-of-range' || !(operand instanceof Values) || !isExtreme(value)) return error;
  const at = operand.shape.reduce((flat, size, dim) => flat * size + (position[dim] ?? 0), 0);
  const given = operand.values[at];
  const text = typeof given === 'bigint' ? String(given) : given;
  error.message = error.message.replace(String(value), String(text));
  error.value = text;
  return error;
}

const isExtreme = (value) => value === '9223372036854775807' || value === '-9223372036854775808';

// ---------------------------------------------------------------- scalars

const isFloat = (dtype) => dtype >= FLOAT16;

/**
 * A number, boolean or bigint for a tensor of `dtype`: its kind and, where it is no integer of 64 bits, its value. The integer is put
 * in the block.
 */
export function scalar(op, argument, value, dtype) {
  if (typeof value === 'number') return [NUMBER, value];
  if (typeof value === 'boolean') return [BOOLEAN, Number(value)];
  if (value >= -(2n ** 63n) && value < 2n ** 64n) {
    setInteger(value);
    return [value < 2n ** 63n ? SIGNED : UNSIGNED, 0];
  }
  if (isFloat(dtype) || dtype === BOOL) return [NUMBER, Number(value)];
  const text = bigintText(value);
  throw failure(RuntimeError, 'value-overflow', op, `${argument} is ${text}, which does not fit ${DTYPES[dtype]}`, { argument, value: text });
}

/** The handle of a tensor without dimensions, for the length of a call. */
function scalarTensor(op, argument, value, dtype) {
  const [kind, number] = scalar(op, argument, value, dtype);
  setDims([]);
  return temporary(made(op, rust.full(CALL[op], ARGUMENT[argument], dtype, 0, kind, number)));
}

// ---------------------------------------------------------------- what Rust tells of tensors

/** Dtype, shape and device of a tensor. */
export function factsOf(op, tensor, argument = 'this') {
  return call(op, () => {
    rust.describe(handle(op, argument, tensor));
    return { dtype: DTYPES[word(DTYPE)], device: DEVICES[word(DEVICE)], shape: dims(word(RANK)) };
  });
}

/** The dtype of a handle, within a call. */
export function dtypeOf(handle) {
  rust.describe(handle);
  return word(DTYPE);
}

/** The handle of a factor for the length of a call: arrays and numbers take the dtype of what they are multiplied with. */
export function factorHandle(op, argument, factor, self) {
  const dtype = dtypeOf(self);
  return isNumeric(factor) ? scalarTensor(op, argument, factor, dtype) : own(op, argument, factor, dtype);
}
