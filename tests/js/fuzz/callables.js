// Everything callable in the package, read from the package itself, so new functions are tested at once.

import { attempt } from './outcome.js';

/** Whether a function is a class: then its text begins with that word. */
const isClass = (value) => /^class\b/.test(Function.prototype.toString.call(value));
const isError = (value) => value.prototype instanceof Error;
/** A key as text, that of a symbol in brackets. */
const text = (key) => (typeof key === 'symbol' ? `[${key.description}]` : key);

/** Own keys of a class or prototype, without what every one has. */
const keysOf = (object) => Reflect.ownKeys(object).filter((key) => !['length', 'name', 'prototype', 'constructor'].includes(key));

/**
 * A list of `{ name, key, kind, type, call(self, args) }`. `kind` is 'method', 'getter' and 'setter' for what takes a `this`, 'new',
 * 'static' and 'function' for what does not; `type` is the name of the class. The functions are looked up in `stage.lib` at each call: by
 * then that may be another copy of the package.
 */
export function callables(stage) {
  const found = [];
  for (const [type, value] of Object.entries(stage.lib)) {
    if (type === 'default' || typeof value !== 'function' || isError(value)) continue;
    if (!isClass(value)) {
      found.push({ name: type, key: type, kind: 'function', call: (self, args) => stage.lib[type](...args) });
      continue;
    }
    found.push({ name: `new ${type}`, key: type, kind: 'new', type, call: (self, args) => new stage.lib[type](...args) });
    for (const key of keysOf(value)) {
      if (typeof value[key] === 'function') found.push({ name: `${type}.${text(key)}`, key: text(key), kind: 'static', type, call: (self, args) => stage.lib[type][key](...args) });
    }
    for (const key of keysOf(value.prototype)) found.push(...members(stage, type, key));
  }
  return found;
}

/** The callables of one key of a class's prototype: a method, or a getter, a setter or both. */
function members(stage, type, key) {
  const current = () => Object.getOwnPropertyDescriptor(stage.lib[type].prototype, key);
  const name = `${type}.prototype.${text(key)}`;
  const member = (kind, part) => ({ name, key: text(key), kind, type, call: (self, args) => Reflect.apply(current()[part], self, args) });
  const { value, get, set } = current();
  if (typeof value === 'function') return [member('method', 'value')];
  return [...(get ? [member('getter', 'get')] : []), ...(set ? [member('setter', 'set')] : [])];
}

/** Whether a value is a tensor, a plan, exact sums or groups of the package. */
export const isOwned = (lib, value) => value instanceof lib.Tensor || [lib.IndexPlan, lib.ExactSum, lib.Groups].some((each) => value instanceof each);

/** The tensors, plans, exact sums and groups in what a call returned: the value itself, or what is in it, `depth` arrays or objects down. */
export function ownedBy(lib, value, depth = 2) {
  if (typeof value !== 'object' || value === null) return [];
  const isOurs = attempt(() => isOwned(lib, value)).value;
  if (isOurs) return [value];
  if (depth === 0 || ArrayBuffer.isView(value)) return [];
  const inside = attempt(() => Object.values(value)).value ?? []; // it may be a Proxy of the caller's
  return inside.flatMap((each) => ownedBy(lib, each, depth - 1));
}
