// This library, as its users call it. `?device=webgpu` chooses the device, `?threads=2` the entry scatterwise/threads.

import { serveBench } from '../harness.js';
import { isPosition, range } from '../workloads.js';
import { prepareGroup } from './groups/scatterwise.js';

const asked = new URLSearchParams(location.search);
const device = asked.get('device') ?? 'cpu';
const threads = asked.has('threads') ? Number(asked.get('threads')) : undefined;
let lib;

/** See harness.js. Loads the built package, which the site of the benchmark has beside the pages. */
async function start() {
  lib = await import(new URL(threads ? '/scatterwise/threads.js' : '/scatterwise/index.js', location.href));
  const info = await lib.init({ device, ...(threads && { threads }) });
  if (threads && info.threads.count !== threads) throw new Error(info.threads.reason);
  return { version: info.version, simd: info.simd, numerics: info.numerics, adapter: info.webgpu?.description };
}

const tensor = (data, shape, at = device) => new lib.Tensor(data, { shape, device: at });

// The shapes of a workload's index and source, as the operator takes them that `operators` calls.
const indexShape = (w) => (w.op === 'segments' ? [w.segments + 1] : w.op === 'rows' ? (w.reduce === 'multiply' ? [w.count] : [w.count, w.tuple]) : w.index);
const sourceShape = (w) => (w.op === 'pair' ? w.other : w.op === 'rows' ? [w.count, ...w.shape.slice(w.tuple)] : w.index);

/** The function and the method in place of each way to combine two tensors. */
const pairs = {
  multiply: ['elementwise_mul', 'mul_'], add: ['elementwise_add', 'add_'], sub: ['elementwise_sub', 'sub_'], div: ['elementwise_div', 'div_'],
  maximum: ['elementwise_max', 'maximum_'], minimum: ['elementwise_min', 'minimum_'],
};

/**
 * The operator of a workload as functions of (x, index, source): `copying` into a new tensor, and `inPlace`, where there is such an operator.
 * `inPlaceShape` is the shape of the source in place, where it is another.
 */
function operators(w) {
  const { scatter_mul } = lib;
  if (w.op === 'pair') {
    const [aligned, method] = pairs[w.combine];
    const shape = [...w.other, ...w.shape.slice(w.axis + w.other.length).fill(1)]; // NumPy's alignment, for the method
    return { copying: (t, _, src) => lib[aligned](t, src, w.axis), inPlace: (t, _, src) => t[method](src), inPlaceShape: shape };
  }
  if (w.op === 'activate') return { copying: (t) => lib.activate(t, w.act) };
  if (w.op === 'dims') return { copying: (t) => t[w.how](w.dim) };
  if (w.op === 'gather') return { copying: (t, index) => t.gather(w.dim, index) };
  if (w.op === 'segments') return { copying: (t, index) => lib.segment_reduce(t, 'sum', { offsets: index }) };
  if (w.op === 'bincount') return { copying: (_, index) => lib.bincount(index, { minlength: w.size }) };
  if (w.op === 'histogram' && w.columns === 1) return { copying: (t) => counted(lib.histogram(t, { bins: w.bins, range })) };
  if (w.op === 'histogram') return { copying: (t) => counted(lib.histogramdd(t, { bins: [w.bins, w.bins], range: [range, range] })) };
  if (w.reduce === 'maximum') {
    return {
      copying: (t, index, src) => t.scatter_reduce(w.dim, index, src, 'amax'),
      inPlace: (t, index, src) => t.scatter_reduce_(w.dim, index, src, 'amax'),
    };
  }
  if (w.op === 'rows' && w.reduce === 'add') {
    return { copying: (t, index, src) => t.scatter_add(index, src), inPlace: (t, index, src) => t.scatter_add_(index, src) };
  }
  if (w.op === 'rows') {
    return { copying: (t, index, src) => scatter_mul(t.clone(), index, src), inPlace: (t, index, src) => scatter_mul(t, index, src) };
  }
  if (w.plan) return { copying: (t, plan, src) => t.scatter_add(plan, src), inPlace: (t, plan, src) => t.scatter_add_(plan, src) };
  const value = (src) => w.scalar ?? src;
  if (w.reduce === 'add') {
    const sum = w.sum ? [{ sum: w.sum }] : [];
    return {
      copying: (t, index, src) => t.scatter_add(w.dim, index, value(src), ...sum),
      inPlace: (t, index, src) => t.scatter_add_(w.dim, index, value(src), ...sum),
    };
  }
  const options = w.reduce ? { reduce: w.reduce } : undefined;
  return {
    copying: (t, index, src) => t.scatter(w.dim, index, value(src), options),
    inPlace: (t, index, src) => t.scatter_(w.dim, index, value(src), options),
  };
}

/** The counts of a histogram. Its edges, one tensor or one for each column, are not wanted. */
function counted({ hist, edges }) {
  for (const one of [edges].flat()) one.dispose();
  return hist;
}

/** The class of the result's array. As in NumPy, counts and positions are int64, and the counts of histogramdd float64. */
const outOf = (w, x) => {
  if (isPosition(w)) return BigInt64Array;
  if (!['bincount', 'histogram'].includes(w.op)) return x.constructor;
  return w.columns === 2 ? Float64Array : BigInt64Array;
};

/** See harness.js. In `make` and what it returns, `t`, `i` and `s` are the tensors of x, the index and the source. */
async function prepare(w, inputs) {
  if (w.group) return prepareGroup(lib, device, w, inputs);
  const { x, index, src, unit } = inputs;
  const { copying, inPlace, inPlaceShape } = operators(w);
  const makeIndex = () => {
    const given = tensor(index, indexShape(w), w.op === 'segments' ? 'cpu' : device); // offsets of segments are read on the CPU
    if (!w.plan) return given;
    const plan = lib.IndexPlan.along(w.shape, w.dim, given);
    given.dispose();
    return plan;
  };
  const make = (shape) => ({
    t: tensor(x, w.shape),
    i: index && makeIndex(),
    s: src && tensor(src, shape),
  });
  const held = make(sourceShape(w));
  const table = tensor(x, w.shape);
  const unitShape = inPlaceShape ?? sourceShape(w);
  const units = unit && tensor(unit, unitShape);
  const out = new (outOf(w, x))(w.out_elements);
  const settle = device === 'webgpu' ? () => lib.sync() : undefined;
  const read = device === 'webgpu' ? (t, options) => t.data(options) : (t, options) => t.data_sync(options);

  const resident = () => copying(held.t, held.i, held.s);
  /** From arrays to an array, read with these options. In place, where there is such an operator: the tensor was made for this call. */
  const whole = (options) => () => {
    const { t, i, s } = make(inPlace ? unitShape : sourceShape(w));
    const result = (inPlace ?? copying)(t, i, s);
    const values = read(result, options);
    for (const one of new Set([t, i, s, result])) one?.dispose();
    return values;
  };
  /** In place, on tensors that stay: what a page would write into arrays of its own, it writes into them. */
  const lent = inPlace && device === 'cpu' && !w.plan ? make(unitShape) : {};
  const fed = () => {
    lent.t.with_data((view) => view.set(x));
    lent.i?.with_data((view) => view.set(index));
    lent.s?.with_data((view) => view.set(src));
    inPlace(lent.t, lent.i, lent.s);
    return lent.t;
  };
  const modes = {
    resident: { run: () => void resident().dispose(), settle, async result() {
      const t = resident();
      const values = await t.data();
      t.dispose();
      return values;
    } },
    'in place': inPlace && { run: () => void inPlace(table, held.i, units), settle, result: () => inPlace(table, held.i, units).data() },
    // A thread that has slept: see docs/THREADS.md.
    'resident, after 3 ms': threads && { run: () => void resident().dispose(), pause: 3, result: () => resident().data() },
    'end to end': { run: whole(), result: whole() },
    'end to end, out': { run: whole({ out }), result: whole({ out }) },
    'end to end, with_data': lent.t && { run: () => fed().with_data((view) => view[0]), result: () => fed().with_data((view) => view.slice()) },
  };
  for (const [name, mode] of Object.entries(modes)) if (!mode) delete modes[name];
  return { modes, dispose() {
    for (const one of [held.t, held.i, held.s, table, units, lent.t, lent.i, lent.s]) one?.dispose();
  } };
}

serveBench({ start, prepare });
