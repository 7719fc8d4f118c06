// Activations of float32, some of them computed several at a time: the float64 one, rounded once.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { elementwise_mul, init, Tensor } from 'scatterwise';

before(() => init({ device: 'cpu' }));

const transcendental = [
  'acos', 'asin', 'atan', 'cos', 'elu', 'erf', 'exp', 'gelu', 'log', 'log1p', 'logsigmoid', 'mish', 'selu', 'sigmoid', 'sin', 'soft_relu',
  'softplus', 'stanh', 'swish', 'tanh', 'tanh_shrink',
];

/**
 * float32 numbers of either sign: bit patterns in equal steps from all that there are, and all of those around some numbers: half of ln 2
 * and 1.5 ln 2, 128 ln 2 and 150 ln 2 (where the exponential overflows, and -150 ln 2, where it becomes 0), 20, the largest one, and the
 * smallest normal one.
 */
function patterns() {
  const bits = Array.from({ length: 2 ** 18 }, (_, k) => Math.imul(k, 16_381) >>> 0);
  for (const center of [0x3eb17218, 0x3f851592, 0x42b17218, 0x42cff1b5, 0x41a00000, 0x7f7fffff, 0x00800000]) {
    for (let k = -60; k <= 60; k++) bits.push(center + k, (center + k) | 0x80000000);
  }
  return new Float32Array(Uint32Array.from(bits).buffer);
}

test('transcendental activations of float32 are those of float64, rounded once', () => {
  const x = patterns();
  const [narrow, wide] = [new Tensor(x), new Tensor(Float64Array.from(x))];
  const [one, wideOne] = [new Tensor(Float32Array.of(1)), new Tensor(Float64Array.of(1))];
  for (const act of transcendental) {
    const got = elementwise_mul(narrow, one, { act }).data_sync();
    const expected = Float32Array.from(elementwise_mul(wide, wideOne, { act }).data_sync());
    const wrong = got.findIndex((value, k) => !Object.is(value, expected[k]));
    assert.equal(wrong, -1, `${act}(${x[wrong]}) is ${got[wrong]}, not ${expected[wrong]}`);
  }
});

test('round takes ties away from zero', () => {
  const x = patterns();
  for (let k = -9; k < 9; k++) x[k + 9] = k / 2; // ties among them
  const got = elementwise_mul(new Tensor(x), new Tensor(Float32Array.of(1)), { act: 'round' }).data_sync();
  // Math.round takes ties up.
  const wrong = got.findIndex((value, k) => !Object.is(value, x[k] < 0 || Object.is(x[k], -0) ? -Math.round(-x[k]) : Math.round(x[k])));
  assert.equal(wrong, -1, `round(${x[wrong]}) is ${got[wrong]}`);
});

test('the type has the names that the library knows', () => {
  const types = readFileSync(new URL('index.d.ts', import.meta.resolve('scatterwise')), 'utf8');
  const [, union] = /export type Activation =([^;]+);/.exec(types);
  const names = [...union.matchAll(/'(\w+)'/g)].map(([, name]) => name);
  assert.throws(() => elementwise_mul(1, 1, { act: 'none' }), ({ allowed }) => {
    assert.deepEqual([...names].sort(), [...allowed].sort());
    return true;
  });
});
