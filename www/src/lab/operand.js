import { coordinates, offsetOf } from '../shared/picture.js';

/**
 * One operand of a call as plain data. `kind` is how it is written: a tensor, an array that takes the dtype it needs, or
 * one number. `dtype` null: the one that the library chooses. `name` null: written inside the call.
 * `parameter` is the name of a Parameter; a plain Tensor has none.
 * @typedef {{ kind: 'tensor' | 'array' | 'scalar', name: string | null, shape: number[], dtype: string | null,
 *   values: (number | bigint | boolean)[], parameter?: string }} Operand
 */

/** How many elements a shape has. */
export const sizeOf = (shape) => shape.reduce((product, size) => product * size, 1);

/** Whether an operand is a tensor of int64 because it holds bigints, and not because its dtype says so. */
const isBig = ({ kind, dtype, values }) => kind === 'tensor' && !dtype && values.some((value) => typeof value === 'bigint');

const isWide = (dtype) => dtype === 'int64' || dtype === 'uint64';

/** The dtype of an operand: its own, or the one that the library gives to a tensor of these values. Empty for an array or a number without one. */
export function dtypeOf(operand) {
  const { kind, dtype, values } = operand;
  if (dtype || kind !== 'tensor') return dtype ?? '';
  if (isBig(operand)) return 'int64';
  return values.length > 0 && values.every((value) => typeof value === 'boolean') ? 'bool' : 'float32';
}

/** What a visitor may type for a value of a bool tensor. */
const BOOLEANS = new Map(Object.entries({ true: true, false: false, 1: true, 0: false }));

/** What a visitor typed, as a value of this operand, or null if it is not a value. @returns {number | bigint | boolean | null} */
export function readValue(text, operand) {
  const word = text.trim().replace('−', '-');
  if (dtypeOf(operand) === 'bool') return BOOLEANS.get(word) ?? null;
  if (/^-?\d+n$/.test(word)) return BigInt(word.slice(0, -1));
  if (/^-?\d+$/.test(word) && isWide(dtypeOf(operand)) && !Number.isSafeInteger(Number(word))) return BigInt(word);
  if (isBig(operand) && !Number.isInteger(Number(word))) return null; // the library takes no fraction beside bigints
  if (word === '' || Number.isNaN(Number(word))) return word === 'NaN' ? NaN : null;
  return Number(word);
}

/**
 * The same operand with another value at an offset in row-major order. In a tensor that is int64 because of its bigints, a whole number
 * becomes a bigint: without any, the tensor would get another dtype.
 */
export function withValue(operand, offset, value) {
  const next = isBig(operand) && Number.isInteger(value) ? BigInt(value) : value;
  return { ...operand, values: operand.values.with(offset, next) };
}

/**
 * The same operand in another shape. With the same rank an element keeps its position, otherwise its offset; elements without a place are
 * dropped, and new places hold 0 or false. A number becomes a tensor.
 */
export function withShape(operand, shape) {
  const filler = dtypeOf(operand) === 'bool' ? false : 0;
  const isOfSameRank = shape.length === operand.shape.length;
  const values = Array.from({ length: sizeOf(shape) }, (_, offset) => {
    if (!isOfSameRank) return operand.values[offset] ?? filler;
    const position = coordinates(offset, shape);
    const isOld = position.every((at, axis) => at < operand.shape[axis]);
    return isOld ? operand.values[offsetOf(position, operand.shape)] : filler;
  });
  return { ...operand, kind: operand.kind === 'scalar' ? 'tensor' : operand.kind, shape, values };
}

/** The first number of an operand, or 0, in place of all of it. @returns {Operand} */
export function toScalar(operand) {
  return { kind: 'scalar', name: null, shape: [], dtype: null, values: [operand.values[0] ?? 0] };
}

/** A tensor full of the number that an operand is. @param {string | null} dtype @returns {Operand} */
export function toTensor(operand, shape, dtype) {
  const values = Array(sizeOf(shape)).fill(operand.values[0]);
  return { kind: 'tensor', name: operand.name, shape, dtype, values };
}
