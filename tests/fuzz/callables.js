// Everything of the package that can be called, read off the package itself: what is new is in at once.

import { attempt } from './outcome.js';

const isClass = (value) => /^class\b/.test(Function.prototype.toString.call(value));
const isError = (value) => value.prototype instanceof Error;
const text = (key) => (typeof key === 'symbol' ? `[${key.description}]` : key);

/** Own keys of a class or prototype, without what every one has. */
const keysOf = (object) => Reflect.ownKeys(object).filter((key) => !['length', 'name', 'prototype', 'constructor'].includes(key));

/**
 * A list of `{ name, key, kind, type, call(self, args) }`. `kind` is 'method', 'getter' and 'setter' for what takes a `this`, 'new',
 * 'static' and 'function' for what does not; `type` is the name of the class. Whatever `stage.lib` is at a call is called.
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

function members(stage, type, key) {
  const now = () => Object.getOwnPropertyDescriptor(stage.lib[type].prototype, key);
  const name = `${type}.prototype.${text(key)}`;
  const member = (kind, part) => ({ name, key: text(key), kind, type, call: (self, args) => Reflect.apply(now()[part], self, args) });
  const { value, get, set } = now();
  if (typeof value === 'function') return [member('method', 'value')];
  return [...(get ? [member('getter', 'get')] : []), ...(set ? [member('setter', 'set')] : [])];
}

/** The tensors and plans in what a call returned: by themselves, in an object or in an array, or in an array in an object. */
export function ownedBy(lib, value, depth = 2) {
  if (typeof value !== 'object' || value === null) return [];
  const isOurs = attempt(() => value instanceof lib.Tensor || value instanceof lib.IndexPlan).value;
  if (isOurs) return [value];
  if (depth === 0 || ArrayBuffer.isView(value)) return [];
  const inside = attempt(() => Object.values(value)).value ?? []; // it may be a Proxy of the caller's
  return inside.flatMap((each) => ownedBy(lib, each, depth - 1));
}
