// luma.gl: what @luma.gl/gpgpu has of the workloads of groups.js, and the counts of workloads.js. A graph of commands is compiled once for a case; a call
// encodes it for the buffers that it is given.

import { Buffer } from '@luma.gl/core';
import { Computation } from '@luma.gl/engine';
import {
  createTransientView, getViewBinding, GPUCommandGraph, GPUGallopingSearch, GPUGridAggregation, GPUGridBinning, GPUGroupAggregation, GPUHistogram, GPUSort,
} from '@luma.gl/gpgpu/gpu-core';
import { range } from '../../workloads.js';
import { groupModes, lacks } from './modes.js';

/** See harness.js; a result is a list. */
export function prepareGraph(device, w, inputs, dtype) {
  const plan = planFor(w, inputs, dtype);
  if (typeof plan === 'string') return plan;
  const graph = new GPUCommandGraph(device);
  const views = {};
  for (const [id, { format, length }] of Object.entries({ ...plan.operands, ...plan.results })) {
    const handle = graph.importBuffer({ id, byteLength: 4 * length * (format === 'float32x2' ? 2 : 1), usage: Buffer.STORAGE });
    views[id] = graph.createDataView(handle, { format, length });
  }
  plan.build(graph, views);
  const compiled = graph.compile();
  const modes = groupModes({
    note: plan.note,
    make: () => Object.fromEntries(Object.entries(plan.operands).map(([id, { data }]) => [
      id, device.createBuffer({ data: data(), usage: Buffer.STORAGE }),
    ])),
    run(operands) {
      const results = Object.fromEntries(Object.entries(plan.results).map(([id, { length, Type, transposed }]) => [
        id, device.createBuffer({ byteLength: 4 * length, usage: Buffer.STORAGE | Buffer.COPY_SRC, userData: { Type, transposed } }),
      ]));
      const encoder = device.createCommandEncoder();
      compiled.encode(encoder, { buffers: { ...operands, ...results } });
      device.submit(encoder.finish());
      return Object.values(results);
    },
    async read(buffer) {
      const { Type = Uint32Array, transposed } = buffer.userData;
      const array = new Type((await buffer.readAsync()).buffer);
      return transposed ? array.map((_, at) => array[(at % transposed) * transposed + Math.floor(at / transposed)]) : array;
    },
    free: (all) => all.forEach((one) => one.destroy()),
    settle: () => device.handle.queue.onSubmittedWorkDone(),
  });
  return { ...modes, dispose() {
    modes.dispose();
    compiled.destroy();
  } };
}

/**
 * How luma.gl does a workload, { operands, results, build, note }, or a text that says what it lacks. Operands and results are { format, length } by
 * their names. An operand has `data()`, its array. A result may have a `Type`, the class of its array if that is not Uint32Array, and `transposed`, the
 * number of rows of a square table whose columns come first. `build(graph, views)` adds the work.
 */
function planFor(w, inputs, dtype) {
  const n = w.count;
  const operand = (name, format, data = () => inputs[name]) => ({ format, length: inputs[name].length / (format === 'float32x2' ? 2 : 1), data });
  const counts = (length, more) => ({ counts: { format: 'uint32', length, ...more } });
  const square = { transposed: w.bins }; // the first coordinate of a point is its column
  switch (w.op) {
    case 'argsort': case 'sort': return sorting(w, operand, dtype === 'float32' ? floats : integers);
    case 'search': return {
      note: 'GPUGallopingSearch, one number in a tile',
      operands: {
        edges: operand('edges', 'float32'), x: operand('x', 'float32'),
        segments: { format: 'uint32', length: 4, data: () => Uint32Array.of(0, w.edges, 0, n) },
      },
      results: { places: { format: 'uint32', length: n } },
      build: (graph, { edges, x, segments, places }) => new GPUGallopingSearch({
        values: edges, queries: x, segments, output: places, maximumQueryCount: n, queriesPerTile: 1,
        validationErrors: createTransientView(graph, 'errors', 'uint32', 1),
      }).addToGraph(graph),
    };
    case 'binned': return {
      note: w.statistic === 'count' ? 'GPUGridBinning' : 'GPUGridAggregation',
      ...(w.statistic === 'count' ? { operands: { points: operand('sample', 'float32x2') }, results: counts(w.bins ** 2, square) } : {
        operands: { points: operand('sample', 'float32x2'), values: operand('values', 'float32') },
        results: { sums: { format: 'float32', length: w.bins ** 2, Type: Float32Array, ...square } },
      }),
      build: (graph, { points, values, sums, counts }) => grid(w, points, sums ?? counts, values).addToGraph(graph),
    };
    case 'bincount': case 'bincount-mask': return {
      note: 'GPUGroupAggregation',
      operands: { index: operand('index', 'uint32'), ...(inputs.mask && { mask: operand('mask', 'uint32', () => Uint32Array.from(inputs.mask)) }) },
      results: counts(w.size),
      build: (graph, { index, mask, counts }) => new GPUGroupAggregation({ keys: index, mask, output: counts }).addToGraph(graph),
    };
    case 'histogram': return {
      note: w.columns === 1 ? 'GPUHistogram' : 'GPUGridBinning',
      operands: { x: operand('x', w.columns === 1 ? 'float32' : 'float32x2') },
      results: counts(w.bins ** w.columns, w.columns === 2 && square),
      build: (graph, { x, counts }) => (w.columns === 1 ? new GPUHistogram({ input: x, output: counts, domain: range }) : grid(w, x, counts)).addToGraph(graph),
    };
    case 'spmm': return 'no sparse matrices, and sums of groups only of single numbers';
    case 'ignore': return 'no sums into a table';
    case 'softmax': case 'logsumexp': return 'no softmax within groups';
    case 'winners': case 'segment-winners': return 'no position of a maximum within groups';
    default: return w.group ? lacks(w) : 'only its sorts, searches and bins are measured';
  }
}

/** Counts of points in a square of bins, or a statistic of their values. */
function grid({ bins, statistic }, positions, output, weights) {
  const [low, high] = range;
  const common = { positions, output, gridSize: [bins, bins], bounds: [low, low, high, high] };
  return weights ? new GPUGridAggregation({ ...common, weights, operation: statistic === 'mean' ? 'mean' : 'sum' }) : new GPUGridBinning(common);
}

// Keys whose order as uint32 is that of the numbers with these bits, and the bits of a key.
const integers = { Type: Int32Array, key: 'bits ^ 0x80000000u', bits: 'key ^ 0x80000000u' };
const floats = {
  Type: Float32Array,
  key: 'bits ^ select(0x80000000u, 0xffffffffu, bits >= 0x80000000u)',
  bits: 'key ^ select(0xffffffffu, 0x80000000u, key >= 0x80000000u)',
};

/** argsort and sort of numbers with `keys`, by a sort of pairs of a key and a position. */
function sorting({ op, count }, operand, keys) {
  const result = { format: 'uint32', length: count };
  return {
    note: `GPUSort of uint32 keys; a kernel of the benchmark makes them${op === 'sort' ? ', and another one turns them back' : ''}`,
    operands: { x: operand('x', 'uint32') },
    results: op === 'sort' ? { values: { ...result, Type: keys.Type }, order: result } : { order: result },
    build(graph, { x, values, order }) {
      const [made, positions, sorted] = ['keys', 'positions', 'sorted'].map((id) => createTransientView(graph, id, 'uint32', count));
      addKernel(graph, { x }, { made, positions }, `let bits = x[k]; made[k] = ${keys.key}; positions[k] = k;`);
      new GPUSort({ keys: made, values: positions, outputKeys: sorted, outputValues: order }).addToGraph(graph);
      if (values) addKernel(graph, { sorted }, { values }, `let key = sorted[k]; values[k] = ${keys.bits};`);
    },
  };
}

/** Adds a kernel that runs `code` once for each `k` below the length of the views, which are of uint32 and have these names there. */
function addKernel(graph, read, written, code) {
  const views = Object.entries({ ...read, ...written });
  const [, { length }] = views[0];
  const bindings = views.map(([name], location) => ({ name, type: 'storage', group: 0, location }));
  const declared = bindings.map(({ name, location }) => `@group(0) @binding(${location}) var<storage, ${name in read ? 'read' : 'read_write'}> ${name}: array<u32>;`);
  const id = Object.keys(written).join('-');
  graph.addComputePass({
    id,
    resources: views.map(([name, buffer]) => ({ buffer, usage: name in read ? 'storage-read' : 'storage-write' })),
    compile({ device }) {
      const computation = new Computation(device, { id, shaderLayout: { bindings }, source: `${declared.join('\n')}
@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k < ${length}u) { ${code} }
}` });
      return {
        encode({ computePass, getBuffer }) {
          computation.setBindings(Object.fromEntries(views.map(([name, view]) => [name, getViewBinding(view, getBuffer)])));
          computation.dispatch(computePass, Math.ceil(length / 256));
        },
        destroy: () => computation.destroy(),
      };
    },
  });
}
