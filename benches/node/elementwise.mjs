// Operations on two tensors on the CPU, against mul on the same shapes and against the loop that one would write in JavaScript.
//
//   npm run package && node benches/node/elementwise.mjs [words of names]     (PACKAGE=<folder>: another package)
//
// Rounds are interleaved. Printed are medians, and the medians of the rounds' own ratios. A loop writes into a new typed array, as the
// library does; it is compiled again for its arrays.

import { join } from 'node:path';
import { root } from '../../tools/shell.mjs';
import { compare } from './rounds.mjs';

const library = await import(join(process.env.PACKAGE ?? join(root, 'target', 'npm', 'scatterwise'), 'node.js'));
const { init, Tensor } = library;
await init({ device: 'cpu' });

const arrays = { float32: Float32Array, float64: Float64Array, int32: Int32Array, uint8: Uint8Array };
/** How a loop combines `a` and `b`, in the terms of numbers and of integers. */
const terms = {
  add: ['a + b'],
  sub: ['a - b'],
  div: ['a / b', '(a / b) | 0'],
  maximum: ['Math.max(a, b)', 'a > b ? a : b'],
  minimum: ['Math.min(a, b)', 'a < b ? a : b'],
};
/** The shapes of both operands: equal, a row for each row, one element for each row. */
const shapes = { 'same shape': [[2048, 2048], [2048, 2048]], 'by a row': [[4096, 1024], [1024]], 'by a column': [[4096, 1024], [4096, 1]] };
const product = (sizes) => sizes.reduce((all, size) => all * size, 1);

/** Random numbers that are not zero: floats from 0.5 to 1.5, integers from 1 to 100. */
function values(dtype, shape) {
  const value = dtype.startsWith('float') ? () => Math.random() + 0.5 : () => 1 + Math.random() * 99;
  return arrays[dtype].from({ length: product(shape) }, value);
}

/** A new function that combines every row of `x` with `y`: with the row, with one element of each row, or element by element. */
function loopOf(term, [, columns], other) {
  const at = product(other) === columns ? 'j' : other.at(-1) === 1 ? 'i' : `i * ${columns} + j`;
  return new Function('out', 'x', 'y', `for (let i = 0, k = 0; i < x.length / ${columns}; i++) for (let j = 0; j < ${columns}; j++, k++) { const a = x[k], b = y[${at}]; out[k] = ${term}; }`);
}

const words = process.argv.slice(2);
console.log('| 4 Mi elements | ours, ms | × of mul | loop, ms | ours / loop |\n| --- | --- | --- | --- | --- |');
for (const dtype of Object.keys(arrays)) {
  for (const [shapesName, [shape, other]] of Object.entries(shapes)) {
    for (const [name, [ofFloats, ofIntegers = ofFloats]] of Object.entries(terms)) {
      const title = `${name} ${dtype}, ${shapesName}`;
      if (!words.every((word) => title.includes(word))) continue;
      const isFloat = dtype.startsWith('float');
      const options = name === 'div' && !isFloat ? { rounding: 'trunc' } : undefined;
      const [x, y] = [values(dtype, shape), values(dtype, other)];
      const [one, two] = [new Tensor(x, { shape }), new Tensor(y, { shape: other })];
      const ours = () => one[name](two, options).dispose();
      const loop = loopOf(isFloat ? ofFloats : ofIntegers, shape, other);
      const besideMul = compare(ours, () => one.mul(two).dispose());
      const besideLoop = compare(ours, () => loop(new arrays[dtype](x.length), x, y));
      console.log(`| ${title} | ${besideMul.ours.toFixed(2)} | ${besideMul.ratio.toFixed(2)} | ${besideLoop.theirs.toFixed(2)} | ${besideLoop.ratio.toFixed(2)} |`);
      for (const tensor of [one, two]) tensor.dispose();
    }
  }
}
