// A fraction that meets integers or bools as a term, factor or divisor is refused in every form; a whole number passes in every form.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  elementwise_mul, init, scatter_add, scatter_div, scatter_max, scatter_min, scatter_mul, scatter_sub, scatter_update, segment_reduce, Tensor, trace, vjp,
} from 'scatterwise';

before(() => init({ device: 'cpu' }));

const integers = ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'];
/** The shapes of tensors that are tried: rank 1 and 2, sizes 1 and more. */
const shapes = [[1], [3], [2, 2]];
/** What is no whole number. */
const fractions = [0.5, 1.9, NaN, Infinity, -Infinity, 2 ** -1074];

/** An array of these sizes with `last` as its last element and 1 elsewhere: nested, or flat if it has one dimension. */
const ending = (shape, last) => {
  const [size, ...rest] = shape;
  return Array.from({ length: size }, (_, at) => (rest.length > 0 ? ending(rest, at === size - 1 ? last : 1) : at === size - 1 ? last : 1));
};

/** A value in the forms that an array argument of a shape takes, with the place that an error names. */
function forms(shape, value) {
  const at = shape.map((size) => size - 1);
  const nested = [{ given: ending(shape, value), at }];
  if (shape.length === 1) return [...nested, ...[Float32Array, Float64Array].map((Class) => ({ given: Class.from(ending(shape, value)), at }))];
  return [...nested, { given: ending(shape, value).map((row) => Float64Array.from(row)), at }];
}

/** An index that names every element of a shape, along dimension 0. */
const all = (shape) => ending(shape, 0).map((row, k) => (Array.isArray(row) ? row.map(() => k) : k));
const rows = ([size]) => Array.from({ length: size }, (_, k) => k);

/** By name: the class of the error, how to call it on a tensor `t` of a shape with a value, and the name of the argument. */
const terms = {
  mul: { call: (t, v) => t.mul(v), argument: 'other' },
  mul_: { call: (t, v) => t.mul_(v), argument: 'other' },
  elementwise_mul: { call: (t, v) => elementwise_mul(t, v), argument: 'y', self: 'x' },
  scatter_add: { call: (t, v, s) => t.scatter_add(0, all(s), v), argument: 'src' },
  scatter_add_: { call: (t, v, s) => t.scatter_add_(0, all(s), v), argument: 'src' },
  'scatter_add of tuples': { call: (t, v, s) => t.scatter_add(rows(s).map((k) => [k]), v), argument: 'updates' },
  ...Object.fromEntries(['sum', 'prod', 'mean', 'amax', 'amin'].map((reduce) => [`scatter_reduce ${reduce}`, { call: (t, v, s) => t.scatter_reduce(0, all(s), v, reduce), argument: 'src', noBool: reduce === 'mean' }])),
  scatter_reduce_: { call: (t, v, s) => t.scatter_reduce_(0, all(s), v, 'amax', { include_self: false }), argument: 'src' },
  ...Object.fromEntries(['add', 'sub', 'multiply', 'div', 'amax', 'amin'].map((reduce) => [`scatter_nd ${reduce}`, { call: (t, v, s) => t.scatter_nd(rows(s).map((k) => [k]), v, { reduce }), argument: 'updates', noBool: reduce === 'sub' || reduce === 'div' }])),
  scatter_nd_: { call: (t, v, s) => t.scatter_nd_(rows(s).map((k) => [k]), v, { reduce: 'add' }), argument: 'updates' },
  index_add: { call: (t, v, s) => t.index_add(0, rows(s), v), argument: 'src', noNumber: true },
  index_add_: { call: (t, v, s) => t.index_add_(0, rows(s), v), argument: 'src', noNumber: true },
  ...Object.fromEntries(Object.entries({ scatter_mul, scatter_add, scatter_sub, scatter_div, scatter_max, scatter_min }).map(([name, run]) => [
    name === 'scatter_add' ? 'scatter_add of rows' : name,
    { call: (t, v, s) => run(t, rows(s), v), argument: 'updates', self: name === 'scatter_mul' ? 'input_x' : 'x', error: 'RuntimeError', noBool: name === 'scatter_sub' || name === 'scatter_div' },
  ])),
};

/** Asserts that a call refuses a value, says how it could be taken, and leaves the tensor as it was. */
function refused(name, t, run, { error = 'TypeError', argument, self = 'self' }, value, position) {
  const before = [...t.data_sync()];
  assert.throws(run, (thrown) => {
    assert.equal(thrown.name, error, `${name}: ${thrown.message}`);
    assert.deepEqual([thrown.code, thrown.argument, thrown.value, thrown.position], ['invalid-argument', argument, value, position], `${name}: ${thrown.message}`);
    assert.ok(thrown.message.includes(`${self}.astype('float32')`), thrown.message);
    return true;
  });
  assert.deepEqual([...t.data_sync()], before, name);
}

test('a fraction is refused in every form by everything that computes with it', () => {
  for (const [name, row] of Object.entries(terms)) {
    for (const dtype of [...integers, ...(row.noBool ? [] : ['bool'])]) {
      for (const shape of shapes) {
        const t = Tensor.ones(shape, { dtype });
        for (const value of fractions) {
          const said = `${name} ${dtype} [${shape}] ${value}`;
          if (!row.noNumber) refused(said, t, () => row.call(t, value, shape), row, value);
          for (const { given, at } of forms(shape, value)) {
            if (Math.fround(value) === 0 && given instanceof Float32Array) continue; // it became a whole number there
            const became = given instanceof Float32Array ? Math.fround(value) : value;
            refused(said, t, () => row.call(t, given, shape), row, became, at);
          }
        }
      }
    }
  }
});

test('a whole number passes in every form, and fractions pass where self has them', () => {
  for (const [name, row] of Object.entries(terms)) {
    for (const dtype of integers) {
      for (const shape of shapes) {
        const whole = [1, -0, 3].filter((value) => value !== 0 || !/div/.test(name));
        for (const value of whole) {
          const results = forms(shape, value).map(({ given }) => [...row.call(Tensor.ones(shape, { dtype }), given, shape).data_sync()]);
          for (const result of results) assert.deepEqual(result, results[0], `${name} ${dtype} ${value}`);
          if (!row.noNumber) row.call(Tensor.ones(shape, { dtype }), value, shape);
        }
      }
    }
    for (const dtype of ['float16', 'bfloat16', 'float32', 'float64']) row.call(Tensor.ones([3], { dtype }), [0.5, 1.5, 0.25], [3]);
  }
  assert.deepEqual([...new Tensor([1, 2], { dtype: 'int32' }).mul(true).data_sync()], [1, 2]);
  assert.deepEqual([...new Tensor([1, 2], { dtype: 'int64' }).mul([3n, 1n]).data_sync()], [3n, 2n]);
  assert.throws(() => new Tensor([1], { dtype: 'int32' }).mul(1e20), { name: 'RuntimeError', code: 'value-overflow' });
});

test('an initial value and alpha are terms too', () => {
  for (const dtype of [...integers, 'bool']) {
    const t = Tensor.ones([2], { dtype });
    for (const value of fractions) {
      for (const reduce of ['sum', 'prod', 'amax', 'amin']) {
        refused('segment_reduce', t, () => segment_reduce(t, reduce, { lengths: [2, 0], initial: value }), { argument: 'initial', self: 'data' }, value);
      }
      refused('index_add', t, () => t.index_add(0, [0], [1], { alpha: value }), { argument: 'alpha' }, value);
    }
  }
});

test('trace and vjp refuse what the call refuses', () => {
  const t = new Tensor([1, 2], { dtype: 'int32' });
  refused('trace', t, () => trace('scatter_add', t, 0, [0], [0.5]), { argument: 'src' }, 0.5, [0]);
  refused('trace', t, () => trace('scatter_mul', t, [0], 0.5), { argument: 'updates', error: 'RuntimeError', self: 'input_x' }, 0.5);
  assert.throws(() => vjp('mul', [1, 1], t, 0.5), { name: 'TypeError' });
});

test('without elements nothing is a fraction', () => {
  const t = Tensor.zeros([0], { dtype: 'int32' });
  assert.equal(t.mul([]).size, 0);
  assert.equal(t.scatter_add(0, [], new Float32Array(0)).size, 0);
  refused('mul', t, () => t.mul(0.5), { argument: 'other' }, 0.5);
  refused('scatter_add', t, () => t.scatter_add(0, [], 0.5), { argument: 'src' }, 0.5);
});

test('scatter_ and scatter cut, and so does everything that only replaces', () => {
  for (const dtype of ['int8', 'uint16', 'int32', 'uint64']) {
    const t = () => new Tensor([1, 3], { dtype });
    const values = (tensor) => [...tensor.data_sync()].map(Number);
    for (const op of ['scatter', 'scatter_']) {
      for (const src of [2.9, [2.9]]) {
        assert.deepEqual(values(t()[op](0, [1], src)), [1, 2]);
        assert.deepEqual(values(t()[op](0, [1], src, { reduce: 'add' })), [1, 5]);
        assert.deepEqual(values(t()[op](0, [1], src, { reduce: 'multiply' })), [1, 6]);
      }
    }
    assert.deepEqual(values(t().scatter_nd([[1]], [2.9])), [1, 2]);
    assert.deepEqual(values(t().index_copy(0, [1], [2.9])), [1, 2]);
    assert.deepEqual(values(t().index_fill(0, [1], 2.9)), [1, 2]);
    assert.deepEqual(values(scatter_update(t(), [1], [2.9])), [1, 2]);
    assert.deepEqual(values(scatter_update(t(), [1], 2.9)), [1, 2]);
    assert.deepEqual(values(t().gather(0, [5], { mode: 'drop', fill_value: 2.9 })), [2]);
    assert.deepEqual(values(Tensor.full([1], 2.9, { dtype })), [2]);
  }
});
