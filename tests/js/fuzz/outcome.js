// The outcome of a call: a value, an allowed kind of error, or a fault.

const classes = ['TypeError', 'ValueError', 'RuntimeError', 'IndexError'];
/** Characters that the text of an error may have. */
const LONGEST = 2000;

/** What the adversarial values throw. Each is new, so that the very object can be recognised when it comes out. */
export class Mine extends Error {}

/** Whether an engine says that the stack is full. Firefox has an InternalError for it, the others a RangeError. */
const isOverflow = (error) =>
  (error instanceof RangeError && /call stack/i.test(error.message)) || error?.name === 'InternalError';

/**
 * What kind of error came out of a call. Allowed are 'typed', an error of the library's own with a code and an op; 'own', what the
 * caller's code threw (`thrown` is the Set of it, where it may be anything else than a Mine); and 'stack', a full stack. Faults are
 * 'trap', a trap of WebAssembly; 'raw', any other error; and 'too long', a typed one with too long a text.
 */
export function kindOf(error, thrown) {
  if (thrown?.has(error) || error instanceof Mine) return 'own';
  if (error instanceof WebAssembly.RuntimeError) return 'trap';
  if (isOverflow(error)) return 'stack';
  const isTyped = error instanceof Error && typeof error.code === 'string' && typeof error.op === 'string' && error.op !== '';
  if (!isTyped || !classes.includes(error.name)) return 'raw';
  return error.message.length > LONGEST ? 'too long' : 'typed';
}

export const isAllowed = (kind) => ['typed', 'own', 'stack'].includes(kind);

/** An error in one line; it may be anything. */
export function say(error) {
  try {
    const text = error instanceof Error ? `${error.constructor.name}${error.code ? ` ${error.code}` : ''}: ${error.message}` : String(error);
    return text.length > 200 ? `${text.slice(0, 200)}…` : text;
  } catch {
    return 'an error that cannot be read';
  }
}

/** How a call ends: `{ value }`, or `{ error, threw: true }`. `threw` tells them apart where undefined was thrown. */
export function attempt(run) {
  try {
    return { value: run() };
  } catch (error) {
    return { error, threw: true };
  }
}

/** Turns of the microtask queue for which a promise is awaited before a timer is set. */
const TICKS = 40;
const patience = { ms: 20_000 };
/** Sets how long a promise may take, in ms, before it counts as one that never settles. */
export const setPatience = (ms) => (patience.ms = ms);

/** What a promise becomes, as attempt() has it. One that never settles counts as rejected, with an error that is not the library's. */
export async function settled(promise) {
  let outcome;
  const done = promise.then((value) => (outcome = { value }), (error) => (outcome = { error, threw: true }));
  for (let tick = 0; tick < TICKS && !outcome; tick++) await null; // timers cost more
  if (outcome) return outcome;
  let timer;
  await Promise.race([done, new Promise((late) => (timer = setTimeout(late, patience.ms)))]);
  clearTimeout(timer);
  return outcome ?? { error: new Error(`never settles: waited for ${patience.ms} ms`), threw: true };
}
