// The package scatterwise-vectors: it holds the vectors of tests/vectors as they are, each fits the schema, each promise has some, and the
// library keeps all of them by the package's own runner.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as library from 'scatterwise';
import { source, writeVectors } from '../../../tools/vectors.mjs';
import { smallFile } from '../../vectors/small.js';

const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
writeVectors(folder);
after(() => rmSync(folder, { recursive: true }));
const load = (path) => import(pathToFileURL(join(folder, path)).href);
const { load: loadVectors, readIndex, run } = await load('index.js');
const files = readdirSync(source).filter((name) => name.endsWith('.json'));

test('the package has the vectors as they are', () => {
  assert.deepEqual(readdirSync(join(folder, 'vectors')).sort(), [...files, 'index.json'].sort());
  for (const file of files) assert.ok(readFileSync(join(source, file)).equals(readFileSync(join(folder, 'vectors', file))), file);
});

test('small.json is what its definitions give', () => assert.equal(readFileSync(join(source, 'small.json'), 'utf8'), smallFile()));

test('ids are unique, and each promise has small vectors', async () => {
  const vectors = await loadVectors();
  assert.equal(new Set(vectors.map(({ id }) => id)).size, vectors.length);
  for (const name of Object.keys((await readIndex()).promises)) assert.ok(vectors.some(({ file, promises }) => file === 'small' && promises.includes(name)), name);
});

test('every file fits the schema', () => {
  const schema = JSON.parse(readFileSync(join(folder, 'vectors.schema.json'), 'utf8'));
  for (const file of files) assert.equal(misfit(schema, JSON.parse(readFileSync(join(source, file), 'utf8')), schema), undefined, file);
});

test('the library keeps every required vector on the CPU', async () => {
  await library.init({ device: 'cpu' });
  const { scatterwise } = await load('adapters/scatterwise.js');
  const { results, promises } = await run(scatterwise(library, 'cpu'));
  const broken = results.filter(({ required, outcome }) => required && (outcome === 'differs' || outcome === 'refused'));
  assert.deepEqual(broken, []);
  for (const [name, { differs, refused, kept }] of Object.entries(promises)) {
    assert.equal(differs + refused, 0, name);
    assert.ok(kept > 0 || name === 'devices', name);
  }
  assert.equal(library.memory().tensors, 0, 'the adapter frees its tensors');
});

test('a loop that forgets to check its index is found', async () => {
  const { loop } = await load('adapters/loop.js');
  const { fromNumbers } = await load('index.js');
  const careless = { ...loop, name: 'careless', call: (call, watch) => (call.op === 'index_select' ? fromNumbers('float32', call.args.index.shape, Array(call.args.index.data.length).fill(0)) : loop.call(call, watch)) };
  const only = { promise: 'bad-index', file: 'small' };
  assert.equal((await run(loop, { only })).promises['bad-index'].differs, 0);
  const { promises } = await run(careless, { only });
  assert.equal(promises['bad-index'].differs, 4);
});

test('two devices that differ, and a call that differs from itself, are found', async () => {
  const { loop } = await load('adapters/loop.js');
  let calls = 0;
  const restless = { ...loop, async call(call, watch) {
    const result = await loop.call(call, watch);
    if (result?.data) result.data[0] += 1 + (calls++ % 3);
    return result;
  } };
  const only = { id: 'scatter_add_axis/small/many/4096' };
  const { promises: same } = await run(loop, { only, beside: loop });
  assert.deepEqual([same.twice.kept, same.devices.kept], [1, 1]);
  const { promises } = await run(restless, { only, beside: loop });
  assert.deepEqual([promises.twice.differs, promises.devices.differs], [1, 1]);
});

/** Where a value does not fit a schema, in words; undefined where it fits. The few keywords of vectors.schema.json. */
function misfit(schema, value, whole, at = '') {
  if (schema.$ref) return misfit(whole.$defs[schema.$ref.split('/').at(-1)], value, whole, at);
  const kinds = { object: (x) => x !== null && typeof x === 'object' && !Array.isArray(x), array: Array.isArray, string: (x) => typeof x === 'string', integer: Number.isInteger, boolean: (x) => typeof x === 'boolean' };
  if (schema.type && !kinds[schema.type](value)) return `${at} is no ${schema.type}`;
  if ('const' in schema && value !== schema.const) return `${at} is not ${schema.const}`;
  if (schema.enum && !schema.enum.includes(value)) return `${at} is ${value}`;
  if (schema.pattern && !new RegExp(schema.pattern).test(value)) return `${at} does not fit ${schema.pattern}`;
  if (schema.minimum !== undefined && value < schema.minimum) return `${at} is too small`;
  for (const name of schema.required ?? []) if (!(name in value)) return `${at} lacks ${name}`;
  if (schema.anyOf && schema.anyOf.every((one) => misfit(one, value, whole, at) !== undefined)) return `${at} fits none of the forms: ${JSON.stringify(value).slice(0, 200)}`;
  const parts = [
    ...Object.entries(schema.properties ?? {}).filter(([name]) => name in Object(value)).map(([name, one]) => [one, value[name], `${at}.${name}`]),
    ...(schema.items ? value.map((each, k) => [schema.items, each, `${at}[${each?.id ?? k}]`]) : []),
    ...(kinds.object(schema.additionalProperties) ? Object.entries(value).map(([name, each]) => [schema.additionalProperties, each, `${at}.${name}`]) : []),
  ];
  for (const [one, part, where] of parts) {
    const found = misfit(one, part, whole, where);
    if (found) return found;
  }
  return undefined;
}
