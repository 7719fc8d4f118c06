// Tensors as text against `str()` of NumPy: printed.json is NumPy's own output, written by write.py.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { test } from 'node:test';
import { init, Tensor } from 'scatterwise';

const cases = JSON.parse(readFileSync(new URL('printed.json', import.meta.url), 'utf8'));
await init({ device: 'cpu' });

/**
 * The array of a case: recorded as bytes in hexadecimal, or as a rule if it is large. A rule is 'third' (every third value is true) or
 * [first, step].
 */
function tensorOf({ dtype, shape, bytes, rule }) {
  if (bytes !== undefined) return new Tensor(new Uint8Array(Buffer.from(bytes, 'hex')).buffer, { dtype, shape });
  const size = shape.reduce((product, each) => product * each, 1);
  const value = rule === 'third' ? (at) => at % 3 === 0 : (at) => rule[0] + rule[1] * at;
  return new Tensor(Array.from({ length: size }, (_, at) => value(at)), { dtype, shape });
}

test(`${cases.length} arrays print as NumPy prints them`, () => {
  const wrong = [];
  for (const each of cases) {
    const text = String(tensorOf(each));
    if (text !== each.text) wrong.push(`${each.dtype} ${JSON.stringify(each.shape)}\ngot\n${text}\nNumPy\n${each.text}`);
  }
  assert.equal(wrong.length, 0, `${wrong.length} of ${cases.length} differ\n${wrong.slice(0, 5).join('\n\n')}`);
});

test('bfloat16, which NumPy lacks, keeps its own digits', () => {
  const t = new Tensor([0.1, 1 / 3, 30, -2], { dtype: 'bfloat16' });
  assert.equal(`${t}`, '[ 0.1    0.334 30.    -2.   ]');
});

test('util.inspect and console.log show the same, below what it is', () => {
  const t = new Tensor([[1, 2.5], [-3, 4]]);
  assert.equal(inspect(t), `Tensor(shape=[2, 2], dtype=float32, device=cpu)\n${t}`);
  assert.equal(inspect({ t }), `{\n  t: Tensor(shape=[2, 2], dtype=float32, device=cpu)\n  [[ 1.   2.5]\n   [-3.   4. ]]\n}`);
});
