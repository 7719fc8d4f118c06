// NumPy's files: those in files/ were written by NumPy (see write.py). Where Python has NumPy, it reads ours back too.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { init, Tensor, ValueError } from 'scatterwise';

const folder = new URL('files/', import.meta.url);
/** The bytes of a file there, by its name without the ending. */
const file = (name) => readFileSync(new URL(`${name}.npy`, folder));
await init({ device: 'cpu' });

const whole = [[0, 1, 2], [3, 4, 255]];
const bigints = (values) => values.map((row) => row.map(BigInt));
const line = [0, 1, 2];
const nested = [[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]];

/** What NumPy wrote into each file: dtype and values. */
const written = {
  bool: ['bool', whole.map((row) => row.map(Boolean))],
  int8: ['int8', [[0, 1, 2], [3, 4, -1]]],
  uint8: ['uint8', whole],
  int16: ['int16', whole],
  uint16: ['uint16', whole],
  int32: ['int32', whole],
  uint32: ['uint32', whole],
  int64: ['int64', bigints(whole)],
  uint64: ['uint64', bigints(whole)],
  float16: ['float16', [[0.5, -0, 2 * 2 ** -24], [Infinity, -Infinity, NaN]]],
  float32: ['float32', [[0.5, -0, Math.fround(1e-7)], [Infinity, -Infinity, NaN]]],
  float64: ['float64', [[0.5, -0, 1e-7], [Infinity, -Infinity, NaN]]],
  version1: ['float32', line],
  version2: ['float32', line],
  version3: ['float32', line],
  scalar: ['float64', 1.5],
  empty: ['int32', []],
  fortran: ['int32', nested],
  big_endian: ['float32', line],
  big_endian_int64: ['int64', [1n, -2n]],
};
/** Files that NumPy wrote of arrays that have no tensor, and what the error says. */
const refused = {
  complex: /dtype '<c8' has no counterpart/,
  structured: /structured dtypes/,
  unicode: /dtype '<U3' has no counterpart/,
  datetime: /dtype '<M8\[D\]' has no counterpart/,
  object: /dtype '\|O' has no counterpart/,
};

test('every file is expected to be read or refused', () => {
  const names = readdirSync(folder).map((name) => name.replace('.npy', ''));
  assert.deepEqual(names.sort(), [...Object.keys(written), ...Object.keys(refused)].sort());
});

test('files that NumPy wrote are read', async () => {
  for (const [name, [dtype, values]] of Object.entries(written)) {
    const t = Tensor.from_npy(file(name));
    assert.equal(t.dtype, dtype, name);
    assert.deepEqual(await t.tolist(), values, name);
  }
  assert.deepEqual(Tensor.from_npy(file('empty')).shape, [0, 3]);
});

test('what has no counterpart is refused', () => {
  for (const [name, message] of Object.entries(refused)) {
    const wanted = { name: 'ValueError', code: 'invalid-npy', op: 'Tensor.from_npy', argument: 'bytes', message };
    assert.throws(() => Tensor.from_npy(file(name)), wanted, name);
  }
});

test('files are written byte for byte as NumPy writes them', async () => {
  const differ = ['version2', 'version3', 'fortran', 'big_endian', 'big_endian_int64']; // read, and written as version 1
  for (const name of Object.keys(written).filter((name) => !differ.includes(name))) {
    const bytes = await Tensor.from_npy(file(name)).to_npy();
    assert.ok(bytes instanceof Uint8Array);
    assert.deepEqual(Buffer.from(bytes), file(name), name);
  }
});

test('NumPy reads our files', (t) => {
  if (spawnSync('python3', ['-c', 'import numpy']).status !== 0) return t.skip('python3 has no NumPy here');
  return readBack();
});

/** Has NumPy read our files, and compares dtype, shape and bytes. */
async function readBack() {
  const out = mkdtempSync(join(tmpdir(), 'scatterwise-npy-'));
  try {
    const given = [
      new Tensor([[1.5, -0, NaN], [Infinity, 1e-40, 3]]),
      new Tensor([[1n], [-(2n ** 63n)]]),
      new Tensor([2n ** 64n - 1n]),
      new Tensor(true),
      new Tensor([[[true, false]]]),
      Tensor.zeros([0, 2, 3], { dtype: 'int16' }),
      new Tensor([0.1, 65504], { dtype: 'float16' }),
      Tensor.arange(1000).reshape([10, 10, 10]),
    ];
    // Prints a line for each file.
    const script = 'import json,sys,numpy as n\nfor f in sys.argv[1:]:\n a=n.load(f)\n print(json.dumps([str(a.dtype),list(a.shape),a.tobytes().hex()]))';
    const names = given.map((_, at) => join(out, `${at}.npy`));
    for (const [at, tensor] of given.entries()) writeFileSync(names[at], await tensor.to_npy());
    const lines = execFileSync('python3', ['-c', script, ...names], { encoding: 'utf8' }).trim().split('\n');
    for (const [at, tensor] of given.entries()) {
      const values = await tensor.data();
      const hex = Buffer.from(values.buffer).toString('hex');
      assert.deepEqual(JSON.parse(lines[at]), [tensor.dtype, tensor.shape, hex]);
    }
  } finally {
    rmSync(out, { recursive: true });
  }
}

test('bytes come as an ArrayBuffer, a Uint8Array or part of a larger one', async () => {
  const bytes = Uint8Array.from(file('float32'));
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  for (const each of [bytes, bytes.buffer, shifted.subarray(3), shared, Buffer.concat([bytes, Buffer.from('more')])]) {
    assert.deepEqual(await Tensor.from_npy(each).tolist(), written.float32[1]);
  }
  for (const each of [undefined, null, 'a.npy', [1, 2], new DataView(bytes.buffer), {}]) {
    assert.throws(() => Tensor.from_npy(each), { name: 'TypeError', code: 'invalid-argument', argument: 'bytes' });
  }
});

test('options are those of the constructor', async () => {
  const t = Tensor.from_npy(file('int16'), { dtype: 'float64', shape: [3, 2], name: 'x', device: 'cpu' });
  assert.deepEqual([t.dtype, t.shape, t.name], ['float64', [3, 2], 'x']);
  assert.deepEqual(await t.tolist(), [[0, 1], [2, 3], [4, 255]]);
  assert.throws(() => Tensor.from_npy(file('int16'), { shape: [7] }), { name: 'ValueError' });
  assert.throws(() => Tensor.from_npy(file('int16'), { dtyp: 'int8' }), { name: 'TypeError', code: 'unknown-option' });
});

test('bfloat16 has no place in a .npy file', async () => {
  const t = new Tensor([1, 2], { dtype: 'bfloat16' });
  assert.throws(() => t.to_npy(), { name: 'TypeError', op: 'Tensor.to_npy', message: /astype\('float32'\)/ });
  assert.deepEqual(await Tensor.from_npy(await t.astype('float32').to_npy()).tolist(), [1, 2]);
});

test('raw bytes are refused with what they may be', () => {
  for (const [descr, way] of [['|V1', /float8$/], ['<V2', /astype\('float32'\); this is how NumPy saves bfloat16$/], ['|V3', /a\.view\('uint8'\)$/], ['|V16', /a\.view\('uint8'\)$/]]) {
    assert.throws(() => Tensor.from_npy(made(described('(1,)', `'${descr}'`), 16)), { code: 'invalid-npy', message: way });
  }
});

/** A .npy file with that header, a text, and `size` bytes of zeros as data. */
function made(header, size = 0, version = 1) {
  const text = `${header}\n`;
  // The length of the header, little-endian: two bytes in version 1, four in the others.
  const start = version === 1 ? [text.length & 255, text.length >> 8] : [text.length & 255, (text.length >> 8) & 255, text.length >> 16, 0];
  return Buffer.concat([Buffer.from([0x93, ...Buffer.from('NUMPY'), version, 0, ...start]), Buffer.from(text, 'latin1'), Buffer.alloc(size)]);
}
/** A header as NumPy writes it. The shape, `descr` (the dtype) and `order` (whether elements are in Fortran's order) are Python code. */
const described = (shape, descr = "'<f4'", order = 'False') => `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }`;

test('headers are read as Python reads them', () => {
  const headers = {
    "{'shape': (2,), 'descr': '<f4', 'fortran_order': False}": [2],
    '{"descr":"<f4","fortran_order":False,"shape":(2,1)}': [2, 1],
    "  { 'descr' : '<f4' , 'fortran_order' : True , 'shape' : ( 1 , 2 , ) , }   ": [1, 2],
    "{'descr': 'f4', 'fortran_order': False, 'shape': (), }": [],
    "{'descr': '=f4', 'fortran_order': False, 'shape': (0, 70000), }": [0, 70000],
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1L, 2L), }": [1, 2], // as Python 2 wrote it
    "{u'descr': u'<f4', u'fortran_order': False, u'shape': (1L,), }": [1], // and with unicode_literals
    "{U'descr': U'<f4', 'fortran_order': False, u\"shape\": (), }": [],
  };
  for (const [header, shape] of Object.entries(headers)) {
    for (const version of [1, 2, 3]) assert.deepEqual(Tensor.from_npy(made(header, 8, version)).shape, shape, header);
  }
});

test('texts for dtypes are read as NumPy reads them, with every number of elements', async () => {
  const known = JSON.parse(readFileSync(new URL('descrs.json', import.meta.url), 'utf8'));
  // NumPy defines them by its own computer; on others they have another size. It never writes them.
  const unsized = /^([<>=|]?[lLnNpP]|u?int|u?int[p_]|u?long)$/;
  let read = 0;
  const texts = Object.entries(known).flatMap(([name, texts]) => texts.map((text) => [text, name === 'none' ? null : name]));
  for (const [descr, dtype] of texts) {
    const width = dtype === null ? 8 : dtype === 'bool' ? 1 : Number(/\d+/.exec(dtype)) / 8;
    for (const [shape, count] of [['()', 1], ['(0,)', 0], ['(1,)', 1], ['(3,)', 3], ['(1, 3)', 3], ['(2, 0)', 0]]) {
      for (const order of ['False', 'True']) {
        const bytes = made(described(shape, `'${descr}'`, order), width * count);
        const isBig = descr[0] === '>' && width > 1;
        for (let k = 0; k < count; k++) bytes[bytes.length - width * count + k * width + (isBig ? width - 1 : 0)] = k + 1;
        const message = unsized.test(descr) ? /its size depends on the computer/ : /has no counterpart here: .*(\ba\b|astype)/;
        if (dtype === null || unsized.test(descr)) assert.throws(() => Tensor.from_npy(bytes), { name: 'ValueError', code: 'invalid-npy', message }, descr);
        else {
          const t = Tensor.from_npy(bytes);
          const expected = Uint8Array.from({ length: width * count }, (_, k) => (k % width === 0 ? (dtype === 'bool' ? 1 : k / width + 1) : 0));
          assert.deepEqual([t.dtype, t.shape.join()], [dtype, shape.match(/\d+/g)?.join() ?? ''], descr);
          assert.deepEqual(new Uint8Array((await t.data()).buffer), expected, `${descr} ${shape}`);
          read++;
        }
      }
    }
  }
  assert.ok(read > 1000, `${read} files`);
});

test('large arrays in either order of bytes and of elements', async () => {
  for (const dtype of ['bool', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float16', 'float32', 'float64']) {
    const t = Tensor.arange(3003).astype(dtype).reshape([7, 3, 11, 13]); // an odd number, for the narrow dtypes
    const little = Buffer.from(await t.to_npy());
    const header = little.indexOf('\n') + 1;
    const width = (little.length - header) / 3003;
    const kind = /'[<|](..)'/.exec(little.toString('latin1'))[1];
    // The place of element k in Fortran's order, where the first coordinate changes fastest.
    const fortran = (k) => Math.floor(k / 429) + 7 * ((Math.floor(k / 143) % 3) + 3 * ((Math.floor(k / 13) % 11) + 11 * (k % 13)));
    for (const isBig of [false, true]) {
      for (const isFortran of [false, true]) {
        const data = Buffer.alloc(3003 * width);
        for (let k = 0; k < 3003; k++) {
          const element = Buffer.from(little.subarray(header + k * width, header + (k + 1) * width));
          data.set(isBig ? element.reverse() : element, (isFortran ? fortran(k) : k) * width);
        }
        const file = Buffer.concat([made(described('(7, 3, 11, 13)', `'${isBig ? '>' : '<'}${kind}'`, isFortran ? 'True' : 'False')), data]);
        for (const bytes of [file, Buffer.concat([Buffer.alloc(1), file]).subarray(1)]) assert.ok(await Tensor.from_npy(bytes).equals(t), `${dtype} ${isBig} ${isFortran}`);
      }
    }
  }
});

test('the file is only read, and may be changed by the options', async () => {
  const bytes = Uint8Array.from(file('big_endian'));
  const kept = bytes.slice();
  Tensor.from_npy(bytes);
  assert.deepEqual(bytes, kept);
  const changing = {
    get name() {
      structuredClone(bytes, { transfer: [bytes.buffer] });
      return 'x';
    },
  };
  assert.throws(() => Tensor.from_npy(bytes, changing), { name: 'TypeError', code: 'invalid-argument', argument: 'bytes', message: /detached/ });
});

test('malformed, truncated and absurd files are ValueErrors, never anything else', () => {
  const bad = [
    made(''), made('{}'), made('{'), made('}'), made('[]'), made('None'), made(described('2')), made(described('(2)'), 8),
    made(described('(-2,)')), made(described('(2.5,)')), made(described('(1e3,)')), made(described("('2',)")), made(described('(2 2,)')), made(described('(,)')),
    made(described('(2,,)')), made(described('((2,),)')), made(described('[2]')), made(described('(2,)', "'<f4'", '0'), 8),
    made(described('(2,)', "'<f3'")), made(described('(2,)', "'<f16'")), made(described('(2,)', "''")), made(described('(2,)', "'<b8'")),
    made(described('(2,)', '2')), made(described('(2,)', "'__proto__'")), made(described('(2,)').replace('descr', 'dtype'), 8),
    made(described('(2,)').replace(", 'shape': (2,)", '')), made(described('(2,)').replace('}', "'descr': '<f4', }"), 8),
    made(described('(2,)').replace('}', "'more': (1,), }"), 8), made(`${described('(2,)')}; import os`, 8),
    made(described('(2,)'), 7), made(described('(99999999999,)'), 8), made(described('(4294967295, 4294967295, 4294967295)'), 8),
    made(described(`(${'9'.repeat(400)},)`), 8), made(described(`(0, ${'9'.repeat(400)})`)), made(described('(4294967296, 0)')),
    made(described(`(${'1, '.repeat(33)})`), 4), made(described('(0, 4294967295, 4294967295, 4294967295, 4294967295)')),
    made(`{${' '.repeat(20000)}}`), made(described('(1,)'), 4, 0), made(described('(1,)'), 4, 4), Buffer.alloc(0), Buffer.from('\x93NUMPY', 'latin1'),
    Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]), Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 2, 0, 255, 255, 255, 255]), Buffer.from('PK\x03\x04'),
  ];
  const good = file('float32');
  for (let length = 0; length < good.length; length++) bad.push(good.subarray(0, length));
  for (const bytes of bad) assert.throws(() => Tensor.from_npy(bytes), (error) => error instanceof ValueError, bytes.toString('latin1'));
});

test('no change of single bytes does worse than a ValueError', () => {
  const good = file('fortran');
  let read = 0;
  // The header is 128 bytes long. The bytes are 0, 1, 255, and characters of the header: quote, parenthesis, digits, brace.
  for (let at = 0; at < 128; at++) {
    for (const byte of [0, 1, 39, 40, 48, 57, 123, 255]) {
      const changed = Buffer.from(good);
      changed[at] = byte;
      try {
        Tensor.from_npy(changed).dispose();
        read++;
      } catch (error) {
        assert.ok(error instanceof ValueError, `${at} ${byte}: ${error}`);
      }
    }
  }
  assert.ok(read > 0);
});
