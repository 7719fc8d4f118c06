// Starting: what goes wrong, what is said of it, and that it can be tried again.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { attempt, entry, isTyped, load, typed, works } from './package.mjs';

const beside = (name) => readFileSync(new URL(name, pathToFileURL(entry)));
const binary = beside('scatterwise_simd.wasm');
const fresh = () => load(undefined, null);
const failure = (promise) => promise.then((value) => assert.fail(`it started: ${JSON.stringify(value)}`), (error) => error);

const folder = mkdtempSync(join(tmpdir(), 'scatterwise-start-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const fileOf = (name, bytes) => {
  writeFileSync(join(folder, name), bytes);
  return pathToFileURL(join(folder, name));
};

/** A module that compiles and is another one: it exports a function of a name of ours. */
const another = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 7, 1, 3, 97, 100, 100, 0, 0, 10, 4, 1, 2, 0, 11);
/** The same binary whose functions have other names, as in another version. */
function renamed() {
  const bytes = Uint8Array.from(binary);
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  for (;;) {
    const section = bytes[at++];
    const length = number();
    if (section !== EXPORTS) {
      at += length;
      continue;
    }
    for (let left = number(); left > 0; left--) {
      const letters = number();
      if (bytes[at + letters] === FUNCTION) bytes[at] ^= 0x40;
      at += letters + 1;
      number();
    }
    return bytes;
  }
}
/** The same binary with another number in its stamp. */
function stamped() {
  const { version } = JSON.parse(beside('package.json'));
  const other = version.replace(/\d+$/, (last) => (Number(last) + 1) % 10 ** last.length);
  return Buffer.from(binary.toString('latin1').replaceAll(version, other.padStart(version.length, '0')), 'latin1');
}
const EXPORTS = 7;
const FUNCTION = 0;

const broken = {
  'an empty file': new Uint8Array(0),
  'a page instead of a binary': Buffer.from('<!doctype html><title>Not found</title>'),
  'a binary that was cut off': binary.subarray(0, binary.length >> 1),
  'an empty module': Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0),
  'another module': another,
  'the binary without GPU code': beside('scatterwise_cpu_simd.wasm'),
  'a binary whose functions have other names': renamed(),
  'a binary of another version': stamped(),
};

for (const [name, bytes] of Object.entries(broken)) {
  test(`${name}: as a URL, as bytes, at once; then a good one`, async () => {
    const url = fileOf(`${name.replaceAll(' ', '-')}.wasm`, bytes);
    const lib = await fresh();
    const byUrl = await failure(lib.init({ device: 'cpu', wasm: url }));
    isTyped(byUrl, { message: new RegExp(`${name.replaceAll(' ', '-')}\\.wasm`) }, name);
    assert.ok(byUrl instanceof lib.RuntimeError);
    isTyped(await failure(lib.init({ device: 'cpu', wasm: bytes })), {}, name);
    const atOnce = typed(() => lib.initSync(bytes), {}, name);
    assert.ok(atOnce instanceof lib.RuntimeError);
    await lib.init({ device: 'cpu' });
    works(lib);
  });
}

test('a file that is not there is named, with the way out', async () => {
  const lib = await fresh();
  const url = pathToFileURL(join(folder, 'missing.wasm'));
  const error = await failure(lib.init({ device: 'cpu', wasm: url }));
  isTyped(error, { message: /missing\.wasm/ });
  assert.ok(error instanceof lib.RuntimeError);
  assert.match(error.message, /wasm:|init\(\{ *wasm|inline/, 'it says what to do');
  await lib.init({ device: 'cpu' });
  works(lib);
});

test('a server that has no such file, and one that answers with a page', async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url.startsWith('/page') ? 200 : 404, { 'content-type': 'text/html' });
    response.end('<!doctype html>');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    const lib = await fresh();
    for (const path of ['none.wasm', 'page.wasm']) {
      const error = await failure(lib.init({ device: 'cpu', wasm: `http://127.0.0.1:${server.address().port}/${path}` }));
      isTyped(error, { message: new RegExp(path.replace('.', '\\.')) }, path);
      assert.ok(error instanceof lib.RuntimeError);
    }
    await lib.init({ device: 'cpu' });
    works(lib);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('options that are none', async () => {
  const wrong = ['cpu', null, 7, true, Symbol('x'), () => {}, [], { device: 'bogus' }, { device: null }, { device: 7 }, { devise: 'cpu' }, { wasm: 7 }, { wasm: {} }, { wasm: { [Symbol.toStringTag]: 'WebAssembly.Module' } }, { gpu: {} }, { gpu: null }, { gpu_device: {} }, { powerPreference: 'much' }];
  const lib = await fresh();
  for (const options of wrong) {
    const { value, error, threw } = attempt(() => lib.init(options));
    assert.ok(!threw, `it throws and does not reject: ${error}`);
    isTyped(await failure(value), {}, String(JSON.stringify(options)));
  }
  const mine = new Error('mine');
  const error = await failure(lib.init({ get device() { throw mine; } }));
  if (error !== mine) isTyped(error);
  await lib.init({ device: 'cpu' });
  works(lib);
  isTyped(await failure(lib.init('cpu')), { message: /device/ });
  for (const device of ['bogus', undefined, null, 7, Symbol('x')]) {
    const { value, error, threw } = attempt(() => lib.set_device(device));
    isTyped(threw ? error : await failure(value), { op: 'set_device' });
  }
  works(lib);
});

test('a failed start and a good one at the same time, in both orders', async () => {
  for (const order of [['bogus', 'cpu'], ['cpu', 'bogus'], ['bogus', 'cpu', 'bogus', 'cpu']]) {
    const lib = await fresh();
    const results = await Promise.allSettled(order.map((device) => lib.init({ device })));
    assert.deepEqual(results.map(({ status }) => status === 'fulfilled'), order.map((device) => device === 'cpu'));
    for (const { reason } of results) if (reason) isTyped(reason, { op: 'init' });
    works(lib);
  }
});

test('initSync: twice, beside init(), with nonsense', async () => {
  const lib = await fresh();
  for (const nonsense of [undefined, null, 7, 'scatterwise.wasm', {}, [], new Float32Array(4), new Proxy({}, {})]) {
    typed(() => lib.initSync(nonsense), {}, String(nonsense));
  }
  const pending = lib.init({ device: 'cpu' });
  const { error, threw } = attempt(() => lib.initSync(binary));
  if (threw) isTyped(error, { op: 'initSync' });
  await pending;
  works(lib);
  assert.deepEqual(lib.initSync(binary), lib.backend());
  assert.deepEqual(lib.initSync(new Uint8Array(3)), lib.backend(), 'it runs already');
  const other = await fresh();
  const t = (other.initSync(binary), new other.Tensor([1, 2]));
  other.initSync(binary);
  assert.deepEqual([...t.data_sync()], [1, 2]);
});

const file = readFileSync(new URL('../npy/files/float32.npy', import.meta.url));

test('before the start every use is refused, and says what to call', async () => {
  const lib = await fresh();
  const calls = [
    () => new lib.Tensor([1]), () => new lib.Parameter([1]), () => lib.Tensor.zeros([2]), () => lib.Tensor.arange(3), () => lib.Tensor.from_npy(file),
    () => lib.IndexPlan.along([2], 0, [0]), () => lib.elementwise_mul([1], [2]), () => lib.backend(), () => lib.memory(), () => lib.gpu_device(),
  ];
  for (const call of calls) {
    const error = typed(call, { code: 'not-initialized', message: /init\(\)/ });
    assert.ok(error instanceof lib.RuntimeError, String(call));
  }
  for (const call of [() => lib.sync(), () => lib.set_device('cpu')]) {
    const { value, error, threw } = attempt(call);
    isTyped(threw ? error : await failure(value), { code: 'not-initialized' }, String(call));
  }
});

test('a device that is not there', async () => {
  const lib = await load();
  const error = typed(() => new lib.Tensor([1], { device: 'webgpu' }), { op: 'Tensor', message: /webgpu/i });
  assert.ok(error instanceof lib.RuntimeError);
  isTyped(await failure(lib.init({ device: 'webgpu' })), { message: /WebGPU/ });
  isTyped(await failure(new lib.Tensor([1]).to('webgpu')), { op: 'Tensor.to' });
  assert.equal(lib.backend().device, 'cpu');
});

/** As an edge runtime: a program may start modules, and compile none. `use` runs meanwhile. */
async function withoutCompiling(use) {
  const { Module, compile, compileStreaming, instantiate } = WebAssembly;
  const refuse = async () => {
    throw new WebAssembly.CompileError('WebAssembly.compile(): Wasm code generation disallowed by embedder');
  };
  const Refused = function () {
    throw new WebAssembly.CompileError('WebAssembly.Module(): Wasm code generation disallowed by embedder');
  };
  Object.assign(Refused, { customSections: Module.customSections, exports: Module.exports, prototype: Module.prototype });
  const only = (source, imports) => (source instanceof Module ? instantiate(source, imports) : refuse());
  Object.assign(WebAssembly, { Module: Refused, compile: refuse, compileStreaming: refuse, instantiate: only });
  try {
    return await use();
  } finally {
    Object.assign(WebAssembly, { Module, compile, compileStreaming, instantiate });
  }
}

for (const way of ['init', 'initSync']) {
  test(`where nothing may be compiled, ${way}() takes a module, and the end of the stack is found all the same`, async () => {
    const module = await WebAssembly.compile(binary);
    await fetch('data:,'); // Node compiles a module of its own for it
    const lib = await fresh();
    await withoutCompiling(async () => {
      isTyped(await failure(lib.init({ device: 'cpu' })), { code: 'wasm-forbidden', message: /init\(\{ wasm \}\); in Next\.js copy it beside your script and import '\.\/scatterwise_simd\.wasm\?module'/ });
      await (way === 'init' ? lib.init({ device: 'cpu', wasm: module }) : lib.initSync(module));
    });
    const t = new lib.Tensor([1, 2, 3]);
    const down = () => {
      t.scatter_(0, [0], 1);
      down();
    };
    for (let n = 0; n < 20; n++) assert.throws(down, RangeError);
    works(lib);
  });
}

test('a module of another realm, as an edge runtime has them', async () => {
  const lib = await fresh();
  const bytes = new Uint8Array(binary);
  const module = runInNewContext('new WebAssembly.Module(bytes)', { bytes });
  assert.ok(!(module instanceof WebAssembly.Module));
  await lib.init({ device: 'cpu', wasm: module });
  works(lib);
});
