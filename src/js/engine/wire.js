// What the numbers mean that cross between JavaScript and Rust. Written by the test of wire.rs: change that file.

/** Dtypes; a dtype's number is its place. */
export const DTYPES = [
  'bool', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float16', 'bfloat16', 'float32',
  'float64',
];

/** Devices. */
export const DEVICES = [
  'cpu', 'webgpu',
];

/** What a scatter does with an update. */
export const REDUCES = [
  'replace', 'add', 'sub', 'multiply', 'div', 'amax', 'amin',
];

/** The words of scatter_reduce and segment_reduce, each with its place in `REDUCES`, or `MEAN`. */
export const REDUCTIONS = [['sum', 1], ['prod', 3], ['mean', 7], ['amax', 5], ['amin', 6]];

/** What an index value does that is out of range. */
export const MODES = [
  'raise', 'wrap', 'clip', 'drop', 'inside',
];

/** How a quotient becomes a whole number. */
export const ROUNDINGS = [
  'trunc', 'floor',
];

/** The statistics of binned_statistic. */
export const STATISTICS = [
  'count', 'sum', 'mean', 'min', 'max',
];

/** The statistics of groups. */
export const GROUP_STATISTICS = [
  'count', 'sum', 'mean', 'min', 'max', 'var', 'std', 'median', 'mode', 'nunique', 'first', 'last', 'argmin', 'argmax',
];

/** The activations of elementwise_mul. */
export const ACTIVATIONS = [
  'abs', 'acos', 'asin', 'atan', 'assign', 'brelu', 'ceil', 'cos', 'elu', 'erf', 'exp', 'floor', 'gelu', 'hard_shrink',
  'hard_sigmoid', 'hard_swish', 'leaky_relu', 'log', 'log1p', 'logsigmoid', 'mish', 'pow', 'reciprocal', 'relu',
  'relu6', 'round', 'rsqrt', 'scale', 'selu', 'sigmoid', 'sign', 'sin', 'soft_relu', 'softplus', 'softshrink',
  'softsign', 'sqrt', 'square', 'stanh', 'swish', 'tanh', 'tanh_shrink', 'thresholded_relu',
];

/** The activations that need functions such as exp or sin. */
export const TRANSCENDENTAL = [
  'acos', 'asin', 'atan', 'cos', 'elu', 'erf', 'exp', 'gelu', 'log', 'log1p', 'logsigmoid', 'mish', 'selu', 'sigmoid',
  'sin', 'soft_relu', 'softplus', 'stanh', 'swish', 'tanh', 'tanh_shrink',
];

/** Names of calls, for errors; a call's number is its place. */
export const CALLS = [
  'Tensor.scatter_', 'Tensor.scatter', 'Tensor.scatter_add', 'Tensor.scatter_add_', 'scatter_mul', 'ExactSum.add',
  'Tensor.scatter_reduce', 'Tensor.scatter_reduce_', 'Tensor.scatter_nd', 'Tensor.scatter_nd_', 'scatter_update',
  'scatter_add', 'scatter_sub', 'scatter_div', 'scatter_max', 'scatter_min', 'Tensor.index_add', 'Tensor.index_add_',
  'Tensor.index_copy', 'Tensor.index_copy_', 'Tensor.index_fill', 'Tensor.index_fill_', 'Tensor.index_select',
  'Tensor.take_along_dim', 'segment_reduce', 'scatter_softmax', 'scatter_logsumexp', 'spmm', 'Tensor.gather',
  'Tensor.gather_nd', 'elementwise_mul', 'elementwise_add', 'elementwise_sub', 'elementwise_div', 'elementwise_max',
  'elementwise_min', 'activate', 'Tensor.mul', 'Tensor.mul_', 'Tensor.add', 'Tensor.add_', 'Tensor.sub', 'Tensor.sub_',
  'Tensor.div', 'Tensor.div_', 'Tensor.maximum', 'Tensor.maximum_', 'Tensor.minimum', 'Tensor.minimum_',
  'IndexPlan.along', 'IndexPlan.nd', 'IndexPlan.select', 'vjp', 'bincount', 'histogram', 'histogramdd',
  'binned_statistic', 'bin_codes', 'Tensor.argsort', 'Tensor.sort', 'unique', 'unique_sync', 'searchsorted',
  'Tensor.sum', 'Tensor.prod', 'Tensor.mean', 'Tensor.amax', 'Tensor.amin', 'Tensor.argmax', 'Tensor.argmin',
  'Tensor.lt', 'Tensor.le', 'Tensor.gt', 'Tensor.ge', 'Tensor.eq', 'Tensor.ne', 'Tensor.isnan', 'Tensor.logical_and',
  'Tensor.logical_or', 'Tensor.logical_not', 'where', 'flatnonzero', 'flatnonzero_sync', 'compress', 'compress_sync',
  'group_by', 'Groups.reduce', 'Groups.agg', 'Groups.quantile', 'Tensor', 'Tensor.zeros', 'Tensor.ones', 'Tensor.full',
  'Tensor.arange', 'Tensor.from_npy', 'Tensor.from_image', 'Tensor.from_gpu_buffer', 'Tensor.clone', 'Tensor.reshape',
  'Tensor.astype', 'Tensor.to', 'Tensor.data', 'Tensor.data_sync', 'Tensor.with_data', 'with_data', 'Tensor.tolist',
  'Tensor.item', 'Tensor.to_npy', 'Tensor.to_image', 'Tensor.equals', 'Tensor.toString', 'Tensor.toJSON', 'ExactSum',
  'ExactSum.from_bytes', 'ExactSum.merge', 'ExactSum.sum', 'ExactSum.mean', 'ExactSum.count', 'ExactSum.to_bytes',
  'ExactSum.shape', 'ExactSum.dtype', 'ExactSum.device', 'ExactSum.dispose', 'Tensor.gpu_buffer',
  'IndexPlan.has_duplicates', 'IndexPlan.counts', 'IndexPlan.ready', 'Groups.counts', 'Groups.offsets', 'Groups.order',
  'Groups.members_sync', 'Groups.cumcount', 'trace', 'init', 'set_device', 'sync', 'gpu_device',
];

/** Arguments that arrays may stand for. */
export const ARGUMENTS = [
  'data', 'index', 'indices', 'src', 'updates', 'other', 'x', 'y', 'value', 'input_x', 'offsets', 'lengths', 'weights',
  'bins', 'edges', 'sample', 'self', 'cotangent', 'bytes', 'mask', 'values', 'rows', 'columns', 'dense', 'codes', 'q',
];

export const ALONG = 0;
export const TUPLES = 1;
export const SLICES = 2;
export const MEAN = 7;
export const EXCLUDE_SELF = 16;
export const EXACT = 32;
export const SCALAR = 64;
export const ARGMAX = 128;
export const IGNORES = 8;
export const NUMBER = 0;
export const BOOLEAN = 1;
export const SIGNED = 2;
export const UNSIGNED = 3;
export const INDEX = 255;
export const WHOLE = 256;
export const RUN = 0;
export const RUN_ARGMAX = 1;
export const VJP = 2;
export const TRACE = 3;
export const NO_ACTIVATION = 255;
export const NO_ROUNDING = 255;
export const NO_SOURCE = 255;
export const NO_SCALAR = 255;
export const ALL_DIMS = 255;
export const DTYPE = 0;
export const DEVICE = 1;
export const RANK = 2;
export const DIMS = 3;
export const LOW = 35;
export const HIGH = 36;
export const ADDRESS = 37;
export const LENGTH = 38;
export const UPDATES = 39;
export const STEPS = 40;
export const INDEX_RANK = 41;
export const SOURCE_RANK = 42;
export const DESTINATION_RANK = 43;
export const VALUES = 44;
export const IS_OF_TUPLES = 45;
export const IGNORED_LOW = 46;
export const IGNORED_HIGH = 47;
export const RESULTS = 48;
export const BLOCK_WORDS = 64;
export const MAX_RANK = 32;
export const MAX_ELEMENTS = 268435455;
