// Operands: the read half turns the caller's values into `Values`, the commit half makes tensors of them. Also asks Rust for the facts of
// a tensor.
//
// Dtypes are numbers here, their places in `DTYPES`. Errors begin with `op`, the name of the function that the caller called, and name
// the `argument`. "Within a call" means between `enter` and `leave` of engine.js. A temporary handle is freed when the call ends.

import * as rust from '#glue';
import { arrays, copyFew, FEW, lengthOf, rawBytes, turnBytes, typedDtype } from '../engine/arrays.js';
import { ARGUMENT, CALL, call, dims, DTYPE_OF, lastError, made, setDims, setInteger, temporary, view, word } from '../engine/engine.js';
import { bigintText, failure, IndexError, RuntimeError, ValueError } from '../engine/errors.js';
import { handle, isTensor, stranger, TENSOR } from '../engine/handles.js';
import { BOOLEAN, DEVICE, DEVICES, DTYPE, DTYPES, IGNORED_LOW, IGNORES, INDEX, MODES, NUMBER, RANK, SIGNED, UNSIGNED, WHOLE } from '../engine/wire.js';
import { addressable, elements, isNumeric, shapeText } from './arguments.js';
import { flatten } from './nested.js';
import { positionOf } from './positions.js';

const { bool: BOOL, uint8: UINT8, uint16: UINT16, int32: INT32, uint64: UINT64, float16: FLOAT16, bfloat16: BFLOAT16, float32: FLOAT32, float64: FLOAT64 } = DTYPE_OF;

const WRAP = MODES.indexOf('wrap');

/** A target dtype: the values keep their own, `Values.own`. */
export const OWN_DTYPE = 254;

/** Values that were read from the caller and are not a tensor yet. */
export class Values {
  /**
   * `argument`: the name of their argument.
   * `shape`, `count`: their shape and number.
   * `values`: a flat list in row-major order; it may be longer than `count`.
   * `stored`: the dtype of the list.
   * `own`: the default dtype of a tensor of these values.
   */
  constructor(argument, { shape, values, count, stored, own, isTyped = false, isBytes = false }) {
    this.argument = argument;
    this.shape = shape;
    this.values = values;
    this.count = count;
    this.stored = stored;
    this.own = own;
    /** Whether they come from typed arrays. Then `values` may be the caller's own array, which is copied only when the tensor is made. */
    this.isTyped = isTyped;
    /** Whether `values` is a Uint8Array with the bytes of the elements instead of a list of elements. */
    this.isBytes = isBytes;
    /** Whether those bytes are big-endian; a file may have them so. */
    this.isBigEndian = false;
  }
}

/** Whether an operand is a plain `[]`, which says nothing of its other dimensions. */
export const isNone = (operand) => operand instanceof Values && operand.count === 0 && !operand.isTyped && operand.shape.length === 1;

/** A plain `[]` as values of that shape, which has no elements. Returns any other operand unchanged, and for a scalar `[]` too, which Rust refuses. */
export const spread = (operand, shape) => (isNone(operand) && shape.length > 0 ? new Values(operand.argument, { ...operand, shape }) : operand);

/** A shape without elements along `dim`, or without any where the shape has no such dim: then Rust refuses the dim. */
export const emptied = (shape, dim) => shape.map((size, at) => (at === dim || at - shape.length === dim || !(dim >= -shape.length && dim < shape.length) ? 0 : size));

/**
 * Reads an operand: a tensor stays itself, anything else becomes `Values`. This may run code of the caller; `operandHandle` never does.
 *
 * Here and in `readData`, `isTensor` comes last: it looks for a private field, which is fast only if it sees few kinds of objects.
 */
export const readOperand = (op, argument, value) => (isArray(value) || ArrayBuffer.isView(value) || !isTensor(value) ? readValues(op, argument, value) : value);

function readValues(op, argument, value) {
  if (isNumeric(value) || isArray(value)) return new Values(argument, flatten(op, argument, value));
  const stored = typedDtype(value);
  if (stored === undefined) throw stranger(op, argument, value, TENSOR, 'a Tensor, an array, a typed array or a number');
  const count = lengthOf(op, argument, value);
  return new Values(argument, { shape: addressable(op, [count], argument), values: value, count, stored, own: stored, isTyped: true });
}

/**
 * Reads the data of a new tensor: any operand, or an ArrayBuffer or DataView whose bytes are elements of `dtype`. `dtype` is undefined if
 * the caller gave none.
 */
export function readData(op, value, dtype) {
  const mayBeBytes = typeof value === 'object' && value !== null && !isArray(value) && typedDtype(value) === undefined && !isTensor(value);
  const bytes = mayBeBytes ? rawBytes(op, 'data', value) : undefined;
  if (bytes === undefined) return readOperand(op, 'data', value);
  if (dtype === undefined) throw failure(TypeError, 'missing-argument', op, "bytes have no dtype of their own: say { dtype: 'float32' }, for example", { argument: 'dtype' });
  const width = arrays[dtype].BYTES_PER_ELEMENT;
  if (bytes.length % width !== 0) {
    throw failure(ValueError, 'shape-mismatch', op, `data has ${bytes.length} bytes, and each ${DTYPES[dtype]} takes ${width}`, { argument: 'data' });
  }
  const count = bytes.length / width;
  return new Values('data', { shape: addressable(op, [count], 'data'), values: bytes, count, stored: dtype, own: dtype, isTyped: true, isBytes: true });
}

/** Reads the source of a scatter, or a factor. A number, boolean or bigint stays unchanged until its dtype is known. */
export const readValue = (op, argument, value) => (isNumeric(value) ? value : readOperand(op, argument, value));

/** Array.isArray, but false for a revoked Proxy instead of an error. */
function isArray(value) {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * The temporary handle of an operand. A tensor has its own, whatever its dtype. `Values` become a temporary tensor of the dtype `target`:
 * their own for `OWN_DTYPE`, the dtype of an index for `INDEX`.
 */
export function operandHandle(op, argument, operand, target) {
  return operand instanceof Values ? temporary(create(op, operand, target), argument) : handle(op, argument, operand);
}

/**
 * The target for values of `dtype` that are terms, factors or divisors: a fraction is refused if the dtype has none. For any other target
 * Rust cuts it.
 */
export const termsOf = (dtype) => dtype | WHOLE;

/**
 * The target of an operand that is compared with a tensor of `dtype`. Plain numbers become floats of that dtype, so that 0.1 is equal to 0.1. Beside
 * integers a few that are integers of the dtype become these, which are compared faster; others float64, which holds every one.
 */
export function comparedAs(operand, dtype) {
  if (targetOf(operand, FLOAT32) === OWN_DTYPE || operand.own !== FLOAT32) return OWN_DTYPE;
  if (isFloat(dtype)) return dtype;
  const { values, count } = operand;
  const isHeld = (value) => (dtype === BOOL ? value === 0 || value === 1 : arrays[dtype].BYTES_PER_ELEMENT === 8 ? Number.isSafeInteger(value) && (dtype !== UINT64 || value >= 0) : arrays[dtype].of(value)[0] === value);
  for (let at = 0; at < count; at++) if (at === FEW || !isHeld(values[at])) return FLOAT64;
  return dtype;
}

/** The target for `operandHandle`: plain values become `dtype`; typed arrays and tensors keep their own. */
export const targetOf = (operand, dtype) => (operand instanceof Values && !operand.isTyped ? dtype : OWN_DTYPE);

/** The handle of an operand that has to be bool. A plain array without elements has no other dtype either. */
export const truthHandle = (op, argument, operand) => operandHandle(op, argument, operand, operand.count === 0 ? targetOf(operand, BOOL) : OWN_DTYPE);

/**
 * The handle of a new tensor of `Values`, in a shape with as many elements; `target` is as for `operandHandle`. Reserves memory first,
 * because memory may grow and detach views. Then writes the elements there, and Rust makes the tensor.
 */
export function create(op, operand, target, shape = operand.shape) {
  const { argument, values, count } = operand;
  checkCount(op, shape, count);
  const [stored, becomes] = writtenAndFinalDtype(operand, target & ~WHOLE);
  // The error for a value that does not fit names its position: in the caller's nesting, or for a flat typed array in the new shape.
  const errorShape = operand.isTyped && operand.shape.length === 1 ? shape : operand.shape;
  setDims(errorShape);
  const address = rust.reserve(CALL[op], stored, errorShape.length) >>> 0; // an address has no sign
  if (address === 0) throw lastError(op);
  writeElements(op, operand, stored, address);
  if (errorShape !== shape) setDims(shape);
  const created = rust.adopt(CALL[op], ARGUMENT[argument], becomes | (target & WHOLE), shape.length);
  return madeFrom(op, created, operand);
}

/** The dtype in which `Values` are written to memory, and the dtype that Rust converts them to. `target` is as for `create`. */
function writtenAndFinalDtype({ values, count, stored, own, isTyped }, target) {
  const becomes = target === OWN_DTYPE ? own : target;
  // A Uint16Array may hold the bits of a half type, and a Uint8Array those of bools. These are not converted.
  if (isTyped && stored === UINT16 && (becomes === FLOAT16 || becomes === BFLOAT16)) return [becomes, becomes];
  if (isTyped && stored === UINT8 && becomes === BOOL) return [BOOL, BOOL];
  if (isTyped || stored !== FLOAT64) return [stored, becomes];
  // Numbers of a plain array. A Float32Array rounds them as Rust would, and halves the bytes.
  if (becomes === FLOAT32) return [FLOAT32, FLOAT32];
  if (becomes === INDEX && areInt32(values, count)) return [INT32, INDEX];
  return [stored, becomes];
}

function areInt32(values, count) {
  for (let at = 0; at < count; at++) if ((values[at] | 0) !== values[at]) return false;
  return true;
}

/**
 * Writes the elements of `Values` to memory at a byte address, in the dtype `stored`. A typed array keeps all its bits, because the view
 * has its kind. Its length must not have changed since it was read: code of the caller may have run.
 */
function writeElements(op, { argument, values, count, stored: from, isTyped, isBytes, isBigEndian }, stored, address) {
  const target = view(isBytes ? UINT8 : isTyped ? from : stored);
  const at = address / target.BYTES_PER_ELEMENT;
  if (!isTyped) {
    if (ArrayBuffer.isView(values)) target.set(values.subarray(0, count), at);
    else for (let k = 0; k < count; k++) target[at + k] = values[k];
    return;
  }
  const width = isBytes ? arrays[from].BYTES_PER_ELEMENT : 1; // entries of `values` for each element
  const now = lengthOf(op, argument, values) / width;
  if (now !== count) throw wrongCount(op, [count], now);
  if (isBytes || count > FEW || !copyFew(target, at, values, 0, count)) target.set(values, at);
  if (isBigEndian) turnBytes(target.subarray(at, at + now * width), width);
}

/** Throws if a shape does not have `given` elements, as many as the data. */
export function checkCount(op, shape, given) {
  if (elements(shape) !== given) throw wrongCount(op, shape, given);
}

function wrongCount(op, shape, given) {
  const text = `shape ${shapeText(shape)} needs ${elements(shape)} elements, but the data has ${given}`;
  return failure(ValueError, 'shape-mismatch', op, text, { argument: 'shape', shapes: { shape } });
}

/**
 * Puts the value that the caller gave in `operand` into Rust's error about an index value. Rust knows index values as signed 64-bit
 * integers, and got the nearest one for a value beyond them. Returns any other error unchanged.
 */
export function withOriginal(error, operand) {
  const { position, value } = error;
  if (!(operand instanceof Values) || !isExtreme(value)) return error;
  // The flat place of the value, from its coordinates. An error without a position is about the largest value.
  const at = position === undefined ? findBeyond(operand) : operand.shape.reduce((flat, size, dim) => flat * size + (position[dim] ?? 0), 0);
  const given = operand.values[at];
  if (!isBeyond(given)) return error;
  const text = typeof given === 'bigint' ? String(given) : given;
  error.message = error.message.replace(String(value), String(text));
  error.value = text;
  return error;
}

/** As `made` of engine.js, for a call that read `operand` as an index: an error names the value that the caller gave. */
export function madeFrom(op, handle, operand) {
  if (handle === 0) throw withOriginal(lastError(op), operand);
  return made(op, handle);
}

const isBeyond = (value) => value >= 2 ** 63 || value < -(2 ** 63);

/**
 * The flat place of the first value beyond signed 64-bit integers, or -1. Calls no method of the array: the caller's class may override
 * it.
 */
function findBeyond({ values, count, stored }) {
  if (stored !== UINT64 && !isFloat(stored)) return -1;
  for (let at = 0; at < count; at++) if (isBeyond(values[at])) return at;
  return -1;
}

/**
 * The temporary handle of an index, as by `operandHandle`. `mode` and `ignored` come from `readIndexOptions`. With `wrap`, a value beyond
 * signed 64-bit integers is refused: Rust would get the nearest one, which wraps to another place.
 */
export function indexOperand(op, argument, operand, { mode, ignored }) {
  if ((mode & ~IGNORES) === WRAP && operand instanceof Values) checkWrapped(op, argument, operand);
  const index = operandHandle(op, argument, operand, INDEX);
  if (mode & IGNORES) setInteger(ignored, IGNORED_LOW);
  return index;
}

const [LEAST, LARGEST] = [-(2n ** 63n), 2n ** 63n - 1n];

/**
 * The index of a call that ignores the bigint `ignored`, and the value to ignore in it: `{ index, ignored }`; `ignored` is undefined if no
 * entry has the value. Rust turns values beyond signed 64-bit integers into the nearest one. If the ignored value is at such an end, a copy
 * of the index has the other end in its place.
 */
export function ignoring(index, ignored) {
  // Rust gets the bits.
  if (!(index instanceof Values) && index.dtype === 'uint64') return { index, ignored: ignored < 0n || ignored >= 2n ** 64n ? undefined : BigInt.asIntN(64, ignored) };
  if (ignored > LEAST && ignored < LARGEST) return { index, ignored };
  if (!(index instanceof Values)) return { index, ignored: ignored < LEAST || ignored > LARGEST ? undefined : ignored };
  const { argument, shape, values, count } = index;
  const areBigints = count > 0 && typeof values[0] === 'bigint';
  const copy = areBigints ? new BigInt64Array(count) : new Float64Array(count);
  const mark = ignored > 0n ? LEAST : LARGEST;
  for (let at = 0; at < count; at++) {
    const value = values[at];
    const becomes = value == ignored ? mark : areBigints && value > LARGEST ? LARGEST : value; // == compares a number with a bigint
    copy[at] = areBigints ? becomes : Number(becomes);
  }
  const stored = typedDtype(copy);
  return { index: new Values(argument, { shape, values: copy, count, stored, own: stored, isTyped: true }), ignored: mark };
}

/** Throws if an index of `Values` has a value beyond signed 64-bit integers. */
function checkWrapped(op, argument, operand) {
  const at = findBeyond(operand);
  if (at < 0) return;
  const given = operand.values[at];
  const value = typeof given === 'bigint' ? String(given) : given;
  const position = positionOf(operand.shape, at);
  throw failure(IndexError, 'index-out-of-range', op, `${argument}${shapeText(position)} is ${value}, beyond 64 bits with a sign: such a value is not wrapped`, { argument, position, value });
}

const isExtreme = (value) => value === '9223372036854775807' || value === '-9223372036854775808';

// ---------------------------------------------------------------- scalars

/** Whether a dtype is a float: the last dtypes are. */
const isFloat = (dtype) => dtype >= FLOAT16;

/**
 * A number, boolean or bigint for a tensor of `dtype`, as Rust receives it: its kind, a constant of wire.js, and its value as a number.
 * The value of a 64-bit bigint goes into the block, and the number is 0. Within a call.
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

/** The temporary handle of a tensor without dimensions that holds one factor of `dtype`. */
function scalarTensor(op, argument, value, dtype) {
  const [kind, number] = scalar(op, argument, value, dtype);
  setDims([]);
  return temporary(made(op, rust.full(CALL[op], ARGUMENT[argument], termsOf(dtype), 0, kind, number)));
}

// ---------------------------------------------------------------- facts of tensors

/** The names of a tensor's dtype and device, and its shape. Makes a call of its own. */
export function factsOf(op, tensor, argument = 'this') {
  return call(op, () => {
    rust.describe(handle(op, argument, tensor));
    return { dtype: DTYPES[word(DTYPE)], device: DEVICES[word(DEVICE)], shape: dims(word(RANK)) };
  });
}

/** The dtype of a tensor by its handle, within a call. Leaves its rank and sizes in the block. */
export function dtypeOf(handle) {
  rust.describe(handle);
  return word(DTYPE);
}

/**
 * The temporary handle of a factor, or of another operand that computes with the tensor `self`. Arrays and numbers take the dtype of `self`;
 * a fraction is refused if that dtype has none.
 */
export function factorHandle(op, argument, factor, self) {
  const dtype = dtypeOf(self);
  return isNumeric(factor) ? scalarTensor(op, argument, factor, dtype) : operandHandle(op, argument, factor, termsOf(dtype));
}
