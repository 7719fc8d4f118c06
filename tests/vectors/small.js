// The smallest calls in which a promise can be seen, for tests/vectors/small.json: `node tools/vectors.mjs --small` writes it. Results are
// computed here by plain loops, as README.md defines the operators; nothing of a library is used.

import { ARRAYS, fromNumbers, halfBits, isFloat, numbersOf, toValue, untyped, valueOf } from './package/values.js';

const base64 = (array) => Buffer.from(untyped(array)).toString('base64');
const recorded = ({ dtype, shape, data }) => ({ dtype, shape, data: base64(data) });
/** A recorded tensor; each NaN with the same bits, which the arithmetic of JavaScript does not give. */
const tensor = (dtype, shape, numbers) => recorded(fromNumbers(dtype, shape, numbers.map((x) => (Number.isNaN(x) ? NaN : x))));
const indices = (numbers, width) => tensor('int64', width ? [numbers.length / width, width] : [numbers.length], numbers);

/** A number rounded to a dtype, or wrapped. */
function rounded(dtype, x) {
  if (dtype === 'float32') return Math.fround(x);
  if (dtype.endsWith('float16')) return toValue(dtype, halfBits(dtype, x));
  if (dtype === 'float64') return x;
  return ARRAYS[dtype].of(dtype.endsWith('int64') ? BigInt.asIntN(64, BigInt(x)) : x)[0];
}

/** One step of a sum or product: products of 32-bit integers need more digits than a number has. */
function step(dtype, how, a, b) {
  if (how === 'replace') return b;
  if (how === 'amax' || how === 'amin') return isFloat(dtype) ? Math[how.slice(1)](a, b) : (how === 'amax') === a > b ? a : b;
  if (isFloat(dtype)) return rounded(dtype, how === 'add' ? a + b : a * b);
  const [x, y] = [BigInt(a), BigInt(b)];
  const exact = BigInt.asIntN(64, how === 'add' ? x + y : x * y);
  return dtype.endsWith('int64') ? ARRAYS[dtype].of(exact)[0] : ARRAYS[dtype].of(Number(BigInt.asIntN(32, exact)))[0];
}

const cases = [];
function add(promises, op, name, vector) {
  cases.push({ id: `${op}/small/${name}`, op, tags: ['small'], promises, required: true, kwargs: {}, compare: 'exact', defined_by: 'project', ...vector });
}

/** The same scatter in two forms: by index tuples into a new tensor, and along a dim. `updates` go to the slots `at` of `self`. */
function scatter(promises, name, dtype, how, self, at, updates, more = {}) {
  const result = [...self];
  for (const [k, slot] of at.entries()) result[slot] = step(dtype, how, result[slot], updates[k]);
  const [from, values, expect] = [tensor(dtype, [self.length], self), tensor(dtype, [updates.length], updates), tensor(dtype, [self.length], result)];
  const reduce = { add: 'add', multiply: 'multiply', amax: 'amax', amin: 'amin' }[how];
  add(promises, 'scatter_nd', `${name}/${how}-${dtype}`, { self: from, args: { indices: indices(at, 1), updates: values }, kwargs: reduce ? { reduce } : {}, expect, ...more });
  if (how === 'add') add(promises, 'scatter_add_axis', `${name}/${dtype}`, { self: from, args: { dim: 0, index: indices(at), src: values }, expect, ...more });
  if (how === 'replace' && at.length <= self.length) add(promises, 'scatter_', `${name}/${dtype}`, { self: from, args: { dim: 0, index: indices(at), src: values }, inplace: true, expect, ...more });
}

/** A sum that is rounded once: float64 holds the exact sums here. */
const once = (dtype, self, updates) => tensor(dtype, [1], [updates.reduce((a, b) => a + b, self)]);

// Order: in another order one of the first three has another sum.
for (const [dtype, big] of [['float32', 2 ** 25], ['float64', 2 ** 54]]) {
  for (const [name, updates] of Object.entries({ 'one-between': [big, 1, -big], 'one-last': [big, -big, 1], 'one-first': [1, big, -big] })) {
    scatter(['order'], `order/${name}`, dtype, 'add', [0], [0, 0, 0], updates);
  }
}
scatter(['order'], 'order/overflow', 'float32', 'multiply', [1], [0, 0, 0], [2 ** 100, 2 ** 100, 2 ** -100]);
for (const dtype of ['float32', 'int32']) {
  scatter(['order'], 'order/last', dtype, 'replace', [9, 9, 9], [0, 0, 0], [1, 2, 3]);
  const many = Array.from({ length: 1024 }, (_, k) => k);
  scatter(['order', 'twice', 'devices'], 'order/last-of-1024', dtype, 'replace', [-1, -1, -1, -1], many.map((k) => (k * 7) % 4), many);
}

// The same bits twice, and on GPU and CPU: as many additions as threads compete for.
const random = (length, seed) => numbersOf(valueOf({ dtype: 'float32', shape: [length], gen: { kind: 'pm1', seed } }));
for (const [slots, count] of [[1, 4096], [16, 32768], [1000, 32768]]) {
  const at = { dtype: 'int64', shape: [count], gen: { kind: 'mod', seed: 7, mod: slots } };
  const updates = { dtype: 'float32', shape: [count], gen: { kind: 'pm1', seed: 11 } };
  const result = Array(slots).fill(0);
  const terms = random(count, 11);
  for (const [k, slot] of numbersOf(valueOf(at)).entries()) result[slot] = step('float32', 'add', result[slot], terms[k]);
  const [self, expect] = [tensor('float32', [slots], Array(slots).fill(0)), tensor('float32', [slots], result)];
  add(['order', 'twice', 'devices'], 'scatter_add_axis', `many/${count}-to-${slots}`, { self, args: { dim: 0, index: at, src: updates }, expect });
  add(['order', 'twice', 'devices'], 'scatter_nd', `many/${count}-to-${slots}`, { self, args: { indices: { ...at, shape: [count, 1] }, updates }, kwargs: { reduce: 'add' }, expect });
}
for (const [op, combine] of Object.entries({ div: (a, b) => a / b, mul: (a, b) => a * b })) {
  const [x, y] = [random(1000, 13), random(1000, 17).map((each) => each || 1)];
  const self = tensor('float32', [1000], x);
  add(['twice', 'devices'], op === 'mul' ? 'elementwise_mul' : op, 'pairs/float32', {
    self, args: { [op === 'mul' ? 'y' : 'other']: tensor('float32', [1000], y) }, expect: tensor('float32', [1000], x.map((each, k) => Math.fround(combine(each, y[k])))),
  });
}
add(['devices'], 'elementwise_mul', 'subnormal/float32', { self: tensor('float32', [2], [2 ** -100, 2 ** -140]), args: { y: tensor('float32', [2], [2 ** -40, 1]) }, expect: tensor('float32', [2], [2 ** -140, 2 ** -140]) });

// A bad index: one too large, one too small, one behind a good one.
const refusal = { expect: { error: 'IndexError', accept: ['IndexError', 'RuntimeError'] }, self_must_be_unchanged: true };
for (const [name, at] of Object.entries({ size: [2], 'below-minus-size': [-3], largest: [2 ** 31 - 1], 'behind-a-good-one': [0, 2] })) {
  const self = tensor('float32', [2], [1, 2]);
  const updates = tensor('float32', [at.length], at.map(() => 5));
  const bad = (op, args, more) => add(['bad-index'], op, `bad/${name}`, { self, args, ...refusal, compare: undefined, ...more });
  bad('scatter_', { dim: 0, index: indices(at), src: updates });
  bad('scatter_add_axis', { dim: 0, index: indices(at), src: updates });
  bad('scatter_nd', { indices: indices(at, 1), updates });
  bad('scatter_nd', { indices: indices(at, 1), updates }, { id: `scatter_nd/small/bad-add/${name}`, kwargs: { reduce: 'add' } });
  bad('gather', { dim: 0, index: indices(at) });
  bad('index_select', { dim: 0, index: indices(at) });
}

// Integers: the ends, sums beyond 2^24, and products. A float would round such products.
for (const dtype of ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64']) {
  const size = { 8: 8n, 16: 16n, 32: 32n, 64: 64n }[/\d+/.exec(dtype)[0]];
  const most = 2n ** (dtype.startsWith('u') ? size : size - 1n) - 1n;
  const fit = (number) => (size === 64n ? number : Number(number));
  scatter(['wrap'], 'wrap/end', dtype, 'add', [fit(most)], [0], [fit(1n)]);
  scatter(['wrap'], 'wrap/product', dtype, 'multiply', [fit(most)], [0], [fit(3n)]);
}
for (const dtype of ['int32', 'uint32']) {
  scatter(['wrap'], 'wrap/all-digits', dtype, 'multiply', [123456789], [0], [987654321]);
  scatter(['wrap'], 'wrap/beyond-2^24', dtype, 'add', [0], [0, 0], [2 ** 24, 1]);
}

// Half types: 1 beside the first number whose neighbours are two apart, rounded after each step or once.
for (const [dtype, big] of [['float16', 2 ** 11], ['bfloat16', 2 ** 8]]) {
  scatter(['half'], 'half/ones', dtype, 'add', [big], [0, 0], [1, 1], { once: once(dtype, big, [1, 1]) });
  scatter(['half'], 'half/there-and-back', dtype, 'add', [0], [0, 0, 0], [big, 1, -big], { once: once(dtype, 0, [big, 1, -big]) });
}

// Extremes: NaN and the sign of zero, in both orders.
for (const [name, [a, b]] of Object.entries({ 'nan-first': [NaN, 1], 'nan-last': [1, NaN], 'minus-zero-first': [-0, 0], 'minus-zero-last': [0, -0] })) {
  for (const how of ['amax', 'amin']) {
    const extreme = Math[how.slice(1)](a, b);
    scatter(['extremes'], `extremes/${name}`, 'float32', how, [a], [0], [b]);
    const of = { self: tensor('float32', [1], [a]), args: { other: tensor('float32', [1], [b]) }, expect: tensor('float32', [1], [extreme]) };
    add(['extremes'], how === 'amax' ? 'maximum' : 'minimum', `extremes/${name}`, of);
    add(['extremes'], how, `extremes/${name}`, { self: tensor('float32', [2], [a, b]), args: { dim: 0 }, expect: tensor('float32', [], [extreme]) });
  }
}

// Exact sums: large terms that cancel.
for (const [dtype, big] of [['float32', 2 ** 25], ['float64', 2 ** 54], ['float16', 2 ** 12]]) {
  add(['exact-sums'], 'sum', `exact/${dtype}`, { self: tensor(dtype, [3], [big, 1, -big]), args: { dim: 0 }, expect: tensor(dtype, [], [1]) });
  const call = { self: tensor(dtype, [1], [0]), args: { dim: 0, index: indices([0, 0, 0]), src: tensor(dtype, [3], [big, 1, -big]) } };
  add(['exact-sums'], 'scatter_add_axis', `exact/${dtype}`, { ...call, kwargs: { sum: 'exact' }, expect: tensor(dtype, [1], [1]) });
}

// Empty shapes.
scatter(['empty'], 'empty/no-updates', 'float32', 'add', [1, 2], [], []);
scatter(['empty'], 'empty/no-updates', 'float32', 'replace', [1, 2], [], []);
add(['empty'], 'index_select', 'empty/no-index', { self: tensor('float32', [2], [1, 2]), args: { dim: 0, index: indices([]) }, expect: tensor('float32', [0], []) });
add(['empty'], 'elementwise_mul', 'empty/pair', { self: tensor('float32', [0, 3], []), args: { y: tensor('float32', [0, 3], []) }, expect: tensor('float32', [0, 3], []) });
add(['empty'], 'sum', 'empty/sum', { self: tensor('float32', [0], []), args: { dim: 0 }, expect: tensor('float32', [], [0]) });
add(['empty'], 'sum', 'empty/rows', { self: tensor('float32', [2, 0], []), args: { dim: 1 }, expect: tensor('float32', [2], [0, 0]) });

// Broadcasting from an axis.
for (const [axis, shape] of [[0, [2]], [0, [2, 3]], [1, [3]], [1, [3, 2]], [2, [2]]]) {
  const [x, y] = [Array.from({ length: 12 }, (_, k) => k + 1), Array.from({ length: shape.reduce((a, b) => a * b) }, (_, k) => k + 2)];
  const behind = [2, 3, 2].slice(axis + shape.length).reduce((a, b) => a * b, 1);
  const expect = tensor('float32', [2, 3, 2], x.map((each, k) => each * y[Math.floor(k / behind) % y.length]));
  add(['axis'], 'elementwise_mul', `axis/${axis}-${shape.join('x')}`, { self: tensor('float32', [2, 3, 2], x), args: { y: tensor('float32', shape, y) }, kwargs: { axis }, expect });
}

// 64-bit integers.
const wide = 2n ** 53n;
scatter(['int64'], 'int64/sum', 'int64', 'add', [wide], [0], [1n]);
scatter(['int64'], 'int64/product', 'int64', 'multiply', [wide + 1n], [0], [3n]);
scatter(['int64'], 'int64/replace', 'int64', 'replace', [0n], [0], [wide + 1n]);
scatter(['int64'], 'int64/largest', 'int64', 'amax', [wide], [0], [wide + 1n]);
add(['int64'], 'index_select', 'int64/read', { self: tensor('int64', [2], [1n, wide + 1n]), args: { dim: 0, index: indices([1]) }, expect: tensor('int64', [1], [wide + 1n]) });
add(['int64'], 'add', 'int64/pair', { self: tensor('int64', [1], [wide]), args: { other: tensor('int64', [1], [1n]) }, expect: tensor('int64', [1], [wide + 1n]) });

/** The text of tests/vectors/small.json. */
export function smallFile() {
  const head = { schema: 'tensor-conformance/1', file: 'small', about: 'the smallest calls in which a promise can be seen, which this project defines', oracles: {}, count: cases.length };
  const lines = cases.map((vector) => JSON.stringify(vector));
  return `${JSON.stringify(head).slice(0, -1)},"cases":[\n${lines.join(',\n')}\n]}\n`;
}
