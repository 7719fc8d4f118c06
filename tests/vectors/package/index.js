// scatterwise-vectors: recorded calls and the runner that makes them by a library. README.md has the format.

import { ARRAYS, bytesOf, difference, numbersOf, untyped, valueOf } from './values.js';

export { ARRAYS, fromNumbers, numbersOf, Unfit, valueOf } from './values.js';

/** A JSON file of the package: from the disk, or in a page from where this file came. */
async function read(path) {
  const url = new URL(path, import.meta.url);
  if (url.protocol !== 'file:') return (await fetch(url)).json();
  const { readFile } = await import('node:fs/promises');
  return JSON.parse(await readFile(url, 'utf8'));
}

let index;
/** The files, operators and promises: `{ version, files, operators, promises }`. */
export const readIndex = () => (index ??= read('./vectors/index.json'));

/** The vectors that `only` chooses, each with its `file` and the names of its `promises`. */
export async function load(only = {}) {
  const { files, operators, promises } = await readIndex();
  const named = new Map();
  for (const [name, { vectors }] of Object.entries(promises)) for (const id of vectors) named.set(id, [...(named.get(id) ?? []), name]);
  for (const [kind, known] of Object.entries({ promise: promises, op: operators, file: files })) {
    const unknown = [only[kind] ?? []].flat().find((name) => !Object.hasOwn(known, name));
    if (unknown !== undefined) throw new RangeError(`there is no ${kind} ${unknown}; there are ${Object.keys(known).join(', ')}`);
  }
  const wanted = [only.file ?? Object.keys(files)].flat();
  const all = await Promise.all(wanted.map(async (file) => (await read(`./vectors/${file}.json`)).cases.map((vector) => ({ ...vector, file, promises: named.get(vector.id) ?? [] }))));
  const isOne = (choice, value) => choice === undefined || [choice].flat().some((one) => [value].flat().includes(one));
  const isWanted = ({ id, op, promises, self, required }) =>
    isOne(only.op, op) && isOne(only.promise, promises) && isOne(only.dtype, self?.dtype) && (only.required === undefined || only.required === required) &&
    (only.id === undefined || (only.id instanceof RegExp ? only.id.test(id) : [only.id].flat().some((start) => id.startsWith(start))));
  return all.flat().filter(isWanted);
}

/** The operand that a vector has: a value for a tensor, a number, bigint or boolean for a scalar, else what the JSON has. */
function operand(value) {
  if (Array.isArray(value)) return value.map(operand);
  if (value?.dtype) return valueOf(value);
  if (!value?.scalar) return value;
  return value.scalar === 'int' && typeof value.value === 'string' ? BigInt(value.value) : value.scalar === 'float' ? Number(value.value) : value.value;
}
const operands = (record = {}) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, operand(value)]));

/**
 * Makes a call once. Resolves to `{ result }`, `{ lacks }`, why the library does not offer it, `{ error }`, or `{ unfit }`, what a result has that
 * its dtype has not; `after` is self as the call left it, if the adapter says how to read it.
 */
async function attempt(adapter, vector) {
  const call = { id: vector.id, op: vector.op, self: operand(vector.self), args: operands(vector.args), options: operands(vector.kwargs) };
  let readSelf;
  const outcome = {};
  const caught = (error) => (error?.name === 'Unfit' ? (outcome.unfit ??= error.message) : (outcome.error ??= error)); // by its name: it may come from another copy of the package
  try {
    const result = await adapter.call(call, (reader) => (readSelf = reader));
    if (result === undefined || typeof result === 'string') return { lacks: result ?? 'not offered' };
    outcome.result = result;
  } catch (error) {
    caught(error);
  }
  try {
    outcome.after = await readSelf?.();
  } catch (error) {
    caught(error);
  }
  return outcome;
}

/** A list of the values of a result: one, a list, or several by names; `names` gives their order. */
const valuesOf = (result, names = Object.keys(result).sort()) => (result?.data ? [result] : Array.isArray(result) ? result : names.flatMap((name) => result[name]));

/** Where a value is not the expected one, readable `{ got, expected }`; null where it is. `expected` is a value or a recorded tensor. */
async function differenceOf(got, expected, tolerance) {
  if (got?.dtype !== expected.dtype || `${got.shape}` !== `${expected.shape}`) return { got: `${got?.dtype}[${got?.shape}]`, expected: `${expected.dtype}[${expected.shape}]` };
  const bytes = untyped(got.data instanceof ARRAYS[got.dtype] ? got.data : ARRAYS[got.dtype].from(got.data));
  if (expected.sha256) {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return hash === expected.sha256 ? null : { got: `sha256 ${hash.slice(0, 12)}…`, expected: `sha256 ${expected.sha256.slice(0, 12)}…` };
  }
  return difference(got.dtype, bytes, ArrayBuffer.isView(expected.data) ? untyped(expected.data) : bytesOf(expected), tolerance);
}

/** The first difference of two results, or null. */
async function firstDifference(result, expected, tolerance) {
  const names = expected.outputs ? Object.keys(expected.outputs) : undefined;
  const [ours, theirs] = [valuesOf(result, names), valuesOf(expected.outputs ?? (expected.dtype ? { one: expected } : expected), names)];
  if (ours.length !== theirs.length) return { got: `${ours.length} tensors`, expected: `${theirs.length} tensors` };
  for (const [at, each] of theirs.entries()) {
    const found = await differenceOf(ours[at], each, tolerance);
    if (found) return found;
  }
  return null;
}

/**
 * The verdict of a call against its vector: `{ outcome, … }`. A call that is not in place may have changed self: that breaks its vector, but no
 * promise that is about the result (`resultOnly`).
 */
async function judge(vector, { result, error, unfit, lacks, after }, { resultOnly = false } = {}) {
  if (lacks) return { outcome: 'not offered', why: lacks };
  if (unfit) return { outcome: 'differs', got: unfit, expected: vector.expect.accept ? 'an error' : shown(vector.expect.outputs ?? vector.expect) };
  const isTrap = error instanceof WebAssembly.RuntimeError;
  const changed = vector.inplace || !after || !vector.self?.dtype ? null : await differenceOf(after, valueOf(vector.self), { payloads: true });
  if (vector.expect.accept) {
    const expected = `an error${vector.expect.error ? ` (${vector.expect.error})` : ''}`;
    if (isTrap) return { outcome: 'differs', got: `a trap of WebAssembly: ${error.message}`, expected };
    if (!error) return { outcome: 'differs', got: `no error, but ${shown(result)}`, expected };
    if (changed) return { outcome: 'differs', got: `an error, after it had written: ${changed.got}`, expected: 'an error, and nothing written' };
    return { outcome: 'kept', error: String(error.message ?? error).split('\n')[0].slice(0, 200) };
  }
  if (error) return { outcome: 'refused', why: `${error.name ?? 'Error'}: ${String(error.message ?? error).split('\n')[0].slice(0, 300)}` };
  if (changed && !resultOnly) return { outcome: 'differs', got: `self changed, ${changed.got}`, expected: changed.expected, changed: true };
  const tolerance = vector.compare && vector.compare !== 'exact' ? vector.compare : {};
  const found = await firstDifference(result, vector.expect, tolerance);
  if (!found) return { outcome: 'kept', ...(vector.once && { as: 'after each step' }) };
  for (const other of [...(vector.also_accept ?? []), ...(vector.once ? [vector.once] : [])]) {
    if (!(await firstDifference(result, other, tolerance))) return { outcome: 'kept', as: other === vector.once ? 'once' : 'also accepted' };
  }
  const isSign = !(await firstDifference(result, vector.expect, { ...tolerance, zeros: true }));
  const isShort = result.data?.length <= 8 && vector.expect.data !== undefined;
  return { outcome: 'differs', ...found, ...(isShort && { got: shown(result), expected: shown(vector.expect) }), ...(isSign && { sign: true }) };
}

/** A value or recorded tensor as text. */
export function shown(value) {
  if (!value?.dtype) return Object.entries(value ?? {}).map(([name, each]) => `${name} ${[each].flat().map(shown).join(', ')}`).join('; ');
  const numbers = value.sha256 ? ['…'] : numbersOf(ArrayBuffer.isView(value.data) ? value : valueOf(value));
  return `${value.dtype}[${value.shape}] ${numbers.slice(0, 8).map((x) => (Object.is(x, -0) ? '-0' : String(x))).join(', ')}${numbers.length > 8 ? ', …' : ''}`;
}

/** Compares the results of two calls; those that give none say nothing. */
async function compareTwo(first, other, what) {
  const unfit = first.unfit ?? other.unfit;
  if (unfit) return { outcome: 'differs', got: unfit, expected: 'numbers of the dtype' };
  if (!first.result || !other.result) return first.lacks || other.lacks ? { outcome: 'not offered', why: first.lacks ?? other.lacks } : { outcome: 'refused', why: String((first.error ?? other.error)?.message) };
  const found = await firstDifference(first.result, other.result);
  return found ? { outcome: 'differs', got: found.got, expected: `${found.expected} ${what}` } : { outcome: 'kept' };
}

/** How many elements the operands of a vector have: of two that differ, people read the smaller one. */
const sizeOf = ({ self, args }) => [self, ...Object.values(args ?? {})].reduce((sum, each) => sum + (each?.shape?.reduce((a, b) => a * b, 1) ?? 0), 0);

/**
 * Makes the calls of the vectors by an adapter, and judges the results: see `Report` in index.d.ts. `only` chooses vectors. `repeats` is how
 * often a call of the promise `twice` is made. `beside`: an adapter of another device, for the promise `devices`. `vectors` takes the place of those
 * of the package.
 */
export async function run(adapter, { only, repeats = 5, beside, vectors, onResult } = {}) {
  const { version, promises } = await readIndex();
  const results = [];
  for (const vector of vectors ?? (await load(only))) {
    const first = await attempt(adapter, vector);
    const row = { id: vector.id, op: vector.op, file: vector.file, required: vector.required, size: sizeOf(vector), promises: {}, ...(await judge(vector, first)) };
    for (const name of vector.promises ?? []) row.promises[name] = await judge(vector, first, { resultOnly: name !== 'bad-index' });
    if (row.promises.twice) {
      row.promises.twice = await compareTwo(first, first, '');
      for (let again = 1; again < repeats && row.promises.twice.outcome === 'kept'; again++) row.promises.twice = await compareTwo(first, await attempt(adapter, vector), 'at first');
    }
    if (row.promises.devices) row.promises.devices = beside ? await compareTwo(first, await attempt(beside, vector), `on ${beside.device ?? beside.name}`) : { outcome: 'not offered', why: 'no other device' };
    results.push(row);
    onResult?.(row);
  }
  const { name, version: library, device } = adapter;
  return { vectors: version, adapter: { name, version: library, device }, counts: countsOf(results.map(({ outcome }) => outcome)), promises: byPromise(Object.keys(promises), results), results };
}

const countsOf = (outcomes) => Object.fromEntries(['kept', 'differs', 'refused', 'not offered'].map((each) => [each, outcomes.filter((one) => one === each).length]));

/** For each promise the counts of its verdicts, and of those vectors that differ the ids, the smallest call first. */
function byPromise(names, results) {
  return Object.fromEntries(names.map((name) => {
    const rows = results.filter(({ promises }) => promises[name]).sort((a, b) => a.size - b.size);
    const differing = rows.filter(({ promises }) => promises[name].outcome === 'differs').map(({ id }) => id);
    return [name, { ...countsOf(rows.map(({ promises }) => promises[name].outcome)), differing }];
  }));
}
