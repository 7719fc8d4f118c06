// Part d: calls from within calls. While its arguments are read, a call runs others, several deep, on the same tensors. What must come
// out is what the same calls give one after the other: the inner ones first, the outer one with the values that it then finds.

import { Numbers } from '../../../src/js/verify/numbers.js';
import { attempt, kindOf, say, settled } from './outcome.js';

/** How deep calls are within calls, after how many calls of a play no more begin within others, and the elements of self. */
const DEEPEST = 4;
const MOST_CALLS = 40;
const SIZE = 6;

/** What one update makes of one value, by the word of `reduce`. */
const effects = {
  replace: (a, b) => b,
  add: (a, b) => a + b,
  multiply: (a, b) => a * b,
};

/** Yields `{ name, callable, ran, problems }` for each play: see `parts` in run.js. */
export async function* reentryPart(stage, { seed, calls }) {
  for (let n = 0, count = 0; count < calls; n++) {
    const play = new Play(stage, new Numbers(seed, n));
    // Errors of the calls are judged by `call`. One that comes out of `run` is of the new tensor: an earlier play broke the package.
    const { error, value } = attempt(() => play.run());
    const problems = error ? [...play.problems, `the play ended early: ${say(error)}`] : value;
    problems.push(...(await play.end()));
    count += play.ran;
    yield { name: `play ${n}: ${play.said.slice(0, 12).join(', ')}`, callable: play.said[0] ?? 'a call', ran: play.ran, problems: problems.length > 0 ? problems : null };
  }
}

/**
 * One to three calls on a tensor, self, each with others inside. `expected` has the values that self has to have by now; `made` the
 * results, and `promises` those that are still to come, with theirs; `gone` says that self was disposed of; `mine` is the error that the
 * caller's own code threw last; `said` names the calls, and `ran` counts them; `problems` is what was wrong, `before` memory() at first.
 */
class Play {
  constructor(stage, numbers) {
    Object.assign(this, { stage, numbers, lib: stage.lib, said: [], ran: 0, made: [], promises: [], problems: [] });
    this.before = stage.memory();
  }

  /** Makes the calls; returns the faults so far. */
  run() {
    const { lib, numbers } = this;
    const { device } = this.stage;
    this.expected = Float32Array.from({ length: SIZE }, () => numbers.below(9));
    this.self = new lib.Tensor(this.expected.slice(), { device });
    this.gone = false;
    for (let calls = 1 + numbers.below(3); calls > 0; calls--) this.call(0);
    return this.problems;
  }

  /** The descriptor of a property that has the value and, now and then, makes another call when it is read. */
  acting(value, depth) {
    const { numbers } = this;
    const get = () => {
      if (depth < DEEPEST && this.ran < MOST_CALLS && numbers.once(3)) this.call(depth + 1);
      return value;
    };
    return { get, enumerable: true, configurable: true };
  }
  /** An array of the values; some make another call when they are read. */
  actingArray(values, depth) {
    const { numbers } = this;
    const array = [...values];
    for (const [k, value] of values.entries()) if (numbers.once(3)) Object.defineProperty(array, k, this.acting(value, depth));
    return array;
  }

  /**
   * One call, of a random kind, with `depth` others around it. Its arguments are drawn before it, so that they depend on nothing that reads
   * them.
   */
  call(depth) {
    const { numbers } = this;
    this.ran += 1;
    const kind = numbers.pick(['scatter_', 'scatter_', 'scatter_', 'scatter_', 'mul_', 'gather', 'clone', 'bad', 'throwing', 'data', 'new', ...(depth > 0 ? ['dispose'] : [])]);
    this.said.push(`${'>'.repeat(depth)}${kind}`);
    const { error, threw } = attempt(() => this[kind](depth));
    if (threw) this.judge(kind, error);
  }

  /** Notes a call that was refused and should not have been. After self was disposed of, every call on it is refused as that. */
  judge(kind, error) {
    const allowed = this.gone ? error.code === 'disposed' : error === this.mine;
    this.stage.count(kindOf(error, new Set([this.mine])));
    if (!allowed) this.problems.push(`${kind} is refused: ${say(error)}`);
  }

  // The kinds of calls. Each updates `expected` after it made its call: the calls inside that one have done so by then.

  scatter_(depth) {
    const { numbers, self } = this;
    const entries = Array.from({ length: 1 + numbers.below(4) }, () => numbers.below(SIZE));
    const values = entries.map(() => numbers.below(5));
    const how = numbers.pick(Object.keys(effects));
    const options = how === 'replace' ? {} : Object.defineProperty({}, 'reduce', this.acting(how, depth));
    const [index, src] = [this.actingArray(entries, depth), this.actingArray(values, depth)];
    const scalar = numbers.once(4) ? numbers.below(5) : undefined;
    if (self.scatter_(0, index, scalar ?? src, options) !== self) this.problems.push('scatter_ gave another object');
    if (this.gone) this.problems.push('scatter_ wrote to a tensor that its arguments disposed of');
    for (const [k, entry] of entries.entries()) this.expected[entry] = effects[how](this.expected[entry], scalar ?? values[k]);
    this.stage.count('value');
  }
  mul_(depth) {
    const values = Array.from({ length: SIZE }, () => this.numbers.below(3));
    this.self.mul_(this.actingArray(values, depth));
    for (const [k, value] of values.entries()) this.expected[k] *= value;
  }
  gather(depth) {
    const entries = [0, SIZE - 1, 2];
    const out = this.self.gather(0, this.actingArray(entries, depth));
    this.made.push({ tensor: out, values: entries.map((k) => this.expected[k]) });
  }
  clone() {
    this.made.push({ tensor: this.self.clone(), values: [...this.expected] });
  }
  new(depth) {
    const options = Object.defineProperties({}, { dtype: this.acting('float32', depth), device: this.acting(this.stage.device, depth), name: this.acting('x', depth) });
    this.made.push({ tensor: new this.lib.Tensor(this.actingArray([1, 2, 3], depth), options), values: [1, 2, 3] });
  }
  /** The promise is self's values once the options are read; its values before that are right too. */
  data(depth) {
    const out = new Float32Array(SIZE);
    const options = Object.defineProperty({}, 'out', this.acting(out, depth));
    const before = [...this.expected];
    const promise = this.self.data(options);
    this.promises.push({ promise, values: [...this.expected], before });
    promise.catch(() => {});
  }
  /** A call with an index value that is out of range: it is refused, whatever ran in it. */
  bad(depth) {
    const { error } = attempt(() => this.self.scatter_(0, this.actingArray([0, SIZE + 3], depth), this.actingArray([7, 7], depth)));
    const isRight = error?.code === 'index-out-of-range' || (this.gone && error?.code === 'disposed');
    if (!isRight) this.problems.push(`a bad index gave ${error ? say(error) : 'no error'}`);
  }
  /** A call during which the caller's own code throws: that error comes out, or one of the library's own. */
  throwing(depth) {
    this.mine = new Error('mine');
    const { mine } = this;
    const index = Object.defineProperty(this.actingArray([0, 1, 2], depth), 2, { get() { throw mine; } });
    const { error } = attempt(() => this.self.scatter_(0, index, 9));
    const isTyped = kindOf(error, new Set([mine])) === 'typed';
    if (error !== mine && !isTyped) this.problems.push(`an error of the caller's came out as ${say(error)}`);
  }
  /** Disposes of self, once in four times. */
  dispose() {
    if (!this.numbers.once(4)) return;
    this.self.dispose();
    this.gone = true;
  }

  /** Compares all results, and self, with their right values, and disposes of them. Returns the faults. */
  async end() {
    const problems = [];
    const read = (tensor) => (this.stage.device === 'cpu' ? attempt(() => tensor.data_sync()) : settled(tensor.data()));
    const compare = (found, values, what) => {
      const same = found.value?.length === values.length && found.value.every((each, k) => Object.is(each, values[k]));
      if (!same) problems.push(`${what} is ${found.threw ? say(found.error) : found.value}, not ${[...values]}`);
    };
    if (this.self && !this.gone) compare(await read(this.self), this.expected, 'self');
    for (const { tensor, values } of this.made) compare(await read(tensor), values, 'a result');
    for (const { promise, values, before } of this.promises) {
      const found = await settled(promise);
      // What its own options wrote may be in it or not, but as a whole.
      if (found.value?.join() !== before.join()) compare(found, values, 'what data() gave');
    }
    for (const { tensor } of this.made) tensor.dispose();
    this.self?.dispose();
    const now = this.stage.memory();
    if (now.tensors !== this.before.tensors || now.cpu_bytes !== this.before.cpu_bytes) {
      problems.push(`memory() was ${JSON.stringify(this.before)} and is ${JSON.stringify(now)}`);
    }
    return problems;
  }
}
