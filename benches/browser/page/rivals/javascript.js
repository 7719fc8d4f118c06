// A hand-written loop over typed arrays for each workload: what a page does without a library.

import { serveBench } from '../harness.js';

/** Copying, as a library's operators do, and in place. */
export function prepare(w, inputs) {
  const loop = loopFor(w, inputs.x instanceof Int32Array);
  const { x, index, src, unit } = inputs;
  if (w.op === 'gather') {
    const call = () => loop(x, index, new x.constructor(w.out_elements));
    const out = new x.constructor(w.out_elements);
    return { modes: {
      resident: { run: call, result: call },
      'end to end': { run: call, result: call },
      'end to end, out': { run: () => loop(x, index, out), result: () => loop(x, index, out) },
    } };
  }
  const table = x.slice();
  const copying = () => loop(x.slice(), index, src);
  const out = x.slice();
  const filling = () => {
    out.set(x);
    return loop(out, index, src);
  };
  // The arrays of a page, filled anew for each call.
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

function loopFor(w, integers) {
  const { pre, n, size, count, post } = w;
  if (w.op === 'multiply') {
    const loop = own(integers ? (post === 1 ? multiplyRowInt : multiplyRunInt) : post === 1 ? multiplyRow : multiplyRun);
    return (t, _, src) => loop(t, src, pre, n, post);
  }
  if (w.op === 'gather') {
    const loop = own(gather);
    return (t, index, out) => loop(t, index, out, pre, size, count);
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
  const loop = own({ add, multiply }[w.reduce] ?? replace);
  return (t, index, src) => loop(t, index, src, pre, size, count, post);
}

// One loop for each case, the inner one over neighbours. Math.imul: the product of two int32 is not exact in a double.

function multiplyRow(t, y, pre, n) {
  for (let p = 0, i = 0; p < pre; p++) for (let j = 0; j < n; j++, i++) t[i] *= y[j];
  return t;
}

function multiplyRowInt(t, y, pre, n) {
  for (let p = 0, i = 0; p < pre; p++) for (let j = 0; j < n; j++, i++) t[i] = Math.imul(t[i], y[j]);
  return t;
}

function multiplyRun(t, y, pre, n, post) {
  for (let p = 0, i = 0; p < pre; p++) {
    for (let j = 0; j < n; j++) {
      const factor = y[j];
      for (let q = 0; q < post; q++, i++) t[i] *= factor;
    }
  }
  return t;
}

function multiplyRunInt(t, y, pre, n, post) {
  for (let p = 0, i = 0; p < pre; p++) {
    for (let j = 0; j < n; j++) {
      const factor = y[j];
      for (let q = 0; q < post; q++, i++) t[i] = Math.imul(t[i], factor);
    }
  }
  return t;
}

function replace(t, index, src, pre, size, count) { // along the last dimension
  for (let p = 0, k = 0, base = 0; p < pre; p++, base += size) for (let j = 0; j < count; j++, k++) t[base + index[k]] = src[k];
  return t;
}

function add(t, index, src) { // one dimension
  for (let k = 0; k < index.length; k++) t[index[k]] += src[k];
  return t;
}

function scatterMultiply(t, index, src) {
  for (let k = 0; k < index.length; k++) t[index[k]] *= src[k];
  return t;
}

function scatterMultiplyInt(t, index, src) {
  for (let k = 0; k < index.length; k++) t[index[k]] = Math.imul(t[index[k]], src[k]);
  return t;
}

function scatterMultiplyColumns(t, index, src, pre, size, count, post) { // along the first dimension
  for (let j = 0, k = 0; j < count; j++) for (let q = 0; q < post; q++, k++) t[index[k] * post + q] *= src[k];
  return t;
}

function scatterMultiplyColumnsInt(t, index, src, pre, size, count, post) {
  for (let j = 0, k = 0; j < count; j++) {
    for (let q = 0; q < post; q++, k++) {
      const at = index[k] * post + q;
      t[at] = Math.imul(t[at], src[k]);
    }
  }
  return t;
}

function countUp(t, index, value) {
  for (let k = 0; k < index.length; k++) t[index[k]] += value;
  return t;
}

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

function multiplyRowsInt(t, index, src, length) {
  const updates = src.length / length;
  for (let k = 0, s = 0; k < updates; k++) {
    const base = index[k] * length;
    for (let l = 0; l < length; l++, s++) t[base + l] = Math.imul(t[base + l], src[s]);
  }
  return t;
}

function gather(t, index, out, pre, size, count) { // along the last dimension
  for (let p = 0, k = 0, base = 0; p < pre; p++, base += size) for (let j = 0; j < count; j++, k++) out[k] = t[base + index[k]];
  return out;
}

serveBench({ start: () => ({}), prepare });
