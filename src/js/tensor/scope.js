// The functions `scope` and `open_scope`, which free what was made since. types.d.ts describes them.

import { isPlain, refuseOptions } from '../arguments/arguments.js';
import { checkCallback, checkReturned } from '../arguments/callbacks.js';
import { isBuffer } from '../engine/arrays.js';
import { requireStart } from '../engine/engine.js';
import { readable, wrongKind } from '../engine/errors.js';
import { closeScope, isResource, keep, openScope, passOn } from '../engine/handles.js';

/** Why the function must not wait. */
const NOT_ASYNC = 'the tensors of a scope are freed when it returns, and it would still need them; use `using s = open_scope()`';

/** Ends the error for a second argument of keep. */
const ONE = ': keep() takes one value';

/** What the function of a scope gets. */
function keepOne(tensor, more) {
  refuseOptions('scope', more, ONE);
  return keep(tensor);
}

export function scope(fn, options) {
  const op = 'scope';
  refuseOptions(op, options);
  requireStart(op);
  checkCallback(op, 'fn', fn, NOT_ASYNC);
  const ours = openScope();
  try {
    const result = fn(keepOne);
    checkReturned(op, 'fn', result, NOT_ASYNC);
    for (const each of resourcesIn(op, 'the result of fn', result)) passOn(each, ours);
    return result;
  } finally {
    closeScope(ours);
  }
}

export function open_scope(options) {
  const op = 'open_scope';
  refuseOptions(op, options);
  requireStart(op);
  const ours = openScope(true);
  const dispose = (given) => {
    refuseOptions(op, given);
    requireStart(op);
    closeScope(ours);
  };
  return {
    keep(value, more) {
      refuseOptions(op, more, ONE);
      resourcesIn(op, 'the argument of keep', value).forEach(keep);
      return value;
    },
    dispose,
    ...(Symbol.dispose && { [Symbol.dispose]: dispose }),
  };
}

/**
 * The tensors, plans and exact sums in a value: itself, or in arrays and plain objects, at any depth. Throws for another object, which may
 * hold some out of sight; the values of a tensor hold none.
 */
function resourcesIn(op, argument, value) {
  const found = [];
  const seen = new Set();
  const open = [value];
  return readable(op, argument, () => {
    while (open.length > 0) {
      const next = open.pop();
      if (isResource(next)) found.push(next);
      else if (/^(object|function)$/.test(typeof next) && next !== null && !seen.has(next)) {
        seen.add(next);
        if (Array.isArray(next) || isPlain(next)) for (const each of Object.values(next)) typeof each === 'number' || open.push(each);
        else if (!ArrayBuffer.isView(next) && !isBuffer(next)) throw wrongKind(op, argument, 'a value, a tensor, or an array or plain object of these', next);
      }
    }
    return found;
  });
}
