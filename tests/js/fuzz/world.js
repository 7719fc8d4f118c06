// The tensors of one call, made for it alone, and what must hold after it.

import { ownedBy } from './callables.js';
import { attempt, isAllowed, kindOf, Mine, say, settled } from './outcome.js';

/** The values of self and of `other`, both of shape [3, 5]. */
const SELF = Float32Array.from({ length: 15 }, (_, k) => k + 1);
const OTHER = Float32Array.from({ length: 15 }, (_, k) => 2 - k / 4);

/** A file of NumPy's: int16, shape (2, 3). Its header has 128 bytes: magic, version 1.0, the length of its text (118), and that. */
function npy() {
  const text = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }".padEnd(117);
  const file = new Uint8Array(128 + 12);
  file.set([0x93, 78, 85, 77, 80, 89, 1, 0, 118, 0, ...[...text].map((letter) => letter.charCodeAt(0)), 10]);
  file.set(new Uint8Array(Int16Array.of(1, -2, 3, -4, 5, -6).buffer), 128);
  return file;
}

/** The tensors, the plan, the sums and the groups that a world has beside self. Each is made when it is first asked for. */
const makers = {
  other: (w) => w.tensor(OTHER, [3, 5]),
  index: (w) => w.tensor(Int32Array.of(0, 2, 1, 1, 1, 0), [2, 3]),
  src: (w) => w.tensor(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]),
  tuples: (w) => w.tensor(Int32Array.of(0, 1, 2, -1), [2, 2]),
  pair: (w) => w.tensor(Float32Array.of(1, 2), [2]),
  rows: (w) => w.tensor(Int32Array.of(0, 2), [2]),
  plan: (w) => w.keep(w.lib.IndexPlan.along([3, 5], 1, [[0, 2, 1], [1, 1, 0]])),
  picked: (w) => w.keep(w.lib.IndexPlan.select([3], 0, [0, 2])),
  sums: (w) => w.keep(new w.lib.ExactSum([3, 5])),
  moreSums: (w) => w.keep(new w.lib.ExactSum([3, 5]).add(w.plan, 1)),
  groups: (w) => w.keep(w.lib.group_by([0, 2, 2], 3)),
};

export class World {
  /** `stage` is what lives on from call to call: the package, the device, the canaries. */
  constructor(stage) {
    this.stage = stage;
    this.lib = stage.lib;
    this.device = stage.device;
    this.made = []; // all that is to be disposed of
    this.pending = []; // promises of calls within the call
    this.thrown = new Set(); // what the caller's code threw
    this.before = stage.memory();
    this.self = this.tensor(SELF, [3, 5]);
    this.npy = npy;
    /** Whether the caller's own code wrote to self or disposed of something: then self may differ. */
    this.touched = false;
  }
  /** A new tensor on the device, disposed of at the end. */
  tensor(data, shape) {
    return this.keep(new this.lib.Tensor(data, { shape, device: this.device }));
  }
  /** Has a tensor or plan disposed of at the end, and returns it. */
  keep(owned) {
    this.made.push(owned);
    return owned;
  }
  /** What another call returned, at once or in a while, is to be disposed of too. */
  keepAll(value) {
    if (value instanceof Promise) this.pending.push(value);
    for (const each of ownedBy(this.lib, value)) if (!this.made.includes(each)) this.keep(each);
  }
  /** What a callable takes as `this`. */
  selfOf({ type }) {
    return { IndexPlan: () => this.plan, ExactSum: () => this.sums, Groups: () => this.groups }[type]?.() ?? this.self;
  }
  /** Throws as the caller's own code; the call may pass that on. */
  throwMine(what = new Mine('mine')) {
    this.thrown.add(what);
    throw what;
  }

  /**
   * Makes the call, waits for its promise, checks everything, and disposes of it. Resolves to the list of faults, or null.
   */
  async call(callable, self, args) {
    // What the caller's code makes in a scope is freed with it, also what this world makes when it is first asked for.
    if (/dispose|^scope$/.test(callable.key)) this.touched = true;
    let outcome = attempt(() => callable.call(self, args));
    let isLate = false;
    if (outcome.value instanceof Promise) {
      isLate = true;
      outcome = await settled(outcome.value);
    }
    if (callable.key === 'open_scope' && !outcome.threw) attempt(() => outcome.value.dispose()); // else it takes what all later calls make
    const problems = [];
    // What the engine says of a callback that cannot be called (a class, a revoked Proxy) is the callback's own error.
    if (/^(with_data|scope|keep_awake)$/.test(callable.key) && outcome.error instanceof TypeError && !outcome.error.code) this.thrown.add(outcome.error);
    const kind = outcome.threw ? kindOf(outcome.error, this.thrown) : 'value';
    this.stage.count(kind);
    if (outcome.threw && !isAllowed(kind)) problems.push(`${isLate ? 'rejects with' : 'throws'} ${kind === 'raw' ? 'a raw error' : kind === 'trap' ? 'a trap' : 'too long a text'}: ${say(outcome.error)}`);
    if (!outcome.threw) problems.push(...(await this.lookAt(outcome.value)));
    // What the call may rightly have written to. An adversarial value may be an operand, as `this` or as the tensor of a function.
    this.written = outcome.threw ? [] : [self, args[0]];
    problems.push(...(await this.after({ wasRefused: outcome.threw })));
    return problems.length > 0 ? problems : null;
  }

  /** The faults of the tensors in a result: each must be readable, and as large as its shape says. */
  async lookAt(value) {
    for (const each of ownedBy(this.lib, value)) {
      if (this.made.includes(each) || this.stage.canaries.some(({ tensor }) => tensor === each)) continue;
      this.made.push(each);
      if (!(each instanceof this.lib.Tensor)) continue;
      const read = await this.read(each);
      if (read.error?.code === 'disposed' && this.touched) continue;
      if (read.error) return [`the result cannot be read: ${say(read.error)}`];
      const size = each.shape.reduce((product, count) => product * count, 1);
      if (read.value.length !== size) return [`the result has ${read.value.length} elements in shape [${each.shape}]`];
    }
    return [];
  }

  /** How reading a tensor ends, as `attempt` has it: on the CPU at once, else when its promise settles. */
  read(tensor) {
    return this.device === 'cpu' ? attempt(() => tensor.data_sync()) : settled(tensor.data());
  }

  /**
   * What is wrong after the call: a refused one leaves self as it was; operands are as they were; self can be written to; other tensors are
   * as they were; and all that was made, once it is disposed of, has given its memory back.
   */
  async after({ wasRefused }) {
    const problems = [];
    if (!this.touched) {
      if (wasRefused) problems.push(...(await this.changes(this.self, SELF, 'self')));
      for (const [name, data] of operands) if (Object.hasOwn(this, name) && !this.written?.includes(this[name])) problems.push(...(await this.changes(this[name], data, name)));
    }
    problems.push(...this.lockedSelf());
    problems.push(...(await this.stage.canary()));
    for (const promise of this.pending) this.keepAll((await settled(promise)).value);
    for (const each of this.made) {
      const { threw, error } = attempt(() => this.dispose(each));
      if (threw) problems.push(`dispose() throws ${say(error)}`);
    }
    const now = this.stage.memory();
    for (const name of ['tensors', 'cpu_bytes', 'gpu_bytes']) {
      if (now[name] !== this.before[name]) problems.push(`memory().${name} was ${this.before[name]} and is ${now[name]}`);
    }
    return problems;
  }

  /** By the class's own method: the tensor may have lost its prototype. */
  dispose(owned) {
    const { ExactSum, Groups, IndexPlan, Tensor } = this.lib;
    const Class = [ExactSum, Groups, IndexPlan].find((each) => owned instanceof each) ?? Tensor;
    Class.prototype.dispose.call(owned);
  }

  /** The fault of a tensor that must still have these values. */
  async changes(tensor, data, name) {
    const { value, error } = await this.read(tensor);
    if (error) return [`${name} cannot be read any more: ${say(error)}`];
    const at = value.findIndex((each, k) => !Object.is(each, data[k]));
    return at < 0 && value.length === data.length ? [] : [`${name} changed: element ${at} is ${value[at]}, was ${data[at]}`];
  }

  /** The fault if self can no longer be written to. */
  lockedSelf() {
    const { threw, error } = attempt(() => this.self.mul_(1));
    if (!threw || (error.code === 'disposed' && this.touched)) return [];
    return [`self cannot be written to any more: ${say(error)}`];
  }
}

/** The values that these have when they are made. */
const operands = [
  ['other', OTHER],
  ['index', Int32Array.of(0, 2, 1, 1, 1, 0)],
  ['src', Float32Array.of(1, 2, 3, 4, 5, 6)],
];

// `w.index` makes it, and the next `w.index` is the same.
for (const [name, make] of Object.entries(makers)) {
  Object.defineProperty(World.prototype, name, {
    get() {
      const value = make(this);
      Object.defineProperty(this, name, { value });
      return value;
    },
  });
}

/** Looks at a canary between two calls with a known result. */
const OFTEN = 8;

/** The package under test, on a device, with tensors of its own that no call may change. */
export class Stage {
  /** How many calls ended in each way: with a 'value', or as `kindOf` has it. */
  kinds = {};
  /** How many looks there were at a canary. */
  turn = 0;

  /** `load()` imports and starts a fresh copy of the package; `plant(lib, stage)` returns the package to test instead. */
  constructor(load, device, plant = (lib) => lib) {
    Object.assign(this, { load, device, plant });
  }
  /** Loads the package, and makes the canaries and the operands of a call with a known result; again after a trap. Resolves to this. */
  async open() {
    const lib = await this.load();
    this.memory = lib.memory;
    new lib.ExactSum([1]).dispose();
    lib.group_by([0], 1).dispose();
    lib.IndexPlan.along([1], 0, [0]).dispose(); // whatever the first one of a kind keeps is kept from now on
    const tensor = (data, dtype) => new lib.Tensor(data, { dtype, device: this.device });
    // Tensors that no call gets, so that none may change them.
    this.canaries = Array.from({ length: 50 }, (_, k) => {
      const data = Float32Array.from({ length: 8 }, (_, i) => 100 * k + i);
      return { data, k, tensor: tensor(data) };
    });
    this.index = tensor([[1, 0], [1, 0]], 'int32');
    this.src = tensor([[4, 3], [2, 1]]);
    this.table = tensor([[1, 2], [3, 4]]);
    // A second copy of the package, whose tensors the first does not accept.
    const foreign = await this.load();
    this.foreign = { tensor: new foreign.Tensor([1], { device: 'cpu' }), plan: foreign.IndexPlan.along([1], 0, [0]) };
    this.lib = await this.plant(lib, this);
    return this;
  }
  /** Counts how a call ended. */
  count(kind) {
    this.kinds[kind] = (this.kinds[kind] ?? 0) + 1;
  }
  /**
   * What is wrong with the next of the fifty canaries, or now and then with a call that has a known result. On a GPU neither is read, which
   * would take too long: `close` reads the canaries.
   */
  async canary() {
    const { tensor, data, k } = this.canaries[this.turn++ % this.canaries.length];
    const { value, error } = this.device === 'cpu' ? attempt(() => tensor.data_sync()) : { value: data };
    if (error) return [`another tensor cannot be read: ${say(error)}`];
    if (value.some((each, i) => each !== data[i])) return [`another tensor (${k}) changed: ${value}`];
    if (this.turn % OFTEN !== 0) return [];
    const work = attempt(() => this.table.scatter_(1, this.index, this.src));
    if (work.threw) return [`the next call fails: ${say(work.error)}`];
    if (this.device !== 'cpu') return [];
    const { value: found, error: lost } = attempt(() => this.table.data_sync());
    if (lost || found.join() !== '3,4,1,2') return [`the next call is wrong: ${lost ? say(lost) : found}`];
    return [];
  }
  /** The fault of the first changed canary. */
  async close() {
    for (const { tensor, data, k } of this.canaries) {
      const { value, error } = this.device === 'cpu' ? attempt(() => tensor.data_sync()) : await settled(tensor.data());
      if (error || value.some((each, i) => each !== data[i])) return [`at the end tensor ${k} is ${error ? say(error) : value}`];
    }
    return [];
  }
}
