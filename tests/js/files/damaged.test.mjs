// Files that are damaged or adversarial: each is refused by an error of ours, which leaves no tensor behind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, RuntimeError, Tensor, ValueError } from 'scatterwise';
import { load_npz, load_safetensors, save_npz, save_safetensors } from 'scatterwise/files';
import { file, isRefused, leavesNothing, npz } from './shared.mjs';

await init({ device: 'cpu' });

// ---------------------------------------------------------------- damaged archives

/**
 * A copy of an archive with numbers written over. Each change is [offset, width, value]: the offset in bytes from where `find` says, the
 * width in bytes, and an unsigned little-endian number.
 */
function changed(bytes, find, ...changes) {
  const copy = Uint8Array.from(bytes);
  const view = new DataView(copy.buffer);
  const base = find(Buffer.from(copy));
  for (const [offset, width, value] of changes) view[`setUint${8 * width}`](base + offset, value, true);
  return copy;
}
/** Where the record at the end of an archive begins, the first record of its directory, and the archive itself: that of its first file. */
const end = (buffer) => buffer.lastIndexOf('PK\x05\x06');
const entry = (buffer) => buffer.indexOf('PK\x01\x02');
const start = () => 0;
// Offsets in these. `end`: 4 the number of the disk, 8 and 10 the files on this disk and in all, 16 where the directory is.
// `entry`: 8 flags, 10 method, 16 CRC-32, 20 and 24 the compressed and the true size, 28 the length of the name, 34 the disk, 42 where the
// file is. `start`: 26 the length of the name; 60 and 2000 are in the data of the archives below.
test('archives that are damaged, adversarial or of another kind are ValueErrors', async () => {
  const good = await save_npz({ a: Tensor.zeros([1000]), b: Tensor.ones([2]) }, { compressed: true });
  const stored = await save_npz({ a: Tensor.zeros([1000]) });
  await leavesNothing(async () => {
    const cases = [
      [new Uint8Array(0), /this is no zip archive/],
      [Buffer.from('PK\x03\x04 and so on, for long enough'), /this is no zip archive/],
      [file('../../npy/files/float32.npy'), /use Tensor\.from_npy/],
      [changed(good, end, [4, 2, 1]), /spread over several/],
      [changed(good, end, [8, 2, 1]), /spread over several/],
      [changed(good, end, [8, 2, 65535], [10, 2, 65535]), /directory of the archive is damaged/],
      [changed(good, end, [16, 4, 0xffffffff]), /beyond its end/],
      [changed(good, end, [16, 4, 0xfffffff0]), /beyond its end/],
      [changed(good, end, [8, 2, 1], [10, 2, 1]), /longer than its entries/],
      [changed(good, end, [8, 2, 3], [10, 2, 3]), /directory of the archive is damaged/],
      [changed(good, entry, [0, 1, 7]), /directory of the archive is damaged/],
      [changed(good, entry, [28, 2, 60000]), /directory of the archive is damaged/],
      [changed(good, entry, [24, 4, 0xffffffff]), /'a': its data is damaged: \d+ bytes cannot hold 4294967295/],
      [changed(good, entry, [34, 2, 3]), /spread over several/],
      [changed(good, entry, [42, 4, 1]), /'a.npy' is not where its directory says/],
      [changed(good, entry, [42, 4, 0xfffffff0]), /'a.npy' is not where its directory says/],
      [changed(good, start, [26, 2, 60000]), /'a.npy' reaches into/],
      [changed(good, entry, [20, 4, good.length]), /'a.npy' reaches into/],
      [changed(good, entry, [8, 2, 1]), /'a': it is encrypted/],
      [changed(good, entry, [10, 2, 99]), /'a': it is compressed by method 99/],
      [changed(good, entry, [16, 4, 1]), /'a': its data is damaged/],
      [changed(good, entry, [24, 4, 100]), /'a': its data is damaged: it is longer than the 100 bytes/],
      [changed(good, entry, [24, 4, 4200]), /'a': its data is damaged/],
      [changed(good, entry, [24, 4, 0xfffffff0]), /'a': its data is damaged: \d+ bytes cannot hold 4294967280/],
      [changed(good, start, [60, 4, 0x12345678]), /'a': its data is damaged/],
      [changed(stored, entry, [24, 4, 100]), /'a': its data is damaged: 4128 bytes cannot hold 100/],
      [changed(stored, start, [2000, 1, 1]), /'a': its data is damaged: the CRC-32 is/],
    ];
    for (const [bytes, message] of cases) await assert.rejects(load_npz(bytes, { Tensor }), isRefused('npz', message));
    for (let length = 0; length < good.length; length += 7) await assert.rejects(load_npz(good.subarray(0, length), { Tensor }), isRefused('npz', /./));
  });
});

test('two files of an archive with the same data are refused', async () => {
  const bytes = Buffer.from(await save_npz({ a: Tensor.zeros([9]), b: Tensor.zeros([9]) }));
  const [first, second] = [entry(bytes), bytes.lastIndexOf('PK\x01\x02')];
  // The second record of the directory leads to the first file (bytes 42 to 45 of a record).
  const same = Uint8Array.from(bytes);
  same.set(bytes.subarray(first + 42, first + 46), second + 42);
  await assert.rejects(load_npz(same, { Tensor }), isRefused('npz', /reaches into what follows it/));
  // Both files have the same name.
  const twice = Buffer.from(bytes);
  for (let at = twice.indexOf('b.npy'); at >= 0; at = twice.indexOf('b.npy')) twice[at] = 'a'.charCodeAt(0);
  await assert.rejects(load_npz(twice, { Tensor }), isRefused('npz', /two files for the name 'a'/));
});

test('an archive that unpacks to more than it says does not fill the memory', async () => {
  const zeros = await save_npz({ zeros: Tensor.zeros([30_000_000]) }, { compressed: true });
  assert.ok(zeros.length < 200_000);
  const lying = changed(zeros, entry, [24, 4, 4096]); // the size that the directory promises
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 1);
  await assert.rejects(load_npz(lying, { Tensor }), isRefused('npz', /longer than the 4096 bytes/));
  // Unfinished unpacking would go on meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 50));
  clearInterval(watch);
  assert.ok(most < 60_000_000, `${most} bytes`);
});

test('no change of a byte does worse than an error of ours', async () => {
  const good = await save_npz({ a: new Tensor([[1, 2], [3, 4]]) }, { compressed: true });
  let read = 0;
  for (let at = 0; at < good.length; at++) {
    for (const byte of [0, 1, 80, 255]) { // 80 is P, with which the signatures of an archive begin
      const bytes = Uint8Array.from(good);
      bytes[at] = byte;
      try {
        for (const t of Object.values(await load_npz(bytes, { Tensor }))) t.dispose();
        read++;
      } catch (error) {
        assert.ok(error instanceof ValueError, `${at} ${byte}: ${error.stack}`);
      }
    }
  }
  assert.ok(read > 0);
});

// ---------------------------------------------------------------- damaged safetensors

/**
 * A file of safetensors with `size` bytes of zeros as data. The header is a text, or a value that becomes JSON; the file says that it is
 * `length` bytes long, which is its true length if none is given.
 */
function made(header, size = 0, length = undefined) {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const bytes = Buffer.alloc(8 + text.length + size);
  bytes.writeBigUInt64LE(BigInt(length ?? text.length));
  text.copy(bytes, 8);
  return bytes;
}
/** The header's entry of a float32 tensor whose data are the bytes from `from` up to `to`. */
const f32 = (from, to, shape = [(to - from) / 4]) => ({ dtype: 'F32', shape, data_offsets: [from, to] });

test('safetensors that are damaged or adversarial are ValueErrors', () =>
  leavesNothing(() => {
    const cases = [
      [Buffer.alloc(0), /ends too early: it has 0 bytes/],
      [Buffer.alloc(7), /ends too early: it has 7 bytes/],
      [Buffer.alloc(8), /no JSON object/],
      [made('{}', 0, 3), /ends within its header/],
      [made('{}', 0, 100_000_001), /more than the 100000000/],
      [made('{}', 0, 2n ** 64n - 1n), /more than the 100000000/],
      [made('[]'), /no JSON object/],
      [made(' {}'), /no JSON object/],
      [made('\ufeff{}'), /no JSON object/],
      [made('{'), /no JSON in UTF-8/],
      [made('{"a":1e999}'), /'a' what cannot be read/],
      [made(`{"a":${'['.repeat(500_000)}`), /no JSON in UTF-8/],
      [Buffer.concat([made('{"a": 1}').subarray(0, 10), Buffer.from([0xff, 0x22, 0x3a, 0x31, 0x7d, 0x20])]), /no JSON in UTF-8/],
      [made('{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"\\u0061":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', 4), /'a' twice/],
      [made('{"a":{"dtype":"F32","shape":[2],"shape" : [1],"data_offsets":[0,4]}}', 4), /'shape' twice/],
      [made({ a: null }), /'a' what cannot be read/],
      [made({ a: { ...f32(0, 4), dtype: 4 } }, 4), /'a' what cannot be read/],
      [made({ a: f32(0, 4, [-1]) }, 4), /'a' what cannot be read/],
      [made({ a: f32(0, 4, ['1']) }, 4), /'a' what cannot be read/],
      [made({ a: f32(0, 4, [0.5]) }, 4), /'a' what cannot be read/],
      [made({ a: f32(0, 2 ** 60, [2 ** 58]) }, 4), /'a' what cannot be read/],
      [made({ a: { ...f32(0, 4), data_offsets: [0] } }, 4), /'a' what cannot be read/],
      [made({ a: f32(0, 4, [2]) }, 4), /'a' has 4 bytes of data, and shape \[2\] of F32 takes 8/],
      [made({ a: f32(0, 4, [2 ** 52, 2 ** 52]) }, 4), /'a' has 4 bytes/],
      [made({ a: f32(0, 4, [2 ** 52, 0]) }, 4), /'a' has 4 bytes/],
      [made({ a: f32(4, 0, []) }, 4), /'a' has -4 bytes/],
      [made({ a: { ...f32(4, 0, []), dtype: 'F8_E4M3' } }, 4), /'a' is from 4 to 0/],
      [made({ a: f32(0, 4), b: f32(8, 12) }, 12), /'b' is from 8 to 12, and should begin at 4/],
      [made({ a: f32(0, 4), b: f32(0, 4) }, 4), /'b' is from 0 to 4, and should begin at 4/],
      [made({ a: f32(0, 8), b: f32(4, 12) }, 12), /no overlap/],
      [made({ a: f32(4, 8) }, 8), /should begin at 0/],
      [made({ a: f32(0, 8) }, 7), /ends too early: the tensors take 8 bytes, and there are 7/],
      [made({ a: f32(0, 8) }, 9), /1 bytes behind the last tensor/],
      [made({}, 1), /1 bytes behind the last tensor/],
      [made({ a: { ...f32(0, 4), dtype: 'F16' } }, 4), /'a' has 4 bytes of data, and shape \[1\] of F16 takes 2/],
      [made({ a: { dtype: 'toString', shape: [], data_offsets: [0, 0] } }), /'a' has dtype toString/],
      [made({ __metadata__: { a: 1 } }), /object of strings/],
    ];
    for (const [bytes, message] of cases) assert.throws(() => load_safetensors(bytes, { Tensor }), isRefused('safetensors', message), bytes.toString('latin1').slice(0, 200));
    const good = file('all.safetensors');
    for (let length = 0; length < good.length; length += 3) assert.throws(() => load_safetensors(good.subarray(0, length), { Tensor }), isRefused('safetensors', /./));
  }));

test('what a tensor cannot be is told with its name, and what was loaded before is freed', () =>
  leavesNothing(() => {
    const deep = made({ a: f32(0, 4), b: f32(4, 8, Array(40).fill(1)) }, 8);
    assert.throws(() => load_safetensors(deep, { Tensor }), (error) => error instanceof RuntimeError && error.code === 'rank-limit' && /^load_safetensors: 'b': a tensor has at most/.test(error.message));
    const wide = made({ a: f32(0, 4), b: f32(4, 4, [0, 2 ** 40]) }, 4);
    assert.throws(() => load_safetensors(wide, { Tensor }), { name: 'ValueError', code: 'invalid-shape', op: 'load_safetensors', message: /'b'/ });
  }));

test('bytes of a bool other than 0 and 1 become true', async () => {
  const { tensors } = load_safetensors(Buffer.concat([made({ a: { dtype: 'BOOL', shape: [3], data_offsets: [0, 3] } }), Buffer.from([0, 1, 7])]), { Tensor });
  assert.deepEqual([...await tensors.a.data()], [0, 1, 1]);
});

test('a header is written the same way where the page gave arrays and objects a toJSON', async () => {
  const save = () => save_safetensors({ a: new Tensor([1, 2]) }, { metadata: { by: 'me', 7: '"' } });
  const expected = await save();
  const prototypes = [Array.prototype, Object.prototype];
  for (const prototype of prototypes) Object.defineProperty(prototype, 'toJSON', { value: () => 'planted', configurable: true });
  try {
    assert.equal(Buffer.compare(await save(), expected), 0);
  } finally {
    for (const prototype of prototypes) delete prototype.toJSON;
  }
  assert.deepEqual(load_safetensors(expected, { Tensor }).metadata, { by: 'me', 7: '"' });
});

test('a large header is read', () => {
  const text = `{"__metadata__":{"a":"${'\\"x'.repeat(2_000_000)}"}}`;
  assert.deepEqual(load_safetensors(made({ __metadata__: null }), { Tensor }), { tensors: {}, metadata: {} }, 'null is none, as in the package');
  const { metadata } = load_safetensors(made(text), { Tensor });
  assert.equal(metadata.a.length, 4_000_000);
});
