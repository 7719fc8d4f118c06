// Calls whose updates meet in one column, so that threads divide them by ranges of places, or with a table for each part.

import { bincount, ExactSum, histogram, IndexPlan, Tensor } from 'scatterwise';

const count = 5000;

/** The bytes of a tensor, which is disposed of. */
function bytes(tensor) {
  const data = tensor.data_sync();
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1');
  tensor.dispose();
  return text;
}

/** Pairs of a name and a function that makes the call and returns the bytes of its result. */
export function meeting() {
  const index = (places) => new Tensor(Int32Array.from({ length: count }, (_, k) => ((k * k * 31 + k) % places) - (k % 3 ? 0 : places)));
  const floats = new Tensor(Float32Array.from({ length: count }, (_, k) => Math.sin(k) * 10 ** (k % 5)));
  // Exponents so far apart that terms are put aside.
  const hostile = new Tensor(Float32Array.from({ length: count }, (_, k) => Math.sin(k) * 2 ** ((k * 7919) % 200 - 100)));
  const whole = new Tensor(Int32Array.from({ length: count }, (_, k) => (k * 7919) % 1000));
  const rows = (width) => new Tensor(Float32Array.from({ length: count * width }, (_, k) => Math.cos(k)), { shape: [count, width] });
  const [few, many] = [index(7), index(900)];
  const calls = [];
  for (const [places, at] of [[7, few], [900, many]]) {
    const table = Tensor.ones([places]);
    const plan = IndexPlan.along([places], 0, at);
    calls.push([`scatter_add by a plan, ${places} places`, () => bytes(table.scatter_add(plan, floats))]);
    for (const reduce of ['sum', 'prod', 'mean', 'amax', 'amin']) {
      for (const include_self of [true, false]) {
        calls.push([`scatter_reduce ${reduce} by a plan, ${places} places, ${include_self}`, () => bytes(table.scatter_reduce(plan, floats, reduce, { include_self }))]);
      }
    }
    for (const [kind, source] of [['', floats], ['of hostile terms', hostile]]) {
      calls.push([`exact sum ${kind}, ${places} places`, () => bytes(table.scatter_add(0, at, source, { sum: 'exact' }))]);
      calls.push([`exact mean ${kind}, ${places} places`, () => bytes(table.scatter_reduce(0, at, source, 'mean', { sum: 'exact', include_self: false }))]);
      calls.push([`ExactSum ${kind}, ${places} places`, () => bytes(new ExactSum([places]).add(at.reshape([count, 1]), source).sum())]);
    }
    const integers = Tensor.ones([places], { dtype: 'int32' });
    calls.push([`integers, ${places} places`, () => bytes(integers.scatter_add(0, at, whole))]);
    calls.push([`largest integers, ${places} places`, () => bytes(integers.scatter_reduce(0, at, whole, 'amax'))]);
    for (const width of [64, 70]) {
      const [target, values] = [Tensor.zeros([places, width]), rows(width)];
      calls.push([`index_add of rows of ${width}, ${places} places`, () => bytes(target.index_add(0, at, values))]);
    }
  }
  const large = IndexPlan.along([6000], 0, many);
  calls.push(['scatter by a plan', () => bytes(Tensor.zeros([6000]).scatter(large, floats))]);
  calls.push(['bincount', () => bytes(bincount(whole))]);
  calls.push(['histogram', () => bytes(histogram(floats, { bins: 40 }).hist)]);
  calls.push(['exact weights of a histogram', () => bytes(histogram(floats, { bins: 40, weights: hostile, sum: 'exact' }).hist)]);
  return calls;
}
