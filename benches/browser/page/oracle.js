// What is right: the definitions, one update after the other, rounded after each step. Not written for speed.

import { range } from './workloads.js';

export function expected(w, { x, index }, src) {
  if (w.op === 'segments') return sums(x, index, w.segments);
  if (w.op === 'bincount' || w.op === 'histogram') return counts(w, x, index);
  const out = w.op === 'gather' ? new x.constructor(w.out_elements) : x.slice();
  const integers = x instanceof Int32Array;
  const multiply = integers ? Math.imul : (a, b) => a * b; // float32 products and sums of two are exact in doubles,
  const add = (a, b) => a + b; //                              so storing them rounds once; int32 wraps
  const steps = { add, multiply, maximum: Math.max };
  const step = steps[w.op === 'multiply' ? w.op : w.reduce] ?? ((_, b) => b);
  if (w.op === 'multiply') {
    for (let i = 0; i < out.length; i++) out[i] = step(x[i], src[Math.floor(i / w.post) % w.n]);
  } else if (w.op === 'rows') {
    for (let k = 0; k < w.count; k++) {
      const row = w.tuple === 1 ? index[k] : index[2 * k] * w.shape[1] + index[2 * k + 1];
      for (let l = 0; l < w.length; l++) out[row * w.length + l] = step(out[row * w.length + l], src[k * w.length + l]);
    }
  } else {
    for (let k = 0; k < w.updates; k++) {
      const at = (Math.floor(k / w.post / w.count) * w.size + index[k]) * w.post + (k % w.post);
      if (w.op === 'gather') out[k] = x[at];
      else out[at] = step(out[at], w.scalar ?? src[k]);
    }
  }
  return out;
}

function sums(x, offsets, segments) {
  const out = new x.constructor(segments);
  for (let s = 0; s < segments; s++) for (let k = offsets[s]; k < offsets[s + 1]; k++) out[s] += x[k];
  return out;
}

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

/** `'exact'`, `'rounded'` (sums or products of floats in another order), or what is wrong. */
export function judge(result, wanted) {
  if (!result || result.length !== wanted.length) return `has ${result?.length} elements, not ${wanted.length}`;
  const bits = (array) => new Int32Array(array.buffer, array.byteOffset, array.length);
  const values = result.constructor === wanted.constructor ? result : wanted.constructor.from(result, Number);
  const [a, b] = [bits(values), bits(wanted)];
  let differ = 0;
  let wrong = 0;
  let first = -1;
  for (let i = 0; i < a.length; i++) {
    if (a[i] === b[i]) continue;
    differ++;
    const near = wanted instanceof Float32Array && Math.abs(values[i] - wanted[i]) <= 1e-3 * Math.max(1, Math.abs(wanted[i]));
    if (near) continue;
    if (wrong++ === 0) first = i;
  }
  if (wrong > 0) return `${wrong} of ${wanted.length} elements wrong; the first, at ${first}: ${values[first]}, not ${wanted[first]}`;
  return differ > 0 ? 'rounded' : 'exact';
}
