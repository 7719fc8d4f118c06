// Calls that must compile, with the types that they must have. Nothing here is run.

import start, {
  activate,
  backend,
  bincount,
  bin_codes,
  binned_statistic,
  compress,
  compress_sync,
  elementwise_add,
  elementwise_div,
  elementwise_max,
  elementwise_min,
  elementwise_mul,
  elementwise_sub,
  ExactSum,
  flatnonzero,
  flatnonzero_sync,
  gpu_device,
  histogram,
  histogramdd,
  IndexError,
  IndexPlan,
  init,
  is_ready,
  initSync,
  memory,
  Parameter,
  RuntimeError,
  scatter_add,
  scatter_div,
  scatter_max,
  scatter_min,
  scatter_mul,
  scatter_sub,
  scatter_update,
  open_scope,
  scope,
  scatter_logsumexp,
  scatter_softmax,
  searchsorted,
  segment_reduce,
  spmm,
  set_device,
  sync,
  Tensor,
  trace,
  unique,
  unique_sync,
  ValueError,
  vjp,
  warm_up,
  with_data,
} from 'scatterwise';
import type {
  BackendInfo,
  Device,
  DType,
  ElementwiseOptions,
  ErrorFacts,
  GatherNdOptions,
  IndexAddOptions,
  IndexOptions,
  InitOptions,
  NdOptions,
  NdReduce,
  NestedArray,
  NestedOf,
  OutOfRange,
  Read,
  ReduceOptions,
  Reduction,
  Scalar,
  ScatterReduceOptions,
  SegmentOptions,
  Step,
  TensorLike,
  TensorOptions,
  TypedArray,
  Sorted,
  Unique,
  Winners,
} from 'scatterwise';

/** `true` where A and B are the same type, not just assignable to each other, else `false`. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** `is<Wanted>()(value)` compiles only where the value has exactly that type: else it asks for one more argument, which nobody can give. */
const is = <Wanted>() => <Given>(_value: Given, ..._proof: Same<Wanted, Given> extends true ? [] : [never]) => {};

// Start-up
const options: InitOptions = { device: 'auto', wasm: new URL('https://example.org/x.wasm'), powerPreference: 'low-power' };
is<Promise<BackendInfo>>()(init());
is<Promise<BackendInfo>>()(init({}));
is<Promise<BackendInfo>>()(init(options));
is<typeof init>()(start);
for (const wasm of ['x.wasm', new Request('x.wasm'), new Response(), new ArrayBuffer(0), new Uint8Array(0)]) init({ wasm });
init({ wasm: new WebAssembly.Module(new ArrayBuffer(0)) });
is<BackendInfo>()(initSync(new ArrayBuffer(0)));
is<BackendInfo>()(initSync(new WebAssembly.Module(new Uint8Array(0))));
is<BackendInfo>()(backend());
is<Promise<BackendInfo>>()(set_device('auto'));
is<Promise<BackendInfo>>()(set_device('webgpu'));
is<Promise<void>>()(sync());
is<Promise<void>>()(warm_up());
warm_up({ ops: ['scatter_', 'gather'], dtypes: ['float32', 'int64'] });
is<{ tensors: number; cpu_bytes: number; cpu_reserved_bytes: number; gpu_bytes: number; gpu_pooled_bytes: number }>()(memory());
is<Tensor<'int32'>>()(scope(() => new Tensor([1], { dtype: 'int32' })));
is<{ a: Tensor<'float32'>; b: number }>()(scope((keep) => ({ a: keep(Tensor.zeros([1])), b: 1 })));
is<Float32Array<ArrayBuffer> | undefined>()(scope(() => (Math.random() < 0.5 ? Tensor.zeros([1]).data_sync() : undefined)));
scope(() => { Tensor.zeros([1]).mul(2); });
{
  using scoped = open_scope();
  is<{ a: Tensor<'int32'>; b: number }>()(scoped.keep({ a: Tensor.zeros([1], { dtype: 'int32' }), b: 1 }));
  is<void>()(scoped.dispose());
}
is<number>()(with_data([Tensor.zeros([2], { dtype: 'int32' }), Tensor.zeros([2], { dtype: 'int64' })], (one, two) => one.length + Number(two[0])));
is<void>()(with_data([Tensor.zeros([2], { dtype: 'int64' })], (view) => { view[0] = 1n; }));
is<Device>()(backend().device);
is<boolean | undefined>()(backend().webgpu?.software);
is<'native' | 'guarded' | 'strict' | undefined>()(backend().numerics?.float32);
is<string[] | undefined>()(backend().numerics?.demoted);

// Making tensors
type Floats = Tensor<'float32'>;
const t = new Tensor([[1, 2], [3, 4]]);
new Tensor(1);
new Tensor([true, false], { dtype: 'bool' });
new Tensor([1n, 2n] as const);
new Tensor(new Float32Array(6), { shape: [2, 3], dtype: 'float64', device: 'cpu', name: 'x', lod: [[0, 2]] });
new Tensor(new BigInt64Array(2));
new Tensor(new Uint8ClampedArray(2));
declare const halves: ArrayBufferView & { length: number; [Symbol.toStringTag]: 'Float16Array' };
new Tensor(halves);
new Tensor(new ArrayBuffer(8), { dtype: 'float32' });
new Tensor(new SharedArrayBuffer(8), { dtype: 'float32', shape: [2] });
new Tensor(new DataView(new ArrayBuffer(8)), { dtype: 'bool' });
const tensorOptions: TensorOptions = {};
is<Floats>()(Tensor.zeros([2, 3]));
is<Tensor>()(Tensor.ones([], tensorOptions));
is<Tensor<'int64'>>()(Tensor.full([2], 1n, { dtype: 'int64' }));
is<Floats>()(Tensor.arange(5));
is<Tensor>()(Tensor.from_npy(new ArrayBuffer(0)));
is<Tensor<'int32'>>()(Tensor.from_npy(new Uint8Array(0), { dtype: 'int32' }));
is<Floats>()(Tensor.arange(1, 5));
is<Tensor<'int32'>>()(Tensor.arange(1, 5, 2, { dtype: 'int32' }));
is<Tensor<'uint8'>>()(Tensor.from_image(new ImageData(2, 1)));
is<Floats>()(Tensor.from_image(document.createElement('canvas'), { dtype: 'float32' }));
is<Tensor<'uint8'>>()(Tensor.from_image(new OffscreenCanvas(2, 1)));
is<Tensor<'uint8'>>()(Tensor.from_image(document.createElement('video')));
is<Tensor<'uint8'>>()(Tensor.from_image({ data: new Uint8Array(8), width: 2, height: 1 }));
createImageBitmap(new ImageData(2, 1)).then((bitmap) => is<Tensor<'uint8'>>()(Tensor.from_image(bitmap)));

is<Promise<ImageData>>()(t.to_image());

// Properties
is<number[]>()(t.shape);
is<'float32'>()(t.dtype);
is<number>()(t.rank);
is<number>()(t.size);
is<Device>()(t.device);
is<string>()(t.name);
is<number[][]>()(t.lod);

// scatter_: an index of each kind; a source of each kind, or a value of each kind; with and without reduce
const index = new Tensor([[0], [1]], { dtype: 'int32' });
const src = Tensor.ones([2, 1]);
const sources = [src, [[1], [2]], new Float32Array(2)] as const;
const values = [5, 5n, true] as const;
const reduce: ReduceOptions[] = [{}, { reduce: 'add' }, { reduce: 'multiply' }];
for (const at of [index, [[0], [1]], new Int32Array(2), new BigInt64Array(2)]) {
  for (const from of sources) {
    is<Floats>()(t.scatter_(1, at, from));
    is<Floats>()(t.scatter_(1, at, from, reduce[1]));
    is<Floats>()(t.scatter(1, at, from));
    is<Floats>()(t.scatter(1, at, from, { reduce: 'multiply' }));
  }
  for (const value of values) {
    is<Floats>()(t.scatter_(1, at, value));
    is<Floats>()(t.scatter_(1, at, value, { reduce: 'add' }));
    is<Floats>()(t.scatter(1, at, value));
    is<Floats>()(t.scatter(1, at, value, { reduce: 'add' }));
  }
  for (const from of [...sources, ...values]) {
    is<Floats>()(t.scatter_add(1, at, from));
    is<Floats>()(t.scatter_add_(1, at, from));
  }
  is<Floats>()(t.gather(1, at));
}
const readonlyIndex: readonly (readonly number[])[] = [[0], [1]];
t.gather(0, readonlyIndex);

// At index tuples
const tuples = [[0, 1], [1, 0]];
for (const updates of [src, [1, 2], new Float32Array(2), 1, 1n, true]) {
  is<Floats>()(t.scatter_add(tuples, updates));
  is<Floats>()(t.scatter_add_(new Tensor(tuples, { dtype: 'int64' }), updates));
}
is<Floats>()(t.gather_nd(tuples));
is<Floats>()(t.gather_nd(new Int32Array([0, 1])));
const batched: GatherNdOptions = { batch_dims: 1, mode: 'clip', ignore_index: -100n };
is<Floats>()(t.gather_nd(tuples, batched));
for (const by of ['add', 'sub', 'multiply', 'div', 'amax', 'amin'] as const) {
  const nth: NdReduce = by;
  const how: NdOptions = { reduce: nth, mode: 'drop', batch_dims: 0, ignore_index: 255 };
  is<Floats>()(t.scatter_nd(tuples, [1, 2], how));
  is<Floats>()(t.scatter_nd_(tuples, 1));
}

// What an index value does that is out of range
for (const mode of ['raise', 'wrap', 'clip', 'drop', 'inside'] as const) {
  const word: OutOfRange = mode;
  const how: IndexOptions = { mode: word, fill_value: 1n };
  is<Floats>()(t.gather(1, index, how));
  is<Floats>()(t.scatter_(1, index, src, { reduce: 'add', mode }));
  is<Floats>()(t.scatter(1, index, 5, { mode }));
  is<Floats>()(t.scatter_add(1, index, src, { mode }));
  is<Floats>()(t.scatter_add_(tuples, 1, { mode }));
  is<IndexPlan>()(IndexPlan.select([2, 2], 0, [5], { mode, ignore_index: 5 }));
}

// Reductions, slices and segments
for (const reduction of ['sum', 'prod', 'mean', 'amax', 'amin'] as const) {
  const word: Reduction = reduction;
  const how: ScatterReduceOptions = { include_self: false, mode: 'wrap' };
  is<Floats>()(t.scatter_reduce(1, index, src, word));
  is<Floats>()(t.scatter_reduce_(1, index, src, word, how));
  is<Floats>()(segment_reduce(t, word, { lengths: [1, 1] }));
}
is<Winners<Floats>>()(t.scatter_reduce(1, index, src, 'amax', { return_indices: true, include_self: false }));
is<Floats>()(t.scatter_reduce_(1, index, src, 'amin', { return_indices: true }).values);
is<Tensor<'int64'>>()(segment_reduce(t, 'amax', { lengths: [1, 1], return_indices: true }).indices);
is<Floats>()(t.scatter_reduce(1, index, src, 'sum', { return_indices: false }));
is<Winners<Tensor<'uint8'>>>()(segment_reduce(new Uint8Array(2), 'amin', { offsets: [0, 2], return_indices: true }));
declare const whether: boolean;
is<Floats | Winners<Floats>>()(t.scatter_reduce(1, index, src, 'amax', { return_indices: whether }));
is<Floats | Winners<Floats>>()(segment_reduce(t, 'amax', { lengths: [1, 1], return_indices: whether }));
is<Floats>()(t.amax(0, { keepdim: whether }));
is<Floats>()(scatter_softmax(t, index));
is<Floats>()(scatter_softmax([1, 2], new Int32Array(2), 0, { ignore_index: -1n }));
is<Floats>()(scatter_logsumexp([1, 2], new Int32Array(2), 0, { size: 3 }));
is<Of<'src'>>()(vjp('scatter_softmax', t, t, [0, 1], 1));
is<Of<'src'>>()(vjp('scatter_logsumexp', t, t, [0, 1], -1, { size: 2 }));
const segments: SegmentOptions = { offsets: new Int32Array([0, 2]), initial: 1n };
is<Floats>()(segment_reduce([1, 2], 'sum', segments));
is<Floats>()(spmm([0, 1], IndexPlan.select([2], 0, [1, 0]), undefined, t, { size: 3, reduce: 'mean', sum: 'exact' }));
is<Tensor<'float64'>>()(spmm(index, index, [1, 2], Tensor.zeros([2], { dtype: 'float64' }), { mode: 'drop' }));
const times: IndexAddOptions = { alpha: 2n, mode: 'drop', ignore_index: -1 };
is<Floats>()(t.index_add(0, [1], [[1, 2]], times));
is<Floats>()(t.index_add_(0, [1], src));
is<Floats>()(t.index_copy(0, [1], src));
is<Floats>()(t.index_copy_(0, [1], src, { mode: 'clip' }));
is<Floats>()(t.index_fill(0, [1], 5n));
is<Floats>()(t.index_fill_(0, new Int32Array(1), true));
is<Floats>()(t.index_select(0, [1, 0, 1], { mode: 'drop', fill_value: 2 }));
is<Floats>()(t.take_along_dim(index));
is<Floats>()(t.take_along_dim(index, 1, { mode: 'wrap' }));

// Along dimensions
is<Floats>()(t.sum());
is<Tensor<'int64'>>()(new Tensor([1], { dtype: 'bool' }).sum());
is<Tensor<'uint64'>>()(new Tensor([1], { dtype: 'uint8' }).prod(0, { keepdim: true }));
is<Tensor<'float64'>>()(t.prod([0, 1], { dtype: 'float64' }));
is<Tensor<'int32'>>()(t.argmax(0, { keepdim: true, dtype: 'int32' }));
is<Tensor<'int32'>>()(t.argsort(0, { dtype: 'int32', descending: true }));
is<Tensor<'int32'>>()(t.sort(0, { dtype: 'int32' }).indices);
is<Tensor<'int32'>>()((await unique(t, { dtype: 'int32' })).counts);
is<Unique<'float32', 'int32'>>()(unique_sync(t, { dtype: 'int32' }));
is<boolean>()(is_ready());
is<Tensor<'float32'>>()(vjp('compress', t, [true], t, { dim: 0 }).x);
is<Tensor<'float32'>>()(vjp('where', t, [true], t, 0).x);
is<Tensor<'int64'>>()(await flatnonzero(t));
is<Tensor<'int32'>>()(flatnonzero(t, { size: 3, dtype: 'int32' }));
is<Tensor<'int32'>>()(flatnonzero_sync(t, { dtype: 'int32' }));
is<Tensor<'uint8'>>()(await compress([true], new Uint8Array(1)));
is<[Tensor<'float32'>, Tensor<'int32'>]>()(await compress([true], [t, t.astype('int32')], { dim: 1 }));
is<Tensor<'float32'>>()(compress_sync([true], t));
is<Tensor<'int32'>>()(searchsorted(t, t, { dtype: 'int32' }));
is<Tensor<'uint64'>>()(new Tensor([1], { dtype: 'uint8' }).sum(0, { keepdim: true }));
is<Tensor<'int32'>>()(t.sum([0, -1], { keepdim: true, dtype: 'int32' }));
is<Tensor<'float64'>>()(t.mean(0, { dtype: 'float64' }));
is<Floats>()(t.mean(null, {}));
is<Floats>()(t.amax(1));
is<Floats>()(t.amin(undefined, { keepdim: false }));
is<Tensor<'int64'>>()(t.argmax(-1, { keepdim: true }));
is<Tensor<'int64'>>()(t.argmin());

// Multiplying
is<Floats>()(t.mul(src));
is<Floats>()(t.mul([[1], [2]]));
is<Floats>()(t.mul_(2));
const elementwise: ElementwiseOptions = { axis: 0, act: 'relu', name: null };
is<Floats>()(elementwise_mul(t, src));
is<Floats>()(elementwise_mul([[1, 2]], 2, elementwise));
is<Floats>()(elementwise_mul(t, [1, 2], -1));
is<Floats>()(elementwise_mul(t, [1, 2], -1, null, 'out'));

// Combining
is<Floats>()(t.add(src));
is<Floats>()(t.add_([[1], [2]]));
is<Floats>()(t.sub(1));
is<Floats>()(t.sub_(src));
is<Floats>()(t.div(2));
is<Floats>()(t.div(2, { rounding: 'floor' }));
is<Floats>()(t.div_(src, { rounding: 'trunc' }));
is<Floats>()(t.maximum(0));
is<Floats>()(t.maximum_(0n));
is<Floats>()(t.minimum([1, 2]));
is<Floats>()(t.minimum_(src));
for (const combine of [elementwise_add, elementwise_sub, elementwise_div, elementwise_max, elementwise_min]) {
  is<Floats>()(combine(t, src, elementwise));
  is<Floats>()(combine([1, 2], 2, -1, 'relu', 'out'));
}
is<Floats>()(activate(t, 'relu'));
is<Tensor<'float64'>>()(activate(new Float64Array(2), 'tanh'));
const parameter = new Parameter([[1, 2], [3, 4]], { name: 'x' });
is<Parameter<'float32'>>()(scatter_mul(parameter, [0, 1], src));
is<Parameter<'float32'>>()(scatter_mul(parameter, 0, 2));
for (const rows of [scatter_update, scatter_add, scatter_sub, scatter_div, scatter_max, scatter_min]) {
  is<Parameter<'float32'>>()(rows(parameter, [0, 1], src));
  is<Floats>()(rows(t, IndexPlan.nd([2, 2], [[0]]), 2));
}

// Tracing
const { steps, result } = trace('scatter_', t, 1, index, src, { reduce: 'add' });
is<Step[]>()(steps);
is<Tensor>()(result);
is<number[] | null | undefined>()(steps[0]?.source);
trace('scatter_add', t, tuples, 1);
trace('scatter_mul', parameter, [0], 2);
is<Step[]>()(trace('scatter_reduce', t, 1, index, src, 'mean').steps);
for (const op of ['scatter_nd', 'index_add', 'index_copy', 'index_fill', 'scatter_update', 'scatter_min'] as const) trace(op, t, 0, [0], 1);
is<Read[]>()(trace('index_select', t, 0, [1]).steps);
is<Read[]>()(trace('gather', t, 1, index).steps);
is<Tensor>()(trace('gather_nd', t, tuples).result);

// Plans
const along = IndexPlan.along([2, 2], 1, index);
const nd = IndexPlan.nd(t.shape, [[0, 1]]);
is<IndexPlan>()(along);
is<IndexPlan>()(nd);
is<boolean>()(along.has_duplicates);
is<number>()(along.updates);
is<number[]>()(along.shape);
is<Promise<void>>()(along.ready());
is<Floats>()(t.scatter_(along, src, { reduce: 'add' }));
is<Parameter<'float32'>>()(parameter.scatter_(along, 1));
is<Floats>()(t.scatter(nd, [1], { reduce: 'multiply' }));
is<Floats>()(t.scatter_add(nd, 1));
is<Parameter<'float32'>>()(parameter.scatter_add_(nd, [1]));
is<Floats>()(t.gather(along));
is<Floats>()(t.gather_nd(nd));
is<Parameter<'float32'>>()(scatter_mul(parameter, nd, 2));
const slices = IndexPlan.select([2, 2], 0, [1, 1]);
is<IndexPlan>()(slices);
is<Tensor<'int32'>>()(slices.counts);
is<Floats>()(t.scatter_reduce(along, src, 'mean', { include_self: false }));
is<Parameter<'float32'>>()(parameter.scatter_reduce_(along, src, 'amin'));
is<Floats>()(t.scatter_nd(nd, 1, { reduce: 'div' }));
is<Parameter<'float32'>>()(parameter.scatter_nd_(nd, 1));
is<Floats>()(t.index_select(slices));
is<Floats>()(t.index_add(slices, src, { alpha: -1 }));
is<Parameter<'float32'>>()(parameter.index_add_(slices, src));
is<Floats>()(t.index_copy(slices, src));
is<Parameter<'float32'>>()(parameter.index_copy_(slices, src));
is<Floats>()(t.index_fill(slices, 1));
is<Parameter<'float32'>>()(parameter.index_fill_(slices, 1));
trace('scatter_', t, along, src);
is<void>()(along.dispose());
along[Symbol.dispose]();

// Everything else
is<Floats>()(t.clone());
is<Floats>()(t.reshape([4]));
is<Tensor<'bfloat16'>>()(t.astype('bfloat16'));
is<Promise<Floats>>()(t.to('webgpu'));
is<Promise<Float32Array<ArrayBuffer>>>()(t.data());
is<Promise<Float32Array<ArrayBuffer>>>()(t.data({ out: new Float32Array(4) }));
is<Float32Array<ArrayBuffer>>()(t.data_sync());
is<BigUint64Array<ArrayBuffer>>()(t.data_sync({ out: new BigUint64Array(4) }));
is<number>()(t.with_data((view) => view.length));
is<void>()(t.with_data((view) => { view[0] = 1; }));
is<Promise<NestedOf<'float32'>>>()(t.tolist());
is<Promise<number>>()(t.item());
is<Promise<Uint8Array<ArrayBuffer>>>()(t.to_npy());
new Blob([await t.to_npy()]);
is<Promise<boolean>>()(t.equals(src));
is<string>()(t.toString());
is<void>()(t.dispose());
{
  using scoped = t.clone();
  scoped.scatter_(0, [0], 1);
}
const like: TensorLike[] = [t, 1, 1n, true, [1, [2]], new Int8Array(1)];
like.forEach((each) => t.scatter_add(0, index, each));

// In place returns this very object, so a subclass stays what it is
class Weight extends Parameter {
  trained = 0;
}
is<Weight>()(new Weight([1]).scatter_(0, [0], 1));
is<Weight>()(new Weight([1]).scatter_add_(0, [0], [1]));
is<Weight>()(new Weight([1]).mul_(2));
is<Tensor>()(new Weight([1]).scatter(0, [0], 1));
class Embedding extends Tensor<'float32'> {}
is<number>()(await new Embedding([1]).item());

// Buffers shared with WebGPU code
is<GPUBuffer>()(t.gpu_buffer());
is<GPUDevice>()(gpu_device());
is<Floats>()(Tensor.from_gpu_buffer(t.gpu_buffer(), { shape: [2, 2], dtype: 'float32', offset: 256, name: 'x' }));
is<Floats>()(Tensor.from_gpu_buffer(t.gpu_buffer(), { shape: [2, 2], dtype: 'float32', borrow: true }));
init({ gpu_device: gpu_device() });

// Errors
try {
  t.scatter_(1, [[9]], 1);
} catch (error) {
  if (error instanceof IndexError) {
    const facts: ErrorFacts = error;
    const runtime: RuntimeError = error;
    is<string>()(runtime.code);
    is<number[] | undefined>()(facts.position);
    is<[number, number] | string[] | undefined>()(facts.allowed);
  } else if (error instanceof ValueError) {
    const plain: Error = error;
    is<string>()(plain.message);
    is<string>()(error.op);
  }
}

// argsort, sort, unique and searchsorted
is<Tensor<'int64'>>()(t.argsort());
is<Tensor<'int64'>>()(t.argsort(0, { descending: true }));
is<Sorted<'float32'>>()(t.sort(-1, { descending: false }));
is<Floats>()(t.sort().values);
is<Unique<'float32'>>()(await unique(t));
is<Unique<'uint8'>>()(await unique(new Uint8Array(2)));
is<Tensor<'int64'>>()((await unique(halves)).inverse);
is<Float32Array<ArrayBuffer>>()(await (await unique(t)).values.data());
is<Tensor<'int64'>>()(searchsorted([1, 2], t));
is<Tensor<'int64'>>()(searchsorted(t, 1.5, { right: true }));

is<{ codes: Tensor<'int32'>; edges: Tensor<'float32' | 'float64'>[]; size: number }>()(bin_codes(t, { bins: [3], range: [[0, 1]] }));
// bincount, histogram and histogramdd: the options decide the dtypes
declare const some: NestedArray;
declare const flag: boolean;
const doubles = new Float64Array(2);
const bytes = new Uint8Array(2);
is<Tensor<'int64'>>()(bincount([1, 2]));
is<Tensor<'int64'>>()(bincount(bytes, { minlength: 3 }));
is<Floats>()(bincount(bytes, { weights: t, minlength: 3 }));
is<Floats>()(bincount(bytes, { weights: [0.5, 1] }));
is<Tensor<'float64'>>()(bincount(bytes, { weights: doubles, sum: 'exact' }));
is<Tensor<'float64'>>()(bincount(bytes, { weights: bytes }));
is<Tensor<'float32' | 'float64'>>()(bincount(bytes, { weights: some }));
is<BigInt64Array<ArrayBuffer>>()(await bincount([1]).data());
is<Tensor<'int32'>>()(bincount([[1], [2]], { dim: 0, length: 3, mask: [[true], [false]], dtype: 'int32' }));
is<Tensor<'float32'>>()(bincount(bytes, { weights: doubles, dtype: 'float32' }));

type Histogram<Counts extends DType, Edges extends DType> = { hist: Tensor<Counts>; edges: Tensor<Edges> };
is<Histogram<'int64', 'float32'>>()(histogram(t));
is<Histogram<'int64', 'float32'>>()(histogram([1, 2], { bins: 3 }));
is<Histogram<'int64', 'float64'>>()(histogram(bytes, { bins: [0, 1], range: [0, 1] }));
is<Histogram<'int64', 'float16'>>()(histogram(halves, { sum: 'exact' }));
is<Histogram<'int64', 'float32'>>()(histogram(doubles, { bins: t }));
is<Histogram<'int64', 'int32'>>()(histogram(t, { bins: new Int32Array(2) }));
is<Histogram<'float64', 'float32'>>()(histogram(t, { bins: 3, range: [0, 1], weights: [1, 2], density: true }));
is<Histogram<'float32', 'float32'>>()(histogram(t, { weights: [1, 2] }));
is<Histogram<'float64', 'float32'>>()(histogram(t, { weights: doubles, density: false }));
is<Histogram<'int64' | 'float64', 'float32'>>()(histogram(t, { density: flag }));
is<Histogram<'int64', 'float16' | 'bfloat16' | 'float32' | 'float64'>>()(histogram(some));
is<BigInt64Array<ArrayBuffer>>()(await histogram(t).hist.data());
is<Float32Array<ArrayBuffer>>()(await histogram(t).edges.data());
is<Histogram<'uint16', 'float32'>>()(histogram(t, { dtype: 'uint16', dim: -1, mask: new Uint8Array(2) }));
is<Histogram<'float32', 'float32'>>()(histogram(t, { dtype: 'float32', density: true, weights: doubles }));

type Histogramdd<Counts extends DType, Edges extends DType> = { hist: Tensor<Counts>; edges: Tensor<Edges>[] };
is<Histogramdd<'float64', 'float32'>>()(histogramdd(t));
is<Histogramdd<'float64', 'float64'>>()(histogramdd(bytes, { bins: 3 }));
is<Histogramdd<'float32', 'float32'>>()(histogramdd(t, { bins: [3, [0, 1], t], weights: t }));
is<Histogramdd<'float64', 'float32' | 'float64'>>()(histogramdd(t, { bins: [3, [0, 1], t], range: [null, [0, 1], undefined] }));
is<Histogramdd<'float64', 'float32' | 'float64'>>()(histogramdd(t, { bins: [doubles, 4] }));
is<Histogramdd<'int32', 'float32'>>()(histogramdd(t, { mask: [true], dtype: 'int32' }));

type Binned<Values extends DType, Edges extends DType> = { statistic: Tensor<Values>; edges: Tensor<Edges>[] };
declare const which: 'count' | 'mean';
is<Binned<'float64', 'float32'>>()(binned_statistic(t, null, 'count'));
is<Binned<'float32', 'float32'>>()(binned_statistic(t, t, 'mean', { bins: [3, [0, 1], t], mask: [true] }));
is<Binned<'float64', 'float64'>>()(binned_statistic(bytes, doubles, 'max', { bins: doubles }));
is<Binned<'uint8', 'float32' | 'float64'>>()(binned_statistic(t, bytes, 'sum', { bins: 4, range: [null, [0, 1]] }));
is<Binned<'float32' | 'float64', 'float32'>>()(binned_statistic(t, t, which));
is<Float64Array<ArrayBuffer>>()(await binned_statistic(t, null, 'count').statistic.data());

// vjp: the arguments and the gradients are those of the operator
type Of<Names extends string, D extends DType = 'float32'> = { [Name in Names]: Tensor<D> };
declare const either: number | number[];
const tuple = IndexPlan.nd([2, 2], [[0, 1]]);
const alongRows = IndexPlan.along([2, 2], 0, [[0, 1]]);
is<Of<'self' | 'src'>>()(vjp('scatter_add', [1, 2], t, 0, [0, 0], t));
is<Of<'self' | 'updates'>>()(vjp('scatter_add', [1, 2], t, [[0, 0]], [1], { mode: 'clip', sum: 'exact' }));
is<{ self: Floats; src?: Floats; updates?: Floats }>()(vjp('scatter_add', [1, 2], t, tuple, [1]));
is<Of<'self' | 'src'>>()(vjp('scatter_', t, t, 0, [[0]], t, { reduce: 'add' }));
is<Of<'self'>>()(vjp('scatter_', t, t, 0, [[0]], 5));
is<{ self: Floats; src?: Floats }>()(vjp('scatter_', t, t, alongRows, either, { reduce: 'add' }));
is<Of<'self' | 'src'>>()(vjp('scatter_reduce', t, t, alongRows, t, 'prod', { include_self: false }));
is<Of<'self' | 'src', 'float64'>>()(vjp('scatter_reduce', t, doubles, 0, [0], [1], 'mean', { mode: 'drop' }));
is<Of<'self' | 'updates'>>()(vjp('scatter_nd', t, t, tuple, t, { reduce: 'div' }));
is<Of<'self'>>()(vjp('scatter_nd', t, t, [[0]], 2n));
is<{ self: Floats; updates: Tensor<'float16'> }>()(vjp('scatter_mul', t, t, [0], halves));
is<Of<'self' | 'updates'>>()(vjp('scatter_mul', t, t, tuple, [[1, 2]]));
is<Of<'self' | 'src'>>()(vjp('index_add', t, t, 0, [1], [[1, 2]], { alpha: 2 }));
is<Of<'self'>>()(vjp('gather', t, [[1, 2], [3, 4]], 1, [[0], [1]]));
is<Of<'self', 'float64'>>()(vjp('gather', [1], doubles, 0, [0], { mode: 'clip', sum: 'exact' }));
is<Of<'self'>>()(vjp('gather', t, t, alongRows, { sum: 'exact', fill_value: 0 }));
is<Of<'self'>>()(vjp('gather_nd', t, t, tuple));
is<Of<'self'>>()(vjp('gather_nd', t, t, [[0]], { batch_dims: 1 }));
is<Of<'self'>>()(vjp('index_select', t, t, 0, [1, 0], { mode: 'wrap' }));
is<Of<'x' | 'y'>>()(vjp('elementwise_mul', t, [1, 2], t, { act: 'relu', sum: 'exact' }));
is<Of<'x' | 'y'>>()(vjp('elementwise_mul', t, t, t, 0, null, 'name', { sum: 'exact' }));
is<Of<'x' | 'y'>>()(vjp('mul', t, t, 2, { sum: 'exact' }));
is<Of<'x' | 'y'>>()(vjp('div', t, t, 2, { rounding: 'trunc', sum: 'exact' }));
is<Of<'x' | 'y'>>()(vjp('elementwise_max', t, t, [1, 2], 0));
is<Of<'x'>>()(vjp('activate', t, t, 'tanh'));
is<Of<'data'>>()(vjp('segment_reduce', t, t, 'prod', { lengths: [2], initial: 1 }));
is<Of<'values' | 'dense'>>()(vjp('spmm', t, IndexPlan.select([2], 0, [1, 0]), [0, 1], [1, 2], t, { reduce: 'amax' }));
is<Of<'self'>>()(vjp('take_along_dim', t, t, [[0], [1]], 1, { mode: 'drop' }));
is<Of<'self'>>()(vjp('sum', [1], t, 0));
is<Of<'self'>>()(vjp('amax', 1, t, undefined, { keepdim: true }));
is<Float32Array<ArrayBuffer>>()(await vjp('gather', t, t, alongRows).self.data());

// tolist: what the caller says
is<Promise<number[][]>>()(t.tolist<number[][]>());
is<bigint[]>()(await bincount([1]).tolist<bigint[]>());

// The dtype is part of a tensor's type: as it was told, or as it follows from the data
is<Tensor<'float64'>>()(new Tensor(new Float64Array(2)));
is<Tensor<'uint8'>>()(new Tensor(new Uint8ClampedArray(2), { shape: [1, 2] }));
is<Tensor<'float16'>>()(new Tensor(halves));
is<Tensor<'bool'>>()(new Tensor([[true], [false]]));
is<Tensor<'int64'>>()(new Tensor([1n]));
is<Tensor<'int8'>>()(new Tensor([1, 2], { dtype: 'int8' }));
is<Tensor<'int8'>>()(new Tensor(new Tensor([1], { dtype: 'int8' })));
is<Tensor<'uint16'>>()(new Tensor(new ArrayBuffer(4), { dtype: 'uint16' }));
is<Tensor<'uint8'>>()(new Tensor([new Uint8Array(2), new Uint8Array(2)]));
is<Parameter<'float64'>>()(new Parameter([1], { dtype: 'float64', name: 'x' }));
is<Tensor<'float64'>>()(elementwise_mul(new Float64Array(2), 2));
declare const dtype: DType;
is<Tensor>()(new Tensor(some));
is<Tensor>()(new Tensor([1], { dtype }));
is<Tensor>()(Tensor.zeros([1], { dtype }));
const words = new Tensor([1n, 2n]);
is<bigint>()(await words.item());
is<NestedOf<'int64'>>()(await words.tolist());
is<BigInt64Array<ArrayBuffer>>()(await words.data());
is<boolean>()(await Tensor.ones([], { dtype: 'bool' }).item());
is<Scalar>()(await new Tensor(some).item());
const anyArray: TypedArray = await new Tensor(some).data();
is<Uint16Array<ArrayBuffer>>()(await words.astype('bfloat16').data());
const pixels = Tensor.zeros([2, 2, 4], { dtype: 'uint8' });
new ImageData(await pixels.data({ out: new Uint8ClampedArray(16) }), 2);
new ImageData(new Uint8ClampedArray((await pixels.data()).buffer), 2);
const of_any: Tensor = pixels;
of_any.scatter_(0, [0], anyArray);

// Options whose value is not known, and a source that is a number or an array
declare const maybe: { reduce?: 'add' | undefined; mode?: OutOfRange | undefined };
is<Floats>()(t.scatter_(0, [0], either, { reduce: maybe.reduce, mode: maybe.mode }));
is<Floats>()(t.scatter(0, [0], either, maybe));

// Exact sums
is<Floats>()(t.scatter_add(0, [0], [1], { sum: 'exact', mode: 'clip' }));
is<Floats>()(t.scatter_reduce(0, [0], [1], 'mean', { sum: 'ordered', include_self: false }));
const sums = new ExactSum([2]).add(0, [0], [1], { mode: 'drop' }).add([[0]], [1]);
is<Floats>()(sums.merge(new ExactSum([2])).sum());
is<Tensor<'float64'>>()(new ExactSum([2], { dtype: 'float64' }).mean());
is<Tensor<'int64'>>()(ExactSum.from_bytes(await sums.to_bytes()).count());
