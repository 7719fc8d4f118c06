// Calls that must not compile: the line after each `@ts-expect-error` has to have an error.

import {
  bincount,
  binned_statistic,
  activate,
  elementwise_add,
  elementwise_div,
  elementwise_max,
  elementwise_min,
  elementwise_mul,
  elementwise_sub,
  ExactSum,
  histogram,
  histogramdd,
  IndexPlan,
  init,
  initSync,
  memory,
  scatter_add,
  scatter_div,
  scatter_max,
  scatter_min,
  scatter_mul,
  scatter_sub,
  scatter_update,
  scatter_logsumexp,
  scatter_softmax,
  searchsorted,
  segment_reduce,
  spmm,
  set_device,
  Tensor,
  trace,
  unique,
  vjp,
  warm_up,
} from 'scatterwise';

const t = Tensor.zeros([2, 3]);
const index = new Tensor([[0]], { dtype: 'int32' });

// Start-up
// @ts-expect-error: a list
warm_up({ ops: 'scatter_' });
// @ts-expect-error: no such dtype
warm_up({ dtypes: ['float'] });
// @ts-expect-error: an address, not a picture
Tensor.from_image('x.png');
// @ts-expect-error: no such device
init({ device: 'gpu' });
// @ts-expect-error: options, not a URL alone
init('x.wasm');
// @ts-expect-error: no such option
init({ wasmUrl: 'x.wasm' });
// @ts-expect-error: no binary
initSync();
// @ts-expect-error: no device
set_device();
// @ts-expect-error: not among the facts
memory().bytes;

// Making tensors
// @ts-expect-error: no data
new Tensor();
// @ts-expect-error: not numbers
new Tensor(['a']);
// @ts-expect-error: no such dtype
new Tensor([1], { dtype: 'complex64' });
// @ts-expect-error: a shape is an array
Tensor.zeros(2, 3);
// @ts-expect-error: no value
Tensor.full([2]);
// @ts-expect-error: read only
t.shape = [6];
// @ts-expect-error: read only
t.dtype = 'int32';

// scatter_ and scatter
// @ts-expect-error: no source
t.scatter_(0, index);
// @ts-expect-error: dim is a number
t.scatter_('0', index, 1);
// @ts-expect-error: dim comes first
t.scatter_(index, 0, 1);
// @ts-expect-error: a source is no text
t.scatter_(0, index, 'add');
// @ts-expect-error: an option, not a word
t.scatter_(0, index, 1, 'add');
// @ts-expect-error: no such reduction
t.scatter_(0, index, 1, { reduce: 'max' });
// @ts-expect-error: no such mode
t.scatter_(0, index, 1, { mode: 'add' });
// @ts-expect-error: no such reduction
t.scatter(0, index, t, { reduce: 'mean' });
// @ts-expect-error: no source
t.scatter(0, index);

// scatter_add, its twin and gather
// @ts-expect-error: reduces by adding already
t.scatter_add(0, index, 1, { reduce: 'add' });
// @ts-expect-error: a source is no text
t.scatter_add(0, index, '1');
// @ts-expect-error: options, not a number
t.scatter_add_(0, index, 1, 2);
// @ts-expect-error: no index
t.gather(0);
// @ts-expect-error: no such thing
t.gather(0, null);
// @ts-expect-error: no updates
t.scatter_add([[0, 1]]);
// @ts-expect-error: the tuples say where, not a dimension
t.gather_nd(0, [[0, 1]]);

// scatter_reduce, scatter_nd, slices and segments
// @ts-expect-error: no reduction
t.scatter_reduce(0, index, 1);
// @ts-expect-error: 'amax'
t.scatter_reduce(0, index, 1, 'max');
// @ts-expect-error: an option, not a flag
t.scatter_reduce(0, index, 1, 'sum', false);
// @ts-expect-error: no index
scatter_softmax(t);
// @ts-expect-error: no such option
scatter_softmax(t, [0, 1], 0, { sizes: 2 });
// @ts-expect-error: an option
scatter_logsumexp(t, [0, 1], 0, 2);
// @ts-expect-error: a sum has no winner
t.scatter_reduce(0, index, 1, 'sum', { return_indices: true });
// @ts-expect-error: a product has no winner
segment_reduce(t, 'prod', { lengths: [2], return_indices: true });
// @ts-expect-error: 'multiply'
t.scatter_nd([[0, 1]], 1, { reduce: 'prod' });
// @ts-expect-error: no such mode
t.gather(0, index, { mode: 'fill' });
// @ts-expect-error: an option
t.index_add(0, [0], t, 2);
// @ts-expect-error: one value
t.index_fill(0, [0], [1, 2, 3]);
// @ts-expect-error: dim comes first
t.index_select([0], 0);
// @ts-expect-error: takes no plan
t.take_along_dim(IndexPlan.along([2, 3], 0, index));
// @ts-expect-error: options are the second argument
t.sum({ keepdim: true });
// @ts-expect-error: no such dtype
t.mean(0, { dtype: 'float' });
// @ts-expect-error: no dtype
t.amax(0, { dtype: 'int32' });
// @ts-expect-error: a number
t.amin('0');
// @ts-expect-error: one dimension
t.argmax([0, 1]);
// @ts-expect-error: one dimension
t.argmin([0]);
// @ts-expect-error: no product of products
spmm([0], [0], [1], t, { reduce: 'prod' });
// @ts-expect-error: no dense matrix
spmm([0], [0], [1]);
// @ts-expect-error: a call without values has no gradient of them
vjp('spmm', t, [0], [0], undefined, t).values;
// @ts-expect-error: neither lengths nor offsets
segment_reduce(t, 'sum', {});
// @ts-expect-error: one of the two
segment_reduce(t, 'sum', { lengths: [2], offsets: [0, 2] });
// @ts-expect-error: no updates
scatter_update(t, [0]);
// @ts-expect-error: no updates
scatter_add(t, [0]);
// @ts-expect-error: no updates
scatter_sub(t, [0]);
// @ts-expect-error: no updates
scatter_div(t, [0]);
// @ts-expect-error: no updates
scatter_max(t, [0]);
// @ts-expect-error: no updates
scatter_min(t, [0]);
// @ts-expect-error: read only
IndexPlan.select([2], 0, [0]).counts = t;
// @ts-expect-error: a plan has a mode of its own
t.gather(IndexPlan.nd([2], [[0]]), { mode: 'drop' });
// @ts-expect-error: and an ignored value
t.gather(IndexPlan.nd([2], [[0]]), { ignore_index: 0 });
// @ts-expect-error: an index is a whole number
t.gather(0, index, { ignore_index: '0' });
// @ts-expect-error: only tuples have batches
t.scatter_(0, index, 1, { batch_dims: 1 });

// Multiplying and tracing
// @ts-expect-error: nothing to multiply by
t.mul();
// @ts-expect-error: what is written to is a tensor
scatter_mul([1, 2], [0], 2);
// @ts-expect-error: no updates
scatter_mul(t, [0]);
// @ts-expect-error: no such option
elementwise_mul(t, t, { dim: 0 });
// @ts-expect-error: axis comes before act
elementwise_mul(t, t, 'relu');
// @ts-expect-error: no such operator
trace('mul', t, 2);
// @ts-expect-error: no such option
t.add(2, { axis: 0 });
// @ts-expect-error: nothing to subtract
t.sub();
// @ts-expect-error: no such rounding
t.div(2, { rounding: 'round' });
// @ts-expect-error: no string
t.maximum('2');
// @ts-expect-error: nothing to compare with
t.minimum();
// @ts-expect-error: no such option
elementwise_add(t, t, { dim: 0 });
// @ts-expect-error: axis comes before act
elementwise_sub(t, t, 'relu');
// @ts-expect-error: integers are always truncated
elementwise_div(t, t, { rounding: 'floor' });
// @ts-expect-error: no y
elementwise_max(t);
// @ts-expect-error: no such activation
elementwise_min(t, 2, { act: 'rleu' });
// @ts-expect-error: no activation
activate(t);

// Plans
// @ts-expect-error: made by IndexPlan.along, nd or select
new IndexPlan();
// @ts-expect-error: no shape
IndexPlan.along(0, [0]);
// @ts-expect-error: no index
IndexPlan.nd([2]);
// @ts-expect-error: nothing to scatter
t.scatter_(IndexPlan.nd([2], [[0]]));
// @ts-expect-error: no such reduce
t.scatter_(IndexPlan.nd([2], [[0]]), 1, { reduce: 'sum' });
// @ts-expect-error: the plan has the index
t.gather(IndexPlan.nd([2], [[0]]), [0]);

// Everything else
declare const texture: GPUTexture;
// @ts-expect-error: no shape
t.reshape();
// @ts-expect-error: no such dtype
t.astype('float');
// @ts-expect-error: 'auto' is for the library, not for one tensor
t.to('auto');
// @ts-expect-error: bytes without a dtype
new Tensor(new ArrayBuffer(4));
// @ts-expect-error: a path, not the bytes
Tensor.from_npy('weights.npy');
// @ts-expect-error: a promise
const data: Float32Array = t.data();
// @ts-expect-error: tensors are compared with tensors
t.equals([1]);
// @ts-expect-error: no such kind of array
t.data_sync({ out: new DataView(new ArrayBuffer(4)) });

// @ts-expect-error: a texture is no buffer
Tensor.from_gpu_buffer(texture, { shape: [1], dtype: 'float32' });
// @ts-expect-error: no dtype
Tensor.from_gpu_buffer(t.gpu_buffer(), { shape: [1] });
// @ts-expect-error: yes or no
Tensor.from_gpu_buffer(t.gpu_buffer(), { shape: [2], dtype: 'float32', borrow: 'yes' });
// @ts-expect-error: no callback
t.with_data();
// @ts-expect-error: a scope ends when its function returns
scope(async () => t.mul(2));
// @ts-expect-error: nor a promise
scope(() => t.data());

// Not of the package: the glue's own
// @ts-expect-error: an internal
await import('scatterwise').then((all) => all.start({}));
// @ts-expect-error: an internal
import type { InitOutput } from 'scatterwise';

// argsort, sort, unique and searchsorted
// @ts-expect-error: an option, not a flag
t.argsort(0, true);
// @ts-expect-error: values and indices
t.sort(0).data();
// @ts-expect-error: a promise
unique(t).values;
// @ts-expect-error: all four are returned
unique(t, { return_counts: true });
// @ts-expect-error: no such option
searchsorted([1, 2], t, { side: 'right' });

// bincount, histogram and histogramdd
// @ts-expect-error: no such option
bincount([1], { bins: 3 });
// @ts-expect-error: a range has two ends
histogram(t, { range: [1] });
// @ts-expect-error: names of rules are NumPy's alone
histogram(t, { bins: 'auto' });
// @ts-expect-error: no such option
histogram(t, { weight: t });
// @ts-expect-error: counts are bigints
const counted: Float32Array = await histogram(t).hist.data();
// @ts-expect-error: a density is float64
const dense: Float32Array = await histogram(t, { density: true }).hist.data();
// @ts-expect-error: a range for each column
histogramdd(t, { range: [0, 1] });
// @ts-expect-error: bool does not count
bincount([1], { dtype: 'bool' });
// @ts-expect-error: samples of histogramdd are rows
histogramdd(t, { dim: 0 });
// @ts-expect-error: only a count needs no values
binned_statistic(t, null, 'mean');
// @ts-expect-error: no weights
binned_statistic(t, t, 'sum', { weights: t });
// @ts-expect-error: no such statistic
binned_statistic(t, t, 'median');

// vjp
// @ts-expect-error: no operator with a gradient
vjp('bincount', t, t);
// @ts-expect-error: a word and two operands at least
vjp('gather', t);
// @ts-expect-error: a gather takes an index
vjp('gather', t, t, 0);
// @ts-expect-error: a gather takes no source
vjp('gather', t, t, 0, [[0]], t);
// @ts-expect-error: no such option of a gather
vjp('gather', t, t, 0, [[0]], { reduce: 'add' });
// @ts-expect-error: no such option
vjp('scatter_', t, t, 0, [[0]], t, { reduction: 'add' });
// @ts-expect-error: a reduction is missing
vjp('scatter_reduce', t, t, 0, [[0]], t);
// @ts-expect-error: a plan has a mode of its own
vjp('scatter_nd', t, t, IndexPlan.nd([2], [[0]]), t, { mode: 'drop' });
// @ts-expect-error: a gather has one gradient
vjp('gather', t, t, 0, [[0]]).src;
// @ts-expect-error: a number has none
vjp('scatter_', t, t, 0, [[0]], 1).src;
// @ts-expect-error: a product's are called x and y
vjp('mul', t, t, t).self;

// The dtype of a tensor's type
// @ts-expect-error: float32 is no float64
const doubles: Tensor<'float64'> = t;
// @ts-expect-error: a number, no bigint
const big: bigint = await t.item();
// @ts-expect-error: a Float32Array
const bytes: Uint8Array = await t.data();
// @ts-expect-error: no such activation
elementwise_mul(t, 2, { act: 'rleu' });
// @ts-expect-error: numbers become float32, whatever they are assigned to
const bytes_of_numbers: Tensor<'int8'> = new Tensor([1]);
// @ts-expect-error: so do zeros
const zeros: Tensor<'int8'> = Tensor.zeros([1], { name: 'x' });
// @ts-expect-error: no such option
new Tensor([1], { shape: [1], dtyp: 'int8' });
// @ts-expect-error: nor here
Tensor.zeros([1], { dtype: 'int8', devic: 'cpu' });

// Exact sums
// @ts-expect-error: no such word
t.scatter_add(0, index, 1, { sum: 'precise' });
// @ts-expect-error: no such option of a replacement
t.index_copy(0, index, t, { sum: 'exact' });
// @ts-expect-error: no float
new ExactSum([2], { dtype: 'int32' });
// @ts-expect-error: sums of another dtype
new ExactSum([2]).merge(new ExactSum([2], { dtype: 'float64' }));
