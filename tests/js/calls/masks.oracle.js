// The definitions of masks, as loops.

import { ARRAYS, asBits, isFloat } from './elements.js';
import { ravel, sizeOf, unravel, valueOf } from './oracle.js';
import { integers, like, stored } from './results.js';

/** A plain number as a tensor of no dimensions: a float of the other's dtype, or itself. */
const asTensor = (value, { dtype }) => (typeof value === 'object' ? value : { shape: [], values: [isFloat(dtype) ? stored(dtype, value) : value] });
const valuesOf = ({ values, dtype, data }) => values ?? Array.from(data, (element) => valueOf(dtype, element));

/** The shape to which others broadcast, and for each a function from a flat place of the result to its own. */
export function broadcast(...shapes) {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  const padded = shapes.map((shape) => [...Array(rank - shape.length).fill(1), ...shape]);
  const shape = Array.from({ length: rank }, (_, d) => padded.map((sizes) => sizes[d]).find((size) => size !== 1) ?? 1);
  const places = padded.map((sizes) => (place) => ravel(unravel(place, shape).map((at, d) => (sizes[d] === 1 ? 0 : at)), sizes));
  return { shape, places };
}

/** `test` of each pair, as bool. JavaScript compares a bigint with a number exactly. */
const paired = (test) => ({ self, args: { other } }) => {
  const second = asTensor(other, self);
  const { shape, places } = broadcast(self.shape, second.shape);
  const [one, two] = [valuesOf(self), valuesOf(second)];
  return { result: like('bool', shape, Array.from({ length: sizeOf(shape) }, (_, k) => Number(test(one[places[0](k)], two[places[1](k)])))) };
};
const each = (test) => ({ self }) => ({ result: { dtype: 'bool', shape: self.shape, data: ARRAYS.bool.from(valuesOf(self), (value) => Number(test(value))) } });

/** x where the mask is true, else y, with its bits. */
function chosen({ self, args: { x, y } }) {
  const other = typeof y === 'object' ? y : like(x.dtype, [], [/int64/.test(x.dtype) ? BigInt(y) : y]);
  const { shape, places } = broadcast(self.shape, x.shape, other.shape);
  const data = new ARRAYS[x.dtype](sizeOf(shape));
  const bits = [data, x.data, other.data].map(asBits);
  for (let k = 0; k < data.length; k++) bits[0][k] = self.data[places[0](k)] ? bits[1][places[1](k)] : bits[2][places[2](k)];
  return { result: { dtype: x.dtype, shape, data, isMoved: true } };
}

/** The positions of what is not 0, as many as `size` says. */
function positions({ self, options: { size, fill = -1, dtype = 'int64' } }) {
  const all = valuesOf(self).flatMap((value, at) => (Number(value) === 0 ? [] : [at]));
  const list = size === undefined ? all : Array.from({ length: size }, (_, at) => all[at] ?? fill);
  return { result: integers(dtype, [list.length], list) };
}

/** The slices of a tensor along `dim` at which the mask is true. */
function slices({ data: mask }, { dtype, shape, data }, dim) {
  const axis = dim < 0 ? dim + shape.length : dim;
  const at = Array.from(mask.keys()).filter((k) => mask[k]);
  const sizes = shape.with(axis, at.length);
  const places = Array.from({ length: sizeOf(sizes) }, (_, k) => unravel(k, sizes)).map((place) => ravel(place.with(axis, at[place[axis]]), shape));
  const moved = new ARRAYS[dtype](places.length);
  const [to, from] = [moved, data].map(asBits);
  places.forEach((place, k) => (to[k] = from[place]));
  return { dtype, shape: sizes, data: moved, isMoved: true };
}

function compressed({ self, args: { x }, options: { dim = 0 } }) {
  return Array.isArray(x) ? { ...x.map((each) => slices(self, each, dim)) } : { result: slices(self, x, dim) };
}

export const masks = {
  flatnonzero: positions,
  compress: compressed,
  where: chosen,
  'Tensor.lt': paired((a, b) => a < b),
  'Tensor.le': paired((a, b) => a <= b),
  'Tensor.gt': paired((a, b) => a > b),
  'Tensor.ge': paired((a, b) => a >= b),
  'Tensor.eq': paired((a, b) => a == b),
  'Tensor.ne': paired((a, b) => a != b),
  'Tensor.isnan': each((x) => Number.isNaN(x)),
  'Tensor.logical_and': paired((a, b) => a && b),
  'Tensor.logical_or': paired((a, b) => a || b),
  'Tensor.logical_not': each((x) => !x),
};
