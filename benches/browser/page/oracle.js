// The right results, by the definitions: one update after the other, rounded after each step. Not written for speed.

import { expectedGroup } from './groups-oracle.js';
import { range } from './workloads.js';

/**
 * The result of a sized workload on inputs of `makeInputs`, with `src` for the source: what `result()` of a mode has to give, an array, or
 * for a workload of groups.js a list of arrays.
 */
export function expected(w, inputs, src) {
  if (w.group) return expectedGroup(w, inputs);
  const { x, index } = inputs;
  if (w.op === 'segments') return sums(x, index, w.segments);
  if (w.op === 'bincount' || w.op === 'histogram') return counts(w, x, index);
  if (w.op === 'activate') return x.map(w.act === 'relu' ? (value) => Math.max(value, 0) : Math.exp);
  if (w.op === 'dims') return reduced(w, x);
  // Every term is a multiple of 2^-31, and none is above 1: sums of 2^20 are exact in float64.
  if (w.sum === 'exact') return Float32Array.from(expected({ ...w, sum: undefined }, { x: Float64Array.from(x), index }, src));
  const out = w.op === 'gather' ? new x.constructor(w.out_elements) : x.slice();
  const integers = x instanceof Int32Array;
  // The product of two float32 numbers is exact in a double, so storing it rounds once; sums and quotients are rounded as if once. Storing an
  // int32 wraps.
  const multiply = integers ? Math.imul : (a, b) => a * b;
  const add = (a, b) => a + b;
  const steps = { add, sub: (a, b) => a - b, multiply, div: (a, b) => a / b, maximum: Math.max, minimum: Math.min };
  const step = steps[w.combine ?? w.reduce] ?? ((_, b) => b); // no reduce: replaces
  if (w.op === 'pair') {
    for (let i = 0; i < out.length; i++) out[i] = step(x[i], src[Math.floor(i / w.post) % w.n]);
  } else if (w.op === 'rows') {
    for (let k = 0; k < w.count; k++) {
      const row = w.tuple === 1 ? index[k] : index[2 * k] * w.shape[1] + index[2 * k + 1];
      for (let l = 0; l < w.length; l++) out[row * w.length + l] = step(out[row * w.length + l], src[k * w.length + l]);
    }
  } else {
    for (let k = 0; k < w.updates; k++) {
      // Entry k is at [p, j, q] of the index: it names [p, index[k], q] of the table.
      const at = (Math.floor(k / w.post / w.count) * w.size + index[k]) * w.post + (k % w.post);
      if (w.op === 'gather') out[k] = x[at];
      else out[at] = step(out[at], w.scalar ?? src[k]);
    }
  }
  return out;
}

/** The sums of the elements of x between neighbouring offsets. */
function sums(x, offsets, segments) {
  const out = new x.constructor(segments);
  for (let s = 0; s < segments; s++) for (let k = offsets[s]; k < offsets[s + 1]; k++) out[s] += x[k];
  return out;
}

/** x reduced along its middle dimension: sums and means of the exact numbers, rounded once; positions are the first ones. */
function reduced({ how, pre, size, post }, x) {
  const out = new (how.startsWith('arg') ? Int32Array : Float32Array)(pre * post);
  const sign = how.endsWith('min') ? -1 : 1;
  for (let k = 0; k < out.length; k++) {
    const at = (j) => x[(Math.floor(k / post) * size + j) * post + (k % post)];
    let [sum, lost, first] = [0, 0, 0];
    for (let j = 0; j < size; j++) {
      // `lost` collects what is rounded off the sum: Knuth's TwoSum.
      const next = sum + at(j);
      const part = next - sum;
      lost += sum - (next - part) + (at(j) - part);
      sum = next;
      if (sign * at(j) > sign * at(first)) first = j;
    }
    out[k] = { sum: sum + lost, mean: (sum + lost) / size }[how] ?? (how.startsWith('arg') ? first : at(first));
  }
  return out;
}

/** How often each number or bin occurs, by `bincount` of the index or a histogram of x, all of whose numbers are in the range. */
function counts(w, x, index) {
  const out = new Int32Array(w.out_elements);
  const [low, high] = range;
  const binOf = (value) => Math.min(Math.floor(((value - low) * w.bins) / (high - low)), w.bins - 1);
  const points = w.op === 'bincount' ? w.updates : w.elements / w.columns;
  for (let k = 0; k < points; k++) {
    if (w.op === 'bincount') out[index[k]]++;
    else if (w.columns === 1) out[binOf(x[k])]++;
    else out[binOf(x[2 * k]) * w.bins + binOf(x[2 * k + 1])]++;
  }
  return out;
}

/**
 * The verdict on a result: `'exact'`; `'rounded'` where floats are off by not more than a thousandth (of the right one, or of 1 where that
 * is less), as sums or products in another order are; or a text that says what is wrong. Of lists it is the verdict on the worst array. NaN is NaN,
 * whatever its bits.
 */
export function judge(result, wanted) {
  if (Array.isArray(wanted)) {
    const verdicts = wanted.map((array, at) => judge(result?.[at], array));
    return verdicts.find((verdict) => !['exact', 'rounded'].includes(verdict)) ?? (verdicts.includes('rounded') ? 'rounded' : 'exact');
  }
  if (!result || result.length !== wanted.length) return `has ${result?.length} elements, not ${wanted.length}`;
  const bits = (array) => new Int32Array(array.buffer, array.byteOffset, array.length);
  // Counts may come as int64 or float64. Elements have four bytes then, and their bits are compared.
  const values = result.constructor === wanted.constructor ? result : wanted.constructor.from(result, Number);
  const [a, b] = [bits(values), bits(wanted)];
  let differ = 0;
  let wrong = 0;
  let first = -1;
  for (let i = 0; i < a.length; i++) {
    if (a[i] === b[i] || (Number.isNaN(values[i]) && Number.isNaN(wanted[i]))) continue;
    differ++;
    const near = wanted instanceof Float32Array && Math.abs(values[i] - wanted[i]) <= 1e-3 * Math.max(1, Math.abs(wanted[i]));
    if (near) continue;
    if (wrong++ === 0) first = i;
  }
  if (wrong > 0) return `${wrong} of ${wanted.length} elements wrong; the first, at ${first}: ${values[first]}, not ${wanted[first]}`;
  return differ > 0 ? 'rounded' : 'exact';
}

/**
 * Whether a wrong result of a replacement is that of stores that race: each place that is named has one of its updates, and not always the
 * last; every other place has its value of x.
 */
export function isRace(w, { x, index }, src, result) {
  if (w.op !== 'scatter' || w.reduce || result?.length !== x.length) return false;
  const isNamed = new Uint8Array(x.length);
  const isUpdate = new Uint8Array(x.length);
  for (let k = 0; k < w.updates; k++) {
    const at = (Math.floor(k / w.post / w.count) * w.size + index[k]) * w.post + (k % w.post);
    isNamed[at] = 1;
    if (Object.is(result[at], w.scalar ?? src[k])) isUpdate[at] = 1;
  }
  return isNamed.every((named, at) => (named ? isUpdate[at] === 1 : Object.is(result[at], x[at])));
}
