// The package scatterwise-vectors: it holds the vectors of tests/vectors as they are, each fits the schema, each promise has some, and the
// library keeps all of them by the package's own runner.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
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

test('a value has only numbers that its dtype has', async () => {
  const { fromNumbers, numbersOf, Unfit } = await load('index.js');
  const kept = {
    bool: [0, 1, true, false], int8: [-128, 127, 5n], uint8: [255], int16: [-(2 ** 15)], uint16: [2 ** 16 - 1], int32: [-(2 ** 31), -0], uint32: [2 ** 32 - 1],
    int64: [-(2n ** 63n), 2n ** 63n - 1n, 2 ** 60, -3], uint64: [2n ** 64n - 1n, 0], float16: [65504, 2 ** -24, -0, NaN], bfloat16: [2 ** 127, 257 * 2 ** -8 - 2 ** -8, Infinity],
    float32: [2 ** -149, Math.fround(0.1), NaN, -Infinity, -0, 2n ** 24n], float64: [0.1, 2 ** 1023, -0, 2n ** 80n],
  };
  for (const [dtype, numbers] of Object.entries(kept)) {
    const wanted = numbers.map((x) => (dtype.endsWith('int64') ? BigInt(x) : Object.is(x, -0) && !dtype.includes('float') ? 0 : Number(x)));
    assert.deepEqual(numbersOf(fromNumbers(dtype, [numbers.length], numbers)), wanted, dtype);
  }
  const lost = {
    bool: [2, -1, 0.5, NaN], int8: [128, -129, 0.5, NaN, 2n ** 40n], uint8: [-1, 256], int16: [2 ** 15], uint16: [-1], int32: [2 ** 31, 2.5, Infinity], uint32: [-1, 2 ** 32],
    int64: [2n ** 63n, 2 ** 63, 0.5, NaN], uint64: [-1n, -1], float16: [0.1, 65536, 2 ** -26], bfloat16: [257], float32: [0.1, 2 ** 24 + 1, 2n ** 24n + 1n, undefined, '1'], float64: [2n ** 53n + 1n, null],
  };
  for (const [dtype, numbers] of Object.entries(lost)) {
    for (const x of numbers) assert.throws(() => fromNumbers(dtype, [2], [0, x]), (error) => error instanceof Unfit && /^element 1: .* is no \w+$/.test(error.message), `${dtype} ${x}`);
  }
  assert.deepEqual(numbersOf(fromNumbers('float32', [2], [0.1, 2 ** 24 + 1], { round: true })), [Math.fround(0.1), 2 ** 24]);
  assert.throws(() => fromNumbers('int32', [1], [0.5], { round: true }), Unfit);
  assert.throws(() => fromNumbers('float32', [3], [1, 2]), /2 numbers do not fill the shape \[3\]/);
});

test('a number that the dtype does not have differs, and is no refusal', async () => {
  const { fromNumbers } = await load('index.js');
  const only = { id: ['add/small/int64/pair', 'index_select/small/bad/size', 'div/small/pairs/float32'] };
  const inDoubles = { name: 'doubles', call: ({ self: { dtype, shape } }) => fromNumbers(dtype, shape, Array(shape[0]).fill(0.1)) };
  const { counts, results, promises } = await run(inDoubles, { only, beside: inDoubles });
  assert.deepEqual(counts, { kept: 0, differs: 3, refused: 0, 'not offered': 0 });
  for (const { got } of results) assert.match(got, /^element 0: 0.1 is no (int64|float32)$/);
  assert.deepEqual([promises.twice.differs, promises.devices.differs], [1, 1]);
});

test('a sign of zero is told apart, and a changed self breaks no promise about the result', async () => {
  const { fromNumbers, numbersOf } = await load('index.js');
  const only = { id: ['maximum/small/extremes/minus-zero-last', 'maximum/small/extremes/nan-last', 'index_select/small/bad/size', 'scatter_nd/small/order/last/replace-float32'] };
  const careless = { name: 'careless', call({ op, self, args }, watch) {
    watch(() => (op === 'maximum' ? self : fromNumbers('float32', self.shape, self.data.map(() => 7))));
    if (op === 'index_select') throw new RangeError('too large');
    return op === 'maximum' ? fromNumbers('float32', [1], numbersOf(self).map((x, k) => (x >= args.other.data[k] ? -0 : 1))) : fromNumbers('float32', [3], [3, 9, 9]);
  } };
  const { results, promises } = await run(careless, { only });
  const of = (start) => results.find(({ id }) => id.startsWith(start));
  assert.equal(of('maximum/small/extremes/minus').sign, true);
  assert.equal(of('maximum/small/extremes/nan').sign, undefined);
  assert.deepEqual([of('scatter_nd').outcome, of('scatter_nd').changed, promises.order.kept], ['differs', true, 1]);
  assert.deepEqual([of('index_select').outcome, promises['bad-index'].differs], ['differs', 1]);
});

test('the types of the package and of its adapters compile, and find a wrong call', () => {
  const project = mkdtempSync(join(tmpdir(), 'vectors-types-'));
  after(() => rmSync(project, { recursive: true }));
  cpSync(folder, join(project, 'node_modules', 'scatterwise-vectors'), { recursive: true });
  writeFileSync(join(project, 'main.ts'), `
import { ARRAYS, fromNumbers, load, numbersOf, readIndex, run, shown, Unfit, valueOf, type Adapter, type Call, type Report, type Value } from 'scatterwise-vectors';
import { loop } from 'scatterwise-vectors/adapters/loop';
import { scatterwise } from 'scatterwise-vectors/adapters/scatterwise';
import { tfjs } from 'scatterwise-vectors/adapters/tfjs';

const zeros = ({ shape }: Value): Value => fromNumbers('float32', shape, new Float32Array(4), { round: true });
const mine: Adapter = { name: 'mine', call: ({ op, self, args, options }: Call, watch) => (watch(() => zeros(self)), op === 'take' ? zeros(args.index) : options.axis ? undefined : 'no options') };
const late: Adapter = { name: 'late', version: '1', device: 'cpu', call: async ({ self }) => zeros(self) };
declare const library: { Tensor: typeof Date; open_scope(): { dispose(): void; more: number }; init(): void };
declare const tf: { version_core: string; tensor(values: number[]): object; dispose(all: object[]): void };
const reports: Promise<Report[]> = Promise.all([loop, late, scatterwise(library, 'cpu'), tfjs(tf, 'cpu')].map((one) => run(one, { only: { promise: 'order', dtype: ['int8'], id: /a/ }, beside: mine, onResult: ({ outcome }) => outcome === 'kept' })));
export const all = [reports, load({ op: 'take' }), readIndex().then(({ promises }) => promises.order?.title), numbersOf(fromNumbers('bool', [1], [true])), valueOf({}), shown({}), new Unfit(''), new ARRAYS.int8(new ArrayBuffer(1)).length];
// @ts-expect-error: a dtype has another name
fromNumbers('float', [1], [1]);
// @ts-expect-error: an adapter has a name
export const nameless: Adapter = { call: () => undefined };
// @ts-expect-error: there is no such choice
run(loop, { only: { promises: 'order' } });
// @ts-expect-error: these are no exports of the library
scatterwise({});
`);
  for (const compiler of ['typescript', 'typescript-7']) {
    for (const module of ['nodenext', 'esnext']) {
      const tsc = fileURLToPath(new URL(`../../../node_modules/${compiler}/bin/tsc`, import.meta.url));
      const resolution = module === 'esnext' ? 'bundler' : module;
      const options = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom', '--module', module, '--moduleResolution', resolution];
      const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, 'main.ts'], { cwd: project, encoding: 'utf8' });
      assert.equal(status, 0, `${compiler}, ${module}: ${stdout}`);
    }
  }
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
