// This library's calls for the workloads of groups.js, and the compositions of its own operators that they replace.

import { range } from '../../workloads.js';
import { groupModes } from './modes.js';

/** See harness.js; `lib` is the library, and `device` that of the operands. */
export function prepareGroup(lib, device, w, inputs) {
  const plan = (index) => {
    const tensor = new lib.Tensor(index, { device });
    const plan = lib.IndexPlan.select(w.shapes.dense.with(0, w.nodes), 0, tensor);
    tensor.dispose();
    return plan;
  };
  const operand = ([name, array]) => {
    if (w.plan && ['rows', 'columns'].includes(name)) return plan(array);
    return new lib.Tensor(array, { shape: w.shapes[name], device, ...(name === 'mask' && { dtype: 'bool' }) });
  };
  const { run, others } = callsFor(lib, w, device);
  return groupModes({
    make: () => Object.fromEntries(Object.entries(inputs).map((one) => [one[0], operand(one)])),
    run, others,
    read: (t) => (device === 'webgpu' ? t.data() : t.data_sync()),
    free: (all) => all.forEach((one) => one.dispose()),
    settle: device === 'webgpu' ? () => lib.sync() : undefined,
  });
}

/** The call of a workload, as a function of its operands by their names that returns a list of tensors, and other ways to compute it. */
function callsFor(lib, w, device) {
  const { Tensor } = lib;
  const zeros = (shape) => Tensor.zeros(shape, { device });
  const won = ({ values, indices }) => [values, indices];
  const scoped = (run) => ({ run: (operands) => lib.scope(() => run(operands)) });
  switch (w.op) {
    case 'argsort': return { run: ({ x }) => [x.argsort()] };
    case 'sort': return { run: ({ x }) => won(x.sort()) };
    case 'unique': return { run: async ({ x }) => {
      const { values, index, inverse, counts } = await lib.unique(x);
      return [values, index, inverse, counts];
    } };
    case 'search': return { run: ({ edges, x }) => [lib.searchsorted(edges, x)] };
    case 'winners': return { run: ({ index, src }) => {
      const table = zeros([w.size]);
      const both = won(table.scatter_reduce(0, index, src, 'amax', { include_self: false, return_indices: true }));
      table.dispose();
      return both;
    } };
    case 'segment-winners': return { run: ({ offsets, src }) => won(lib.segment_reduce(src, 'amax', { offsets, return_indices: true })) };
    case 'softmax': return { run: ({ index, src }) => [lib.scatter_softmax(src, index, 0)], others: {
      composition: scoped((operands) => softmax(lib, w, device, operands)),
      'composition, exact': scoped((operands) => softmax(lib, w, device, operands, { sum: 'exact' })),
    } };
    case 'logsumexp': return { run: ({ index, src }) => [lib.scatter_logsumexp(src, index, 0, { size: w.size })], others: {
      composition: scoped((operands) => softmax(lib, w, device, operands)),
      'composition, exact': scoped((operands) => softmax(lib, w, device, operands, { sum: 'exact' })),
    } };
    case 'spmm': return { run: ({ rows, columns, values, dense }) => [lib.spmm(rows, columns, values, dense, { size: w.nodes })], others: {
      composition: scoped(({ rows, columns, values, dense }) => {
        const products = (w.plan ? dense.index_select(columns) : dense.index_select(0, columns)).mul_(values.reshape([w.count, 1]));
        const table = zeros([w.nodes, w.length]);
        return [w.plan ? table.index_add_(rows, products) : table.index_add_(0, rows, products)];
      }),
    } };
    case 'binned': return binned(lib, w);
    case 'bincount-mask': return { run: ({ index, mask }) => [lib.bincount(index, { length: w.size, mask })] };
    case 'ignore': return { run: ({ table, index, src }) => [table.scatter_add(0, index, src, { ignore_index: -1 })] };
  }
}

/** Softmax and logsumexp by other operators. The sums are in order, or exact as those of the operator. */
function softmax({ Tensor, activate, elementwise_sub }, w, device, { index, src }, ...options) {
  const most = Tensor.full([w.size], -Infinity, { device }).scatter_reduce_(0, index, src, 'amax');
  const terms = elementwise_sub(src, most.gather(0, index), { act: 'exp' });
  const sums = Tensor.zeros([w.size], { device }).scatter_add_(0, index, terms, ...options);
  return [w.op === 'softmax' ? terms.div_(sums.gather(0, index)) : most.add_(activate(sums, 'log'))];
}

/** A statistic of bins, beside a histogram with weights. */
function binned(lib, w) {
  const options = { bins: [w.bins, w.bins], range: [range, range] };
  const without = (result, edges) => {
    for (const one of edges) one.dispose();
    return [result];
  };
  const weighted = ({ sample, values }) => {
    const { hist, edges } = lib.histogramdd(sample, { ...options, weights: values });
    return without(hist, edges);
  };
  if (w.statistic === 'weights') return { run: weighted };
  return { others: { 'histogramdd, weights': { run: weighted, limit: true } }, run: ({ sample, values }) => {
    const { statistic, edges } = lib.binned_statistic(sample, values, w.statistic, options);
    return without(statistic, edges);
  } };
}
