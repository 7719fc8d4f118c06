// The error classes, and the facts of an error.
//
// An error begins with `op`, the name of the function that the caller called. Its facts are properties: `code`, `op`, `argument` (the
// name of the wrong argument) and others. `Type` is the class of an error. tools/package.mjs defines ENTRY, the name by which the entry is
// imported.

// A minifier renames classes, but not properties. A class without its own name takes that of its property, and engines show it.
export const { ValueError } = { ValueError: class extends Error {} };
export const { RuntimeError } = { RuntimeError: class extends Error {} };
export const { IndexError } = { IndexError: class extends RuntimeError {} };
for (const [name, type] of Object.entries({ ValueError, RuntimeError, IndexError })) {
  Object.defineProperty(type.prototype, 'name', { value: name, configurable: true, writable: true });
}

/** The classes by their names in Rust. */
const classes = { TypeError, ValueError, RuntimeError, IndexError };

/** Returns a new error with a text and facts. Omits undefined facts. */
export function failure(Type, code, op, text, { cause, ...facts } = {}) {
  return withFacts(new Type(`${op}: ${text}`, cause === undefined ? undefined : { cause }), { code, op, ...facts });
}

/** Errors of this library: `readable` passes them on unchanged. */
const ours = new WeakSet();

/** What an entry does with each new error and its `op`: see `onFailure`. */
let finish;
/** Has `change(error, op)` called with each new error of this library. */
export const onFailure = (change) => {
  finish = change;
};

/** Gives an error its facts, except undefined ones, marks it as one of this library, and returns it. */
function withFacts(error, facts) {
  ours.add(error);
  finish?.(error, facts.op);
  for (const [key, value] of Object.entries(facts)) if (value !== undefined) error[key] = value;
  return error;
}

/**
 * The error from the facts that Rust wrote as JSON (facts.rs). JSON cannot hold every number, so a number `value` arrives as `integer`,
 * its digits, or as `bits`, the bit pattern of a float64 as an integer. The message has the character U+FFFC at the place of the value.
 */
export function errorOf(json) {
  const { class: name, message, integer, bits, value, ...facts } = JSON.parse(json);
  facts.value = value;
  if (integer !== undefined) facts.value = Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
  if (bits !== undefined) [facts.value] = new Float64Array(BigUint64Array.of(BigInt(bits)).buffer);
  const { code, op, ...rest } = facts; // code and op become the first properties, as in errors made in JavaScript
  return withFacts(new classes[name](message.replace('\ufffc', numberText(facts.value))), { code, op, ...rest });
}

/** A number as Rust writes it natively: as JavaScript does, but with `-0`, `inf`, and no plus sign in an exponent. */
function numberText(value) {
  if (Object.is(value, -0)) return '-0';
  return String(value).replace('+', '').replace('Infinity', 'inf');
}

export const MEMORY_WAYS = 'dispose of tensors that you no longer need, or make them in a scope(), which frees them; others are freed only while a read is awaited';

export const outOfMemory = (op, bytes) =>
  failure(RuntimeError, 'out-of-memory', op, `${bytes === undefined ? 'memory is full' : `${bytes} bytes could not be allocated`}; ${MEMORY_WAYS}`);

/** The error for an argument of a wrong kind. `wanted` describes the right kind, `got` is the value, and `hint` ends the text. */
export function wrongKind(op, argument, wanted, got, hint = '') {
  if (got === undefined) return failure(TypeError, 'missing-argument', op, `${argument} is missing; it must be ${wanted}${hint}`, { argument });
  const value = describe(got);
  const what = value === wanted ? 'a Proxy or a copy of one' : value; // it only claims that class
  return failure(TypeError, 'invalid-argument', op, `${argument} must be ${wanted}, not ${what}${hint}`, { argument, value });
}

/** The error for a word that is not in the list `allowed`. `text` describes what it must be. */
export function unknownWord(Type, code, op, argument, word, text, allowed) {
  return failure(Type, code, op, `${argument} is '${shortened(word)}'; ${text}`, { argument, value: word, allowed });
}

/** The entries that have every family. */
const WHOLE = ['scatterwise/cpu', 'scatterwise'];

/** Throws the error for what only other entries have: a method, or the word or flag `value` of an argument. */
export function refuseAbsent(op, argument, value) {
  const what = typeof value === 'string' ? `'${value}'` : value;
  const text = argument === undefined ? `'${ENTRY}' does not have it` : `${argument} is ${what}, which '${ENTRY}' does not have`;
  throw failure(RuntimeError, 'not-in-this-entry', op, `${text}: import ${WHOLE.map((name) => `'${name}'`).join(' or ')}`, { argument, value, allowed: WHOLE });
}

/**
 * Returns the result of `read`, which reads an object of the caller. If a getter throws, its error becomes the cause of an error of ours.
 */
export function readable(op, argument, read) {
  try {
    return read();
  } catch (thrown) {
    throw unreadable(op, argument, thrown);
  }
}

/** The error for a value that was thrown while an argument was read. Returns an error of this library unchanged. */
export function unreadable(op, argument, thrown) {
  if (ours.has(thrown)) return thrown;
  return failure(TypeError, 'invalid-argument', op, `${argument} cannot be read: ${describe(thrown)}`, { argument, cause: thrown });
}

/** Describes a value in a word or two, for the text of an error. Never throws. */
export function describe(value) {
  try {
    return describeReadable(value);
  } catch {
    return 'an object that cannot be read';
  }
}

/** A text of the caller for an error: its first 40 letters. */
export const shortened = (text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** As `describe`, but throws for a value whose class cannot be read. */
function describeReadable(value) {
  if (value === null) return 'null';
  if (value === undefined) return 'undefined';
  if (typeof value === 'string') return `the string '${shortened(value)}'`;
  if (typeof value === 'object') return withArticle(shortened(String(value.constructor?.name ?? 'object')));
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol') return 'a symbol';
  return typeof value === 'bigint' ? bigintText(value) : String(value);
}

/** A name with its article: `an Array`, but `a Uint8Array`. */
const withArticle = (name) => `${/^[AEIOU]/i.test(name) && !/^Ui/.test(name) ? 'an' : 'a'} ${name}`;

/** A bigint for an error text. Beyond 128 bits it may have a million digits, so it is not written out. */
export function bigintText(value) {
  return value > -(2n ** 128n) && value < 2n ** 128n ? `${value}n` : `a bigint beyond 128 bits`;
}
