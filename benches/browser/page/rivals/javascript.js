// A hand-written loop over typed arrays for each workload: what a page does without a library.

import { serveBench } from '../harness.js';
import { isPosition, outArray, range, readsOnly } from '../workloads.js';
import { prepareGroup } from './groups/javascript.js';

/** See harness.js. Modes copy, as a library's operators do, or work in place. */
function prepare(w, inputs) {
  if (w.group) return prepareGroup(w, inputs);
  const loop = loopFor(w, inputs.x instanceof Int32Array);
  const { x, index, src, unit } = inputs;
  if (readsOnly(w)) {
    const Out = outArray(w, x);
    const call = () => loop(x, index, new Out(w.out_elements));
    const out = new Out(w.out_elements);
    return { modes: {
      resident: { run: call, result: call },
      'end to end': { run: call, result: call },
      'end to end, out': { run: () => loop(x, index, out), result: () => loop(x, index, out) },
    } };
  }
  const table = x.slice(); // which only calls in place change
  const copying = () => loop(x.slice(), index, src);
  const out = x.slice();
  const filling = () => {
    out.set(x);
    return loop(out, index, src);
  };
  // The arrays of a page, filled again for each call.
  const [table2, index2, src2] = [x, index, src].map((values) => values?.slice());
  const fed = () => {
    table2.set(x);
    index2?.set(index);
    src2?.set(src);
    return loop(table2, index2, src2);
  };
  return { modes: {
    resident: { run: copying, result: copying },
    'in place': { run: () => loop(table, index, unit), result: () => loop(table, index, unit).slice() },
    'end to end': { run: copying, result: copying },
    'end to end, out': { run: filling, result: filling },
    'end to end, with_data': { run: fed, result: () => fed().slice() },
  } };
}

/** A new copy of a function, so that the engine compiles it for this case's types and sizes alone. */
const own = (loop) => new Function(`return ${loop}`)();

/**
 * The loop of a workload, as a function of (x, index, source) that writes to x, or of (x, index, result) for one that only reads x. It
 * returns the array that it has written to.
 */
function loopFor(w, integers) {
  const { pre, n, size, count, post } = w;
  if (w.op === 'pair') {
    const loop = combining(integers ? 'Math.imul(a, b)' : terms[w.combine], post);
    return (t, _, src) => loop(t, src, pre, n, post);
  }
  if (w.op === 'activate') {
    const loop = activating({ relu: 'Math.max(a, 0)', exp: 'Math.exp(a)' }[w.act]);
    return (x, _, out) => loop(x, out);
  }
  if (w.op === 'dims') {
    const loop = isPosition(w) ? searching(w.how === 'argmax' ? '>' : '<', post) : reducing(w, post);
    return (x, _, out) => loop(x, out, pre, size, post);
  }
  if (w.op === 'gather') {
    const loop = own(gather);
    return (t, index, out) => loop(t, index, out, pre, size, count);
  }
  const readers = { segments: segmentSums, bincount, histogram: w.columns === 1 ? histogram : histogramPairs };
  if (w.op in readers) {
    const loop = own(readers[w.op]);
    const scale = w.bins / (range[1] - range[0]);
    return (x, index, out) => loop(x, index, out.fill(0), range[0], scale, w.bins);
  }
  if (w.op === 'rows') {
    const loop = own(w.reduce === 'add' ? addRows : integers ? multiplyRowsInt : multiplyRows);
    return (t, index, src) => loop(t, index, src, w.length, w.tuple === 2 ? w.shape[1] : 0);
  }
  if (w.scalar !== undefined) {
    const loop = own(countUp);
    return (t, index) => loop(t, index, w.scalar);
  }
  const multiply = integers ? (post === 1 ? scatterMultiplyInt : scatterMultiplyColumnsInt) : post === 1 ? scatterMultiply : scatterMultiplyColumns;
  const loop = own({ add, multiply, maximum }[w.reduce] ?? replace);
  return (t, index, src) => loop(t, index, src, pre, size, count, post);
}

// These make a loop of a term, in which `a` and `b` are the numbers that it combines.

/** The terms of the operations on two tensors of float32. */
const terms = { multiply: 'a * b', add: 'a + b', sub: 'a - b', div: 'a / b', maximum: 'Math.max(a, b)', minimum: 'Math.min(a, b)' };

/** t[p, j, q] combined with y[j]; without a q, or each y with a run of neighbours. */
function combining(term, post) {
  const store = `const a = t[i]; t[i] = ${term};`;
  const inner = post === 1 ? `const b = y[j]; ${store} i++;` : `const b = y[j]; for (let q = 0; q < post; q++, i++) { ${store} }`;
  return new Function('t', 'y', 'pre', 'n', 'post', `for (let p = 0, i = 0; p < pre; p++) for (let j = 0; j < n; j++) { ${inner} } return t;`);
}

const activating = (term) => new Function('x', 'out', `for (let i = 0; i < x.length; i++) { const a = x[i]; out[i] = ${term}; } return out;`);

/** Reduces x[p, j, q] over j, in doubles: rows of neighbours, or one row into a row of results. */
function reducing({ how, size }, post) {
  const [first, term] = { amax: ['-Infinity', 'a > b ? a : b'], amin: ['Infinity', 'a < b ? a : b'] }[how] ?? ['0', 'a + b'];
  const end = how === 'mean' ? ` / ${size}` : '';
  return post === 1
    ? new Function('x', 'out', 'pre', 'size', `for (let p = 0, k = 0; p < pre; p++) { let a = ${first}; for (let j = 0; j < size; j++, k++) { const b = x[k]; a = ${term}; } out[p] = a${end}; } return out;`)
    : new Function('x', 'out', 'pre', 'size', 'post', `const all = new Float64Array(post).fill(${first});
      for (let j = 0, k = 0; j < size; j++) for (let q = 0; q < post; q++, k++) { const a = all[q], b = x[k]; all[q] = ${term}; }
      for (let q = 0; q < post; q++) out[q] = all[q]${end}; return out;`);
}

/** The first position j of the largest or smallest x[p, j, q]. */
function searching(beats, post) {
  return post === 1
    ? new Function('x', 'out', 'pre', 'size', `for (let p = 0, k = 0; p < pre; p++) { let best = x[k], at = 0; for (let j = 0; j < size; j++, k++) if (x[k] ${beats} best) { best = x[k]; at = j; } out[p] = at; } return out;`)
    : new Function('x', 'out', 'pre', 'size', 'post', `const best = x.slice(0, post); out.fill(0);
      for (let j = 0, k = 0; j < size; j++) for (let q = 0; q < post; q++, k++) if (x[k] ${beats} best[q]) { best[q] = x[k]; out[q] = j; } return out;`);
}

// One loop for each case, the inner one over neighbours. Each returns the array that it writes to, and checks no index. `t` is a table,
// `y` and `src` are sources; `pre`, `n`, `size`, `count` and `post` are those of `sized` in workloads.js. `own` takes the text of these
// functions, so they use nothing of this file. Integers are multiplied by Math.imul: the product of two int32 is not exact in a double.

function replace(t, index, src, pre, size, count) { // along the last dimension: t[p, index[p, j]] = src[p, j]
  for (let p = 0, k = 0, base = 0; p < pre; p++, base += size) for (let j = 0; j < count; j++, k++) t[base + index[k]] = src[k];
  return t;
}

function add(t, index, src) { // a table of one dimension
  for (let k = 0; k < index.length; k++) t[index[k]] += src[k];
  return t;
}

function maximum(t, index, src) { // a table of one dimension
  for (let k = 0; k < index.length; k++) {
    const at = index[k], value = src[k], old = t[at];
    t[at] = old > value ? old : value;
  }
  return t;
}

function scatterMultiply(t, index, src) { // a table of one dimension
  for (let k = 0; k < index.length; k++) t[index[k]] *= src[k];
  return t;
}

function scatterMultiplyInt(t, index, src) { // the same for int32
  for (let k = 0; k < index.length; k++) t[index[k]] = Math.imul(t[index[k]], src[k]);
  return t;
}

function scatterMultiplyColumns(t, index, src, pre, size, count, post) { // along the first dimension: t[index[j, q], q] *= src[j, q]
  for (let j = 0, k = 0; j < count; j++) for (let q = 0; q < post; q++, k++) t[index[k] * post + q] *= src[k];
  return t;
}

function scatterMultiplyColumnsInt(t, index, src, pre, size, count, post) { // the same for int32
  for (let j = 0, k = 0; j < count; j++) {
    for (let q = 0; q < post; q++, k++) {
      const at = index[k] * post + q;
      t[at] = Math.imul(t[at], src[k]);
    }
  }
  return t;
}

function countUp(t, index, value) { // adds one value for all entries, to a table of one dimension
  for (let k = 0; k < index.length; k++) t[index[k]] += value;
  return t;
}

// Rows of `length` elements. A row is named by a number of the index; in `addRows` by a pair where `inner`, the size of the second
// dimension, is not 0.

function addRows(t, index, src, length, inner) {
  const updates = src.length / length;
  for (let k = 0, s = 0; k < updates; k++) {
    const base = (inner ? index[2 * k] * inner + index[2 * k + 1] : index[k]) * length;
    for (let l = 0; l < length; l++, s++) t[base + l] += src[s];
  }
  return t;
}

function multiplyRows(t, index, src, length) {
  const updates = src.length / length;
  for (let k = 0, s = 0; k < updates; k++) {
    const base = index[k] * length;
    for (let l = 0; l < length; l++, s++) t[base + l] *= src[s];
  }
  return t;
}

function multiplyRowsInt(t, index, src, length) { // the same for int32
  const updates = src.length / length;
  for (let k = 0, s = 0; k < updates; k++) {
    const base = index[k] * length;
    for (let l = 0; l < length; l++, s++) t[base + l] = Math.imul(t[base + l], src[s]);
  }
  return t;
}

function gather(t, index, out, pre, size, count) { // along the last dimension: out[p, j] = t[p, index[p, j]]
  for (let p = 0, k = 0, base = 0; p < pre; p++, base += size) for (let j = 0; j < count; j++, k++) out[k] = t[base + index[k]];
  return out;
}

function segmentSums(x, offsets, out) { // adds to out[s] the elements of x from offsets[s] up to offsets[s + 1]
  for (let s = 0; s < out.length; s++) {
    let sum = out[s];
    for (let k = offsets[s]; k < offsets[s + 1]; k++) {
      out[s] = sum + x[k]; // storing it rounds to float32, or wraps to int32
      sum = out[s];
    }
  }
  return out;
}

function bincount(_, index, out) { // out[n]: how often the index has n
  for (let k = 0; k < index.length; k++) out[index[k]]++;
  return out;
}

// Bins begin at `low`, `scale` of them in a distance of 1. The last one has its upper end too. What lies outside is not counted.

function histogram(x, _, out, low, scale, bins) {
  for (let k = 0; k < x.length; k++) {
    const bin = Math.floor((x[k] - low) * scale);
    if (bin >= 0 && bin < bins) out[bin]++;
    else if (bin === bins) out[bins - 1]++;
  }
  return out;
}

/** The same for pairs of neighbouring numbers, with `bins` bins for each of both. */
function histogramPairs(x, _, out, low, scale, bins) {
  for (let k = 0; k < x.length; k += 2) {
    let a = Math.floor((x[k] - low) * scale);
    let b = Math.floor((x[k + 1] - low) * scale);
    if (a === bins) a = bins - 1;
    if (b === bins) b = bins - 1;
    if (a >= 0 && a < bins && b >= 0 && b < bins) out[a * bins + b]++;
  }
  return out;
}

serveBench({ start: () => ({}), prepare });
