// The built package in Node: found by its name, as its users find it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../../target/npm/scatterwise/', import.meta.url);
const file = (name) => new URL(name, folder);
const require = createRequire(import.meta.url);
const manifest = JSON.parse(await readFile(file('package.json'), 'utf8'));

const entries = ['index.js', 'node.js', 'inline.js', 'cpu.js', 'cpu.node.js', 'cpu/inline.js', 'core.js', 'core.node.js', 'core/inline.js'];
const isCore = (entry) => entry.startsWith('core');

let copies = 0; // another query makes another copy of a module
/** A copy of the package that has not been started, for each test that starts one its own way. */
const fresh = () => import(`${file('node.js')}?copy=${++copies}`);

test('imports by name, starts and scatters', async () => {
  const { default: init, Tensor, backend } = await import('scatterwise');
  const info = await init();
  assert.equal(info.device, 'cpu');
  assert.equal(info.simd, true);
  assert.equal(info.version, manifest.version);
  assert.deepEqual(backend(), info);
  const t = Tensor.zeros([2, 3]);
  assert.equal(t.scatter_(1, [[0], [2]], 5), t);
  assert.deepEqual(await t.tolist(), [[5, 0, 0], [0, 0, 5]]);
});

test('each entry exports what the types declare', async () => {
  const inFile = async (name) => [...(await readFile(file(name), 'utf8')).matchAll(/^export (class|const|function) (\w+)/gm)].map(([, kind, name]) => ({ kind, name }));
  const [whole, core] = [await inFile('index.d.ts'), await inFile('core/types.d.ts')];
  assert.ok(core.length > 30 && core.length < whole.length);
  const declaredBy = (entry) => (isCore(entry) ? core : whole);
  const names = (entry) => [...new Set(['default', ...declaredBy(entry).map(({ name }) => name)])].sort();
  for (const entry of entries) {
    const module = await import(file(entry));
    assert.deepEqual(Object.keys(module).sort(), names(entry), entry);
    assert.equal(module.default, module.init);
    for (const { kind, name } of declaredBy(entry)) if (kind !== 'function') assert.equal(module[name].name, name);
  }
  for (const entry of ['node.cjs', 'cpu.node.cjs', 'core.node.cjs']) assert.deepEqual(Object.keys(require(fileURLToPath(file(entry)))).sort(), names(entry), entry);
});

test('import touches nothing that a server or an old engine may lack', () => {
  for (const entry of entries) {
    const script = `
      for (const name of ['navigator', 'WebAssembly', 'fetch', 'Request', 'Response', 'FinalizationRegistry', 'DecompressionStream']) delete globalThis[name];
      await import(${JSON.stringify(file(entry).href)});
      process.stdout.write('imported');`;
    assert.equal(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }), 'imported');
  }
});

test('before init(), every export of every entry says what to do', async () => {
  const npy = await readFile(new URL('../npy/files/float32.npy', import.meta.url));
  for (const entry of entries) {
    const { default: byDefault, init, initSync, IndexError, RuntimeError, ValueError, Tensor, Parameter, ...rest } = await import(`${file(entry)}?unstarted`);
    class Weight extends Parameter {}
    const classes = [Tensor, Parameter, Weight];
    // Arguments of the static methods of Tensor, and of functions. A function that is not here is called without any: the missing start
    // comes first. Of the other classes (IndexPlan, ExactSum) the first static method is called. Groups has none, and nobody has groups before the start;
    // is_ready answers.
    const made = { zeros: [[1]], ones: [[1]], full: [[1], 2], arange: [3], from_npy: [npy], from_image: [{ data: new Uint8Array(4), width: 1, height: 1 }], from_gpu_buffer: [{}, { dtype: 'int8', shape: [1] }] };
    const args = { ExactSum: [new Uint8Array(1)], set_device: ['cpu'], scatter_mul: [[1], [0], 2], elementwise_mul: [[1], [2]], trace: ['scatter_', [1], 0, [0], 1] };
    const calls = Object.entries(rest).filter(([name]) => name !== 'Groups' && name !== 'is_ready').map(([name, value]) => {
      if (!/^[A-Z]/.test(name)) return [name, () => value(...(args[name] ?? []))];
      const statics = Object.getOwnPropertyNames(value).filter((key) => typeof value[key] === 'function' && !key.startsWith('_'));
      return [name, () => value[statics[0]](...(args[name] ?? [[1], 0, [0]]))];
    });
    calls.push(...classes.map((type) => [`new ${type.name}`, () => new type([1])]));
    // core.test.mjs has what core lacks.
    const lacks = isCore(entry) ? ['from_npy', 'from_image'] : [];
    const statics = Object.getOwnPropertyNames(Tensor).filter((key) => typeof Tensor[key] === 'function' && !key.startsWith('_') && !lacks.includes(key));
    calls.push(...statics.map((key) => [`Tensor.${key}`, () => Tensor[key](...made[key])]));
    assert.ok(calls.length >= 14, entry);
    for (const [name, call] of calls) {
      assert.throws(call, { message: 'scatterwise has not started: call `await init()` first', code: 'not-initialized' }, `${entry}: ${name}`);
    }
  }
});

test('init() is idempotent and may be called concurrently', async () => {
  const { init, Tensor } = await fresh();
  const [first, second] = await Promise.all([init({ device: 'cpu' }), init({ device: 'cpu' })]);
  assert.deepEqual(first, second);
  const t = new Tensor([1, 2]);
  await init();
  assert.deepEqual(await t.tolist(), [1, 2], 'what exists survives another init()');
});

test('init() may be tried again after a failure', async () => {
  const { init, Tensor } = await fresh();
  const attempts = await Promise.allSettled([init({ wasm: file('missing.wasm') }), init()]);
  assert.deepEqual(attempts.map(({ status }) => status), ['rejected', 'fulfilled'], 'one does not fail with the error of the other');
  assert.equal(attempts[0].reason.code, 'wasm-not-found');
  const other = await fresh();
  await assert.rejects(other.init({ wasm: 'not a URL' }), { name: 'RuntimeError', code: 'wasm-not-found' });
  await other.init();
  assert.equal(new Tensor([1]).size, 1);
});

test('the binary may come from a URL, as bytes or compiled, and may be the scalar one', async () => {
  const bytes = await readFile(file('scatterwise_scalar.wasm'));
  for (const wasm of [file('scatterwise_scalar.wasm'), file('scatterwise_scalar.wasm').href, bytes, new WebAssembly.Module(bytes)]) {
    const { init } = await fresh();
    assert.equal((await init({ wasm })).simd, false);
  }
});

test('initSync() starts from bytes, once', async () => {
  const { init, initSync, Tensor } = await fresh();
  const bytes = await readFile(file('scatterwise_simd.wasm'));
  const pending = init({ wasm: bytes });
  assert.throws(() => initSync(bytes), { message: /await it/ });
  const info = await pending;
  assert.deepEqual(initSync(bytes), info);

  const other = await fresh();
  assert.equal(other.initSync(bytes).device, 'cpu');
  assert.deepEqual(await other.init(), other.backend());
  assert.ok(!(new other.Tensor([1]) instanceof Tensor), 'two copies of the package share nothing');
});

test('a subclass is a Tensor', async () => {
  const { init, Tensor } = await fresh();
  await init();
  class Parameter extends Tensor {}
  const parameter = new Parameter([1, 2]);
  assert.ok(parameter instanceof Parameter && parameter instanceof Tensor);
  assert.equal(parameter.constructor, Parameter);
  assert.equal(parameter.scatter_(0, [0], 7), parameter);
  assert.deepEqual(await parameter.tolist(), [7, 2]);
});

test('where there is no WebGPU, asking for it fails and changes nothing', async () => {
  const { init, backend } = await fresh();
  await init();
  await assert.rejects(init({ device: 'webgpu' }), /WebGPU/);
  assert.equal(backend().device, 'cpu');
});

test('no binary tells of the machine that compiled it', async () => {
  const binaries = ['', 'cpu_', 'core_'].flatMap((flavour) => [`scatterwise_${flavour}simd.wasm`, `scatterwise_${flavour}scalar.wasm`]);
  for (const name of binaries) {
    const text = await readFile(file(name), 'latin1');
    for (const path of [homedir(), fileURLToPath(new URL('../../..', import.meta.url)), '/registry/src/', '/rustc/']) {
      assert.ok(!text.includes(path), `${name} has ${path}`);
    }
  }
});

test('the binary without GPU code calls no JavaScript, and takes numbers only', async () => {
  for (const name of ['cpu_simd', 'cpu_scalar', 'core_simd', 'core_scalar'].map((build) => `scatterwise_${build}.wasm`)) {
    const module = new WebAssembly.Module(await readFile(file(name)));
    assert.deepEqual(WebAssembly.Module.imports(module).map((each) => each.name), ['i0'], name); // it makes the table of references
  }
});

test('the tarball holds what is needed and nothing else', () => {
  const tarball = fileURLToPath(new URL(`../scatterwise-${manifest.version}.tgz`, folder));
  const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
  assert.deepEqual(files.map((name) => name.replace('package/', '')).sort(), [
    'LICENSE-APACHE', 'LICENSE-MIT', 'LICENSE-THIRD-PARTY', 'README.md',
    'core.d.cts', 'core.d.ts', 'core.js', 'core.js.map', 'core.node.cjs', 'core.node.js', 'core.node.js.map', 'core/inline.d.cts', 'core/inline.d.ts', 'core/inline.js', 'core/packed.js', 'core/types.d.cts', 'core/types.d.ts',
    'cpu.d.cts', 'cpu.d.ts', 'cpu.js', 'cpu.js.map', 'cpu.node.cjs', 'cpu.node.js', 'cpu.node.js.map',
    'cpu/inline.d.cts', 'cpu/inline.d.ts', 'cpu/inline.js', 'cpu/packed.js', 'devtools.d.ts', 'devtools.js', 'files.d.ts', 'files.js', 'index.d.cts', 'index.d.ts', 'index.js',
    'index.js.map', 'inline.d.cts', 'inline.d.ts', 'inline.js', 'node.cjs', 'node.js', 'node.js.map', 'package.json', 'packed.js',
    ...['core_scalar', 'core_simd', 'cpu_scalar', 'cpu_simd'].flatMap((build) => [`scatterwise_${build}.wasm`, `scatterwise_${build}.wasm.d.ts`]),
    'scatterwise_kernels.wasm',
    ...['scalar', 'simd'].flatMap((build) => [`scatterwise_${build}.wasm`, `scatterwise_${build}.wasm.d.ts`]),
    'scatterwise_threads.wasm', 'threads.d.cts', 'threads.d.ts', 'threads.js', 'threads.js.map', 'threads.node.cjs', 'threads.node.js', 'threads.node.js.map', 'threads.node.worker.js', 'threads.worker.js',
    'verify.core.js', 'verify.d.ts', 'verify.inline.js', 'verify.js', 'verify.node.js',
  ]);
  assert.equal(manifest.dependencies, undefined);
  assert.equal(manifest.scripts, undefined);
});

test('the stack of an error begins at the caller', async () => {
  const { histogram, init, scatter_mul, Tensor, trace, vjp } = await fresh();
  await init();
  const t = Tensor.ones([2]);
  const calls = {
    'IndexError: Tensor.scatter_:': () => t.scatter_(0, [5], 1), // found in Rust
    'TypeError: Tensor.gather:': () => t.gather('0', [1]), // found by a reader
    'TypeError: Tensor.mul:': () => t.mul(),
    'ValueError: Tensor:': () => new Tensor([1], { dtype: 'float' }),
    'ValueError: Tensor.zeros:': () => Tensor.zeros([-1]),
    'ValueError: histogram:': () => histogram([NaN]),
    'IndexError: scatter_mul:': () => scatter_mul(t, [2], 1),
    'IndexError: Tensor.gather:': () => vjp('gather', [1], t, 0, [7]),
    'IndexError: Tensor.gather: ': () => trace('gather', t, 0, [7]),
  };
  for (const [beginning, call] of Object.entries(calls)) {
    let stack;
    try {
      call();
    } catch (error) {
      ({ stack } = error);
    }
    assert.ok(stack.startsWith(beginning), stack);
    assert.ok(stack.match(/^ +at .*$/m)[0].includes(import.meta.url), stack);
  }
});

test('an error that comes later has a stack too', async () => {
  const { init } = await fresh();
  const error = await init({ wasm: new Uint8Array(8) }).catch((error) => error);
  assert.match(error.stack, /^RuntimeError: init: [\s\S]*\n +at /);
});
