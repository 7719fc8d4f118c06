// The CPU path against the yardstick (benches/yardstick), compiled to WebAssembly as for the browser's benchmark.
//
//   npm run package && node benches/node/loops.mjs [words of names]     (PACKAGE=<folder>: another package)
//
// Rounds are interleaved. Printed are medians, and the median of the rounds' own ratios.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/shell.mjs';
import { buildCrate, site } from '../browser/lib/setup.mjs';
import { compare } from './rounds.mjs';

await buildCrate('yardstick');
const { instance } = await WebAssembly.instantiate(readFileSync(join(site, 'yardstick.wasm')));
const plain = instance.exports;

const { Tensor, elementwise_mul, init } = await import(join(process.env.PACKAGE ?? join(root, 'target', 'npm', 'scatterwise'), 'node.js'));
await init({ device: 'cpu' });

let state = 1;
/** A linear congruential generator, so that every run has the same operands: numbers from 0 up to 1. */
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const floats = (n) => Float32Array.from({ length: n }, () => random() - 0.5);
const ints = (n, bound) => Int32Array.from({ length: n }, () => Math.floor(random() * bound));

/** Copies an array into the memory of the plain loops, which is never released. Returns its address there. */
function put(array) {
  const at = plain.allocate(array.byteLength);
  new Uint8Array(plain.memory.buffer, at, array.byteLength).set(new Uint8Array(array.buffer));
  return at;
}
/** The bytes in that memory at an address, not copied. */
const bytesAt = (at, length) => Buffer.from(plain.memory.buffer, at, length);

/**
 * The workloads. `updates` is the number of elements that a call moves or combines. `make()` makes the operands and returns `ours` and `plain`,
 * which do the same once, and `same()`, which does it once more by the library and returns whether the plain loop, called as often, has
 * the same bits.
 */
const workloads = [];
const add = (name, updates, make) => workloads.push({ name, updates, make });

/**
 * A scatter or a gather along the middle of a table of shape [before, bound, after], by an index of shape [before, len, after].
 * `kind` is 'add', 'replace' or 'gather', `TypedArray` the class of the elements, Float32Array or Int32Array. `values` is what becomes of
 * each random index value, and `index64` whether the library gets them as int64. `to`, `at` and `from` are addresses for the plain loop.
 */
function along(name, kind, [before, bound, len, after], { TypedArray = Float32Array, values = (i) => i, index64 = false } = {}) {
  const n = before * len * after;
  add(name, n, () => {
    const array = (length) => (TypedArray === Float32Array ? floats(length) : ints(length, 1000));
    const table = array(before * bound * after);
    const src = array(n);
    const index = ints(n, bound).map(values);
    const t = new Tensor(table, { shape: [before, bound, after] });
    const i = new Tensor(index64 ? BigInt64Array.from(index, BigInt) : index, { shape: [before, len, after] });
    const s = new Tensor(src, { shape: [before, len, after] });
    const places = index.map((value) => (value < 0 ? value + bound : value)); // the loops do not count from the end
    const [to, at, from] = [put(table), put(places), put(src)];
    const type = TypedArray === Float32Array ? 'f32' : 'i32';
    if (kind === 'gather') { // from the table into the memory of src, which is as large as the result
      const run = () => t.gather(1, i);
      const loop = () => plain[`gather_${type}`](from, to, table.length, at, n, bound, len, after);
      return { ours: () => run().dispose(), plain: loop, same: () => same(run(), from) };
    }
    const loop = plain[`${{ add: 'scatter_add', replace: 'replace' }[kind]}_${type}`];
    // `scatter_` refuses an index that is longer than the table; `scatter_add_` does not.
    const options = kind === 'add' ? { reduce: 'add' } : {};
    const ours = len > bound ? () => t.scatter_add_(1, i, s) : () => t.scatter_(1, i, s, options);
    return { ours, plain: () => loop(to, table.length, at, from, n, bound, len, after), same: () => same(ours(), to) };
  });
}

/** Whether a tensor has the bytes that are in the plain loops' memory at that address. */
const same = (tensor, at) => {
  const data = tensor.data_sync();
  return Buffer.from(data.buffer).equals(bytesAt(at, data.byteLength));
};

const M = 1 << 20;
along('replace 1-D, 1M into 1M', 'replace', [1, M, M, 1]);
along('replace, axis 1 of [2048,2048]', 'replace', [2048, 2048, 2048, 1]);
along('replace, axis 0 of [1024,1024]', 'replace', [1, 1024, 1024, 1024]);
along('add float32, axis 1 of [1024,1024]', 'add', [1024, 1024, 1024, 1]);
along('add float32, axis 0 of [1024,1024]', 'add', [1, 1024, 1024, 1024]);
along('add float32, middle of [64,128,128]', 'add', [64, 128, 128, 128]);
along('add float32, axis 1 of [300000,3]', 'add', [300000, 3, 3, 1]);
along('add float32, axis 1 of [131072,8]', 'add', [131072, 8, 8, 1]);
along('add float32, axis 1 of [52429,20]', 'add', [52429, 20, 20, 1]);
along('add int32, 1M into 1M', 'add', [1, M, M, 1], { TypedArray: Int32Array });
along('add float32, 1M into 1M', 'add', [1, M, M, 1]);
along('add float32, 1M into 1024', 'add', [1, 1024, M, 1]);
along('add float32, 1M into 1024, negative', 'add', [1, 1024, M, 1], { values: (i) => i - 1024 });
along('add float32, 1M into 1024, int64', 'add', [1, 1024, M, 1], { index64: true });
along('add float32, 1M into one slot', 'add', [1, 1024, M, 1], { values: () => 7 });
along('add float32, 1M into two slots', 'add', [1, 1024, M, 1], { values: (i) => i & 1 });
along('add int32, 1M into one slot', 'add', [1, 1024, M, 1], { TypedArray: Int32Array, values: () => 7 });
along('add int32, 1M into 16', 'add', [1, 16, M, 1], { TypedArray: Int32Array });
along('gather, axis 1 of [1024,1024]', 'gather', [1024, 1024, 1024, 1]);
along('gather, axis 1 of [300000,3]', 'gather', [300000, 3, 3, 1]);
along('gather, axis 1 of [131072,8]', 'gather', [131072, 8, 8, 1]);
along('gather, axis 1 of [52429,20]', 'gather', [52429, 20, 20, 1]);
along('gather, axis 0 of [1024,1024]', 'gather', [1, 1024, 1024, 1024]);

// Rows of `width` elements, `count` of them, into or from a table of half as many rows.
for (const [count, width] of [[M, 2], [200000, 8], [100000, 32], [100000, 128]]) {
  const bound = count / 2;
  for (const kind of ['add', 'gather']) {
    add(`rows ${kind}, ${count} of ${width} into ${bound}`, count * width, () => {
      const [table, src, index] = [floats(bound * width), floats(count * width), ints(count, bound)];
      const t = new Tensor(table, { shape: [bound, width] });
      const i = new Tensor(index, { shape: [count, 1] });
      const s = new Tensor(src, { shape: [count, width] });
      const [to, at, from] = [put(table), put(index), put(src)];
      if (kind === 'gather') {
        const loop = () => plain.gather_rows_f32(from, to, table.length, at, count, width);
        return { ours: () => t.gather_nd(i).dispose(), plain: loop, same: () => same(t.gather_nd(i), from) };
      }
      const loop = () => plain.rows_add_f32(to, table.length, at, count, from, src.length, width, 0);
      return { ours: () => t.scatter_add_(i, s), plain: loop, same: () => same(t.scatter_add_(i, s), to) };
    });
  }
}

/**
 * A product of x and y, whose first dimension is at `axis` of x; −1 aligns the last dimensions of both. One element of y multiplies `after`
 * neighbours in x.
 */
function multiply(name, x_shape, y_shape, axis, after) {
  const size = x_shape.reduce((one, two) => one * two);
  add(`mul ${name}`, size, () => {
    const [x, y] = [floats(size), floats(y_shape.reduce((one, two) => one * two))];
    const [a, b] = [new Tensor(x, { shape: x_shape }), new Tensor(y, { shape: y_shape })];
    const [from, factor, to] = [put(x), put(y), plain.allocate(x.byteLength)];
    const run = () => elementwise_mul(a, b, axis);
    const loop = () => plain.combined_multiply_f32(to, from, size, factor, y.length, after);
    return { ours: () => run().dispose(), plain: loop, same: () => same(run(), to) };
  });
}
multiply('same [1024,1024]', [1024, 1024], [1024, 1024], -1, 1);
multiply('row [1024,1024] × [1024]', [1024, 1024], [1024], -1, 1);
multiply('row [350000,3] × [3]', [350000, 3], [3], -1, 1);
multiply('axis 0 [1024,1024] × [1024]', [1024, 1024], [1024], 0, 1024);
multiply('axis 0 [131072,8] × [131072]', [131072, 8], [131072], 0, 8);
multiply('scalar [1024,1024]', [1024, 1024], [1], -1, M);
multiply('axis 1 [32,128,32,32] × [128,32]', [32, 128, 32, 32], [128, 32], 1, 32);

const words = process.argv.slice(2);
console.log('| workload | ours, ms | ns each | plain loop, ms | ours / plain |\n| --- | --- | --- | --- | --- |');
for (const { name, updates, make } of workloads.filter(({ name }) => words.every((word) => name.includes(word)))) {
  const work = make();
  const { ours, theirs, ratio } = compare(work.ours, work.plain, { warmUp: 3, least: 9, ms: 600 });
  work.plain(); // for the result that `same` compares with: it calls the library once more too
  const wrong = work.same() ? '' : ' WRONG';
  const each = (ours * 1e6) / updates; // nanoseconds
  console.log(`| ${name}${wrong} | ${ours.toFixed(2)} | ${each.toFixed(2)} | ${theirs.toFixed(2)} | ${ratio.toFixed(2)} |`);
}
