// Part a: every function × every argument × every hostile value, and × every look at an argument × everything that may happen at
// it; then any of them together, at random.

import { actionNames, Looks, watchers } from './access.js';
import { callables } from './callables.js';
import { hostile } from './hostile.js';
import { Numbers } from './numbers.js';
import { attempt, say } from './outcome.js';
import { templatesOf } from './templates.js';
import { World } from './world.js';

const watcherNames = Object.keys(watchers);
const MOST_LOOKS = 400;

/** What a call takes as `this`; null where it takes none. */
const selfOf = (w, { kind, type }) => (['method', 'getter', 'setter'].includes(kind) ? (type === 'IndexPlan' ? w.plan : w.self) : null);

/** Starting again, switching devices and compiling ahead are for other tests where there is a GPU. */
const isFuzzed = ({ key }, device) => device === 'cpu' || !['init', 'initSync', 'set_device', 'warm_up'].includes(key);

export async function* hostilePart(stage, { seed, calls }) {
  const all = callables(stage).filter((callable) => isFuzzed(callable, stage.device));
  let left = calls;
  /** `prepare(w)` makes `{ callable, self, args, name }`; that too may fail, when a call before has broken something. */
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
    if (left <= calls * 0.6) break;
    const name = `${callable.name} #${template} ${at < 0 ? 'this' : `argument ${at}`}: ${value.name}`;
    yield judge((w) => ({ name, callable, ...place(w, callable, template, at, value) }));
  }
  for (const each of shuffled([...watched(all)], numbers)) {
    if (left <= calls * 0.05) break;
    // Until a call ends before the n-th look.
    for (let n = 0, seen = null; n < MOST_LOOKS && left > 0 && (seen?.count ?? n) >= n; n++) {
      yield judge((w) => watch(w, each, n, (made) => (seen = made)));
    }
  }
  for (let n = 0; left > 0; n++) yield judge((w) => anything(w, all, new Numbers(seed, n), n));
}

function shuffled(list, numbers) {
  for (let k = list.length - 1; k > 0; k--) {
    const other = numbers.below(k + 1);
    [list[k], list[other]] = [list[other], list[k]];
  }
  return list;
}

/** A call of which one argument does something at the n-th look at it. */
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
      const takesThis = ['method', 'getter', 'setter'].includes(callable.kind);
      for (let at = takesThis ? -1 : 0; at <= arity; at++) for (const value of hostile) yield { callable, template, at, value };
    }
  }
}

function* watched(all) {
  for (const callable of all) {
    for (const template of templatesOf(callable).keys()) {
      for (let at = 0; at < lengthOf(callable, template); at++) {
        for (const watcher of watcherNames) for (const action of actionNames) yield { callable, template, at, watcher, action };
      }
    }
  }
}

/** How many arguments a template has: it is asked with a world in which everything is there. */
const nobody = new Proxy({}, { get: (_, name) => (name === 'npy' ? () => new Uint8Array(1) : {}) });
const lengthOf = (callable, template) => templatesOf(callable)[template](nobody).length;

function place(w, callable, template, at, value) {
  const args = templatesOf(callable)[template](w);
  let self = selfOf(w, callable);
  if (value && at < 0) self = value.make(w);
  else if (value) args[at] = value.make(w);
  return { self, args };
}

/** One to three arguments spoiled, some left out, some too many. */
function anything(w, all, numbers, n) {
  const callable = numbers.pick(all);
  const template = numbers.below(templatesOf(callable).length);
  const { args, self: usual } = place(w, callable, template);
  let self = usual;
  const said = [`${callable.name} #${template}`];
  w.again = () => callable.call(usual, place(w, callable, template).args);
  for (let spoiled = 1 + numbers.below(3); spoiled > 0; spoiled--) {
    const at = numbers.below(args.length + 2) - 1;
    if (at >= 0 && at < args.length && numbers.once(2)) {
      const [watcher, action, look] = [numbers.pick(watcherNames), numbers.pick(actionNames), numbers.below(numbers.once(3) ? 60 : 8)];
      args[at] = watchers[watcher](args[at], new Looks(w, action, look));
      said.push(`argument ${at} by ${watcher}, look ${look}: ${action}`);
    } else {
      const value = numbers.pick(hostile);
      if (at < 0) self = value.make(w);
      else args[at] = value.make(w);
      said.push(`${at < 0 ? 'this' : `argument ${at}`}: ${value.name}`);
    }
  }
  if (numbers.once(12)) args.length = numbers.below(args.length + 1);
  return { name: `random ${n}: ${said.join('; ')}`, callable, self, args };
}
