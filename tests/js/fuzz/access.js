// Arguments that look right and do something when they are looked at for the n-th time.

import { isOwned } from './callables.js';
import { attempt, Mine } from './outcome.js';

/** What can happen at an access, by name. Each gets the world of the call, and marks it (`touch`) where self may rightly differ after it. */
export const actions = {
  throw: (w) => w.throwMine(),
  'throw a word': (w) => w.throwMine(`word ${w.thrown.size}`),
  'dispose of self': (w) => touch(w).self.dispose(),
  'dispose of operands': (w) => {
    touch(w);
    for (const name of ['index', 'src', 'other', 'plan', 'tuples', 'rows', 'pair']) if (Object.hasOwn(w, name)) w[name].dispose();
  },
  'write to self': (w) => touch(w).self.mul_(2),
  'call again': (w) => w.keepAll(touch(w).again()),
  'fail inside': (w) => {
    try {
      w.self.scatter_(7, [[Symbol('no')]], w.throwMine);
    } catch {
      // Only the state that it leaves is of interest.
    }
  },
  'make memory grow': (w) => w.keep(w.lib.Tensor.zeros([1 << 16], { device: w.device })),
  'detach arrays': (w) => {
    for (const buffer of w.buffers.splice(0)) structuredClone(buffer, { transfer: [buffer] });
  },
  'shorten arrays': (w) => {
    for (const array of w.arrays) array.length = 0;
  },
  'lengthen arrays': (w) => {
    for (const array of w.arrays) array.push([1], 1);
  },
  'put nonsense in arrays': (w) => {
    const nonsense = { value: new Mine('an element'), configurable: true, enumerable: true, writable: true };
    for (const array of w.arrays) if (array.length) Object.defineProperty(array, array.length - 1, nonsense); // some have getters
  },
};
export const actionNames = Object.keys(actions);

/** Marks that the caller's own code changes or disposes of tensors: what self is after the call proves nothing then. Returns the world. */
function touch(w) {
  w.touched = true;
  return w;
}

/** Counts the looks at an argument. At look number `at`, counted from 0, the action of that name runs, before the look gets its answer. */
export class Looks {
  constructor(w, action, at) {
    Object.assign(this, { w, action, at, count: 0 });
    w.buffers ??= [];
    w.arrays ??= [];
  }
  look() {
    if (this.count++ === this.at) actions[this.action](this.w);
  }
}

/**
 * Whether a value is an object that may be replaced by one that counts looks. A tensor, a plan or exact sums may not: a Proxy of one is none. Nor may
 * what throws when it is asked for its class.
 */
const isWatchable = (value, w) =>
  typeof value === 'object' && value !== null && attempt(() => !isOwned(w.lib, value)).value === true;

/** The traps of a Proxy that are ways to look at an object. */
const lookTraps = ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'isExtensible'];

/**
 * A Proxy of the value that counts every look at it, in whatever way and at every depth. Buffers and their views get getters instead: a
 * Proxy of one has no bytes.
 */
export function byProxy(value, looks) {
  if (!isWatchable(value, looks.w)) return value;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return byProperties(value, looks);
  if (Array.isArray(value)) looks.w.arrays.push(value);
  const handler = {};
  for (const name of lookTraps) {
    handler[name] = (target, ...rest) => {
      looks.look();
      const found = Reflect[name](target, ...rest);
      return name === 'get' && typeof rest[0] === 'string' ? byProxy(found, looks) : found;
    };
  }
  return new Proxy(value, handler);
}

/** Properties of buffers and typed arrays that are read to find out what one is. */
const members = ['length', 'buffer', 'byteLength', 'byteOffset', 'constructor', 'then', Symbol.toStringTag, Symbol.iterator, Symbol.species];

/**
 * The value with getters that count looks, at every depth, on an object that is no Proxy. Arrays and plain objects are copied; a buffer or
 * typed array gets the getters itself, in front of those of its prototype.
 */
export function byProperties(value, looks) {
  if (!isWatchable(value, looks.w)) return value;
  /** Gives the object a getter that counts a look. It returns `found`, or what that returns if it is a function. */
  const look = (object, key, found) =>
    Object.defineProperty(object, key, {
      get() {
        looks.look();
        return typeof found === 'function' ? found() : found;
      },
      configurable: true,
      enumerable: typeof key === 'string' && !members.includes(key),
    });
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    looks.w.buffers.push(value.buffer ?? value);
    for (const key of members) if (key in value) look(value, key, () => (key === 'then' ? undefined : Reflect.get(Object.getPrototypeOf(value), key, value)));
    return value;
  }
  if (Array.isArray(value)) {
    const copy = value.map((each) => byProperties(each, looks));
    looks.w.arrays.push(copy); // what the library is given
    for (const [key, each] of copy.entries()) look(copy, key, each);
    return copy;
  }
  const copy = {};
  for (const [key, each] of Object.entries(value)) look(copy, key, byProperties(each, looks));
  return copy;
}

/** The longest array that is watched: a getter for each element takes its time. */
const MOST = 1000;
/** `watch`, but a value comes back as it is where it is longer, too deep, cannot be asked for its length, or throws when it is copied. */
const orItself = (watch) => (value, looks) => {
  if (attempt(() => value.length > MOST).value !== false) return value;
  const { value: watched, threw } = attempt(() => watch(value, looks));
  return threw ? value : watched;
};
/** The ways to watch a value, by name. */
export const watchers = { proxy: orItself(byProxy), properties: orItself(byProperties) };
