// What once broke the package from JavaScript, each case as small as possible. Run as a program with a number, this file runs the case with
// that place in `reproductions` alone: some of them used to end the process.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { assertTyped, assertWorks, assertWritable, attempt, collect, detach, load, often, refused, typed } from './package.mjs';
import { memoryIsFull } from './reproductions.big.mjs';

/** Buffers and arrays that are not what they seem. */
const arrays = {
  'a detached array as data, 600 times'(lib) {
    const data = detach(Float32Array.of(1, 2));
    typed(() => new lib.Tensor(data), { op: 'Tensor' });
    often(600, () => new lib.Tensor(data));
    assertWorks(lib);
  },
  'a detached array as out'({ Tensor }) {
    const t = new Tensor([1, 2, 3]);
    typed(() => t.data_sync({ out: detach(new Float32Array(3)) }));
    assertWritable(t);
  },
  'a detached file'({ Tensor }) {
    typed(() => Tensor.from_npy(detach(new ArrayBuffer(128))), { op: 'Tensor.from_npy' });
  },
  'an array of 4 GiB'({ Tensor }) {
    typed(() => new Tensor(new Uint8Array(2 ** 32)));
  },
  'a revoked Proxy as data, 600 times'(lib) {
    const { proxy, revoke } = Proxy.revocable([1], {});
    revoke();
    typed(() => new lib.Tensor(proxy));
    often(600, () => new lib.Tensor(proxy));
    assertWorks(lib);
  },
  'a getter among sizes that throws, 1,200 times'(lib) {
    const mine = new Error('mine');
    const shape = Object.defineProperty([1, 1], 1, { get() { throw mine; } });
    const error = refused(() => lib.Tensor.zeros(shape));
    if (error !== mine) assertTyped(error);
    often(1200, () => lib.Tensor.zeros(shape));
    assertWorks(lib);
  },
  async 'an out whose getter of then writes to self'({ Tensor }) {
    const t = new Tensor([true, true]);
    const out = new Uint8Array(2);
    let inner;
    Object.defineProperty(out, 'then', { get() { inner ??= attempt(() => t.mul_(1)); } });
    await t.data({ out });
    assert.equal(inner?.value, t, inner?.error);
  },
};

/** Objects that are no tensors, or tensors that are something else as well. */
const objects = {
  async 'Proxies of tensors that are disposed of'({ Tensor }) {
    const held = [];
    const hold = (k) => held.push({ k, tensor: Tensor.full([64], k) });
    for (let k = 0; k < 300; k++) {
      attempt(() => new Proxy(Tensor.zeros([64]), {}).dispose());
      hold(k);
    }
    for (let n = 0; n < 6; n++) await collect();
    for (let k = 300; k < 600; k++) hold(k);
    const changed = held.filter(({ k, tensor }) => tensor.data_sync().some((value) => value !== k));
    assert.equal(changed.length, 0);
  },
  async 'copies of own properties that outlive their tensor'({ Tensor }) {
    const copies = Array.from({ length: 100 }, () => Object.assign(Object.create(Tensor.prototype), new Tensor([1, 2, 3])));
    for (let n = 0; n < 6; n++) await collect();
    const others = Array.from({ length: 100 }, () => new Tensor([7, 8, 9]));
    for (const copy of copies) typed(() => copy.data_sync());
    for (const other of others) assert.deepEqual([...other.data_sync()], [7, 8, 9]);
  },
  'a plan as the this of a method of tensors'(lib) {
    const plan = lib.IndexPlan.along([4], 0, [0]);
    typed(() => lib.Tensor.prototype.clone.call(plan));
    typed(() => Object.getOwnPropertyDescriptor(lib.IndexPlan.prototype, 'updates').get.call(new lib.Tensor([1])));
    assertWorks(lib);
  },
  'the prototype as this, 30,000 times'(lib) {
    typed(() => lib.Tensor.prototype.shape);
    often(30_000, () => lib.Tensor.prototype.shape);
    assertWorks(lib);
  },
  'a method without an object'({ Tensor }) {
    const { gather } = Tensor.prototype;
    typed(() => gather(0, [0]), { op: 'Tensor.gather' });
  },
  'a frozen tensor that is disposed of'({ Tensor }) {
    const t = Object.freeze(new Tensor([1]));
    t.dispose();
    typed(() => t.size, { code: 'disposed' });
  },
  async 'a tensor of another copy of the package'({ Tensor }) {
    const other = await load();
    const { message } = typed(() => new Tensor([1]).mul(new other.Tensor([1])), { op: 'Tensor.mul', argument: 'other' });
    assert.doesNotMatch(message, /not a Tensor\.?$/, 'it is one, of the other copy');
  },
  'JSON and the keys of a tensor'({ Tensor }) {
    const t = new Tensor([1]);
    assert.doesNotMatch(JSON.stringify(t), /ptr|handle/);
    const { dtype, shape, data } = JSON.parse(JSON.stringify(t));
    assert.deepEqual({ dtype, shape, data }, { dtype: 'float32', shape: [1], data: [1] });
    assert.deepEqual(Object.keys(t).filter((key) => /ptr/.test(key)), []);
  },
  'printing an object that holds a disposed tensor'({ Tensor }) {
    const t = new Tensor([1]);
    t.dispose();
    assert.match(inspect({ t }), /disposed/);
  },
};

/** The end of the stack. */
const stack = {
  'a full stack around calls, 200 times'(lib) {
    for (let n = 0; n < 200; n++) {
      const t = new lib.Tensor([1, 2, 3]);
      // More arguments make larger frames, so that the stack ends at other places of the call.
      const down = (...padding) => {
        t.scatter_(0, [0], 1);
        down(...padding);
      };
      assert.throws(() => down(...Array(n % 13)), RangeError);
      assertWritable(t);
      t.dispose();
    }
    assertWorks(lib);
  },
  'the text of many short dimensions'({ Tensor }) {
    const t = Tensor.zeros(Array(7).fill(6));
    assert.equal(String(t), 'Tensor(shape=[6, 6, 6, 6, 6, 6, 6], dtype=float32, device=cpu)');
    assertWritable(t);
  },
};

/** The texts of errors, and calls without one. */
const facts = {
  'bigints beyond 64 bits keep their sign'({ Tensor }) {
    const { value, error, threw } = attempt(() => new Tensor([1]).scatter_(0, [0], -(2n ** 70n)).data_sync()[0]);
    if (threw) assertTyped(error);
    else assert.equal(value, -(2 ** 70));
  },
  'trace checks an index whose rows are empty'({ Tensor, trace }) {
    const [self, updates] = [Tensor.zeros([2, 0]), Tensor.zeros([1, 0])];
    const { code } = typed(() => self.scatter_add([[5]], updates));
    typed(() => trace('scatter_add', self, [[5]], updates), { code });
  },
  'a disposed operand is named'({ Tensor }) {
    const index = new Tensor([0], { dtype: 'int32' });
    index.dispose();
    typed(() => new Tensor([1]).gather(0, index), { code: 'disposed', op: 'Tensor.gather', argument: 'index' });
  },
  'index values beyond int64 are told as they were given'({ Tensor }) {
    const gather = (entry) => typed(() => new Tensor([1]).gather(0, [entry])).value;
    assert.equal(String(gather(1e300)), '1e+300');
    assert.equal(gather(2n ** 64n - 1n), '18446744073709551615');
  },
  'the smallest int64 is told in full'({ Tensor }) {
    assert.equal(typed(() => new Tensor([1]).gather(0, [-(2n ** 63n)])).value, '-9223372036854775808');
  },
  'full and zeros are named'({ Tensor }) {
    typed(() => Tensor.full([1], 300, { dtype: 'int8' }), { op: 'Tensor.full' });
    typed(() => Tensor.zeros([2 ** 31]), { op: 'Tensor.zeros' });
  },
  'a factor that float32 has no room for'({ Tensor, RuntimeError }) {
    const error = typed(() => new Tensor([1]).mul(1e39), { code: 'value-overflow', op: 'Tensor.mul' });
    assert.ok(error instanceof RuntimeError);
  },
  'a signalling NaN of a file in Fortran order'({ Tensor }) {
    const bitsOfNaN = 0x7f800001;
    // A header of 128 bytes: magic, version 1.0, the length of the text with its newline (118), and the text.
    const text = "{'descr': '<f4', 'fortran_order': True, 'shape': (300, 2), }".padEnd(117);
    const file = new Uint8Array(128 + 2400);
    file.set([0x93, ...Buffer.from('NUMPY'), 1, 0, 118, 0, ...Buffer.from(`${text}\n`)]);
    new Uint32Array(file.buffer, 128).fill(bitsOfNaN);
    for (let n = 0; n < 100; n++) {
      const bits = new Uint32Array(Tensor.from_npy(file).data_sync().buffer);
      assert.ok(bits.every((each) => each === bitsOfNaN));
    }
  },
};

/** The bits of a float32 that is a signalling NaN. An engine that copies it as a number may change them. */
const SIGNALLING = 0x7fb5fec2;

/** Found by the fuzzer. */
const found = {
  'a signalling NaN in a small typed array, in and out, often'({ Tensor }) {
    const bits = new Uint32Array(56).fill(SIGNALLING);
    for (let n = 0; n < 2000; n++) {
      const t = new Tensor(new Float32Array(bits.slice().buffer));
      const out = t.data_sync(n % 2 ? { out: new Float32Array(56) } : {});
      t.dispose();
      assert.deepEqual(new Uint32Array(out.buffer), bits, `call ${n}`);
    }
  },
  'toJSON and reshape without an object'({ IndexPlan, Tensor }) {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const self of [null, undefined, proxy]) {
      if (IndexPlan.prototype.toJSON) typed(() => IndexPlan.prototype.toJSON.call(self));
      typed(() => Tensor.prototype.reshape.call(self, [1]));
    }
  },
};

/** Starting. */
const starts = {
  async 'a start with the binary of something else, then a good one'() {
    const lib = await load(undefined, null);
    const empty = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
    assertTyped(await lib.init({ wasm: empty, device: 'cpu' }).then(() => null, (error) => error));
    await lib.init({ device: 'cpu' });
    assertWorks(lib);
  },
  async 'a start beside one that fails'() {
    const lib = await load(undefined, null);
    const [bad, good] = await Promise.allSettled([lib.init({ device: 'bogus' }), lib.init({ device: 'cpu' })]);
    assert.equal(bad.status, 'rejected');
    assert.equal(good.status, 'fulfilled', good.reason);
    assertWorks(lib);
  },
  async 'use before the start'() {
    const lib = await load(undefined, null);
    for (const use of [() => new lib.Tensor([1]), () => lib.Tensor.zeros([1]), () => lib.memory(), () => lib.initSync(new Uint8Array(4))]) {
      assert.ok(typed(use) instanceof lib.RuntimeError, String(use));
    }
  },
};

/** The cases in their order: `run(lib)` passes or throws. Those that are `isBig` take up to 10 GB of memory. */
export const reproductions = [
  ...[arrays, objects, stack, facts, starts, found].flatMap((group) => Object.entries(group)).map(([name, run]) => ({ name, run, isBig: false })),
  ...Object.entries(memoryIsFull).map(([name, run]) => ({ name, run, isBig: true })),
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { run } = reproductions[Number(process.argv[2])];
  await run(await load());
}
