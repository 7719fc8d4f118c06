// The promises: what each means, whose word it is, and which vectors show it. `npm run vectors` writes them, without the functions, to
// vectors/index.json of the package. A vector may name its promises itself (`promises`); of the others the tags decide, so a new file needs
// no line here.

import { isFloat, numbersOf, valueOf } from './package/values.js';

const stablehlo = 'https://github.com/openxla/stablehlo/blob/main/docs/spec.md';
const onnx = 'https://github.com/onnx/onnx/blob/main/docs/Operators.md';

const isHalf = (self) => Boolean(self?.dtype?.endsWith('float16'));

/**
 * Whether an operand has integers that a float32 does not hold. A library that keeps integers as floats would break each promise with such a vector,
 * so they are left to the promises that are about them.
 */
const isWide = ({ self, args }) => [self, args?.src, args?.updates, args?.other, args?.y].some((value) => /^u?int(32|64)$/.test(value?.dtype) &&
  (value.gen ? value.gen.kind === 'bits32' : numbersOf(valueOf(value)).some((number) => number > 2 ** 24 || number < -(2 ** 24))));

/**
 * - `definition`: one sentence; `source`: where it comes from. `ours`: whether it is a decision of this project.
 * - `onnx`, `stablehlo`: what their specifications say, in their own words where these are quoted, with `onnx_url` and `stablehlo_url`.
 * - `judge`: with what a result is compared: the vector's ('expect'), the same call again ('again'), or another adapter's ('beside').
 * - `has(vector, has)`: whether a vector shows the promise; `has(...names)`: whether it has one of these tags.
 */
export const promises = {
  order: {
    title: 'Order of duplicates',
    definition: 'Updates of one slot, and the factors of a product along a dimension, are applied one after the other, in row-major order, so of several replacements the last one stays.',
    source: 'PyTorch 2.15.0 and MindSpore 2.10.0 on one CPU thread did so in every recorded sum and product; neither documents it.',
    ours: 'That it is promised, and that the last replacement stays.',
    onnx: '“The order of iteration in the above loop is not specified.” Without a reduction, “indices should not have duplicate entries”.',
    onnx_url: `${onnx}#ScatterND`,
    stablehlo: 'The “schedule is an implementation-defined permutation of index_space(updates[0])”. Ours is the identity.',
    stablehlo_url: `${stablehlo}#scatter`,
    judge: 'expect',
    has: ({ file, tags, self, args, also_accept }, has) => !(isHalf(self) && !also_accept) && !isWide({ self, args }) && (has('order', 'hot') || file === 'scatter_duplicates' || (tags.includes('duplicates') && tags.includes('replace'))),
  },
  twice: {
    title: 'The same bits twice',
    definition: 'A call that is made again with the same operands gives the same bits, whatever they are.',
    source: 'What tests, caches and bug reports rely on; PyTorch lists the operations that break it under `torch.use_deterministic_algorithms`.',
    ours: 'That it holds on every device, with duplicates.',
    onnx: 'Nothing is said of two runs.',
    onnx_url: `${onnx}#ScatterND`,
    stablehlo: 'The schedule is implementation-defined; that it is the same twice is not said.',
    stablehlo_url: `${stablehlo}#scatter`,
    judge: 'again',
    has: ({ op }, has) => has('order', 'hot', 'large', 'big') && !op.startsWith('histogram'),
  },
  devices: {
    title: 'The same bits on GPU and CPU',
    definition: 'A call gives the same bits on a GPU as on a CPU.',
    source: 'A decision of this project; WGSL allows a GPU another result of a division and of subnormal numbers.',
    ours: 'All of it, except activations and softmax.',
    onnx: 'Nothing is said of devices.',
    onnx_url: `${onnx}#ScatterND`,
    stablehlo: 'Float operations are those “from IEEE-754”; the order of a scatter and of a reduction is implementation-defined.',
    stablehlo_url: `${stablehlo}#reduce`,
    judge: 'beside',
    has: ({ compare }, has) => compare === 'exact' && has('order', 'hot', 'large', 'big', 'special-values', 'wrap') && !has('act', 'mode'),
  },
  'bad-index': {
    title: 'A bad index is an error',
    definition: 'An index that is out of range is refused, and before anything is written: the tensor keeps its bytes.',
    source: 'The reference pages of MindSpore and PyTorch name the error; both write the updates before the bad one.',
    ours: 'That nothing is written.',
    onnx: '“It is an error if any of the index values are out of bounds.”',
    onnx_url: `${onnx}#ScatterElements`,
    stablehlo: 'Such an update is skipped: “Otherwise updated_results = results.”',
    stablehlo_url: `${stablehlo}#scatter`,
    judge: 'expect',
    has: ({ op, id, expect }) => Boolean(expect.accept) && (/(^|\/|-)out-of-range\/|index-dtype-range/.test(id) || id.startsWith('bincount/negative')) && !/^(add|sub|mul|div)$/.test(op),
  },
  wrap: {
    title: 'Integers wrap',
    definition: 'Sums and products of integers are taken modulo 2 to the number of bits, in every bit.',
    source: 'NumPy, PyTorch and MindSpore on the CPU.',
    onnx: 'Nothing is said of overflow.',
    onnx_url: `${onnx}#Add`,
    stablehlo: '“For integers: integer addition.” Nothing is said of overflow.',
    stablehlo_url: `${stablehlo}#add`,
    judge: 'expect',
    has: (vector, has) => has('wrap') && !has('mode'),
  },
  half: {
    title: 'Half types',
    definition: 'A sum in float16 or bfloat16 is rounded after each step, or once at its end; which one is written down.',
    source: 'MindSpore rounds after each step; PyTorch’s scatter_ and scatter_add accumulate in float32 and round once.',
    ours: 'After each step. A library keeps the promise by either; the report says which.',
    onnx: 'Nothing is said of the steps between.',
    onnx_url: `${onnx}#ScatterND`,
    stablehlo: 'The update computation is applied to the element type of the result, step by step.',
    stablehlo_url: `${stablehlo}#scatter`,
    judge: 'expect',
    has: ({ self, also_accept }) => isHalf(self) && Boolean(also_accept), // both are recorded
  },
  extremes: {
    title: 'NaN and −0 in extremes',
    definition: 'A maximum or minimum with a NaN is NaN, and −0 is less than +0.',
    source: 'maximum and minimum of IEEE 754-2019, as `Math.max` and `Math.min` of JavaScript.',
    onnx: 'Nothing is said of NaN or of the sign of a zero.',
    onnx_url: `${onnx}#Max`,
    stablehlo: '“For floats: maximum from IEEE-754.”',
    stablehlo_url: `${stablehlo}#maximum`,
    judge: 'expect',
    has: ({ op, kwargs, file, self }, has) => has('special-values', 'nan', 'zeros') && file !== 'scatter_family' && isFloat(self?.dtype ?? '') &&
      (/^(a?max|a?min|maximum|minimum|elementwise_(max|min))/.test(op) || /^a(max|min)$/.test(kwargs?.reduce)),
  },
  'exact-sums': {
    title: 'Exact sums',
    definition: 'A sum is that of the exact numbers, rounded once: no order of its terms can change it.',
    source: '`math.fsum` of Python and `Math.sumPrecise` of JavaScript.',
    ours: 'All of it: `sum` is always exact, and scatters are with `sum: "exact"`. No other library here promises it; the row shows what its plain sums give.',
    onnx: 'Not offered.',
    onnx_url: `${onnx}#ReduceSum`,
    stablehlo: '“The order of reductions is implementation-defined”.',
    stablehlo_url: `${stablehlo}#reduce`,
    judge: 'expect',
    has: ({ op, kwargs }) => kwargs?.sum === 'exact' || op === 'ExactSum',
  },
  empty: {
    title: 'Empty shapes',
    definition: 'A tensor without elements is an operand as any other: a call with it gives the result that its definition gives.',
    source: 'NumPy and PyTorch; of each vector the file names who was asked.',
    ours: 'Which errors an empty index still raises.',
    onnx: 'Shapes may have a size of 0; nothing more is said.',
    onnx_url: `${onnx}#ScatterND`,
    stablehlo: 'Shapes may have a size of 0; a reduction then gives its initial value.',
    stablehlo_url: `${stablehlo}#reduce`,
    judge: 'expect',
    has: ({ self, args, expect }, has) => has('empty') && !expect.accept && !isWide({ self, args }),
  },
  axis: {
    title: 'Broadcasting from an axis',
    definition: 'In a call with an axis, the dimensions of y are those of x from that axis on, and y is repeated along the others.',
    source: '`fluid.layers.elementwise_mul` of Paddle 1.8.5.',
    onnx: '“Numpy-style” broadcasting only, which aligns the last dimensions. Opsets up to 6 had an axis.',
    onnx_url: `${onnx}#Mul`,
    stablehlo: 'By `broadcast_in_dim`, which names each dimension.',
    stablehlo_url: `${stablehlo}#broadcast_in_dim`,
    judge: 'expect',
    has: ({ op, self, args, kwargs, expect }, has) => op.startsWith('elementwise_') && !expect.accept && !isWide({ self, args }) && (has('broadcast-table') || kwargs?.axis > -1),
  },
  int64: {
    title: '64-bit integers beyond 2^53',
    definition: '64-bit integers are computed in all their bits, also those that a float64 cannot hold.',
    source: 'NumPy, PyTorch and MindSpore on the CPU.',
    onnx: 'tensor(int64) is a type of every operator here; nothing is said of less precision.',
    onnx_url: `${onnx}#ScatterND`,
    stablehlo: 'siN and uiN “represent integer values” of N bits.',
    stablehlo_url: `${stablehlo}#types`,
    judge: 'expect',
    has: (vector) => !vector.expect.accept && tensorsOf(vector).some(isBeyond),
  },
};

const tensorsOf = ({ self, args, expect }) => [self, ...Object.values(args ?? {}), expect].filter((value) => value?.dtype?.endsWith('int64') && value.data !== undefined);
/** Whether a tensor of 64-bit integers has one that a float64 may not hold. */
const isBeyond = (tensor) => numbersOf(valueOf(tensor)).some((number) => number > 2n ** 53n || number < -(2n ** 53n));

/** The names of the promises that a vector of a file shows; none where it is not required, or is a gradient. */
export function promisesOf(vector, file) {
  if (vector.promises) return vector.promises;
  if (!vector.required || vector.op.startsWith('grad:')) return [];
  const has = (...tags) => tags.some((tag) => vector.tags.includes(tag));
  const isShown = ([, { judge, has: shows }]) => (judge === 'expect' || !vector.expect.accept) && shows({ ...vector, file }, has);
  return Object.entries(promises).filter(isShown).map(([name]) => name);
}
