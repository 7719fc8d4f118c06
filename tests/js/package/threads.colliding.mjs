// Calls on several threads, beside the bits of one: scatters whose updates collide in one column, which are divided by ranges of places or with a
// table for each part; and what is made of several jobs. In Node and in pages.

const count = 5000;

/** Numbers that follow from the bytes of tensors, which are disposed of: other bytes give others. */
const bytes = (...tensors) => tensors.map((tensor) => {
  const data = tensor.data_sync();
  tensor.dispose();
  let [one, two] = [data.byteLength, 1];
  for (const byte of new Uint8Array(data.buffer, data.byteOffset, data.byteLength)) {
    one = Math.imul(one ^ byte, 16777619);
    two = (Math.imul(two, 31) + one) | 0;
  }
  return `${one} ${two}`;
}).join();

/**
 * Makes each call of `library`, an instance of threads.testing.js: on one thread, then divided in chunks of `work` elements. Returns how many
 * calls were divided, and the `failures`.
 */
export function runColliding(library, work) {
  const { divide, divided } = library;
  const failures = [];
  let ran = 0;
  for (const [name, call, isWhole = false] of [...colliding(library), ...several(library)]) {
    divide(2 ** 30); // nobody is woken
    divided();
    const alone = call();
    if (divided() > 0) failures.push(`${name}: divided in spite of its size`);
    divide(work);
    for (let round = 0; round < 10; round++) {
      if (call() !== alone) failures.push(`${name}: other bits than on one thread`);
      // Larger chunks leave some of these calls whole.
      if (divided() === 0 && work === 0 && !isWhole) failures.push(`${name}: not divided`);
      ran++;
    }
  }
  return { ran, failures };
}

/** Pairs of a name and a function that makes the call and returns the bytes of its result. */
function colliding({ bincount, ExactSum, histogram, IndexPlan, Tensor }) {
  const index = (places) => new Tensor(Int32Array.from({ length: count }, (_, k) => ((k * k * 31 + k) % places) - (k % 3 ? 0 : places)));
  const floats = new Tensor(Float32Array.from({ length: count }, (_, k) => Math.sin(k) * 10 ** (k % 5)));
  // Exponents so far apart that terms are spilled.
  const adversarial = new Tensor(Float32Array.from({ length: count }, (_, k) => Math.sin(k) * 2 ** ((k * 7919) % 200 - 100)));
  const whole = new Tensor(Int32Array.from({ length: count }, (_, k) => (k * 7919) % 1000));
  const rows = (width) => new Tensor(Float32Array.from({ length: count * width }, (_, k) => Math.cos(k)), { shape: [count, width] });
  const [few, many] = [index(7), index(900)];
  const calls = [];
  for (const [places, at] of [[7, few], [900, many]]) {
    const table = Tensor.ones([places]);
    const plan = IndexPlan.along([places], 0, at);
    calls.push([`scatter_add by a plan, ${places} places`, () => bytes(table.scatter_add(plan, floats))]);
    const select = IndexPlan.select([places, 130], 0, at);
    calls.push([`index_copy of rows of 130 by a plan, ${places} places`, () => bytes(Tensor.zeros([places, 130]).index_copy(select, rows(130)))]);
    const dropping = IndexPlan.along([places], 0, at.mul(2), { mode: 'drop' });
    calls.push([`scatter_add by a plan that drops, ${places} places`, () => bytes(table.scatter_add(dropping, floats))]);
    for (const reduce of ['sum', 'prod', 'mean', 'amax', 'amin']) {
      for (const include_self of [true, false]) {
        calls.push([`scatter_reduce ${reduce} by a plan, ${places} places, ${include_self}`, () => bytes(table.scatter_reduce(plan, floats, reduce, { include_self }))]);
      }
    }
    for (const [kind, source] of [['', floats], ['of adversarial terms', adversarial]]) {
      calls.push([`exact sum ${kind}, ${places} places`, () => bytes(table.scatter_add(0, at, source, { sum: 'exact' }))]);
      calls.push([`exact mean ${kind}, ${places} places`, () => bytes(table.scatter_reduce(0, at, source, 'mean', { sum: 'exact', include_self: false }))]);
      calls.push([`ExactSum ${kind}, ${places} places`, () => bytes(new ExactSum([places]).add(at.reshape([count, 1]), source).sum())]);
    }
    const integers = Tensor.ones([places], { dtype: 'int32' });
    calls.push([`integers, ${places} places`, () => bytes(integers.scatter_add(0, at, whole))]);
    calls.push([`largest integers, ${places} places`, () => bytes(integers.scatter_reduce(0, at, whole, 'amax'))]);
    for (const width of [128, 130]) {
      const [target, values] = [Tensor.zeros([places, width]), rows(width)];
      calls.push([`index_add of rows of ${width}, ${places} places`, () => bytes(target.index_add(0, at, values))]);
    }
  }
  const large = IndexPlan.along([6000], 0, many);
  calls.push(['scatter by a plan', () => bytes(Tensor.zeros([6000]).scatter(large, floats))]);
  calls.push(['bincount', () => bytes(bincount(whole))]);
  calls.push(['histogram', () => bytes(histogram(floats, { bins: 40 }).hist)]);
  calls.push(['exact weights of a histogram', () => bytes(histogram(floats, { bins: 40, weights: adversarial, sum: 'exact' }).hist)]);
  return calls;
}

/** The same of calls of several jobs, with masks, groups and ties; and whether such a call may run on one thread. */
function several({ bincount, binned_statistic, histogram, histogramdd, scatter_logsumexp, scatter_softmax, searchsorted, segment_reduce, spmm, Tensor }) {
  const integers = (length, bound) => new Tensor(Int32Array.from({ length }, (_, k) => (k * k * 31 + k * 7) % bound));
  const floats = new Tensor(Float32Array.from({ length: count }, (_, k) => Math.sin(k) * 10 ** (k % 5)));
  const mask = new Tensor(Array.from({ length: count }, (_, k) => k % 7 > 1), { dtype: 'bool' });
  const groups = integers(count, 40);
  const calls = [
    ['bincount with a mask', () => bytes(bincount(groups, { mask }))],
    ['bincount along a dim', () => bytes(bincount(groups.reshape([50, 100]), { dim: 1, mask: mask.reshape([50, 100]) }))],
    ['histogram with a mask', () => bytes(histogram(floats, { bins: 40, mask }).hist)],
    ['histogram along a dim', () => bytes(histogram(floats.reshape([50, 100]), { bins: 9, range: [-5, 5], dim: 0 }).hist)],
    ['histogram of two columns', () => bytes(histogramdd(floats.reshape([count / 2, 2]), { bins: 9, range: [[-5, 5], [-50, 50]] }).hist)],
    ['largest with winners', () => bytes(...Object.values(Tensor.zeros([40]).scatter_reduce(0, groups, floats, 'amax', { return_indices: true }))), true],
    ['smallest rows of segments with winners', () => bytes(...Object.values(segment_reduce(floats.reshape([1000, 5]), 'amin', { lengths: [400, 0, 600], return_indices: true }))), true],
    ['searchsorted', () => bytes(searchsorted(new Tensor([-100, -1, 0, 0, 3, 900]), floats, { right: true }))],
    ['argsort of rows', () => bytes(floats.reshape([50, 100]).argsort())],
    ['sort along 0', () => bytes(...Object.values(floats.reshape([50, 100]).sort(0, { descending: true })))],
    ['softmax', () => bytes(scatter_softmax(floats, groups), scatter_softmax(floats, groups, 0, { ignore_index: 3 }))],
    ['softmax of rows', () => bytes(scatter_softmax(floats.reshape([50, 100]), integers(100, 7), 1))],
    ['logsumexp', () => bytes(scatter_logsumexp(floats, groups))],
  ];
  for (const statistic of ['count', 'sum', 'mean', 'min', 'max']) {
    calls.push([`binned_statistic, ${statistic}`, () => bytes(binned_statistic(groups.astype('float32'), statistic === 'count' ? null : floats, statistic, { bins: 30, mask }).statistic), statistic !== 'count']);
  }
  const [rows, columns] = [integers(count, 30), integers(count, 50)];
  for (const dtype of ['float32', 'float64', 'int32']) {
    for (const shape of [[50], [50, 3], [50, 70]]) {
      const dense = new Tensor(Float32Array.from({ length: shape.reduce((one, next) => one * next) }, (_, k) => Math.cos(k) * 9), { shape }).astype(dtype);
      for (const reduce of ['sum', 'mean', 'amax']) calls.push([`spmm of ${dtype}, ${reduce}, rows of ${shape[1] ?? 1}`, () => bytes(spmm(rows, columns, floats.astype(dtype), dense, { reduce })), shape[1] !== 70]);
    }
  }
  return calls;
}
