// The adapter of luma.gl, by @luma.gl/gpgpu: its operations of rows, on WebGL and WebGPU, and on WebGPU its graphs of commands, which reduce and
// aggregate. It has no scatter: a sum by dense keys begins with zeros, so only sums into zeros are offered.

import { Buffer } from '@luma.gl/core';
import { add, cleanEvaluate, divide, gather, GPUDataEvaluator, multiply, select, subtract } from '@luma.gl/gpgpu';
import { GPUCommandGraph, GPUGroupAggregation, GPUReduction } from '@luma.gl/gpgpu/gpu-core';
import { ARRAYS, fromNumbers, numbersOf } from '/vectors/index.js';

const formats = { float32: 'float32', int32: 'sint32', uint32: 'uint32' };
const words = { sum: 'sum', add: 'sum', amax: 'max', amin: 'min', mean: 'mean' };
const many = (shape) => shape.reduce((count, size) => count * size, 1);

/** @returns the adapter of a device of luma.gl. */
export function luma(device, version) {
  return {
    name: 'luma.gl', version, device: device.type,
    async call({ op, self, args, options }, watch) {
      if (!formats[(op === 'where' ? args.x : self)?.dtype]) return `no tensors of ${self?.dtype}`;
      const made = rowsOf(op, self, args, options) ?? (device.type === 'webgpu' ? graphOf(op, self, args, options) : 'on WebGPU only, if at all');
      if (typeof made === 'string') return made;
      watch(() => self); // its operations write to buffers of their own
      return within(device, () => (made.rows ? evaluated(device, made) : encoded(device, made)));
    },
  };
}

/** Does work; an error that WebGPU reports later is an error of it. */
async function within(device, work) {
  if (device.type !== 'webgpu') return work();
  device.handle.pushErrorScope('validation');
  let result;
  try {
    result = await work();
  } finally {
    const error = await device.handle.popErrorScope();
    if (error) throw Object.assign(new Error(error.message), { name: 'GPUValidationError' });
  }
  return result;
}

/** An index whose negative values in range count from the end, which luma.gl does not do: as int32, if it fits. */
function fromStart({ data, shape }, size) {
  const numbers = Array.from(data, Number).map((at) => (at < 0 && at >= -size ? at + size : at));
  return numbers.every((at) => (at | 0) === at) ? { numbers, shape } : undefined;
}

/** An operation of rows: `{ rows, dtype, shape }`, where `rows()` is an evaluator; why it is not offered; or nothing. */
function rowsOf(op, self, { dim, index, other, x, y }, options) {
  const { axis, keepdim, ...more } = options;
  const table = (value, size = 1) => GPUDataEvaluator.fromArray(numbersAs(value), { type: formats[value.dtype], size });
  const pairs = { add, sub: subtract, div: divide, elementwise_mul: multiply };
  if (pairs[op]) {
    const second = op === 'elementwise_mul' ? y : other;
    if (Object.keys(more).length > 0 || keepdim !== undefined || !second?.data || second.dtype !== self.dtype) return 'two tensors of one dtype';
    if (op === 'div' && self.dtype !== 'float32') return 'no division of integers';
    if (`${second.shape}` !== `${self.shape}`) return 'rows are not broadcast along dimensions';
    return { rows: () => pairs[op](table(self), table(second)), dtype: self.dtype, shape: self.shape };
  }
  if (op === 'where') {
    if (self.dtype !== 'bool' || x.dtype !== y?.dtype || `${x.shape}` !== `${self.shape}` || `${y.shape}` !== `${self.shape}`) return 'a mask and two tensors of its shape';
    return { rows: () => select(GPUDataEvaluator.fromArray(Uint32Array.from(self.data), { type: 'uint32', size: 1 }), table(x), table(y)), dtype: x.dtype, shape: x.shape };
  }
  if (op === 'index_select' || (op === 'gather' && self.shape.length === 1)) {
    if (Object.keys(options).length > 0 || !index?.data || index.shape.length !== 1) return 'an index of one dimension';
    if (dim !== 0 && dim !== -self.shape.length) return 'rows along dimension 0 only';
    const width = many(self.shape.slice(1));
    if (width < 1 || width > 4) return 'rows of one to four numbers';
    const at = fromStart(index, self.shape[0]);
    if (!at) return 'indices are int32';
    return { rows: () => gather(GPUDataEvaluator.fromArray(Int32Array.from(at.numbers), { type: 'sint32', size: 1 }), table(self, width)), dtype: self.dtype, shape: [index.shape[0], ...self.shape.slice(1)] };
  }
  return undefined;
}

const numbersAs = ({ dtype, data }) => ARRAYS[dtype].from(data);

async function evaluated(device, { rows, dtype, shape }) {
  const result = await cleanEvaluate(device, rows());
  try {
    return fromNumbers(dtype, shape, Array.from(await result.readValue()).slice(0, many(shape)));
  } finally {
    result.destroy();
  }
}

/** A graph of commands: `{ operands, format, length, add, dtype, shape }`; why it is not offered; or nothing. */
function graphOf(op, self, { dim, index, indices, src, updates }, options) {
  const { reduce, include_self = true, keepdim = false, ...more } = options;
  if (Object.keys(more).length > 0) return `no option ${Object.keys(more)}`;
  const result = { dtype: self.dtype, format: formats[self.dtype] };
  if (op === 'sum' || op === 'amax' || op === 'amin') {
    if (op === 'sum' && self.dtype !== 'float32') return 'sums keep their dtype';
    if (dim !== undefined && !(self.shape.length === 1 && (dim === 0 || dim === -1))) return 'reductions of the whole tensor only';
    return {
      ...result, length: 1, shape: keepdim ? self.shape.map(() => 1) : [], operands: { input: { format: result.format, data: numbersAs(self) } },
      add: (views) => new GPUReduction({ ...views, operation: words[op] }),
    };
  }
  if (op === 'bincount') {
    const keys = fromStart(self, 0)?.numbers;
    if (!keys || self.shape.length !== 1) return 'keys are a list of uint32';
    const length = keys.reduce((most, key) => Math.max(most, key + 1), 0);
    return {
      dtype: 'int64', format: 'uint32', length, shape: [length], operands: { keys: { format: 'uint32', data: Uint32Array.from(keys) } },
      add: (views) => new GPUGroupAggregation({ ...views, operation: 'count' }),
    };
  }
  if (!['scatter_add_axis', 'scatter_reduce', 'scatter_add_nd', 'scatter_nd'].includes(op)) return `no ${op}`;
  const operation = op.startsWith('scatter_add') ? 'sum' : words[reduce];
  if (!operation) return reduce ? `no scatter with ${reduce}` : 'no scatter that replaces';
  if (self.dtype !== 'float32' || self.shape.length !== 1) return 'sums by keys, of float32 in one dimension';
  const [at, values] = index ? [index, src] : [indices?.shape.length === 2 && indices.shape[1] === 1 && indices, updates];
  if (!at?.data || values?.dtype !== 'float32' || values.shape.length !== 1 || values.shape[0] !== at.shape[0] || at.shape.length > 2) return 'one value for each key';
  const keys = op === 'scatter_add_nd' ? fromStart(at, 0)?.numbers : fromStart(at, self.shape[0])?.numbers;
  if (!keys) return 'keys are uint32';
  if (include_self && (operation !== 'sum' || numbersOf(self).some((x) => !Object.is(x, 0)))) return 'no table to begin with, but sums begin with zeros';
  if (operation !== 'sum' && new Set(keys.filter((key) => key >= 0 && key < self.shape[0])).size < self.shape[0]) return 'a group without values is NaN';
  return {
    ...result, length: self.shape[0], shape: self.shape, operands: { keys: { format: 'uint32', data: Uint32Array.from(keys) }, values: { format: 'float32', data: numbersAs(values) } },
    add: (views) => new GPUGroupAggregation({ ...views, operation }),
  };
}

async function encoded(device, { operands, format, length, add: make, dtype, shape }) {
  const graph = new GPUCommandGraph(device);
  const view = (id, as, count) => graph.createDataView(graph.importBuffer({ id, byteLength: Math.max(4, 4 * count), usage: Buffer.STORAGE }), { format: as, length: count });
  const views = Object.fromEntries(Object.entries(operands).map(([id, { format: as, data }]) => [id, view(id, as, data.length)]));
  const node = make({ ...views, output: view('output', format, length) });
  node.addToGraph(graph);
  const compiled = graph.compile();
  const buffers = Object.fromEntries(Object.entries(operands).map(([id, { data }]) => [id, device.createBuffer(data.length > 0 ? { data, usage: Buffer.STORAGE } : { byteLength: 4, usage: Buffer.STORAGE })]));
  buffers.output = device.createBuffer({ byteLength: Math.max(4, 4 * length), usage: Buffer.STORAGE | Buffer.COPY_SRC });
  try {
    const encoder = device.createCommandEncoder();
    compiled.encode(encoder, { buffers });
    device.submit(encoder.finish());
    const bytes = (await buffers.output.readAsync()).slice(0, 4 * length);
    const numbers = new ARRAYS[{ sint32: 'int32' }[format] ?? format](bytes.buffer);
    return fromNumbers(dtype, shape, numbers);
  } finally {
    compiled.destroy();
    for (const buffer of Object.values(buffers)) buffer.destroy();
  }
}
