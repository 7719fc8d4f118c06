// Starting: failures, their errors, and trying again.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { assertTyped, assertWorks, attempt, entry, load, typed } from './package.mjs';

/** The bytes of a file of the package. */
const beside = (name) => readFileSync(new URL(name, pathToFileURL(entry)));
const binary = beside('scatterwise_simd.wasm');
/** A copy of the package that was not started. */
const fresh = () => load(undefined, null);
/** The error with which a promise rejects; the test fails where it does not. */
const failure = (promise) => promise.then((value) => assert.fail(`it started: ${JSON.stringify(value)}`), (error) => error);

const folder = mkdtempSync(join(tmpdir(), 'scatterwise-start-'));
after(() => rmSync(folder, { recursive: true, force: true }));
/** The URL of a new file with these bytes. */
const fileOf = (name, bytes) => {
  writeFileSync(join(folder, name), bytes);
  return pathToFileURL(join(folder, name));
};

/** A module that compiles and is another one: it exports one function, `add`. */
const another = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 7, 1, 3, 97, 100, 100, 0, 0, 10, 4, 1, 2, 0, 11);

/** The number of WebAssembly's section of exports, and the kind of an export that is a function. */
const EXPORTS = 7;
const FUNCTION = 0;

/**
 * The same binary whose exported functions have other names, as in another version. A binary is a header of 8 bytes and sections; one is
 * its number, its length in bytes and its content. That of the exports is their count and, for each, the length of its name, the name, its
 * kind and its number. Lengths, counts and numbers are LEB128.
 */
function renamed() {
  const bytes = Uint8Array.from(binary);
  let at = 8;
  const readUnsigned = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  for (;;) {
    const section = bytes[at++];
    const length = readUnsigned();
    if (section !== EXPORTS) {
      at += length;
      continue;
    }
    for (let left = readUnsigned(); left > 0; left--) {
      const letters = readUnsigned();
      if (bytes[at + letters] === FUNCTION) bytes[at] ^= 0x40; // another first letter
      at += letters + 1;
      readUnsigned(); // the number of exports
    }
    return bytes;
  }
}

/** The same binary with the number of another version in it, which has as many digits: nothing in it may move. */
function stamped() {
  const { version } = JSON.parse(beside('package.json'));
  const other = version.replace(/\d+$/, (last) => (Number(last) + 1) % 10 ** last.length);
  return Buffer.from(binary.toString('latin1').replaceAll(version, other.padStart(version.length, '0')), 'latin1');
}

/** Bytes that are no binary of this package. */
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
    assertTyped(byUrl, { message: new RegExp(`${name.replaceAll(' ', '-')}\\.wasm`) }, name);
    assert.ok(byUrl instanceof lib.RuntimeError);
    const promised = await failure(lib.init({ device: 'cpu', wasm: Promise.resolve(url) }));
    assert.equal(promised.message, byUrl.message, 'a promise of a URL');
    assertTyped(await failure(lib.init({ device: 'cpu', wasm: bytes })), {}, name);
    const atOnce = typed(() => lib.initSync(bytes), {}, name);
    assert.ok(atOnce instanceof lib.RuntimeError);
    await lib.init({ device: 'cpu' });
    assertWorks(lib);
  });
}

test('a file that is not there is named, with the way out', async () => {
  const lib = await fresh();
  const url = pathToFileURL(join(folder, 'missing.wasm'));
  const error = await failure(lib.init({ device: 'cpu', wasm: url }));
  assertTyped(error, { message: /missing\.wasm/ });
  assert.ok(error instanceof lib.RuntimeError);
  assert.match(error.message, /wasm:|init\(\{ *wasm|inline/, 'it says what to do');
  await lib.init({ device: 'cpu' });
  assertWorks(lib);
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
      assertTyped(error, { message: new RegExp(path.replace('.', '\\.')) }, path);
      assert.ok(error instanceof lib.RuntimeError);
    }
    await lib.init({ device: 'cpu' });
    assertWorks(lib);
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
    assertTyped(await failure(value), {}, String(JSON.stringify(options)));
  }
  const mine = new Error('mine');
  const error = await failure(lib.init({ get device() { throw mine; } }));
  if (error !== mine) assertTyped(error);
  await lib.init({ device: 'cpu' });
  assertWorks(lib);
  assertTyped(await failure(lib.init('cpu')), { message: /device/ });
  for (const device of ['bogus', undefined, null, 7, Symbol('x')]) {
    const { value, error, threw } = attempt(() => lib.set_device(device));
    assertTyped(threw ? error : await failure(value), { op: 'set_device' });
  }
  assertWorks(lib);
});

test('a failed start and a good one at the same time, in both orders', async () => {
  for (const order of [['bogus', 'cpu'], ['cpu', 'bogus'], ['bogus', 'cpu', 'bogus', 'cpu']]) {
    const lib = await fresh();
    const results = await Promise.allSettled(order.map((device) => lib.init({ device })));
    assert.deepEqual(results.map(({ status }) => status === 'fulfilled'), order.map((device) => device === 'cpu'));
    for (const { reason } of results) if (reason) assertTyped(reason, { op: 'init' });
    assertWorks(lib);
  }
});

test('initSync: twice, beside init(), with nonsense', async () => {
  const lib = await fresh();
  for (const nonsense of [undefined, null, 7, 'scatterwise.wasm', {}, [], new Float32Array(4), new Proxy({}, {})]) {
    typed(() => lib.initSync(nonsense), {}, String(nonsense));
  }
  const pending = lib.init({ device: 'cpu' });
  const { error, threw } = attempt(() => lib.initSync(binary));
  if (threw) assertTyped(error, { op: 'initSync' });
  await pending;
  assertWorks(lib);
  assert.deepEqual(lib.initSync(binary), lib.backend());
  assert.deepEqual(lib.initSync(new Uint8Array(3)), lib.backend(), 'it runs already');
  const other = await fresh();
  other.initSync(binary);
  const t = new other.Tensor([1, 2]);
  other.initSync(binary);
  assert.deepEqual([...t.data_sync()], [1, 2]);
});

const npyFile = readFileSync(new URL('../npy/files/float32.npy', import.meta.url));

test('before the start every use is refused, and says what to call', async () => {
  const lib = await fresh();
  const calls = [
    () => new lib.Tensor([1]), () => new lib.Parameter([1]), () => lib.Tensor.zeros([2]), () => lib.Tensor.arange(3), () => lib.Tensor.from_npy(npyFile),
    () => lib.IndexPlan.along([2], 0, [0]), () => lib.elementwise_mul([1], [2]), () => lib.backend(), () => lib.memory(), () => lib.gpu_device(),
  ];
  for (const call of calls) {
    const error = typed(call, { code: 'not-initialized', message: /init\(\)/ });
    assert.ok(error instanceof lib.RuntimeError, String(call));
  }
  for (const call of [() => lib.sync(), () => lib.set_device('cpu')]) {
    const { value, error, threw } = attempt(call);
    assertTyped(threw ? error : await failure(value), { code: 'not-initialized' }, String(call));
  }
});

test('a device that is not there', async () => {
  const lib = await load();
  const error = typed(() => new lib.Tensor([1], { device: 'webgpu' }), { op: 'Tensor', message: /webgpu/i });
  assert.ok(error instanceof lib.RuntimeError);
  assertTyped(await failure(lib.init({ device: 'webgpu' })), { message: /WebGPU/ });
  assertTyped(await failure(new lib.Tensor([1]).to('webgpu')), { op: 'Tensor.to' });
  assert.equal(lib.backend().device, 'cpu');
});

/**
 * Runs `use` as on an edge runtime, where a program may start modules that were compiled before, and compile none. Resolves to its result.
 */
async function withoutCompiling(use) {
  const { Module, compile, compileStreaming, instantiate } = WebAssembly;
  const refuse = async () => {
    throw new WebAssembly.CompileError('WebAssembly.compile(): Wasm code generation disallowed by embedder');
  };
  const Refused = function () {
    throw new WebAssembly.CompileError('WebAssembly.Module(): Wasm code generation disallowed by embedder');
  };
  Object.assign(Refused, { customSections: Module.customSections, exports: Module.exports, prototype: Module.prototype });
  const instantiateModule = (source, imports) => (source instanceof Module ? instantiate(source, imports) : refuse());
  Object.assign(WebAssembly, { Module: Refused, compile: refuse, compileStreaming: refuse, instantiate: instantiateModule });
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
      assertTyped(await failure(lib.init({ device: 'cpu' })), { code: 'wasm-forbidden', message: /init\(\{ wasm \}\); in Next\.js copy it beside your script and import '\.\/scatterwise_simd\.wasm\?module'/ });
      await (way === 'init' ? lib.init({ device: 'cpu', wasm: module }) : lib.initSync(module));
    });
    const t = new lib.Tensor([1, 2, 3]);
    const down = () => {
      t.scatter_(0, [0], 1);
      down();
    };
    for (let n = 0; n < 20; n++) assert.throws(down, RangeError);
    assertWorks(lib);
  });
}

test('a module of another realm, as an edge runtime has them', async () => {
  const lib = await fresh();
  const bytes = new Uint8Array(binary);
  const module = runInNewContext('new WebAssembly.Module(bytes)', { bytes });
  assert.ok(!(module instanceof WebAssembly.Module));
  await lib.init({ device: 'cpu', wasm: module });
  assertWorks(lib);
});
