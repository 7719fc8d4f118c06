// Plain loops in Rust, compiled to WebAssembly with SIMD and no library around them; and the limits: copies of as many bytes.

import { serveBench } from '../harness.js';
import { outArray, range, readsOnly, traffic } from '../workloads.js';
import { prepareGroup } from './groups/plain.js';

let wasm;

/** See harness.js. */
async function start() {
  ({ instance: { exports: wasm } } = await WebAssembly.instantiateStreaming(fetch('/yardstick.wasm')));
  return {};
}

/**
 * A copy of an array in the module's memory: { pointer, length, view(), fill(values), free() }. Each use makes a new view, because memory may
 * have grown.
 */
function hold(array) {
  const { constructor: Type, length, byteLength } = array;
  const pointer = wasm.allocate(byteLength);
  if (pointer === 0) throw new Error('no memory');
  const held = {
    pointer, length,
    view: () => new Type(wasm.memory.buffer, pointer, length),
    fill: (values) => held.view().set(values),
    free: () => wasm.release(pointer, byteLength),
  };
  held.fill(array);
  return held;
}

/**
 * See harness.js. `t`, `i`, `s` and `u` are x, index, src and unit in the module's memory, as `hold` returns them; `table` is x once more,
 * which calls in place change.
 */
function prepare(w, inputs, dtype) {
  if (w.group) return prepareGroup(wasm, hold, w, inputs, dtype);
  const { x, index, src, unit } = inputs;
  const type = dtype === 'float32' ? 'f32' : 'i32';
  const all = [];
  const keep = (array) => array && all[all.push(hold(array)) - 1];
  const [t, i, s, u, table] = [x, index, src, unit, x].map(keep);
  const Out = outArray(w, x);
  const fresh = keep(new Out(w.out_elements));
  // A workload either changes x in place or only reads it and fills a result.
  const inPlace = readsOnly(w) ? undefined : loopFor(w, type, i);
  const reader = readsOnly(w) ? readerFor(w, type, t, i) : undefined;
  /** Computes the result of t and the source into other memory: { pointer, length }. */
  const copying = (result, source) => {
    if (w.op === 'pair') return wasm[`combined_${w.combine}_${type}`](result.pointer, t.pointer, t.length, source.pointer, source.length, w.post);
    if (reader) return reader(result.pointer);
    wasm.copy(result.pointer, t.pointer, 4 * t.length);
    inPlace(result, source);
  };
  /** Into a new allocation, as an operator that returns a new tensor. */
  const resident = () => {
    const pointer = wasm.allocate(4 * w.out_elements);
    copying({ pointer, length: w.out_elements }, s);
    wasm.release(pointer, 4 * w.out_elements);
  };
  /** A call as in `resident` whose result is read. */
  const checked = () => {
    copying(fresh, s);
    return fresh.view().slice();
  };
  /** From arrays to what `read` makes of the result: operands are copied to the module's memory, and worked on there in place. */
  const whole = (read) => () => {
    t.fill(x);
    if (i) i.fill(index);
    if (s) s.fill(src);
    if (reader) copying(fresh, s);
    else inPlace(t, s);
    return read(reader ? fresh : t);
  };
  const out = new Out(w.out_elements);
  const slice = whole((held) => held.view().slice());
  const filling = whole((held) => (out.set(held.view()), out));
  const modes = {
    resident: { run: resident, result: checked },
    'in place': { run: () => inPlace(table, u), result() {
      inPlace(table, u);
      return table.view().slice();
    } },
    'end to end': { run: slice, result: () => restoring(slice, t, x) },
    'end to end, out': { run: filling, result: () => restoring(filling, t, x) },
    ...limits(w, keep),
  };
  if (reader) delete modes['in place'];
  return { modes, dispose: () => all.forEach((one) => one.free()) };
}

/** The result of a call end to end, which works on t. The other modes need t as it was, so it is filled with x again. */
function restoring(run, t, x) {
  const result = run();
  t.fill(x);
  return result;
}

/** The loop of a workload that only reads, as a function of the pointer to its result, which it fills. `t` and `i` are of `hold`. */
function readerFor(w, type, t, i) {
  const [low, high] = range;
  if (w.op === 'segments') return (out) => wasm[`segment_sums_${type}`](out, t.pointer, t.length, i.pointer, w.segments);
  if (w.op === 'activate') return (out) => wasm[`${w.act}_f32`](out, t.pointer, t.length);
  if (w.op === 'dims') return (out) => wasm[`${w.how}_f32`](out, t.pointer, t.length, w.size, w.post);
  if (w.op === 'bincount') return (out) => wasm.bincount_i32(out, w.size, i.pointer, i.length);
  if (w.op === 'histogram') return (out) => wasm.histogram_f32(out, w.bins, w.columns, t.pointer, t.length, low, w.bins / (high - low));
  return (out) => wasm[`gather_${type}`](out, t.pointer, t.length, i.pointer, i.length, w.size, w.count, w.post);
}

/** The loop of a workload in place, as a function of a table and a source of `hold`. `i` is the index of `hold`. */
function loopFor(w, type, i) {
  if (w.op === 'pair') return (t, src) => wasm[`combine_${w.combine}_${type}`](t.pointer, t.length, src.pointer, src.length, w.post);
  if (w.op === 'rows') {
    const loop = wasm[`rows_${w.reduce}_${type}`];
    return (t, src) => loop(t.pointer, t.length, i.pointer, i.length, src.pointer, src.length, w.length, w.tuple === 2 ? w.shape[1] : 0);
  }
  if (w.scalar !== undefined) return (t) => wasm[`count_${type}`](t.pointer, t.length, i.pointer, i.length, w.scalar);
  const loop = wasm[`${{ add: 'scatter_add', multiply: 'scatter_multiply', maximum: 'scatter_maximum' }[w.reduce] ?? 'replace'}_${type}`];
  return (t, src) => loop(t.pointer, t.length, i.pointer, src.pointer, i.length, w.size, w.count, w.post);
}

/** Copies by memory.copy and by TypedArray.set that read and write as many bytes as the operator must at least: half of them each. */
function limits(w, keep) {
  const modes = {};
  for (const mode of ['resident', 'in place']) {
    if (mode === 'in place' && readsOnly(w)) continue;
    const bytes = Math.ceil(traffic(w, mode) / 8) * 4;
    const [from, to] = [keep(new Uint8Array(bytes)), keep(new Uint8Array(bytes))];
    const [source, target] = [new Uint8Array(bytes).fill(1), new Uint8Array(bytes)];
    modes[`${mode}: memory.copy`] = { limit: true, run: () => wasm.copy(to.pointer, from.pointer, bytes) };
    modes[`${mode}: TypedArray.set`] = { limit: true, run: () => target.set(source) };
  }
  return modes;
}

serveBench({ start, prepare });
