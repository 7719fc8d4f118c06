// scatter_softmax and scatter_logsumexp within their bounds: docs/operators/scatter_softmax.md. Every step is an interval that has the step's
// result; its ends are rounded as the result is, so that a half type is held to the bound of float32.

import { elementOf, exactQuotient, position, ravel, sizeOf, unravel, valueOf } from './oracle.js';
import { ARRAYS } from './elements.js';

/**
 * The error of exp and log in units in the last place: on WebGPU that of the activations' table. On the CPU they are computed in float64 and
 * rounded; in float64 itself neither the library nor JavaScript rounds right.
 */
const unitsOf = (dtype, device) => (dtype === 'float64' ? 4 : device === 'webgpu' ? 4 : 1);
const float32 = { round: Math.fround, unit: 2 ** -23, least: 2 ** -149 };
const float64 = { round: (x) => x, unit: 2 ** -52, least: 2 ** -1074 };

/** The numbers that differ from x by at most some units in the last place, as an interval. */
const around = (x, units, { unit, least }) => [x - units * (Math.abs(x) * unit + least), x + units * (Math.abs(x) * unit + least)];

/** The flat places of each group's entries, by the place of the group in the result of a logsumexp; and the dimension. */
function groupsOf({ self, args: { index, dim = -1 }, options: { ignore_index } }) {
  const d = dim < 0 ? dim + self.shape.length : dim;
  const members = new Map();
  for (let k = 0; k < self.data.length; k++) {
    const at = unravel(k, self.shape);
    const own = index.shape.length === at.length ? at.map((each, axis) => (index.shape[axis] === 1 ? 0 : each)) : [at[d]];
    const group = position(Number(index.data[ravel(own, index.shape)]), Infinity, { ignore_index });
    if (group < 0) continue;
    const key = at.with(d, group).join();
    if (!members.has(key)) members.set(key, []);
    members.get(key).push(k);
  }
  return { d, members };
}

/**
 * The exponential of each entry of a group and their sum, as intervals; the sum is exact and then rounded, as a loop's sum of thousands of
 * float64 numbers would be off by more than the bound. `most` is the largest entry, which is finite.
 */
function exponentials(entries, most, units, format) {
  const each = entries.map((entry) => around(Math.exp(format.round(entry - most)), units, format));
  const sum = [0, 1].map((end) => exactQuotient('float64', each.map((interval) => interval[end]), 1));
  return { each, sum: [around(sum[0], 1, format)[0], around(sum[1], 1, format)[1]].map(format.round) };
}

/** Softmax of a group, as intervals. */
function softmaxOf(entries, units, format) {
  const most = Math.max(...entries);
  if (!Number.isFinite(most)) return entries.map(() => [NaN, NaN]);
  const { each, sum } = exponentials(entries, most, units, format);
  return each.map(([low, high]) => [format.round(Math.max(low, 0) / sum[1]), format.round(high / sum[0])]);
}

/** The logarithm of the sum of a group's exponentials, as an interval. */
function logsumexpOf(entries, units, format) {
  const most = entries.length === 0 ? -Infinity : Math.max(...entries);
  if (!Number.isFinite(most)) return [most, most];
  const { sum } = exponentials(entries, most, units, format);
  return [around(Math.log(sum[0]), units, format)[0], around(Math.log(sum[1]), units, format)[1]].map((log) => format.round(most + log));
}

export function inGroups(call, device) {
  const { op, self, args, options } = call;
  const { dtype, shape } = self;
  const [units, format] = [unitsOf(dtype, device), dtype === 'float64' ? float64 : float32];
  const { d, members } = groupsOf(call);
  const entries = (places) => places.map((place) => valueOf(dtype, self.data[place]));
  let [sizes, intervals] = [shape, []];
  if (op === 'scatter_softmax') {
    intervals = Array.from(self.data, () => [0, 0]);
    for (const places of members.values()) for (const [k, interval] of softmaxOf(entries(places), units, format).entries()) intervals[places[k]] = interval;
  } else {
    const size = options.size ?? (self.data.length === 0 ? 0 : Math.max(-1, ...Array.from(args.index.data, Number).filter((value) => value !== Number(options.ignore_index))) + 1);
    sizes = shape.with(d, size);
    intervals = Array.from({ length: sizeOf(sizes) }, (_, k) => logsumexpOf(entries(members.get(unravel(k, sizes).join()) ?? []), units, format));
  }
  const end = (side) => ARRAYS[dtype].from(intervals, (interval) => elementOf(dtype, interval[side]));
  return { result: { dtype, shape: sizes, low: end(0), high: end(1) } };
}

/** The first element that lies outside its bounds, as `{ got, expected }`, or null. `got` are the elements, in an array of ARRAYS. */
export function outside({ dtype, low, high }, got) {
  for (const [k, element] of got.entries()) {
    const [value, least, most] = [element, low[k], high[k]].map((each) => valueOf(dtype, each));
    const isWithin = Number.isNaN(least) ? Number.isNaN(value) : value >= least && value <= most;
    if (!isWithin) return { got: `element ${k}: ${value}`, expected: `${least} to ${most}` };
  }
  return null;
}
