// warm_up(): afterwards the operators compile nothing more, at any size; and what it refuses. One dtype takes a minute on
// SwiftShader: SCATTERWISE_DTYPES='int32 uint8 float16 float64' tries others.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, serve } from '../browser.mjs';
import { say } from './web.mjs';

let server;
let browser;
let ran = 0;
let passed = 0;
before(async () => {
  server = await serve(fileURLToPath(new URL('../../..', import.meta.url)));
  browser = await launch({ webgpu: true });
});
after(async () => {
  say({ backend: 'webgpu', adapter: 'SwiftShader', suite: 'warm_up', ran, passed });
  await browser?.close();
  await server?.close();
});

/** A page in which WebGPU is used for the first time. */
async function freshPage(t) {
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(`${server.url}tests/js/package/blank.html`);
  return page;
}

/** Runs a function of warm_up.js in the page. */
const call = (page, name, argument) =>
  page.evaluate(
    async ([name, argument]) => {
      const warm = await import('/tests/js/web/warm_up.js');
      return warm[name](argument);
    },
    [name, argument],
  );

for (const dtype of (process.env.SCATTERWISE_DTYPES ?? 'float32').split(' ')) {
  test(`no call compiles anything afterwards, for ${dtype}`, async (t) => {
    ran += 1;
    const page = await freshPage(t);
    const { names, unknown } = await call(page, 'operators');
    assert.deepEqual(unknown, [], 'operators that the calls of this test lack');
    assert.ok(names.length > 20);
    const { compiled, later, left, calls } = await call(page, 'compileAhead', { dtype, names });
    assert.ok(compiled > 5, `only ${compiled} pipelines`);
    assert.ok(calls > 60, `only ${calls} calls`);
    assert.deepEqual(later, [], 'calls that compile');
    assert.equal(left, 0, 'tensors are left');
    passed += 1;
  });
}

test('nor for operators that are warmed up alone', async (t) => {
  for (const name of ['bincount', 'searchsorted']) {
    ran += 1;
    const { later, left } = await call(await freshPage(t), 'compileAlone', name);
    assert.deepEqual(later, [], `calls of ${name} that compile`);
    assert.equal(left, 0, 'tensors are left');
    passed += 1;
  }
});

test('only what is asked for is compiled, and once', async (t) => {
  ran += 1;
  const page = await freshPage(t);
  const { one, again, more } = await call(page, 'compileSome');
  assert.ok(one > 0 && more > one, `${one}, ${more}`);
  assert.equal(again, 0);
  passed += 1;
});

test('on the CPU nothing happens; what is not known is refused on both', async (t) => {
  ran += 1;
  const page = await freshPage(t);
  for (const device of ['cpu', 'webgpu']) {
    const { compiled, refused } = await call(page, 'refusals', device);
    assert.equal(compiled, 0);
    const facts = refused.map(({ name, code, op, argument, allowed }) => [name, code, op, argument, allowed]);
    const ops = facts[0][4];
    assert.ok(ops.includes('scatter_nd') && ops.includes('histogramdd'));
    const dtypes = facts[1][4];
    assert.equal(dtypes.length, 13);
    assert.deepEqual(facts, [
      ['ValueError', 'invalid-argument', 'warm_up', 'ops', ops],
      ['ValueError', 'unknown-dtype', 'warm_up', 'dtypes', dtypes],
      ['TypeError', 'invalid-argument', 'warm_up', 'ops', undefined],
      ['TypeError', 'invalid-argument', 'warm_up', 'ops', undefined],
      ['TypeError', 'invalid-argument', 'warm_up', 'dtypes', undefined],
      ['TypeError', 'unknown-option', 'warm_up', 'options', ['ops', 'dtypes']],
      ['TypeError', 'invalid-argument', 'warm_up', 'options', undefined],
    ]);
  }
  passed += 1;
});
