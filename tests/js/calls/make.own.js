// Makes the calls of own.js with a package, and judges their results by own.oracle.js.

import { invoke } from '../../../src/js/verify/calls.js';
import { difference, typed, untyped } from './elements.js';
import { outside } from './groups.oracle.js';
import { expectedOwn } from './own.oracle.js';

/** The tensors in a result, which may have a number beside them, or those that are expected, by their names: `[name, tensor]`. */
const outputsOf = (result) => Object.entries(result).filter(([, value]) => typeof value !== 'number').flatMap(([name, value]) => (Array.isArray(value) ? value.map((each, at) => [`${name}[${at}]`, each]) : [[name, value]]));

/** Makes a call on a device, and returns what it returns. Everything made for it is added to `made`; `given` gets each operand with its tensor. */
export function start(lib, { op, self, args, options }, device, made, given) {
  const keep = (owned) => {
    made.push(owned);
    return owned;
  };
  const give = (value) => {
    if (Array.isArray(value)) return value.map(give);
    if (!value?.dtype) return value;
    const { dtype, shape, data, plan, isComputed, isArray } = value;
    if (isArray) return plan ? keep(planOf(plan, data.slice())) : data.slice();
    const tensor = keep(new lib.Tensor(typed(dtype, untyped(data)), { dtype, shape, device }));
    given.push([value, tensor]);
    const index = isComputed ? keep(tensor.mul(1)) : tensor;
    return plan ? keep(planOf(plan, index)) : index;
  };
  const planOf = ({ shape, ...how }, index) => lib.IndexPlan.select(shape, 0, index, how);
  const all = (record) => Object.entries(record).map(([name, value]) => [name, give(value)]);
  const target = give(self);
  return invoke(lib, op, target, all(args).map(([, value]) => value), Object.fromEntries(all(options)));
}

/** Why WebGPU may refuse a call with an error of this code, as its page says; undefined where it may not. */
function reasonOf({ op, self, args, options }, { code }) {
  if (/^scatter_(softmax|logsumexp)$/.test(op)) {
    if (code === 'unsupported-on-device' && self.dtype === 'float64') return `${code}: softmax of float64`;
    const most = Array.from(args.index.data, Number).reduce((a, b) => Math.max(a, b), -Infinity);
    if (code === 'wrong-device' && Number(options.ignore_index) === most) return `${code}: the ignored value is the largest of an index`;
  }
  if (op === 'bincount' && code === 'unsupported-on-device' && (options.mask || options.ignore_index !== undefined) && options.length === undefined) return `${code}: bincount with a mask and without a length`;
  return undefined;
}

/**
 * Makes a call on a device, and frees everything. Resolves to `{ problem, skipped, error }`: the fault in words; why the device may refuse the
 * call, where it does; the error of a call that was refused. `read(tensor)` gives its elements. `right` is what must come out.
 */
export async function judgeOwn(lib, call, device, { read = (tensor) => tensor.data(), right = expectedOwn(call, device) } = {}) {
  const [made, given] = [[], []];
  try {
    let result = start(lib, call, device, made, given);
    if (result instanceof Promise) result = await result;
    const isOne = result instanceof lib.Tensor;
    for (const [, tensor] of outputsOf(isOne ? { result } : result)) if (!made.includes(tensor)) made.push(tensor);
    const outputs = outputsOf(isOne ? { result } : result);
    // All reads end before the next call begins: a late error goes to any read.
    const reads = await Promise.allSettled(outputs.map(async ([, tensor]) => read(tensor)));
    const failed = reads.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
    const elements = reads.map(({ value }) => value);
    if (right.error) return { problem: `was not refused; it has to be ${right.error}` };
    const isInPlace = call.op.endsWith('_');
    if (isInPlace !== (given[0][1] === outputs[0][1])) return { problem: 'is not the object that it should be' };
    const operands = await Promise.all(given.slice(isInPlace ? 1 : 0).map(async ([value, tensor]) => changed(value, await read(tensor))));
    return { problem: wrongOutputs(outputs, elements, right, device) ?? operands.find(Boolean) };
  } catch (error) {
    if (error.code && error.code === right.error) return { error };
    const skipped = device === 'webgpu' ? reasonOf(call, error) : undefined;
    return skipped ? { skipped } : { error, problem: `was refused: ${error.name} ${error.code}: ${error.message}` };
  } finally {
    for (const each of new Set(made)) each.dispose();
  }
}

/** How an operand changed, in words. */
function changed({ dtype, shape, data }, elements) {
  const found = difference(dtype, untyped(elements), untyped(data), { payloads: true });
  return found && `an operand ${dtype}[${shape}] changed: ${found.got}, was ${found.expected}`;
}

/** The first difference from the expected results, in words. Undefined if the results are equal. */
function wrongOutputs(outputs, elements, right, device) {
  const wanted = outputsOf(right);
  const [names, wantedNames] = [outputs, wanted].map((list) => list.map(([name]) => name).sort().join());
  if (names !== wantedNames) return `gave ${names}, not ${wantedNames}`;
  for (const [at, [name, tensor]] of outputs.entries()) {
    const expected = Object.fromEntries(wanted)[name];
    const [ours, theirs] = [tensor, expected].map(({ dtype, shape }) => `${dtype} [${shape}]`);
    if (ours !== theirs) return `${name} is ${ours}, not ${theirs}`;
    // The edges of bins may stay on the CPU.
    if (tensor.device !== device && !name.startsWith('edges')) return `${name} is on ${tensor.device}`;
    const bytes = untyped(elements[at]);
    const found = expected.low ? outside(expected, new expected.low.constructor(bytes.slice().buffer)) : difference(expected.dtype, bytes, untyped(expected.data), { payloads: expected.isMoved });
    if (found) return `${name} gave ${found.got}, not ${found.expected}`;
  }
  return undefined;
}
