// Tensors in the console of the developer tools.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { init, Parameter, Tensor } from 'scatterwise';
import { show_in_devtools } from 'scatterwise/devtools';

before(() => init({ device: 'cpu' }));

test('anything but the class is refused', () => {
  for (const [given, code] of [[undefined, 'missing-argument'], [null, 'invalid-argument'], [{}, 'invalid-argument'], [() => 1, 'invalid-argument'], [class {}, 'invalid-argument']]) {
    assert.throws(() => show_in_devtools(given), { name: 'TypeError', code, op: 'show_in_devtools', argument: 'Tensor' });
  }
  assert.equal(globalThis.devtoolsFormatters, undefined);
});

test('tensors have a title, and their values inside', () => {
  show_in_devtools(Tensor);
  show_in_devtools(Tensor);
  const [formatter, ...more] = globalThis.devtoolsFormatters;
  assert.deepEqual(more, [], 'once for each class');
  const t = new Tensor([[1, 2.5]]);
  assert.deepEqual(formatter.header(t), ['span', {}, 'Tensor(shape=[1, 2], dtype=float32, device=cpu)']);
  assert.equal(formatter.hasBody(t), true);
  assert.equal(formatter.body(t).at(-1), '[[1.  2.5]]');
  assert.deepEqual(formatter.header(new Parameter([1n], { name: 'w' })).at(-1), "Parameter('w', shape=[1], dtype=int64, device=cpu)");
  for (const other of [null, undefined, 1, {}, [], Tensor, Tensor.prototype]) assert.equal(formatter.header(other), null);
  t.dispose();
  assert.match(formatter.header(t).at(-1), /was disposed of/);
  assert.equal(formatter.hasBody(t), false);
});
