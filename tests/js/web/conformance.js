// Runs the conformance vectors by the package, in the page that imports this. A case is called a row here. tests/vectors/README.md has the
// format of the vectors.

import { rowOf } from '../../../src/js/arguments/operators.js';
import { TRANSCENDENTAL } from '../../../src/js/engine/wire.js';
import { invoke, shortName } from '../../../src/js/verify/calls.js';
import * as scatterwise from '../../../target/npm/scatterwise/index.js';
import { difference, isOf, toBits, toValue, typed, untyped } from '../calls/elements.js';
import { bytes, bytesOf } from '../../vectors/package/values.js';
import { expectedOf, grouped, isKnown } from '../groups.js';
import { operatorOf } from '../vectors.js';

const { Parameter, Tensor, set_device, vjp } = scatterwise;

/** Functions that make the call of a row in one form each; all must give the same. `args` are in the order of the parameters. */
function callsOf(row, self, args, options) {
  const op = operatorOf(row.op);
  if (op.endsWith('_sync')) return [() => scatterwise[op](self, ...args, options)];
  const calls = [() => invoke(scatterwise, op, self, args, options)];
  if (op.startsWith('elementwise_')) calls.push(() => scatterwise[op](self, ...args, options.axis, options.act, options.name));
  return calls;
}

/** A row that cannot be judged, and why. */
class Skip extends Error {}
/** The fault of a row, with readable `got` and `expected`. */
class Wrong extends Error {
  constructor(got, expected) {
    super(`got ${got}`);
    Object.assign(this, { got, expected });
  }
}

/**
 * Runs every case of `tests/vectors/<file>.json` on a device. Resolves to `total`, how many `ran` and `passed`, `skipped`
 * by reason, the `failures`, and `differing`: the cases that need not pass and did not.
 */
export async function runFile(file, device) {
  const { count, cases } = await (await fetch(new URL(`../../vectors/${file}.json`, import.meta.url))).json();
  if (cases.length !== count) throw new Error(`${file}.json says that it has ${count} cases and has ${cases.length}`);
  await set_device(device);
  const outcome = { total: count, ran: 0, passed: 0, skipped: {}, failures: [], differing: [] };
  // A scope takes whatever is made while it is the innermost, also by another row.
  const alone = cases.filter((row) => isLate(row, device) || row.op === 'group_by');
  const others = cases.filter((row) => !alone.includes(row));
  const together = 50; // their reads overlap
  const groups = Array.from({ length: Math.ceil(others.length / together) }, (_, at) => others.slice(at * together, (at + 1) * together));
  for (const rows of [...groups, ...alone.map((row) => [row])]) {
    const results = await Promise.allSettled(rows.map((row) => run(row, device)));
    rows.forEach((row, at) => tally(row, results[at].reason, outcome));
  }
  return outcome;
}

/**
 * Counts a row in the outcome. `problem` is what its run threw, undefined where it passed. A row that is not required counts as skipped.
 */
function tally({ id, required }, problem, outcome) {
  const skip = (reason) => (outcome.skipped[reason] = (outcome.skipped[reason] ?? 0) + 1);
  const { got = `${problem?.name}: ${problem?.message}`, expected = 'a result' } = problem ?? {};
  if (problem instanceof Skip) skip(problem.message);
  else if (!required) {
    skip(`not required: ${problem ? 'differs' : 'agrees'}`);
    if (problem) outcome.differing.push({ id, got, expected });
  } else {
    outcome.ran += 1;
    if (problem) outcome.failures.push({ id, got, expected });
    else outcome.passed += 1;
  }
}

/** Whether the entry has no family of operators. */
const isCore = !('vjp' in scatterwise);
/** Whether an operator, an option or a word of a row belongs to a family. */
function isOfFamily({ op, args, kwargs }) {
  const act = kwargs.act ?? args.act;
  return op.startsWith('grad:') || rowOf(operatorOf(op.replace('_sync', '')))?.family !== undefined || kwargs.sum === 'exact' || kwargs.return_indices === true || TRANSCENDENTAL.includes(act);
}

/** Runs a row; throws Wrong, Skip or the error of a call where it does not pass. */
async function run(row, device) {
  if (isCore && isOfFamily(row)) throw new Skip('not in this entry');
  if (row.op.startsWith('grad:')) return differentiated(row, device);
  if (row.op === 'group_by') return inGroups(row, device);
  const isAtOnce = row.op.endsWith('_sync');
  if (!rowOf(operatorOf(row.op.replace('_sync', '')))) throw new Skip('no operator of this library');
  if (isAtOnce && device === 'webgpu') row = { ...row, expect: { accept: ['RuntimeError', ...(row.expect.accept ?? [])] } };
  const made = [];
  try {
    await (row.expect.accept ? refused(row, made, device) : computed(row, made, device));
  } finally {
    for (const tensor of made) tensor.dispose();
  }
}

/** The operands of a row, `{ self, args, options }`. Tensors are added to `made`, which is disposed of, as they are made. */
function operands(row, made) {
  const tensor = (value, Type, more) => {
    const { dtype, shape, lod } = value;
    made.push(new Type(typed(dtype, bytesOf(value)), { dtype, shape, ...(lod && { lod }), ...more }));
    return made.at(-1);
  };
  /** An argument as a tensor, a number, or whatever else the row has; edges of a histogram may be a list of tensors. */
  const argument = (value, name) => {
    if (Array.isArray(value) && /^(histogram|binned_|compress)/.test(row.op)) return value.map((each) => argument(each, name));
    return value?.dtype ? tensor(value, Tensor) : value?.scalar ? number(value) : value;
  };
  if (typeof row.self === 'string') return { self: row.self, args: [], options: {} };
  // A list stays one.
  const self = Array.isArray(row.self) ? row.self : row.op === 'scatter_mul' ? tensor(row.self, Parameter, { name: 'x' }) : tensor(row.self, Tensor);
  const options = Object.fromEntries(Object.entries(row.kwargs).map(([name, value]) => [name, argument(value, name)]));
  return { self, args: Object.values(row.args).map((value) => argument(value)), options };
}

/** The number that a row means: a bigint where JSON has no such integer. */
function number({ scalar, value }) {
  if (scalar === 'int' && typeof value === 'string') return BigInt(value);
  return scalar === 'float' ? Number(value) : value;
}

// ---- results

/** Runs a row that has a result: compares it with the recorded one, in each form of the call, and self and `args` with their old values. */
async function computed(row, made, device) {
  const { self, args, options } = operands(row, made);
  for (const call of callsOf(row, self, args, options)) {
    const result = await attempt(row, call, device); // unique returns a promise
    if (row.expect.outputs) {
      await compareOutputs(row, Array.isArray(result) ? { x: result } : result, made, device);
      equal('self is what was returned:', result.values === self, Boolean(row.inplace));
      continue;
    }
    if (result !== self) made.push(result);
    equal('self is what was returned:', result === self, Boolean(row.inplace));
    await compare(row, result, device);
  }
  if (!row.inplace) await unchanged('self', row.self, self);
  const tensors = Object.entries(row.args).filter(([, value]) => value?.dtype);
  const ours = args.filter((argument) => argument instanceof Tensor);
  await Promise.all(tensors.map(([name, value], at) => unchanged(name, value, ours[at])));
}

/**
 * Makes a call. WebGPU lacks activations and softmax of float64, which skips the row. Nothing else may be missing.
 */
function attempt(row, call, device) {
  try {
    return call();
  } catch (error) {
    needsLength(row, error, device);
    if (device !== 'webgpu' || error.code !== 'unsupported-on-device') throw error;
    if ((row.kwargs.act ?? row.args.act) && row.self.dtype === 'float64') throw new Skip('unsupported-on-device: activation of float64');
    const isOfGroups = row.op === 'scatter_softmax' || row.op === 'scatter_logsumexp';
    if (isOfGroups && row.self.dtype === 'float64') throw new Skip('unsupported-on-device: softmax of float64');
    throw error;
  }
}

/** Compares a tensor with the recorded one, or with one of those that pass as well; throws Wrong if it equals none. */
async function compare({ op, expect, also_accept = [], compare, expect_lod = [], kwargs }, result, device) {
  equal('dtype', result.dtype, expect.dtype);
  equal('shape', `${result.shape}`, `${expect.shape}`);
  equal('device', result.device, device);
  if (op === 'elementwise_mul') {
    equal('lod', JSON.stringify(result.lod), JSON.stringify(expect_lod));
    if (kwargs.name) equal('name', result.name, kwargs.name);
  }
  const data = await result.data();
  equal('kind of array', isOf(expect.dtype, data), true);
  if (expect.sha256) return equal('sha256', await sha256(data), expect.sha256);
  const tolerance = compare === 'exact' ? {} : compare;
  const from = (each) => difference(expect.dtype, untyped(data), bytes(each.data), tolerance);
  const differences = [expect, ...also_accept.filter((each) => each.dtype === expect.dtype)].map(from);
  if (differences.every(Boolean)) throw new Wrong(differences[0].got, differences[0].expected);
}

/** Compares several results by their names. The edges of bins may be on the CPU where the others are not. */
async function compareOutputs({ expect, also_accept = [] }, result, made, device) {
  const names = Object.keys(expect.outputs);
  equal('outputs', Object.keys(result).sort().join(), names.toSorted().join());
  const tensors = (outputs) => names.map((name) => outputs[name]).flat();
  const got = tensors(result);
  made.push(...got.filter((tensor) => !made.includes(tensor)));
  for (const name of names) if (name !== 'edges') for (const tensor of [result[name]].flat()) equal('device', tensor.device, device);
  const expected = [expect, ...also_accept].map(({ outputs }) => tensors(outputs));
  for (const [at, tensor] of got.entries()) {
    const [first, ...others] = expected.map((each) => each[at]);
    await compare({ expect: first, also_accept: others, compare: 'exact', kwargs: {} }, tensor, tensor.device);
  }
}

/** The digest of an array's bytes, in hexadecimal: of large results only that is recorded. */
const sha256 = async (data) => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', untyped(data)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** Throws Wrong where a tensor has not the bytes of `value`, those of NaNs included. */
async function unchanged(name, value, tensor) {
  if (Array.isArray(value)) return;
  const found = difference(value.dtype, untyped(await tensor.data()), bytesOf(value), { payloads: true });
  if (found) throw new Wrong(`${name} changed, ${found.got}`, found.expected);
}

/** Throws Wrong where two values are not the same; `what` they are, for people to read. */
function equal(what, got, expected) {
  if (got !== expected) throw new Wrong(`${what} ${got}`, expected);
}

// ---- groups

/** Runs a row about groups. Its tensors are freed by their scope. Rows of groups, `members`, are read on the CPU alone. */
async function inGroups(row, device) {
  if (isCore || !isKnown(row)) throw new Skip('not in this entry');
  const isHere = device === 'cpu' || row.args.result !== 'members';
  const accepted = isHere ? row.expect.accept : ['RuntimeError', ...(row.expect.accept ?? [])]; // a wrong group may be named first
  const ours = scatterwise.open_scope();
  try {
    const results = grouped(scatterwise, row);
    for (const [name, expected] of accepted ? [] : Object.entries(expectedOf(row))) {
      await compare({ expect: expected[0], also_accept: expected.slice(1), compare: row.compare, kwargs: {} }, results[name], device);
    }
    if (accepted) for (const result of Object.values(results)) await result.data();
  } catch (error) {
    if (!accepted) throw error;
    checkClass({ expect: { accept: accepted } }, error);
    if (isHere && row.expect.position) equal('position', `${error.position}`, `${row.expect.position}`);
    return;
  } finally {
    ours.dispose();
  }
  if (accepted) throw new Wrong('no error', accepted.join(' or '));
}

// ---- gradients

/** Runs a row about gradients, and compares those with respect to the operands in `wrt`. The vectors call self what vjp() may call x. */
async function differentiated(row, device) {
  const made = [];
  try {
    const { self, args, options } = operands(row, made);
    const { dtype, shape } = row.cotangent;
    made.push(new Tensor(typed(dtype, bytesOf(row.cotangent)), { dtype, shape }));
    const operator = shortName(operatorOf(row.op.slice('grad:'.length)));
    const last = Object.keys(options).length > 0 ? [options] : [];
    const cotangent = made.at(-1);
    const call = () => vjp(operator, cotangent, self, ...args, ...last);
    const gradients = attempt(row, call, device);
    made.push(...Object.values(gradients));
    for (const name of row.wrt) {
      const gradient = name === 'self' ? (gradients.self ?? gradients.x) : gradients[name];
      await compare({ expect: row.expect.grads[name], compare: row.compare, kwargs: {} }, gradient, device);
    }
    await unchanged('self', row.self, self);
  } finally {
    for (const tensor of made) tensor.dispose();
  }
}

// ---- errors

/** Skips a count on WebGPU under a mask and without a length, where that is why it is refused: how long its result is depends on the mask. */
function needsLength({ op, kwargs }, { code }, device) {
  const isUnknown = op === 'bincount' && kwargs.mask && kwargs.length === undefined;
  if (device === 'webgpu' && isUnknown && code === 'unsupported-on-device') throw new Skip('unsupported-on-device: bincount with a mask and without a length');
}

/** Runs a row that has to be refused, in each form of the call: compares the error, and self with its old values. */
async function refused(row, made, device) {
  const { self, args, options } = operands(row, made); // all operands can be made: the call is refused
  for (const call of callsOf(row, self, args, options)) {
    const error = isLate(row, device) ? await rejected(call, made) : thrown(call, made, row.expect.accept);
    needsLength(row, error, device);
    checkClass(row, error);
    equal('op', error.op, operatorOf(row.op));
    if (error instanceof scatterwise.IndexError) checkEntry(row.args.index ?? row.args.indices, error);
    if ('zero_at' in row) equal('position of the zero', ravel(error.position, (row.args.updates ?? row.args.other ?? row.args.y).shape), row.zero_at);
    if (row.self.dtype) await unchanged('self', row.self, self);
  }
}

/**
 * The error that a call throws at once; Wrong where it throws none, and its result goes into `made`. Every index here was made in
 * JavaScript: an error that comes only later is wrong on either device.
 */
function thrown(call, made, accepted) {
  let result;
  try {
    result = call();
  } catch (error) {
    return error;
  }
  for (const tensor of result instanceof Tensor ? [result] : Object.values(result).flat()) if (!made.includes(tensor)) made.push(tensor);
  throw new Wrong('no error', accepted.join(' or '));
}

/**
 * Whether the error of a row comes later than its call, with the next read of any tensor: a divisor in a GPU's memory, the values from which a
 * range follows, the lengths or offsets of segments, the edges of bins and an index with an ignored value are looked at there. Such a row
 * runs alone, so that no other one gets its error.
 */
const isLate = ({ id, expect }, device) =>
  device === 'webgpu' && Boolean(expect.accept) && /by-zero|\/groups-error\/|\/zero-divisor\/|\/auto-range\/|^segment_reduce\/(lengths|offsets)\/|^histogram(dd)?\/edges\/|binned-error\/(edges-fall|range-nan)|options-error\/(negative-in-mask|(other|component)-out-of-range$)/.test(id);

/** The error of a call, which may come at once or when its result is read; Wrong where none comes. */
async function rejected(call, made) {
  try {
    const result = call();
    const tensors = result instanceof Tensor ? [result] : Object.values(result).flat();
    for (const tensor of tensors) if (!made.includes(tensor)) made.push(tensor);
    await tensors[0].data();
  } catch (error) {
    return error;
  }
  throw new Wrong('no error', 'a ValueError');
}

/** Throws Wrong where an error is of none of the classes that pass, or lacks a code or an op. */
function checkClass({ expect }, error) {
  const classes = { TypeError, ...scatterwise };
  if (!expect.accept.some((name) => error instanceof classes[name])) {
    throw new Wrong(`${error.name}: ${error.message}`, expect.accept.join(' or '));
  }
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(error.code)) throw new Wrong(`code ${error.code}`, 'words in kebab-case');
  if (typeof error.op !== 'string' || error.op === '') throw new Wrong(`op ${error.op}`, 'the name of the operator');
}

/** The flat place of a position. */
const ravel = (position, shape) => shape.reduce((flat, size, d) => flat * size + position[d], 0);

/** Throws Wrong where an index error does not name an entry of the recorded index, with its value, that is out of the range it names. */
function checkEntry({ dtype, shape, data }, { code, position, value, allowed }) {
  equal('code', code, 'index-out-of-range');
  const at = ravel(position, shape);
  const entry = toValue(dtype, toBits(dtype, bytes(data))[at]);
  equal('value', String(value), String(entry));
  if (entry >= allowed[0] && entry <= allowed[1]) throw new Wrong(`allowed ${allowed}`, `a range without ${entry}`);
}
