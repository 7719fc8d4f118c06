// Values that no function expects, each made for one call. `w` is the call's world (world.js).

import { Mine } from './outcome.js';

/** Takes the bytes of a view away, and returns it. */
const detached = (array) => {
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
};
/** An array whose buffer had `from` bytes, and has `to` now; one of a usual buffer where the engine has none that change their size. */
const resized = ({ isShared, from, to }) => {
  const Buffer = isShared ? globalThis.SharedArrayBuffer : ArrayBuffer;
  const isSupported = Buffer && (isShared ? 'grow' : 'resize') in Buffer.prototype;
  if (!isSupported) return new Int32Array(6);
  const buffer = new Buffer(from, { maxByteLength: 64 });
  const array = new Int32Array(buffer);
  if (isShared) buffer.grow(to);
  else buffer.resize(to);
  return array;
};
const shared = () => (globalThis.SharedArrayBuffer ? new Int32Array(new SharedArrayBuffer(24)) : new Int32Array(6));
/** A function that throws an error of the caller's. */
const trap = (w) => () => w.throwMine();
const traps = ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'set', 'apply', 'construct'];
/** A Proxy that throws whatever is done to it. */
const trapping = (w, target) => new Proxy(target, Object.fromEntries(traps.map((name) => [name, trap(w)])));
const revoked = (target) => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};
/** An object that runs `act` whenever it is converted to a number or to text, and is 1. */
const converting = (w, act) => {
  const convert = () => {
    act();
    return 1;
  };
  return { valueOf: convert, toString: convert, [Symbol.toPrimitive]: convert, toJSON: convert };
};
/** `act`, which changes or disposes of tensors: the world is told, since self may differ then. */
const touching = (w, act) => () => {
  w.touched = true;
  act();
};
/** A disposed tensor. */
const gone = (w) => {
  const t = w.tensor(Float32Array.of(1, 2), [2]);
  t.dispose();
  return t;
};
/** Its getters lie about it. */
class Liar extends Float32Array {
  get length() { return 2 ** 31; }
  get byteLength() { return 2 ** 33; }
  get buffer() { return new ArrayBuffer(1); }
  get [Symbol.toStringTag]() { return 'BigInt64Array'; }
}
/** The object, with a property that throws an error of the caller's when it is read. */
const withGetter = (w, object, key) => Object.defineProperty(object, key, { get: trap(w), configurable: true, enumerable: true });
const cyclic = () => {
  const array = [];
  array.push(array);
  return array;
};
const deep = (depth, inner = [1]) => {
  let array = inner;
  for (let k = 0; k < depth; k++) array = [array];
  return array;
};

/** Values that need no making. */
const plain = {
  undefined: undefined, null: null, true: true, NaN: NaN, '-0': -0, '1.5': 1.5, '-1': -1, '-9': -9, 7: 7, '2^31': 2 ** 31, '-2^31-1': -(2 ** 31) - 1,
  '2^32': 2 ** 32, '2^53': 2 ** 53, '1e300': 1e300, Infinity, '-Infinity': -Infinity, '0n': 0n, '2n^63': 2n ** 63n, '-2n^63': -(2n ** 63n), '2n^64-1': 2n ** 64n - 1n,
  '2n^64': 2n ** 64n, '-2n^70': -(2n ** 70n), '10n^3000': 10n ** 3000n, 'empty string': '', word: 'add', '__proto__ as a word': '__proto__', 'a lone surrogate': '\ud800',
  'a long string': 'x'.repeat(100_000), 'a well-known symbol': Symbol.iterator,
};

/** Functions that make a value for one call. */
const made = {
  'a symbol': () => Symbol('s'),
  'a function': () => () => 1,
  'a class': () => class {},
  'an async function': () => async () => {},
  '{}': () => ({}),
  'an object without a prototype': () => Object.create(null),
  '[]': () => [],
  '[[]]': () => [[]],
  holes: () => [, 1, , 2],
  'a huge sparse array': () => new Array(2 ** 32 - 1),
  ragged: () => [[1, 2], [3]],
  mixed: () => [1, 2n, true],
  'strings in an array': () => ['0', '1'],
  'objects in an array': () => [[{}, null]],
  'NaN in an array': () => [[NaN, 0.5, -0]],
  'far numbers in an array': () => [[2 ** 53, -1e300, 3]],
  'far bigints in an array': () => [[2n ** 64n, -(2n ** 70n)]],
  'a cyclic array': cyclic,
  'an array 40 deep': () => deep(40),
  'typed rows 32 deep': () => deep(32, new Float32Array(5)),
  'an array 20,000 deep': () => deep(20_000),
  'an array-like': () => ({ length: 3, 0: 1, 1: 2, 2: 3 }),
  'a Date': () => new Date(NaN),
  'a RegExp': () => /x/g,
  'a Map': () => new Map([[0, 1]]),
  'a Promise': () => Promise.resolve(1),
  arguments: () => (function () { return arguments; })(1, 2),
  'a detached array': () => detached(new Float32Array(15)),
  'a detached index': () => detached(Int32Array.of(0, 1)),
  'a detached buffer': () => detached(new Float32Array(4)).buffer,
  'a detached DataView': () => detached(new DataView(new ArrayBuffer(8))),
  'an array that shrank': () => resized({ isShared: false, from: 48, to: 24 }),
  'an array that grew': () => resized({ isShared: false, from: 24, to: 48 }),
  'a shared array': shared,
  'a shared array that grew': () => resized({ isShared: true, from: 24, to: 48 }),
  'an array of the wrong length': () => new Float32Array(14),
  'an empty typed array': () => new Float64Array(0),
  'an array at an odd place': () => new Uint8Array(new ArrayBuffer(19), 3, 15),
  'a clamped array': () => new Uint8ClampedArray(15),
  bigints: () => BigInt64Array.of(0n, -(2n ** 63n)),
  'an odd DataView': () => new DataView(new ArrayBuffer(9), 1, 7),
  'an array that lies': () => new Liar(6),
  'a typed array with the prototype of another': () => Object.setPrototypeOf(new Float32Array(6), Int32Array.prototype),
  'a plain object with the prototype of a typed array': () => Object.create(Float32Array.prototype),
  'a frozen array': () => Object.freeze([[0, 1, 2], [1, 1, 0]]),
  'an array with a getter that throws': (w) => [withGetter(w, [0, 1, 2], 1), [1, 1, 0]],
  'options with a getter that throws': (w) => withGetter(w, { a: 1 }, 'reduce'),
  'a getter of then that throws': (w) => withGetter(w, new Float32Array(15), 'then'),
  'then that answers at once': () => ({ then: (done) => done(1) }),
  'a constructor that throws': (w) => withGetter(w, {}, 'constructor'),
  'a tag that throws': (w) => withGetter(w, {}, Symbol.toStringTag),
  'an iterator that throws': (w) => ({ length: 1, [Symbol.iterator]: trap(w) }),
  'a revoked Proxy': () => revoked({}),
  'a revoked Proxy of an array': () => revoked([]),
  'a revoked Proxy of a function': () => revoked(() => {}),
  'an array with a revoked Proxy in it': () => [revoked([]), [1]],
  'a trapping Proxy': (w) => trapping(w, {}),
  'a trapping Proxy of an array': (w) => trapping(w, []),
  'a Proxy of a typed array': () => new Proxy(new Float32Array(6), {}),
  'a Proxy of an array': () => new Proxy([[0, 2, 1], [1, 1, 0]], {}),
  'conversions that throw': (w) => converting(w, trap(w)),
  'conversions that dispose of self': (w) => converting(w, touching(w, () => w.self.dispose())),
  'conversions that dispose of operands': (w) => converting(w, touching(w, () => { w.index.dispose(); w.src.dispose(); })),
  'conversions that call the library': (w) => converting(w, touching(w, () => w.self.mul_(2))),
  'conversions that allocate': (w) => converting(w, () => w.lib.Tensor.zeros([1 << 14], { device: w.device }).dispose()),
  self: (w) => w.self,
  'a tensor': (w) => w.src,
  'an index': (w) => w.index,
  'a plan': (w) => w.plan,
  'a disposed tensor': gone,
  'a disposed plan': (w) => { w.plan.dispose(); return w.plan; },
  'a frozen tensor': (w) => Object.freeze(w.tensor(Float32Array.of(1, 2), [2])),
  'a Proxy of a tensor': (w) => new Proxy(w.src, {}),
  'a Proxy of a plan': (w) => new Proxy(w.plan, {}),
  'Object.create(t)': (w) => Object.create(w.src),
  'a copy of own properties': (w) => Object.assign(Object.create(w.lib.Tensor.prototype), w.src),
  'a spread tensor': (w) => ({ ...w.src }),
  'the prototype of tensors': (w) => w.lib.Tensor.prototype,
  'the prototype of plans': (w) => w.lib.IndexPlan.prototype,
  'the class': (w) => w.lib.Tensor,
  'a tensor of another copy': (w) => w.stage.foreign?.tensor ?? {},
  'a plan of another copy': (w) => w.stage.foreign?.plan ?? {},
  'a subclass': (w) => w.keep(new (class extends w.lib.Tensor {})(Float32Array.of(1, 2), { device: w.device })),
  'a tensor with a shape of its own': (w) => Object.defineProperty(w.tensor(Float32Array.of(1, 2), [2]), 'shape', { get: trap(w) }),
  'a tensor in an array': (w) => [w.src, w.src],
  'an error of the caller\'s': (w) => new Mine('a value'),
  'a tensor without a prototype': (w) => Object.setPrototypeOf(w.tensor(Float32Array.of(1), [1]), null),
};

/** Every adversarial value: `make(w)` makes it for the call of a world. */
export const adversarial = [
  ...Object.entries(plain).map(([name, value]) => ({ name, make: () => value })),
  ...Object.entries(made).map(([name, make]) => ({ name, make })),
];
