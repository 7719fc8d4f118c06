// ONNX Runtime Web: graphs for the workloads of groups.js. *Resident* is as in onnx.js.

import { encodeModel, types } from '../../onnx-model.js';
import { lacks } from './modes.js';

/** See harness.js, and `prepare` of onnx.js. */
export async function prepareGroup(ort, provider, w, inputs, dtype) {
  const graph = graphFor(w, inputs, dtype);
  if (typeof graph === 'string') return graph;
  const { nodes, operands, results, note } = graph;
  const gpu = provider === 'webgpu';
  const extra = gpu ? { session: { disable_cpu_ep_fallback: '1' } } : undefined;
  const create = (model, options) =>
    ort.InferenceSession.create(encodeModel(model), { executionProviders: [provider], graphOptimizationLevel: 'disabled', extra, ...options });
  const whole = await create({ nodes, inputs: operands, outputs: results }).catch((error) => {
    if (/fallback to CPU EP|could not find an implementation|could not be found|Provider type for .* is not set/i.test(error.message)) return undefined;
    throw error;
  });
  if (!whole) return `no kernel of ${nodes.map(({ op }) => op).join(', ')} for ${dtype}`;
  const feed = async () => {
    const feeds = Object.fromEntries(operands.map((one) => [one.name, new ort.Tensor(one.dtype, one.data, one.shape)]));
    const outputs = await whole.run(feeds);
    const arrays = results.map(({ name }) => outputs[name].data);
    for (const one of [...Object.values(feeds), ...Object.values(outputs)]) one.dispose();
    return arrays;
  };
  const cut = ({ name, rank = 1 }) => ({ op: 'Slice', inputs: [name, `from${rank}`, `to${rank}`], outputs: [`one_${name}`] });
  const bounds = [1, 2].flatMap((rank) => [
    { name: `from${rank}`, dtype: 'int64', shape: [rank], data: new BigInt64Array(rank) },
    { name: `to${rank}`, dtype: 'int64', shape: [rank], data: new BigInt64Array(rank).fill(1n) },
  ]);
  const { options, ...model } = gpu
    ? { options: { preferredOutputLocation: 'gpu-buffer' }, nodes, outputs: results, initializers: operands }
    : { nodes: [...nodes, ...results.map(cut)], outputs: results.map(({ name, dtype }) => ({ name: `one_${name}`, dtype })), initializers: [...operands, ...bounds] };
  const constant = await create({ ...model, inputs: [] }, options);
  const settle = gpu ? async () => (await ort.env.webgpu.device).queue.onSubmittedWorkDone() : undefined;
  return {
    note,
    modes: {
      resident: { settle, result: feed, async run() {
        for (const one of Object.values(await constant.run({}))) one.dispose();
      } },
      'end to end': { run: feed, result: feed },
    },
    async dispose() {
      await whole.release();
      await constant.release();
    },
  };
}

/** The graph of a workload, { nodes, operands, results, note }, as `encodeModel` takes them, or a text that says what it lacks. A result may have no shape. */
function graphFor(w, inputs, dtype) {
  const operand = (name, more) => ({ name, dtype, shape: w.shapes[name], data: inputs[name], ...more });
  const long = (name, shape) => operand(name, { dtype: 'int64', shape, data: BigInt64Array.from(inputs[name], BigInt) });
  const n = [w.count];
  switch (w.op) {
    case 'argsort': case 'sort': {
      const results = [{ name: 'values', dtype, shape: n }, { name: 'order', dtype: 'int64', shape: n }];
      return {
        note: 'TopK', operands: [operand('x'), { name: 'k', dtype: 'int64', shape: [1], data: BigInt64Array.of(BigInt(w.count)) }],
        nodes: [{ op: 'TopK', inputs: ['x', 'k'], outputs: ['values', 'order'], attributes: { axis: 0, largest: 0, sorted: 1 } }],
        results: w.op === 'sort' ? results : [results[1]],
      };
    }
    case 'unique': {
      const wide = dtype === 'int32';
      const cast = (from, to, dtype) => ({ op: 'Cast', inputs: [from], outputs: [to], attributes: { to: types[dtype] } });
      const unique = { op: 'Unique', inputs: [wide ? 'long' : 'x'], outputs: [wide ? 'distinct' : 'values', 'first', 'inverse', 'counts'], attributes: { sorted: 1 } };
      return {
        note: wide ? 'Cast to int64, Unique, Cast' : undefined, // it has no Unique of int32
        operands: [operand('x')],
        nodes: wide ? [cast('x', 'long', 'int64'), unique, cast('distinct', 'values', 'int32')] : [unique],
        results: [{ name: 'values', dtype }, ...['first', 'inverse', 'counts'].map((name) => ({ name, dtype: 'int64' }))],
      };
    }
    case 'softmax': case 'logsumexp': {
      const empty = (name, value) => ({ name, dtype, shape: [w.size], data: new Float32Array(w.size).fill(value) });
      const at = { axis: 0 };
      return {
        note: `ScatterElements for the maxima and the sums, GatherElements, Sub, Exp, ${w.op === 'softmax' ? 'Div' : 'Log, Add'}`,
        operands: [operand('index', { dtype: 'int32' }), operand('src'), empty('none', -Infinity), empty('zeros', 0)],
        nodes: [
          { op: 'ScatterElements', inputs: ['none', 'index', 'src'], outputs: ['most'], attributes: { ...at, reduction: 'max' } },
          { op: 'GatherElements', inputs: ['most', 'index'], outputs: ['mosts'], attributes: at },
          { op: 'Sub', inputs: ['src', 'mosts'], outputs: ['less'] },
          { op: 'Exp', inputs: ['less'], outputs: ['terms'] },
          { op: 'ScatterElements', inputs: ['zeros', 'index', 'terms'], outputs: ['sums'], attributes: { ...at, reduction: 'add' } },
          ...(w.op === 'softmax' ? [
            { op: 'GatherElements', inputs: ['sums', 'index'], outputs: ['all'], attributes: at },
            { op: 'Div', inputs: ['terms', 'all'], outputs: ['out'] },
          ] : [{ op: 'Log', inputs: ['sums'], outputs: ['logs'] }, { op: 'Add', inputs: ['most', 'logs'], outputs: ['out'] }]),
        ],
        results: [{ name: 'out', dtype, shape: w.op === 'softmax' ? n : [w.size] }],
      };
    }
    case 'spmm': {
      const shape = [w.nodes, w.length];
      return {
        note: 'Gather, Mul, ScatterND',
        operands: [
          long('rows', [w.count, 1]), operand('columns', { dtype: 'int32' }), operand('values', { shape: [w.count, 1] }), operand('dense'),
          { name: 'zeros', dtype, shape, data: new Float32Array(w.nodes * w.length) },
        ],
        nodes: [
          { op: 'Gather', inputs: ['dense', 'columns'], outputs: ['gathered'], attributes: { axis: 0 } },
          { op: 'Mul', inputs: ['gathered', 'values'], outputs: ['products'] },
          { op: 'ScatterND', inputs: ['zeros', 'rows', 'products'], outputs: ['out'], attributes: { reduction: 'add' } },
        ],
        results: [{ name: 'out', dtype, shape, rank: 2 }],
      };
    }
    case 'winners': case 'segment-winners': return 'no position of a maximum within groups';
    default: return lacks(w);
  }
}
