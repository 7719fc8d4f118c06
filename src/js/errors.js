// The error classes, and how an error gets its facts.

// A minifier renames classes, but not properties: a class without a name of its own takes that of its property, which engines show.
export const { ValueError } = { ValueError: class extends Error {} };
export const { RuntimeError } = { RuntimeError: class extends Error {} };
export const { IndexError } = { IndexError: class extends RuntimeError {} };
for (const [name, type] of Object.entries({ ValueError, RuntimeError, IndexError })) {
  Object.defineProperty(type.prototype, 'name', { value: name, configurable: true, writable: true });
}

const classes = { TypeError, ValueError, RuntimeError, IndexError };

/** An error of `op` with its facts; those that are undefined are left out. */
export function failure(Type, code, op, text, { cause, ...facts } = {}) {
  return withFacts(new Type(`${op}: ${text}`, cause === undefined ? undefined : { cause }), { code, op, ...facts });
}

/** Errors of this library: they pass through `readable` as they are. */
const ours = new WeakSet();

function withFacts(error, facts) {
  ours.add(error);
  for (const [key, value] of Object.entries(facts)) if (value !== undefined) error[key] = value;
  return error;
}

/**
 * The error that Rust tells of, as JSON. Integers come as text and other numbers as their bits, because JSON has not all of them; the text
 * has a mark where such a number belongs.
 */
export function errorOf(json) {
  const { class: name, message, integer, bits, value, ...facts } = JSON.parse(json);
  facts.value = value;
  if (integer !== undefined) facts.value = Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
  if (bits !== undefined) [facts.value] = new Float64Array(BigUint64Array.of(BigInt(bits)).buffer);
  const { code, op, ...rest } = facts;
  return withFacts(new classes[name](message.replace('\ufffc', numberText(facts.value))), { code, op, ...rest });
}

/** A number in an error: as JavaScript prints it, but for the plus sign of an exponent. */
function numberText(value) {
  if (Object.is(value, -0)) return '-0';
  return String(value).replace('+', '').replace('Infinity', 'inf');
}

export const outOfMemory = (op, bytes) =>
  failure(RuntimeError, 'out-of-memory', op, `${bytes === undefined ? 'memory is full' : `${bytes} bytes could not be allocated`}; dispose() of tensors that are done with`);

/** The error for an argument of a wrong kind; `wanted` says what it must be. */
export function wrongKind(op, argument, wanted, got, hint = '') {
  if (got === undefined) return failure(TypeError, 'missing-argument', op, `${argument} is missing; it must be ${wanted}${hint}`, { argument });
  const value = describe(got);
  return failure(TypeError, 'invalid-argument', op, `${argument} must be ${wanted}, not ${value}${hint}`, { argument, value });
}

/** The error for a word that is none of `allowed`. */
export function unknownWord(Type, code, op, argument, word, text, allowed) {
  return failure(Type, code, op, `${argument} is '${shortened(word)}'; ${text}`, { argument, value: word, allowed });
}

/** What `read` makes of an object of the caller's, whose getters may throw. Errors of ours pass. */
export function readable(op, argument, read) {
  try {
    return read();
  } catch (thrown) {
    throw unreadable(op, argument, thrown);
  }
}

/** The error for what was thrown while an argument was read: an error of ours as it is. */
export function unreadable(op, argument, thrown) {
  if (ours.has(thrown)) return thrown;
  return failure(TypeError, 'invalid-argument', op, `${argument} cannot be read: ${describe(thrown)}`, { argument, cause: thrown });
}

/** What a value is, in a word or two, for an error. */
export function describe(value) {
  try {
    return words(value);
  } catch {
    return 'an object that cannot be read';
  }
}

export const shortened = (text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

function words(value) {
  if (value === null) return 'null';
  if (value === undefined) return 'undefined';
  if (typeof value === 'string') return `the string '${shortened(value)}'`;
  if (typeof value === 'object') return named(shortened(String(value.constructor?.name ?? 'object')));
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol') return 'a symbol';
  return typeof value === 'bigint' ? bigintText(value) : String(value);
}

const named = (name) => `${/^[AEIOU]/i.test(name) && !/^Ui/.test(name) ? 'an' : 'a'} ${name}`;

/** A bigint in an error: one of a million digits is told by its size. */
export function bigintText(value) {
  return value > -(2n ** 128n) && value < 2n ** 128n ? `${value}n` : `a bigint beyond 128 bits`;
}
