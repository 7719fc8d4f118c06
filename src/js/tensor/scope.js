// The function `scope`: frees what a function of the caller made and does not return. types.d.ts describes it.

import { isPlain, refuseOptions } from '../arguments/arguments.js';
import { checkCallback, checkReturned } from '../arguments/callbacks.js';
import { requireStart } from '../engine/engine.js';
import { readable } from '../engine/errors.js';
import { closeScope, isResource, keep, openScope, passOn, scopes } from '../engine/handles.js';

/** Why the function must not wait. */
const NOT_ASYNC = 'the tensors of a scope are freed when it returns, and it would still need them; wait before or after the scope';

export function scope(fn, options) {
  const op = 'scope';
  refuseOptions(op, options);
  requireStart(op);
  checkCallback(op, 'fn', fn, NOT_ASYNC);
  const depth = scopes.length;
  const ours = openScope();
  try {
    const result = fn(keep);
    checkReturned(op, 'fn', result, NOT_ASYNC);
    for (const each of readable(op, 'the result of fn', () => resourcesIn(result))) passOn(each, ours, depth);
    return result;
  } finally {
    scopes.length = depth; // no call, which could fail for lack of stack
    closeScope(ours);
  }
}

/** The tensors, plans and exact sums in a value: itself, or in arrays and plain objects, at any depth. */
function resourcesIn(value) {
  const found = [];
  const seen = new Set();
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (isResource(next)) found.push(next);
    else if (isList(next) && !seen.has(next)) {
      seen.add(next);
      for (const each of Object.values(next)) if (typeof each === 'object') open.push(each);
    }
  }
  return found;
}

/** Whether a value is an array or a plain object, whose values are searched. */
function isList(value) {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || isPlain(value);
}
