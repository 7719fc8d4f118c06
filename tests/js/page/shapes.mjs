// The chart of the shapes agrees with the library, for thousands of calls with shapes that fit and that do not.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { init } from 'scatterwise';
import { callLibrary } from '../../../www/src/engine/calls.js';
import { fixesFor } from '../../../www/src/lab/fixes.js';
import { sizeOf } from '../../../www/src/lab/operand.js';
import { chartOf } from '../../../www/src/lab/shapes.js';

let state = 7; // of `below`
/** Random numbers from 0 to `limit` - 1, the same in every run (Lehmer's generator). */
const below = (limit) => {
  state = (state * 48271) % 2147483647;
  return state % limit;
};
const some = (values) => values[below(values.length)];
/** A shape of `least` to `most` dimensions, of sizes 1 to 3. */
const shape = (least, most) => Array.from({ length: least + below(most - least + 1) }, () => 1 + below(3));
/** A shape that often fits beside another one: the other shape with about a quarter of its sizes changed. */
const near = (other) => other.map((size) => (below(4) === 0 ? 1 + below(3) : size));
/** An operand as the site's labs describe it, of zeros. */
const tensor = (sizes, dtype = null) => ({
  kind: 'tensor',
  name: null,
  shape: sizes,
  dtype,
  values: Array(sizeOf(sizes)).fill(0),
});

/** A dimension of that shape, counted from either end; of a scalar 0, which it has not. */
const dimensionOf = ({ length }) => (length === 0 ? 0 : below(2 * length) - length);

/** For each rule about the shapes of a call (`chartOf` draws each in its own way), a function that makes a random call under it. */
const makers = {
  axis() {
    const self = shape(0, 3);
    const index = below(8) === 0 ? shape(1, 3) : near(self);
    const src = below(8) === 0 ? shape(1, 3) : near(index);
    const op = some(['scatter_', 'scatter', 'scatter_add', 'scatter_add_', 'scatter_reduce', 'gather']);
    const model = { op, reduce: op === 'scatter_reduce' ? 'amax' : null, self: tensor(self), index: tensor(index, 'int32'), dim: dimensionOf(self) };
    if (op !== 'gather') model.src = below(6) === 0 ? { ...tensor([]), kind: 'scalar' } : tensor(src);
    return model;
  },
  tuples() {
    const self = shape(0, 3);
    const index = [...shape(0, 2), 1 + below(4)];
    const op = some(['scatter_add', 'scatter_nd', 'gather_nd']);
    const updates = [...index.slice(0, -1), ...self.slice(index.at(-1))];
    const model = { op, self: tensor(self), index: tensor(index, 'int32') };
    return op === 'gather_nd' ? model : { ...model, src: tensor(below(5) === 0 ? shape(0, 3) : near(updates)) };
  },
  rows() {
    const [self, index] = [shape(0, 3), shape(0, 2)];
    return {
      op: 'scatter_mul',
      self: tensor(self),
      index: tensor(index, 'int32'),
      src: tensor(below(5) === 0 ? shape(0, 4) : near([...index, ...self.slice(1)])),
    };
  },
  slices() {
    const self = shape(1, 3);
    const dim = dimensionOf(self);
    const index = below(5) === 0 ? shape(0, 2) : shape(1, 1);
    const op = some(['index_select', 'index_add', 'index_copy_']);
    const model = { op, self: tensor(self), index: tensor(index, 'int32'), dim };
    const slices = self.with(dim, index[0] ?? 1);
    return op === 'index_select' ? model : { ...model, src: tensor(below(5) === 0 ? shape(0, 3) : near(slices)) };
  },
  numpy() {
    const self = shape(0, 3);
    return {
      op: some(['mul', 'mul_', 'add', 'sub_', 'div', 'maximum_', 'minimum']),
      self: tensor(self),
      src: tensor(below(2) === 0 ? shape(0, 3) : near(self).slice(below(self.length + 1))),
    };
  },
  paddle() {
    const self = shape(0, 4);
    const start = below(self.length + 1);
    const ones = Array(below(3)).fill(1);
    const src = below(4) === 0 ? shape(0, 4) : [...near(self).slice(start, start + 1 + below(3)), ...ones];
    return {
      op: some(['elementwise_mul', 'elementwise_add', 'elementwise_sub', 'elementwise_div', 'elementwise_max', 'elementwise_min']),
      self: tensor(self),
      src: tensor(src),
      axis: below(3) === 0 || self.length === 0 ? null : below(self.length + 1) - 1,
    };
  },
};

/** The errors that are about shapes: a random call may be refused by no other. */
const SHAPES = new Set(['shape-mismatch', 'rank-mismatch']);

/** Declares the tests, which need no browser. */
export function testShapes() {
  before(() => init({ device: 'cpu' }));

  for (const [rule, make] of Object.entries(makers)) {
    test(`the chart of the shapes agrees with the library (${rule})`, async () => {
      const seen = { fits: 0, clashes: 0 };
      for (let round = 0; round < 1500; round += 1) {
        const model = make();
        const { failure } = await callLibrary(model, 'cpu');
        assert.ok(!failure || SHAPES.has(failure.facts.code), `${failure?.message}`);
        const { fits } = chartOf(model);
        const said = JSON.stringify([
          model.op,
          model.self.shape,
          model.index?.shape,
          model.src?.shape,
          model.dim,
          model.axis,
        ]);
        assert.equal(fits, !failure, `${said}: ${failure?.message ?? 'taken by the library'}`);
        seen[fits ? 'fits' : 'clashes'] += 1;
        if (failure) await checkFixes(model, failure, said);
      }
      assert.ok(seen.fits > 150 && seen.clashes > 150, JSON.stringify(seen));
    });
  }
}

/** Asserts that each fix that is offered for a refused call makes it one that the library takes. `said` is the call, for messages. */
async function checkFixes(model, failure, said) {
  for (const { key, model: fixed } of fixesFor(model, failure)) {
    const { failure: again } = await callLibrary(fixed, 'cpu');
    assert.ok(!again, `${said}: ${key} gives ${again?.message}`);
  }
}
