// Files of many tensors: those in files/ were written by NumPy and by the safetensors package (see write.py). Where Python has them, it
// reads ours back too.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { init, memory, RuntimeError, Tensor, ValueError } from 'scatterwise';
import { list_npz, list_safetensors, load_npz, load_safetensors, save_npz, save_safetensors } from 'scatterwise/files';
import { file, folder, isRefused, leavesNothing, npz, safe } from './shared.mjs';

await init({ device: 'cpu' });

/**
 * What write.py puts into the array of an integer dtype: its least value, its largest, and 7. `bits` is a bigint; values of 64 bits are
 * bigints too.
 */
const limits = (bits, signed) => {
  const [low, high] = signed ? [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n] : [0n, 2n ** bits - 1n];
  return bits === 64n ? [low, high, 7n] : [Number(low), Number(high), 7];
};
/** What write.py puts into the array of a float dtype; `tiny` is 1e-7 as the dtype rounds it. */
const floats = (tiny) => [[0.5, -0, tiny], [Infinity, -Infinity, NaN]];

/** What the files of both formats hold by name (`arrays` of write.py): dtype and values. */
const common = {
  bool: ['bool', [[true, false], [false, true]]],
  ...Object.fromEntries([8n, 16n, 32n, 64n].flatMap((bits) => [[`int${bits}`, [`int${bits}`, limits(bits, true)]], [`uint${bits}`, [`uint${bits}`, limits(bits, false)]]])),
  float16: ['float16', floats(2 * 2 ** -24)],
  float32: ['float32', floats(Math.fround(1e-7))],
  float64: ['float64', floats(1e-7)],
  scalar: ['float64', 1.5],
  empty: ['int32', []],
};
/** The array that write.py calls `line`. */
const line = ['float32', [0, 1, 2]];
/** Asserts that tensors by name have the dtypes and values of `expected`, and that there are no others. */
async function expectTensors(tensors, expected) {
  assert.deepEqual(Object.keys(tensors).sort(), Object.keys(expected).sort());
  for (const [name, [dtype, values]] of Object.entries(expected)) {
    assert.equal(tensors[name].dtype, dtype, name);
    assert.deepEqual(await tensors[name].tolist(), values, name);
  }
  // Its list is [] whatever its other sizes: write.py gave it the shape (0, 3).
  if (expected.empty) assert.deepEqual(tensors.empty.shape, [0, 3]);
}

test('every file is read here', () => {
  const text = readFileSync(new URL(import.meta.url), 'utf8');
  // By npz('name') or safe('name'), or by its name in the list of a loop.
  const isRead = (name) => new RegExp(`(npz|safe)\\('${name}'|of \\[[^\\]]*'${name}'`).test(text);
  for (const name of readdirSync(folder)) assert.ok(isRead(name.split('.')[0]), name);
});

test('archives that NumPy wrote are read', async () => {
  await expectTensors(await npz('stored'), common);
  const ramp = ['int32', Array.from({ length: 5000 }, (_, k) => k)];
  await expectTensors(await npz('compressed'), { ...common, ramp });
  await expectTensors(await npz('unnamed'), { arr_0: line, arr_1: ['float64', [0, 1, 2]] });
  await expectTensors(await npz('layouts'), { fortran: ['int32', [[0, 1, 2], [3, 4, 5]]], big: line });
  await expectTensors(await npz('streamed'), { line });
  await expectTensors(await npz('zip64'), { first: line, second: line });
  assert.deepEqual(await npz('no_arrays'), {});
});

/** The bytes of an archive whose numbers are all in zip64's fields; `size` is that of the file's extra field, and `spoil` may change it. */
function wideArchive(name, content, { spoil = () => {}, extra = 28 } = {}) {
  const numbers = (...list) => Buffer.concat(list.map(([width, value]) => {
    const bytes = Buffer.alloc(width);
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value));
    else bytes.writeUIntLE(value, 0, width);
    return bytes;
  }));
  const [title, crc] = [Buffer.from(name), crc32(content)];
  const local = Buffer.concat([numbers([4, 0x04034b50], [2, 45], [2, 0], [2, 0], [4, 0], [4, crc], [4, 0xffffffff], [4, 0xffffffff], [2, title.length], [2, 20]), title, numbers([2, 1], [2, 16], [8, content.length], [8, content.length])]);
  const head = numbers([4, 0x02014b50], [2, 45], [2, 45], [2, 0], [2, 0], [4, 0], [4, crc], [4, 0xffffffff], [4, 0xffffffff], [2, title.length], [2, extra + 8], [2, 0], [2, 0xffff], [2, 0], [4, 0], [4, 0xffffffff]);
  // Another field stands before that of zip64.
  const fields = Buffer.concat([numbers([2, 0x7075], [2, 0]), numbers([2, 1], [2, extra], [8, content.length], [8, content.length], [8, 0], [4, 0])]);
  const entry = Buffer.concat([head, title, fields]);
  const start = local.length + content.length;
  const wideEnd = numbers([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, 1], [8, 1], [8, entry.length], [8, start]);
  const locator = numbers([4, 0x07064b50], [4, 0], [8, start + entry.length], [4, 1]);
  const end = numbers([4, 0x06054b50], [2, 0xffff], [2, 0xffff], [2, 0xffff], [2, 0xffff], [4, 0xffffffff], [4, 0xffffffff], [2, 0]);
  const file = Buffer.concat([local, content, entry, wideEnd, locator, end]);
  spoil(file, { entry: start, wideEnd: start + entry.length, locator: start + entry.length + wideEnd.length });
  return file;
}

test('numbers in fields of zip64 are read, and damaged ones are refused', async () => {
  const content = Buffer.from(await new Tensor([0, 1, 2]).to_npy());
  await expectTensors(await load_npz(wideArchive('line.npy', content), { Tensor }), { line });
  assert.deepEqual(await list_npz(wideArchive('line.npy', content)), [{ name: 'line', dtype: 'float32', shape: [3] }]);
  await leavesNothing(async () => {
    const refused = (spoil) => assert.rejects(load_npz(wideArchive('line.npy', content, { spoil }), { Tensor }), { name: 'ValueError', code: 'invalid-npz' });
    await refused((file, { locator }) => file.writeBigUInt64LE(2n ** 63n, locator + 8));
    await refused((file, { locator }) => file.writeUInt32LE(0, locator));
    await refused((file, { wideEnd }) => file.writeUInt32LE(0, wideEnd));
    for (const at of [24, 32, 40, 48]) await refused((file, { wideEnd }) => file.writeBigUInt64LE(2n ** 53n + 2n, wideEnd + at));
    for (const at of [8, 16, 24]) await refused((file, { entry }) => file.writeBigUInt64LE(2n ** 40n, entry + 46 + 8 + at));
    await refused((file, { entry }) => file.writeUInt32LE(1, entry + 46 + 8 + 32)); // the disk
    await refused((file, { entry }) => file.writeUInt16LE(7, entry + 46 + 8 + 6)); // a field that is too short
  });
  await assert.rejects(load_npz(wideArchive('line.npy', content, { extra: 4 }), { Tensor }), { name: 'ValueError' });
});

test('a member without .npy is an array if it begins as one, else its bytes', async () => {
  const content = Buffer.from(await new Tensor([0, 1, 2]).to_npy());
  await expectTensors(await load_npz(wideArchive('line', content), { Tensor }), { line });
  await expectTensors(await load_npz(wideArchive('note', Buffer.from('hi')), { Tensor }), { note: ['uint8', [104, 105]] });
  await assert.rejects(load_npz(wideArchive('note.npy', Buffer.from('hi')), { Tensor }), { name: 'ValueError', code: 'invalid-npy' });
});

test('any name is a property', async () => {
  const names = ['größe', '层/weight', '__proto__', '', 'a.npy', 'constructor'];
  await expectTensors(await npz('names'), Object.fromEntries(names.map((name) => [name, line])));
  const more = [...names.filter((name) => name !== 'a.npy'), 'quo"te\\', '7'];
  await expectTensors(safe('names').tensors, Object.fromEntries(more.map((name) => [name, line])));
});

test('what has no counterpart is named, and the others can be had', async () => {
  await leavesNothing(async () => {
    await assert.rejects(npz('mixed'), { name: 'ValueError', code: 'invalid-npy', op: 'load_npz', message: /'words': dtype '<U3' has no counterpart/ });
    for (const method of ['bzip2', 'lzma']) await assert.rejects(npz(method), isRefused('npz', /'line': it is compressed by method (12|14)/));
    assert.throws(() => safe('float8'), isRefused('safetensors', /'small' has dtype F8_E4M3/));
  });
  await expectTensors(await npz('mixed', { names: ['good', 'good'] }), { good: line });
  await expectTensors(await npz('other_members', { names: ['line'] }), { line });
  await expectTensors(await npz('other_members'), { line, 'read me.txt': ['uint8', [...Buffer.from('no array')]], 'folder/': ['uint8', []] });
  await expectTensors(safe('float8', { names: ['good'] }).tensors, { good: line });
  assert.deepEqual(await npz('mixed', { names: [] }), {});
  const missing = { name: 'ValueError', code: 'unknown-name', argument: 'names', value: 'bad', allowed: ['good', 'words', 'objects'] };
  await assert.rejects(npz('mixed', { names: ['bad'] }), missing);
});

test('every dtype is read in both orders of bytes and with any number of elements', async () => {
  const tensors = await npz('kinds');
  assert.equal(Object.keys(tensors).length, 12 * 2 * 5);
  for (const [name, t] of Object.entries(tensors)) {
    const [dtype, , size] = name.split(' ');
    const shape = { f: [2, 3], s: [] }[size] ?? [Number(size)];
    const values = size === 's' ? [1] : Array.from({ length: size === 'f' ? 6 : Number(size) }, (_, k) => (dtype === 'bool' ? Math.min(k, 1) : k));
    assert.deepEqual([t.dtype, t.shape], [dtype, shape], name);
    assert.deepEqual((await t.reshape([-1]).tolist()).map(Number), values, name);
  }
  const list = await list_npz(file('kinds.npz'));
  assert.deepEqual(list, Object.entries(tensors).map(([name, { dtype, shape }]) => ({ name, dtype, shape })));
});

/** The members of others.npz that are no tensors, with their errors. */
const others = {
  complex: "dtype '<c8' has no counterpart here: save a.real and a.imag",
  long_double: "dtype '<f16' has no counterpart here: convert it in NumPy with astype('float64'), for example",
  bytes: "dtype '|S3' has no counterpart here: save numbers for texts, such as numpy.unique(a, return_inverse=True)[1]",
  text: "dtype '<U3' has no counterpart here: save numbers for texts, such as numpy.unique(a, return_inverse=True)[1]",
  date: "dtype '<M8[D]' has no counterpart here: save a.astype('int64')",
  time: "dtype '<m8[D]' has no counterpart here: save a.astype('int64')",
  objects: "dtype '|O' has no counterpart here: convert it in NumPy with astype('float64'), for example",
  raw: "dtype '|V2' has no counterpart here: save a.astype('float32'); this is how NumPy saves bfloat16",
  fields: "structured dtypes have no counterpart here: save their fields one by one, as in a['x']",
  deep: 'a tensor has at most 32 dimensions, not 40',
};
test('archives are listed, with what can be loaded and why others cannot', async () => {
  const problems = Object.entries(others).map(([name, problem]) => ({ name, problem }));
  const expected = [{ name: 'good', dtype: 'float32', shape: [3] }, ...problems, { name: 'big', dtype: 'int16', shape: [0, 3] }];
  assert.deepEqual(await list_npz(file('others.npz')), expected);
  await leavesNothing(() => assert.rejects(npz('others'), { name: 'ValueError', code: 'invalid-npy', op: 'load_npz', argument: 'bytes', message: `load_npz: 'complex': ${others.complex}; load the others with { names: ['good', 'big'] }` }));
  for (const [name, problem] of Object.entries(others)) await assert.rejects(npz('others', { names: [name] }), { name: 'ValueError', message: `load_npz: '${name}': ${problem}` });
  const { good, big } = await npz('others', { names: ['big', 'good'] });
  assert.deepEqual([big.shape, await good.tolist()], [[0, 3], [0, 1, 2]]);
  assert.deepEqual(await list_npz(file('other_members.npz')), [{ name: 'line', dtype: 'float32', shape: [3] }, { name: 'read me.txt', dtype: 'uint8', shape: [8] }, { name: 'folder/', dtype: 'uint8', shape: [0] }]);
  for (const method of ['bzip2', 'lzma']) assert.match((await list_npz(file(`${method}.npz`)))[0].problem, /it is compressed by method/);
  assert.deepEqual(await list_npz(file('no_arrays.npz')), []);
  assert.deepEqual((await list_npz(file('stored.npz'))).map(({ name, dtype }) => [name, dtype]), Object.entries(common).map(([name, [dtype]]) => [name, dtype]));
  const large = await save_npz({ a: Tensor.zeros([1000, 1000]), b: Tensor.ones([2]) }, { compressed: true });
  assert.deepEqual(await list_npz(large), [{ name: 'a', dtype: 'float32', shape: [1000, 1000] }, { name: 'b', dtype: 'float32', shape: [2] }]);
  for (const wrong of [new Uint8Array(30), file('all.safetensors')]) await assert.rejects(list_npz(wrong), { name: 'ValueError', code: 'invalid-npz', op: 'list_npz', argument: 'bytes' });
  await assert.rejects(list_npz('a.npz'), { name: 'TypeError', op: 'list_npz' });
});

test("a file of SciPy's says which members can be loaded", async () => {
  for (const name of ['sparse_csr', 'sparse_coo']) {
    const isCsr = name === 'sparse_csr';
    const names = isCsr ? ['indices', 'indptr', 'shape', 'data'] : ['row', 'col', 'shape', 'data', '_is_array'];
    const list = names.map((each) => `'${each}'`).join(', ');
    await leavesNothing(() => assert.rejects(load_npz(file(`${name}.npz`), { Tensor }), { name: 'ValueError', message: `load_npz: 'format': ${others.bytes}; load the others with { names: [${list}] }` }));
    const tensors = await load_npz(file(`${name}.npz`), { Tensor, names });
    const values = Object.fromEntries(await Promise.all(Object.entries(tensors).map(async ([key, t]) => [key, Array.from(await t.data(), Number)])));
    const expected = isCsr ? { indices: [2, 0], indptr: [0, 1, 2] } : { row: [0, 1], col: [2, 0], _is_array: [1] };
    assert.deepEqual(values, { ...expected, shape: [2, 3], data: [5, 7] });
  }
});

test('bytes behind an archive are left out, as in NumPy', async () => {
  for (const [name, expected] of [['unnamed', { arr_0: line, arr_1: ['float64', [0, 1, 2]] }], ['no_arrays', {}], ['names', undefined]]) {
    const bytes = file(`${name}.npz`);
    for (const count of [0, 1, 2, 3, 4, 21, 22, 100, 4096, 65_400]) {
      const tensors = await load_npz(Buffer.concat([bytes, Buffer.alloc(count)]), { Tensor });
      if (expected) await expectTensors(tensors, expected);
      else assert.equal(Object.keys(tensors).length, 6); // whose comment has the signature of the end record
    }
    await assert.rejects(load_npz(Buffer.concat([bytes, Buffer.alloc(66_000)]), { Tensor }), isRefused('npz', /no zip archive/));
  }
});

test('the checksum of large contents is checked at every byte', async () => {
  const noise = new Tensor(Uint8Array.from({ length: 100_003 }, (_, k) => (k * 2654435761) >>> 11));
  const good = await save_npz({ noise });
  const from = Buffer.from(good).indexOf('\n') + 1;
  assert.ok(await (await load_npz(good, { Tensor })).noise.equals(noise));
  for (const at of [...Array.from({ length: 40 }, (_, k) => k), 12023, 12024, 16383, 16384, 50_000, 87_978, 87_979, 99_999, 100_002]) {
    const bad = Uint8Array.from(good);
    bad[from + at] ^= 1 << (at & 7);
    await assert.rejects(load_npz(bad, { Tensor }), isRefused('npz', /'noise': its data is damaged: the CRC-32 is/));
  }
  // At every place in memory, with every number of bytes left over.
  for (let length = 65_530; length < 65_570; length++) {
    const part = new Tensor((await noise.data()).slice(0, length));
    const file = await save_npz({ part });
    const shifted = new Uint8Array(file.length + (length & 15));
    shifted.set(file, length & 15);
    assert.ok(await (await load_npz(shifted.subarray(length & 15), { Tensor })).part.equals(part), String(length));
  }
});

test('files of the safetensors package are listed', () => {
  const { tensors, metadata } = list_safetensors(file('all.safetensors'));
  assert.deepEqual(metadata, { format: 'pt' });
  const loaded = safe('all').tensors;
  assert.deepEqual(Object.fromEntries(tensors.map(({ name, ...facts }) => [name, facts])), Object.fromEntries(Object.entries(loaded).map(([name, { dtype, shape }]) => [name, { dtype, shape }])));
  const problem = 'dtype F8_E4M3 has no counterpart here: convert it in Python';
  assert.deepEqual(list_safetensors(file('float8.safetensors')).tensors.sort((a, b) => (a.name < b.name ? -1 : 1)), [{ name: 'good', dtype: 'float32', shape: [3] }, { name: 'small', problem }]);
  assert.deepEqual(list_safetensors(file('no_tensors.safetensors')), { tensors: [], metadata: {} });
  assert.throws(() => safe('float8'), isRefused('safetensors', /'small' has dtype F8_E4M3, .*load the others with { names: \['good'\] }$/));
  for (const wrong of [new Uint8Array(3), file('stored.npz')]) assert.throws(() => list_safetensors(wrong), { name: 'ValueError', code: 'invalid-safetensors', op: 'list_safetensors', argument: 'bytes' });
  assert.throws(() => list_safetensors(), { name: 'TypeError', op: 'list_safetensors' });
});

test('files of the safetensors package are read', async () => {
  const { tensors, metadata } = safe('all');
  await expectTensors(tensors, { ...common, bfloat16: ['bfloat16', [0.5, -0, NaN]] });
  assert.deepEqual(metadata, { format: 'pt' });
  assert.deepEqual(safe('no_tensors'), { tensors: {}, metadata: {} });
  const odd = safe('odd').tensors;
  await expectTensors(odd, { late: ['float32', [1.5]], end: ['float64', []], early: ['uint8', [7]], begin: ['int64', []] });
  assert.deepEqual([odd.end.shape, odd.begin.shape], [[0, 3], [0]]);
});

test('where no other tensor can be loaded, the error names none', () => {
  const header = Buffer.from(JSON.stringify({ one: { dtype: 'C64', shape: [1], data_offsets: [0, 8] } }));
  const length = Buffer.alloc(8);
  length.writeUInt32LE(header.length);
  const bytes = Buffer.concat([length, header, Buffer.alloc(8)]);
  assert.throws(() => load_safetensors(bytes, { Tensor }), isRefused('safetensors', /'one' has dtype C64, .*: convert it in Python$/));
});

test('safetensors are written byte for byte as by the package', async () => {
  for (const name of ['all', 'names', 'no_tensors']) {
    const { tensors, metadata } = safe(name);
    const bytes = await save_safetensors(tensors, Object.keys(metadata).length > 0 ? { metadata } : {});
    assert.deepEqual(Buffer.from(bytes), file(`${name}.safetensors`), name);
  }
});

test('archives that we wrote are read, with the same bytes each time', async () => {
  for (const [name, options] of [['stored', {}], ['compressed', { compressed: true }], ['names', undefined]]) {
    const tensors = await npz(name);
    const bytes = await save_npz(tensors, options);
    assert.ok(bytes instanceof Uint8Array);
    assert.deepEqual(await save_npz(tensors, options), bytes);
    const again = await load_npz(bytes, { Tensor });
    assert.deepEqual(Object.keys(again), Object.keys(tensors));
    for (const key of Object.keys(tensors)) assert.ok(await again[key].equals(tensors[key]), key);
  }
  const big = { zeros: Tensor.zeros([300_000]), noise: new Tensor(Float32Array.from({ length: 100_000 }, Math.random)) };
  const [stored, compressed] = [await save_npz(big), await save_npz(big, { compressed: true })];
  assert.ok(stored.length > 1_600_000 && compressed.length < 420_000);
  for (const bytes of [stored, compressed]) {
    const again = await load_npz(bytes, { Tensor });
    for (const key of Object.keys(big)) assert.ok(await again[key].equals(big[key]), key);
  }
  assert.deepEqual(await load_npz(await save_npz({}), { Tensor }), {});
});

test('Python reads our files', (t) => {
  if (spawnSync('python3', ['-c', 'import numpy, safetensors']).status !== 0) return t.skip('python3 lacks NumPy or safetensors here');
  return readBack();
});

/** Has Python read our files, and compares dtype, shape and bytes of each array, and the metadata. */
async function readBack() {
  const out = mkdtempSync(join(tmpdir(), 'scatterwise-files-'));
  try {
    const { tensors } = safe('all');
    // NumPy has no bfloat16.
    const numpys = Object.fromEntries(Object.entries(tensors).filter(([name]) => name !== 'bfloat16'));
    const written = { 'a.npz': await save_npz(numpys), 'b.npz': await save_npz(numpys, { compressed: true }), 'c.safetensors': await save_safetensors(numpys, { metadata: { by: 'ü' } }) };
    for (const [name, bytes] of Object.entries(written)) writeFileSync(join(out, name), bytes);
    // Prints a line for each file, and one more with the metadata of the last.
    const script = `
import json, sys, numpy, safetensors, safetensors.numpy
for path in sys.argv[1:]:
    tensors = numpy.load(path) if path.endswith('z') else safetensors.numpy.load_file(path)
    print(json.dumps({name: [str(a.dtype), list(a.shape), a.tobytes().hex()] for name, a in tensors.items()}))
    if not path.endswith('z'): print(json.dumps(safetensors.safe_open(path, 'np').metadata()))`;
    const lines = execFileSync('python3', ['-c', script, ...Object.keys(written).map((name) => join(out, name))], { encoding: 'utf8' }).trim().split('\n').map((text) => JSON.parse(text));
    assert.deepEqual(lines.pop(), { by: 'ü' });
    for (const found of lines) {
      assert.deepEqual(Object.keys(found).sort(), Object.keys(numpys).sort());
      for (const [name, tensor] of Object.entries(numpys)) {
        assert.deepEqual(found[name], [tensor.dtype, tensor.shape, Buffer.from((await tensor.data()).buffer).toString('hex')], name);
      }
    }
  } finally {
    rmSync(out, { recursive: true });
  }
}

test('bytes come as from_npy takes them, and may change while an archive is read', async () => {
  for (const [name, load] of [['streamed.npz', load_npz], ['no_tensors.safetensors', load_safetensors]]) {
    const bytes = Uint8Array.from(file(name));
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    for (const each of [bytes, bytes.buffer, shifted.subarray(3), shared, shared.buffer, file(name)]) {
      await load(each, { Tensor });
    }
    const changing = bytes.slice();
    const loading = load(changing, { Tensor });
    changing.fill(0);
    await loading;
    const gone = Uint8Array.from(bytes);
    structuredClone(gone, { transfer: [gone.buffer] });
    for (const each of [undefined, null, 'a.npz', [1, 2], new DataView(new ArrayBuffer(8)), new Float32Array(2), {}, gone]) {
      await assert.rejects(async () => load(each, { Tensor }), { name: 'TypeError', code: 'invalid-argument', argument: 'bytes' });
    }
  }
});

test('options are checked', async () => {
  for (const [load, name] of [[load_npz, 'streamed.npz'], [load_safetensors, 'no_tensors.safetensors']]) {
    const call = async (options) => load(file(name), options);
    for (const options of [undefined, {}, { Tensor: Map }, { Tensor: 1 }, { Tensor: new Tensor(1) }]) {
      await assert.rejects(call(options), { name: 'TypeError', argument: 'Tensor', message: /\{ Tensor \}/ });
    }
    await assert.rejects(call({ Tensor, dtype: 'int8' }), { name: 'TypeError', code: 'unknown-option' });
    for (const names of ['line', [1], [undefined]]) await assert.rejects(call({ Tensor, names }), { name: 'TypeError', argument: 'names' });
    const revoked = Proxy.revocable([], {});
    revoked.revoke();
    await assert.rejects(call({ Tensor, names: revoked.proxy }), { name: 'TypeError', argument: 'names' });
  }
  await assert.rejects(npz('streamed', { device: 'gpu' }), { name: 'ValueError', code: 'unknown-device', op: 'load_npz', message: /^load_npz: 'line': device is 'gpu'/ });
  const { line: onCpu } = await npz('streamed', { device: 'cpu' });
  assert.equal(onCpu.device, 'cpu');
  for (const compressed of [1, 'yes', null]) await assert.rejects(save_npz({}, { compressed }), { name: 'TypeError', argument: 'compressed' });
});

test('every entry has a class of its own, and the errors are of that one', async () => {
  const cpu = await import('scatterwise/cpu');
  await cpu.init();
  const { line: there } = await load_npz(file('streamed.npz'), { Tensor: cpu.Tensor });
  assert.ok(there instanceof cpu.Tensor && !(there instanceof Tensor));
  assert.deepEqual(load_safetensors(await save_safetensors({ there }), { Tensor }).tensors.there.shape, [3]);
  for (const [library, other] of [[cpu, ValueError], [{ Tensor, ValueError }, cpu.ValueError]]) {
    const isOwn = (error) => error instanceof library.ValueError && !(error instanceof other);
    await assert.rejects(load_npz(new Uint8Array(9), { Tensor: library.Tensor }), isOwn);
    assert.throws(() => load_safetensors(new Uint8Array(9), { Tensor: library.Tensor }), isOwn);
  }
});

test('only tensors are saved, and by names that a file can have', async () => {
  const t = new Tensor([1, 2]);
  for (const [op, save] of Object.entries({ save_npz, save_safetensors })) {
    for (const wrong of [undefined, null, 1, 'x', [t], t, () => {}]) await assert.rejects(save(wrong), { name: 'TypeError', op, argument: 'tensors' });
    for (const wrong of [[1], null, new Float32Array(1), { to_npy() {} }]) {
      await assert.rejects(save({ t, wrong }), { name: 'TypeError', code: 'invalid-argument', op, message: /tensors\['wrong'\] must be a Tensor/ });
    }
    // NumPy ends the names of an archive there. A safetensors name may have it.
    const ended = save({ 'one\0two': t });
    if (save === save_npz) await assert.rejects(ended, { name: 'TypeError', op, argument: 'tensors', message: /"one\\u0000two" has the character U\+0000/ });
    else assert.deepEqual(Object.keys(load_safetensors(await ended, { Tensor }).tensors), ['one\0two']);
    await assert.rejects(save({ '\ud800': t }), { name: 'TypeError', message: /half of a surrogate pair/ });
    await assert.rejects(save({ t: new Proxy(t, {}) }), { name: 'TypeError', op, message: /'t': .*Proxy/ });
    const gone = new Tensor([1]);
    gone.dispose();
    await assert.rejects(save({ t, gone }), (error) => error instanceof RuntimeError && error.code === 'disposed' && /'gone': /.test(error.message));
    const adversarial = {
      get t() {
        throw new Error('mine');
      },
    };
    await assert.rejects(save(adversarial), { name: 'TypeError', argument: 'tensors', message: /cannot be read/ });
  }
  const bfloat16 = new Tensor([1], { dtype: 'bfloat16' });
  await assert.rejects(save_npz({ bfloat16 }), { name: 'TypeError', code: 'dtype-mismatch', op: 'save_npz', message: /'bfloat16': NumPy has no bfloat16/ });
  await assert.rejects(save_safetensors({ t }, { metadata: new Map([['by', 'me']]) }), { name: 'TypeError', code: 'invalid-argument', message: /Object\.fromEntries/ });
  await assert.rejects(save_safetensors({ __metadata__: t }), { name: 'TypeError', message: /cannot be called '__metadata__'/ });
  for (const metadata of [1, [], { a: 1 }, { a: '\udc00' }]) await assert.rejects(save_safetensors({ t }, { metadata }), { name: 'TypeError', argument: 'metadata' });
  const saving = [save_npz({ t }), save_safetensors({ t })];
  t.dispose();
  const [first, second] = await Promise.all(saving);
  assert.deepEqual(await (await load_npz(first, { Tensor })).t.tolist(), [1, 2]);
  assert.deepEqual(await load_safetensors(second, { Tensor }).tensors.t.tolist(), [1, 2]);
});

test('an engine without the streams reads and writes what is not compressed', async () => {
  const { CompressionStream, DecompressionStream } = globalThis;
  const stored = { a: Tensor.ones([3]) };
  delete globalThis.CompressionStream;
  delete globalThis.DecompressionStream;
  try {
    for (const call of [() => npz('streamed'), () => save_npz(stored, { compressed: true })]) {
      await assert.rejects(call(), (error) => error instanceof RuntimeError && error.code === 'engine-too-old' && /numpy\.savez/.test(error.message));
    }
    assert.deepEqual((await load_npz(await save_npz(stored), { Tensor })).a.shape, [3]);
  } finally {
    Object.assign(globalThis, { CompressionStream, DecompressionStream });
  }
});
