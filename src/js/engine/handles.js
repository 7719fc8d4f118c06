// Tensors, plans, exact sums and groups in JavaScript. Each has a handle, by which Rust knows it.
//
// A handle is a positive number; 0 means disposed of, or no handle yet; FREED means freed by a scope. An error begins with `op`, the name of the operator, and names
// `argument` (`this` for the tensor whose method was called). `kind` is TENSOR, PLAN, SUMS or GROUPS.

import { call, claim, free, isStopped } from './engine.js';
import { describe, failure, RuntimeError, wrongKind } from './errors.js';
import { noteFinalizer } from './task.js';

/** The kinds of resources, by the names of their classes. */
export const TENSOR = 'Tensor';
export const PLAN = 'IndexPlan';
export const SUMS = 'ExactSum';
export const GROUPS = 'Groups';

const oneOf = { [TENSOR]: 'a Tensor', [PLAN]: 'an IndexPlan', [SUMS]: 'an ExactSum', [GROUPS]: 'Groups' };
const called = { [TENSOR]: 'tensor', [PLAN]: 'plan', [SUMS]: 'sums', [GROUPS]: 'groups' };
/** The handle of a resource that a scope has freed. */
const FREED = -1;
const recover = {
  [TENSOR]: 'make a clone() before dispose() to keep its values',
  [PLAN]: 'make another with IndexPlan.along or IndexPlan.nd',
  [SUMS]: 'keep await sums.to_bytes() of those that are needed later',
  [GROUPS]: 'make others with group_by',
};

/** The constructor of `Resource` requires this object, which the package does not export. So only this package can make a resource. */
export const key = {};

/**
 * Frees the handles of resources that were collected without being disposed of. Made with the first resource, because an import must not
 * need the platform's class.
 */
let registry;

/** Frees the handle of a collected resource. */
function finalize(handle) {
  noteFinalizer();
  free(handle);
}

/** The resources that each open scope frees at its end, in sets; that of the innermost scope is last. */
export const scopes = [];

/** The base of Tensor, IndexPlan, ExactSum and Groups. The handle is private: no copy of properties, Proxy or prototype has it. */
export class Resource {
  #kind;
  #handle;
  /** The resources that go with this one. */
  #owned;

  /** Makes a resource without a handle. Reading the prototype of a subclass may run code of the caller, so `hold` sets the handle later. */
  constructor(given, kind) {
    if (given !== key) throw failure(TypeError, 'invalid-argument', 'Tensor', 'only Tensor, IndexPlan, ExactSum and Groups can be made');
    this.#kind = kind;
    this.#handle = 0;
    // An own enumerable property, so that code that compares objects by their properties finds two tensors different. It is a function
    // because functions cannot be cloned: structuredClone and postMessage fail and show this text, instead of making an empty object.
    this.id = () => 'a Tensor, IndexPlan, ExactSum or Groups of scatterwise cannot be cloned: send await tensor.data(), its shape and its dtype, or await sums.to_bytes()';
  }

  /** The text where one is asked for. JavaScript's operators would take the text for a number, or append to it. */
  [Symbol.toPrimitive](hint) {
    if (hint === 'string') return this.toString();
    const name = this[Symbol.toStringTag];
    throw failure(TypeError, 'invalid-argument', name, `${oneOf[name]} has no operators such as +: use methods such as t.add(1), and String(t) for its text`);
  }

  /** Returns the functions that access the private fields. Only for this module, which deletes this method after its only call. */
  static handOut() {
    return {
      kindOf: (value) => (typeof value === 'object' && value !== null && #handle in value ? value.#kind : undefined),
      handleOf: (value) => value.#handle,
      hold: (value, kind, handle) => {
        // The caller may have given a class another parent. Its constructor can return any resource, even one with a handle.
        if (value.#kind !== kind || value.#handle !== 0) throw failure(TypeError, 'invalid-argument', kind, 'its class extends another one than it did');
        value.#handle = handle;
        registry ??= new FinalizationRegistry(finalize);
        registry.register(value, handle, value);
        claim();
        if (scopes.length > 0) scopes[scopes.length - 1].add(value);
      },
      dispose: (value, then = 0) => {
        const handle = value.#handle;
        value.#handle = then;
        registry.unregister(value);
        free(handle);
        for (const each of value.#owned ?? []) if (each.#handle > 0) dispose(each, then);
      },
      own: (value, resource) => {
        (value.#owned ??= []).push(resource);
      },
    };
  }
}

const { kindOf, handleOf, hold, dispose, own: give } = Resource.handOut();
delete Resource.handOut;

/**
 * `kindOf`: the kind of a resource; undefined for any other value, such as a Proxy of a resource.
 * `hold`: gives a new resource its handle, and registers it to be freed when it is collected.
 */
export { hold, kindOf };
export const isResource = (value) => kindOf(value) !== undefined;
/** Whether a value is a tensor itself, not a Proxy or a copy. */
export const isTensor = (value) => kindOf(value) === TENSOR;

/** The handle of a resource of a kind. Throws for any other value, and for a disposed resource. */
export function handle(op, argument, value, kind = TENSOR) {
  if (kindOf(value) !== kind) throw stranger(op, argument, value, kind);
  const found = handleOf(value);
  if (found <= 0) throw gone(op, argument, kind, found);
  return found;
}

/** Makes a resource belong to another one: it goes with that one, and no scope frees it. */
export function own(owner, resource) {
  for (const each of scopes) each.delete(resource);
  give(owner, resource);
}

/** Frees a resource of a kind now. Does nothing for a disposed resource, a Proxy or a copy. Throws for any other value. */
export function disposeOf(op, value, kind) {
  if (kindOf(value) !== kind) {
    if (isImitation(value)) return;
    throw stranger(op, 'this', value, kind);
  }
  if (isDisposed(value)) return;
  call(op, () => dispose(value));
  for (const each of scopes) each.delete(value); // a long scope must not hold what is gone
}

// ---------------------------------------------------------------- scopes

/** `awaits`: whether the scope may last across awaits. */
export function openScope(awaits) {
  const made = new Set();
  made.awaits = awaits;
  scopes.push(made);
  return made;
}

/** Closes a scope and those inside it, and frees what they hold. Does nothing for a closed scope. */
export function closeScope(ours) {
  const at = scopes.indexOf(ours);
  if (at < 0) return;
  const made = scopes.splice(at).flatMap((each) => [...each]); // first, because the call below fails for lack of stack
  if (made.length === 0 || isStopped()) return;
  call('scope', () => made.forEach((each) => isDisposed(each) || dispose(each, FREED)));
}

/** Passes a resource of a scope, or of one inside it, on to the scope around it, if there is one. */
export function passOn(resource, ours) {
  const at = scopes.indexOf(ours);
  if (at >= 0 && scopes.slice(at).some((each) => each.delete(resource))) scopes[at - 1]?.add(resource);
}

/**
 * Takes a resource that a promise resolves to out of the scopes that end before, and returns it. One that lasts across awaits keeps it.
 */
export function awaited(resource) {
  for (let at = scopes.length - 1; at >= 0 && !scopes[at].awaits; at--) if (scopes[at].delete(resource)) scopes[at - 1]?.add(resource);
  return resource;
}

/** For the function of a scope: takes a tensor out of every open scope, and returns it. */
export function keep(tensor) {
  if (!isResource(tensor)) throw stranger('scope', 'the argument of keep', tensor);
  for (const each of scopes) each.delete(tensor);
  return tensor;
}

export const isDisposed = (value) => handleOf(value) <= 0;

/** The error for a resource that was disposed of. A plan is an argument, also as `this`. */
function gone(op, argument, kind, found) {
  const isThis = argument === 'this';
  const subject = isThis ? `${kind === GROUPS ? 'these' : 'this'} ${kind === SUMS ? SUMS : called[kind]}` : kind === PLAN ? 'plan' : argument;
  const named = kind === PLAN ? 'plan' : isThis ? undefined : argument;
  const verb = isThis && kind === GROUPS ? 'were' : 'was';
  const way = found === FREED ? 'freed when its scope ended; return it from there, or keep() it' : `disposed of; ${recover[kind]}`;
  return failure(RuntimeError, 'disposed', op, `${subject} ${verb} ${way}`, { argument: named });
}

/** The error for a value that is not a resource of a kind. `wanted` describes what the argument must be. */
export function stranger(op, argument, value, kind = TENSOR, wanted = oneOf[kind]) {
  const why = mistakenFor(value, kind);
  if (why !== undefined) return failure(TypeError, 'invalid-argument', op, `${argument} ${why}`, { argument, value: describe(value) });
  if (argument !== 'this') return wrongKind(op, argument, wanted, value);
  const name = op.split('.').at(-1);
  const owner = called[kind];
  const text = `it was called without its ${owner}: call ${owner}.${name}(…), or bind the method`;
  return failure(TypeError, 'invalid-argument', op, `${text} (this is ${describe(value)})`, { argument });
}

/** Whether a value is a Proxy, a copy or a prototype of a resource, and not a resource itself. */
function isImitation(value) {
  try {
    return kindOf(value) === undefined && value instanceof Resource;
  } catch {
    return false;
  }
}

/**
 * Describes a value that can be mistaken for a resource of `kind`, as the end of a sentence: a resource of another kind, a Proxy, a copy,
 * or a resource of another copy of the library. Undefined for any other value.
 */
function mistakenFor(value, kind) {
  const ownKind = kindOf(value);
  if (ownKind !== undefined && ownKind !== kind) {
    const hint = ownKind === PLAN && kind === TENSOR ? ' (a plan stands in the place of dim and index, or of indices)' : '';
    return `is ${oneOf[ownKind]}, where ${oneOf[kind]} is needed${hint}`;
  }
  try {
    if (isImitation(value)) return `is not the ${kind} itself but a Proxy, a copy or a prototype of one: keep tensors outside of what wraps objects, or mark them raw`;
    if (typeof value === 'object' && value !== null && value[Symbol.toStringTag] in oneOf) {
      return `is ${oneOf[value[Symbol.toStringTag]]} of another copy of scatterwise: it was imported twice, or by two of its entries; import it from one place`;
    }
  } catch {
    // The error that follows describes an object that cannot be read.
  }
  return undefined;
}
