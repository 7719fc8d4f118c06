// What came of a call: a value, or an error of one of the kinds that are allowed, or a fault.

const classes = ['TypeError', 'ValueError', 'RuntimeError', 'IndexError'];
const LONGEST = 2000;

/** What the hostile values throw. Each is new, so that the very object can be recognised when it comes out. */
export class Mine extends Error {}

const isOverflow = (error) =>
  (error instanceof RangeError && /call stack/i.test(error.message)) || error?.name === 'InternalError';

/** 'typed', 'own' or 'stack'; anything else is a fault: 'trap', 'raw' or 'too long'. `thrown` holds what the caller's code threw. */
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

/** `{ value }` or `{ error }`. */
export function attempt(run) {
  try {
    return { value: run() };
  } catch (error) {
    return { error, threw: true };
  }
}

const TICKS = 40;
const patience = { ms: 20_000 };
/** How long a promise may take. */
export const setPatience = (ms) => (patience.ms = ms);

/** What a promise becomes, as attempt() has it; `{ hung: true }` where it never settles. */
export async function settled(promise) {
  let outcome;
  const done = promise.then((value) => (outcome = { value }), (error) => (outcome = { error, threw: true }));
  for (let tick = 0; tick < TICKS && !outcome; tick++) await null; // timers cost more
  if (outcome) return outcome;
  let timer;
  await Promise.race([done, new Promise((late) => (timer = setTimeout(late, patience.ms)))]);
  clearTimeout(timer);
  return outcome ?? { hung: true };
}
