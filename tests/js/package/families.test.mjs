// Builds of one's own, by `npm run package -- --families … --name …`: what they have, and what they leave out. They are not optimised, and in
// target/npm-dev, beside the package that the other tests read.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FUNCTIONS, METHODS } from '../../../src/js/arguments/operators.js';
import { root } from '../../../tools/shell.mjs';
import { launch, serve } from '../browser.mjs';

const folder = new URL('../../../target/npm-dev/scatterwise/', import.meta.url);
const read = (name, encoding) => readFile(new URL(name, folder), encoding);

/** A function in the shaders of some families, by which a binary tells that it has them. */
const shaderOf = { sort: 'fn begins(', histograms: 'fn write_pair(', segments: 'fn end_of(' };

/** The choices: the list of families, and those that the build has then. */
const choices = {
  own_sorts: { list: 'scatter,sort', families: ['sort'] },
  own_counts: { list: 'histograms,dims,segments,files', families: ['dims', 'exact', 'files', 'histograms', 'segments', 'sort'] },
  own_gpu: { list: 'webgpu,sort', families: ['sort', 'webgpu'] },
};

for (const [name, { list, families }] of Object.entries(choices)) {
  test(`--families ${list}`, async () => {
    execFileSync(process.execPath, ['tools/package.mjs', '--fast', '--families', list, '--name', name], { cwd: root, stdio: 'pipe' });
    const { exports } = JSON.parse(await read('package.json', 'utf8'));
    assert.equal(exports[`./${name}`].default, `./${name}.js`);

    const library = await import(new URL(`${name}.node.js`, folder));
    await library.init({ device: 'cpu' });
    const has = (family) => family === undefined || families.includes(family);
    for (const [each, { family }] of Object.entries(FUNCTIONS)) assert.equal(each in library, has(family), each);
    assert.equal('ExactSum' in library, has('exact'));
    const t = new library.Tensor([[3, 1, 2], [9, 8, 7]]);
    assert.deepEqual([...t.scatter_add(1, [[0, 0], [1, 2]], 1).data_sync()], [5, 1, 2, 9, 9, 8]);
    for (const [each, { family }] of Object.entries(METHODS)) {
      if (!has(family)) assert.throws(() => t[each](0), { code: 'not-in-this-entry', message: new RegExp(`'scatterwise/${name}' does not have it`) }, each);
    }
    if (has('sort')) assert.deepEqual([...t.sort().values.data_sync()], [1, 2, 3, 7, 8, 9]);
    if (has('dims')) assert.deepEqual([...t.sum(0).data_sync()], [12, 9, 9]);
    if (has('histograms')) assert.deepEqual([...library.histogram([0, 1, 1], { bins: 2 }).hist.data_sync()], [1n, 2n]);
    if (has('segments')) assert.deepEqual([...library.segment_reduce([1, 2, 3], 'sum', { lengths: [1, 2] }).data_sync()], [1, 5]);
    if (has('files')) assert.deepEqual(await library.Tensor.from_npy(await t.to_npy()).tolist(), [[3, 1, 2], [9, 8, 7]]);

    const types = await read(has('webgpu') ? `${name}.d.ts` : `${name}/types.d.ts`, 'utf8');
    assert.equal(/^export function unique/m.test(types), has('sort'));
    assert.equal(/^ {2}sum</m.test(types), has('dims'));
    assert.ok(!/^ *\/\/ #/m.test(types), 'no mark is left');
    const script = await read(`${name}.js`, 'utf8');
    assert.equal(script.includes('requestAdapter'), has('webgpu'), 'the code of the GPU');
    const binary = await read(`scatterwise_${name}_simd.wasm`, 'latin1');
    const shaders = Object.keys(shaderOf).filter((family) => binary.includes(shaderOf[family]));
    assert.deepEqual(shaders, Object.keys(shaderOf).filter((family) => has('webgpu') && has(family)), 'shaders');
  });
}

test('on WebGPU, a build has the shaders that it needs', async (t) => {
  const server = await serve(fileURLToPath(folder));
  t.after(() => server.close());
  const browser = await launch({ webgpu: true });
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.route(`${server.url}blank`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(`${server.url}blank`);
  const values = await page.evaluate(async (url) => {
    const { activate, bincount, init, scatter_mul, sync, Tensor, unique } = await import(url);
    await init({ device: 'webgpu' });
    const t = new Tensor([3, 1, 2]);
    const results = [t.sort().values, t.scatter_add(0, [2, 2], [0.5, 0.25]), t.astype('int32').scatter_add(0, [0, 0], [5, 6]), activate(t.sub(2), 'relu'), t.gather(0, [2, 1]), bincount(t.astype('int32'), { length: 4 }), (await unique(t)).values];
    scatter_mul(t, [0], 4);
    const all = await Promise.all([...results, t].map(async (each) => [each.device, ...Array.from(await each.data(), Number)].join()));
    await sync();
    return all;
  }, `${server.url}own_gpu.js`);
  assert.deepEqual(values, ['webgpu,1,2,3', 'webgpu,3,1,2.75', 'webgpu,14,1,2', 'webgpu,1,0,0', 'webgpu,2,1', 'webgpu,0,1,1,1', 'webgpu,1,2,3', 'webgpu,12,1,2']);
});

test('a family that there is not, and a name that is taken', () => {
  const complaint = (...args) => spawnSync(process.execPath, ['tools/package.mjs', '--fast', ...args], { cwd: root, encoding: 'utf8' }).stderr;
  assert.match(complaint('--families', 'sorts', '--name', 'mine'), /There is no family sorts: there is .*, sort, /);
  assert.match(complaint('--families', 'sort', '--name', 'cpu'), /the name of what the package has already/);
  assert.match(complaint('--families', 'sort'), /belong together/);
});
