// Part a: every function × every argument × every adversarial value, and × every look at an argument × everything that may happen at
// it; then any of them together, at random.

import { Numbers } from '../../../src/js/verify/numbers.js';
import { actionNames, Looks, watchers } from './access.js';
import { callables } from './callables.js';
import { adversarial } from './adversarial.js';
import { attempt, say } from './outcome.js';
import { templatesOf } from './templates.js';
import { World } from './world.js';

const watcherNames = Object.keys(watchers);
/** The number of looks after which an argument counts as looked at without end. */
const MOST_LOOKS = 400;
/**
 * Single adversarial values are tried until this part of the calls is left, and then watched arguments until this part is; the rest is random.
 */
const LEFT_BY_VALUES = 0.6;
const LEFT_BY_LOOKS = 0.05;

/** What a call takes as `this`; null where it takes none. */
const selfOf = (w, callable) => {
  if (!takesThis(callable)) return null;
  return w.selfOf(callable);
};
const takesThis = ({ kind }) => ['method', 'getter', 'setter'].includes(kind);

/** Starting again, switching devices and compiling ahead are for other tests where there is a GPU. */
const isFuzzed = ({ key }, device) => device === 'cpu' || !['init', 'initSync', 'set_device', 'warm_up'].includes(key);

/** Yields `{ name, callable, problems }` for each call: see `parts` in run.js. */
export async function* adversarialPart(stage, { seed, calls }) {
  const all = callables(stage).filter((callable) => isFuzzed(callable, stage.device));
  let left = calls;
  /**
   * Makes one call, in a world of its own. `prepare(w)` gives `{ callable, self, args, name }`; it may fail where an earlier call broke
   * something.
   */
  const judge = async (prepare) => {
    left -= 1;
    const { value, error } = attempt(() => {
      const w = new World(stage);
      return { w, ...prepare(w) };
    });
    if (error) return { name: 'making tensors', problems: [`the next call fails: ${say(error)}`] };
    const { w, callable, self, args, name } = value;
    return { name, callable: callable.name, problems: await w.call(callable, self, args) };
  };

  // Systematically, in an order of the seed's own: what the number of calls leaves out is then of every kind.
  const numbers = new Numbers(seed);
  for (const { callable, template, at, value } of shuffled([...systematic(all)], numbers)) {
    if (left <= calls * LEFT_BY_VALUES) break;
    const name = `${callable.name} #${template} ${at < 0 ? 'this' : `argument ${at}`}: ${value.name}`;
    yield judge((w) => ({ name, callable, ...place(w, callable, template, at, value) }));
  }
  for (const each of shuffled([...watched(all)], numbers)) {
    if (left <= calls * LEFT_BY_LOOKS) break;
    // Something happens at look 0, then in another call at look 1, and so on, until a call ends with fewer looks: `seen` counts the last
    // one's.
    for (let n = 0, seen = null; n < MOST_LOOKS && left > 0 && (seen?.count ?? n) >= n; n++) {
      yield judge((w) => watch(w, each, n, (made) => (seen = made)));
    }
  }
  for (let n = 0; left > 0; n++) yield judge((w) => anything(w, all, new Numbers(seed, n), n));
}

/** Shuffles a list in place, and returns it. */
function shuffled(list, numbers) {
  for (let k = list.length - 1; k > 0; k--) {
    const other = numbers.below(k + 1);
    [list[k], list[other]] = [list[other], list[k]];
  }
  return list;
}

/** A call with an argument that does something at the n-th access. `tell` gets the Looks, which count on during the call. */
function watch(w, { callable, template, at, watcher, action }, n, tell) {
  const { args, self } = place(w, callable, template);
  const looks = new Looks(w, action, n);
  tell(looks);
  w.again = () => callable.call(self, place(w, callable, template).args);
  args[at] = watchers[watcher](args[at], looks);
  return { name: `${callable.name} #${template} argument ${at} by ${watcher}, look ${n}: ${action}`, callable, self, args };
}

/** Every function, template, argument and value. `at` is -1 for `this`; one argument more than there are is tried too. */
function* systematic(all) {
  for (const callable of all) {
    for (const template of templatesOf(callable).keys()) {
      const arity = lengthOf(callable, template);
      for (let at = takesThis(callable) ? -1 : 0; at <= arity; at++) for (const value of adversarial) yield { callable, template, at, value };
    }
  }
}

/** Every function, template and argument, with every way to watch it and everything that may happen at a look. */
function* watched(all) {
  for (const callable of all) {
    for (const template of templatesOf(callable).keys()) {
      for (let at = 0; at < lengthOf(callable, template); at++) {
        for (const watcher of watcherNames) for (const action of actionNames) yield { callable, template, at, watcher, action };
      }
    }
  }
}

/** A world in which everything is there, for templates whose arguments are only counted. Templates call `npy`, and nothing else. */
const nobody = new Proxy({}, { get: (_, name) => (name === 'npy' ? () => new Uint8Array(1) : {}) });
/** How many arguments a template makes. */
const lengthOf = (callable, template) => templatesOf(callable)[template](nobody).length;

/**
 * `{ self, args }` of a call by a template (its place among those of the callable). With `value`, an adversarial one, that takes the place of
 * argument `at`, or of self where `at` is -1.
 */
function place(w, callable, template, at, value) {
  const args = templatesOf(callable)[template](w);
  let self = selfOf(w, callable);
  if (value && at < 0) self = value.make(w);
  else if (value) args[at] = value.make(w);
  return { self, args };
}

/** A random call, number `n`: one to three arguments are spoiled, and now and then some are left out or one is too many. */
function anything(w, all, numbers, n) {
  const callable = numbers.pick(all);
  const template = numbers.below(templatesOf(callable).length);
  const { args, self: usual } = place(w, callable, template);
  let self = usual;
  const said = [`${callable.name} #${template}`];
  w.again = () => callable.call(usual, place(w, callable, template).args);
  for (let spoiled = 1 + numbers.below(3); spoiled > 0; spoiled--) {
    const at = numbers.below(args.length + 2) - 1; // -1 is `this`, args.length one argument more
    if (at >= 0 && at < args.length && numbers.once(2)) {
      const [watcher, action, look] = [numbers.pick(watcherNames), numbers.pick(actionNames), numbers.below(numbers.once(3) ? 60 : 8)];
      args[at] = watchers[watcher](args[at], new Looks(w, action, look));
      said.push(`argument ${at} by ${watcher}, look ${look}: ${action}`);
    } else {
      const value = numbers.pick(adversarial);
      if (at < 0) self = value.make(w);
      else args[at] = value.make(w);
      said.push(`${at < 0 ? 'this' : `argument ${at}`}: ${value.name}`);
    }
  }
  if (numbers.once(12)) args.length = numbers.below(args.length + 1);
  return { name: `random ${n}: ${said.join('; ')}`, callable, self, args };
}
