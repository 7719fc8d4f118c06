// ONNX Runtime Web: one graph for each workload. Its CPU tensors live in JavaScript, so for *resident* the operands are
// constants of the graph (folding off) and the result is cut to one element inside it.

import { serveBench } from '../harness.js';
import { encodeModel } from '../onnx-model.js';
import { isPosition } from '../workloads.js';
import { prepareGroup } from './groups/onnx.js';

/**
 * Serves the benchmark from a build of ONNX Runtime Web, `ort`, on a provider of it: 'wasm' with `threads` threads, or those of the page's
 * `?threads=`, or 'webgpu'.
 */
export function serveOnnx(ort, { provider, threads: usual = 1 }) {
  const threads = Number(new URLSearchParams(location.search).get('threads') ?? usual);
  const gpu = provider === 'webgpu';
  serveBench({
    async start() {
      ort.env.wasm.wasmPaths = '/assets/';
      ort.env.wasm.numThreads = threads;
      ort.env.logLevel = 'error';
      const adapter = gpu && (await navigator.gpu.requestAdapter());
      if (adapter) ort.env.webgpu.adapter = adapter;
      return { version: ort.env.versions.web, threads, isolated: crossOriginIsolated };
    },
    prepare: (w, inputs, dtype) => prepare(ort, provider, w, inputs, dtype),
  });
}

/** See harness.js. The site's benchmark page calls this too. */
export async function prepare(ort, provider, w, inputs, dtype) {
  if (w.group) return prepareGroup(ort, provider, w, inputs, dtype);
  const { x, index, src } = inputs;
  if (lacked[w.op]) return lacked[w.op];
  const gpu = provider === 'webgpu';
  const graph = graphFor(w, index, src, dtype);
  const self = { name: 'x', dtype, shape: w.shape, data: x };
  const operands = [self, ...graph.operands];
  const out = { name: 'out', dtype: graph.dtype ?? dtype, shape: graph.out_shape ?? w.out_shape };
  const node = { op: graph.op, inputs: operands.map(({ name }) => name), outputs: ['out'], attributes: graph.attributes };
  // Operators without a kernel on WebGPU would run on the CPU, unnoticed.
  const extra = gpu ? { session: { disable_cpu_ep_fallback: '1' } } : undefined;
  /** Resolves to a session of a model as `encodeModel` takes it. */
  const create = (model, options) =>
    ort.InferenceSession.create(encodeModel(model), { executionProviders: [provider], graphOptimizationLevel: 'disabled', extra, ...options });

  // A session of a graph whose operands are its inputs, for *end to end*.
  const whole = await create({ nodes: [node], inputs: operands, outputs: [out] }).catch((error) => {
    if (/fallback to CPU EP/i.test(error.message)) return undefined;
    throw error;
  });
  if (!whole) return `${graph.op} of ${dtype} only on the CPU`;
  const feed = async () => {
    const feeds = Object.fromEntries(operands.map((one) => [one.name, new ort.Tensor(one.dtype, one.data, one.shape)]));
    const { out: result } = await whole.run(feeds);
    const { data } = result;
    for (const one of [...Object.values(feeds), result]) one.dispose();
    return data;
  };

  // A session of a graph whose operands are constants, for *resident*. On WebGPU the result stays there; on the CPU it is cut.
  const { options, ...model } = gpu
    ? { options: { preferredOutputLocation: 'gpu-buffer' }, nodes: [node], outputs: [out] }
    : { nodes: [node, cut], outputs: [{ ...out, name: 'one', shape: out.shape.map(() => 1) }] };
  const rank = out.shape.length;
  const bounds = gpu ? [] : [
    { name: 'from', dtype: 'int64', shape: [rank], data: new BigInt64Array(rank) },
    { name: 'to', dtype: 'int64', shape: [rank], data: new BigInt64Array(rank).fill(1n) },
  ];
  const constant = await create({ ...model, inputs: [], initializers: [...operands, ...bounds] }, options);
  return {
    note: graph.note,
    modes: {
      resident: {
        async run() {
          const results = await constant.run({});
          for (const one of Object.values(results)) one.dispose();
        },
        settle: gpu ? async () => (await ort.env.webgpu.device).queue.onSubmittedWorkDone() : undefined,
        result: feed,
      },
      'end to end': { run: feed, result: feed },
    },
    async dispose() {
      await whole.release();
      await constant.release();
    },
  };
}

/** The node that cuts the result to its first element: a slice from 0 to 1 in each dimension. */
const cut = { op: 'Slice', inputs: ['out', 'from', 'to'], outputs: ['one'] };

/** What it lacks, by the `op` of a workload. */
const lacked = { segments: 'no segments', bincount: 'no bincount', histogram: 'no histogram' };

/** The operators that combine two tensors, and those that reduce dimensions. */
const pairs = { multiply: 'Mul', add: 'Add', sub: 'Sub', div: 'Div', maximum: 'Max', minimum: 'Min' };
const reductions = { sum: 'ReduceSum', mean: 'ReduceMean', amax: 'ReduceMax', amin: 'ReduceMin', argmax: 'ArgMax', argmin: 'ArgMin' };

/**
 * The operator of a workload: { op, attributes, operands, note, dtype, out_shape }. `operands` are its inputs after x, as initializers of
 * `encodeModel`; dtype and shape of the result are there if they are not the workload's.
 */
function graphFor(w, index, src, dtype) {
  if (w.op === 'pair') {
    const shape = [...w.other, ...w.shape.slice(w.axis + w.other.length).fill(1)];
    return { op: pairs[w.combine], operands: [{ name: 'y', dtype, shape, data: src }] };
  }
  if (w.op === 'activate') return { op: { relu: 'Relu', exp: 'Exp' }[w.act], operands: [] };
  if (w.op === 'dims') {
    const op = reductions[w.how];
    const dims = w.dim === undefined ? w.shape.map((_, dim) => dim) : [w.dim];
    const out_shape = w.shape.map((size, dim) => (dims.includes(dim) ? 1 : size)); // one of no dimensions could not be cut
    if (isPosition(w)) return { op, attributes: { axis: w.dim }, operands: [], dtype: 'int64', out_shape };
    const axes = { name: 'axes', dtype: 'int64', shape: [dims.length], data: BigInt64Array.from(dims, BigInt) };
    return { op, operands: [axes], out_shape };
  }
  const reduction = { add: 'add', multiply: 'mul', maximum: 'max' }[w.reduce];
  const attributes = reduction ? { reduction } : {};
  if (w.op === 'rows') {
    const long = BigInt64Array.from(index, BigInt); // ScatterND takes no other
    const source = { name: 'src', dtype, shape: [w.count, ...w.shape.slice(w.tuple)], data: src };
    return { op: 'ScatterND', attributes, operands: [{ name: 'index', dtype: 'int64', shape: [w.count, w.tuple], data: long }, source] };
  }
  const at = { name: 'index', dtype: 'int32', shape: w.index, data: index };
  if (w.op === 'gather') return { op: 'GatherElements', attributes: { axis: w.dim }, operands: [at] };
  const counts = w.scalar !== undefined;
  const data = counts ? new (dtype === 'int32' ? Int32Array : Float32Array)(w.updates).fill(w.scalar) : src;
  return {
    op: 'ScatterElements', attributes: { axis: w.dim, ...attributes }, operands: [at, { name: 'src', dtype, shape: w.index, data }],
    note: counts ? 'ScatterElements with an array of ones' : undefined,
  };
}
