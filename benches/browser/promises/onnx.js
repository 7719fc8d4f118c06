// The adapter of ONNX: a model of one node for each call. `evaluate(model, feeds)` runs it; ONNX Runtime Web and ONNX's reference do.

import { fromNumbers } from '/vectors/index.js';
import { encodeModel } from '../page/onnx-model.js';

/** @returns an adapter; `evaluate(bytes, inputs)` resolves to the result as a value, from the model and its inputs by name. */
export function onnx({ name, version, device, lacks = [], evaluate }) {
  return {
    name, version, device,
    async call({ op, self, args, options }) {
      if (!self?.dtype) return 'self is no tensor';
      if (lacks.includes(self.dtype)) return `no tensors of ${self.dtype}`;
      const node = nodeOf(op, self, args, options);
      if (typeof node === 'string' || !node) return node;
      const { type, first = self, operands, attributes, as = self.dtype } = node;
      const all = [first, ...operands];
      if (!all.every((value) => value?.data)) return 'tensors only';
      const inputs = all.map((value, at) => ({ name: `in${at}`, dtype: value.dtype, shape: value.shape, data: value.data }));
      const model = encodeModel({
        nodes: [{ op: type, inputs: inputs.map((one) => one.name), outputs: ['out'], attributes }],
        inputs, outputs: [{ name: 'out', dtype: as }],
      });
      return evaluate(model, inputs, as);
    },
  };
}

const words = { add: 'add', multiply: 'mul', sum: 'add', prod: 'mul', amax: 'max', amin: 'min' };

function nodeOf(op, self, { dim: along, index, src, indices, updates, other, x, y }, options) {
  const { dim = along, reduce, axis, include_self = true, keepdim, ...more } = options;
  if (Object.keys(more).length > 0) return `no option ${Object.keys(more)}`;
  if (!include_self) return 'no scatter without self';
  const reduction = reduce === undefined ? 'none' : words[reduce];
  const integers = !self.dtype.includes('float');
  switch (op) {
    case 'scatter_add_axis': case 'scatter_': case 'scatter_reduce': {
      if (!src?.data || `${src.shape}` !== `${index?.shape}`) return 'one update for each index';
      if (!reduction) return `no scatter with ${reduce}`;
      if (dim < -self.shape.length || dim >= self.shape.length) return 'no such axis';
      return { type: 'ScatterElements', operands: [index, src], attributes: { axis: dim, reduction: op === 'scatter_add_axis' ? 'add' : reduction } };
    }
    case 'scatter_nd': case 'scatter_add_nd': {
      if (!reduction || !indices?.data || !updates?.data) return `no scatter with ${reduce}`;
      return { type: 'ScatterND', operands: [indices, updates], attributes: { reduction: op === 'scatter_add_nd' ? 'add' : reduction } };
    }
    case 'gather': return { type: 'GatherElements', operands: [index], attributes: { axis: dim } };
    case 'index_select': return { type: 'Gather', operands: [index], attributes: { axis: dim } };
    case 'gather_nd': return { type: 'GatherND', operands: [indices] };
    case 'add': case 'sub': case 'div': case 'maximum': case 'minimum':
      if (!other?.data || (op === 'div' && integers)) return undefined;
      return { type: { add: 'Add', sub: 'Sub', div: 'Div', maximum: 'Max', minimum: 'Min' }[op], operands: [other] };
    case 'elementwise_mul':
      if (axis !== undefined && axis !== -1 && axis + y.shape.length !== self.shape.length) return 'no axis: dimensions are aligned at the end';
      return { type: 'Mul', operands: [y] };
    case 'sum': case 'prod': case 'amax': case 'amin': {
      if (integers && (op === 'sum' || op === 'prod')) return 'sums keep their dtype';
      const dims = dim === undefined ? [] : [dim].flat();
      return { type: { sum: 'ReduceSum', prod: 'ReduceProd', amax: 'ReduceMax', amin: 'ReduceMin' }[op], operands: [fromNumbers('int64', [dims.length], dims)], attributes: { keepdims: keepdim ? 1 : 0 } };
    }
    case 'where': return { type: 'Where', operands: [x, y], as: x?.dtype };
    case 'compress': return { type: 'Compress', first: x, operands: [self], as: x?.dtype, attributes: dim === undefined ? {} : { axis: dim } };
    default:
      if (comparisons[op] && other !== undefined && other?.dtype !== self.dtype) return 'two tensors of one dtype';
      return comparisons[op] ? { type: comparisons[op], operands: other === undefined ? [] : [other], as: 'bool' } : `not tried: ${op}`;
  }
}

const comparisons = {
  lt: 'Less', le: 'LessOrEqual', gt: 'Greater', ge: 'GreaterOrEqual', eq: 'Equal', isnan: 'IsNaN', logical_and: 'And', logical_or: 'Or', logical_not: 'Not',
};

/** How ONNX Runtime Web evaluates a model on a provider, 'wasm' or 'webgpu'. */
export function runtime(ort, provider) {
  // Operators without a kernel on WebGPU would run on the CPU, unnoticed.
  const extra = provider === 'webgpu' ? { session: { disable_cpu_ep_fallback: '1' } } : undefined;
  return async (model, inputs, as) => {
    let session;
    try {
      session = await ort.InferenceSession.create(model, { executionProviders: [provider], graphOptimizationLevel: 'disabled', extra });
    } catch (error) {
      if (/fallback to CPU EP|node_provider_type|NOT_IMPLEMENTED|Could not find an implementation|not implemented|INVALID_GRAPH|Type Error/i.test(error.message)) return `no kernel: ${String(error.message).replace(/^.*?(Could|Type Error|This session|Provider type)/s, '$1').slice(0, 160)}`;
      throw error;
    }
    try {
      const feeds = Object.fromEntries(inputs.map(({ name, dtype, data, shape }) => [name, new ort.Tensor(dtype, dtype === 'float16' && globalThis.Float16Array ? new Float16Array(data.buffer) : data, shape)]));
      const { out } = await session.run(feeds);
      const bytes = out.data;
      return { dtype: out.type, shape: [...out.dims], data: as === 'float16' ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length) : bytes };
    } catch (error) {
      if (/requires f16 but the device/.test(error.message)) return 'no float16 on this device';
      throw error;
    } finally {
      await session.release();
    }
  };
}
