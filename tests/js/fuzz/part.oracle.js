// Part b: random calls against the loops that define them, bit for bit; random calls with one thing wrong, which have to be refused
// with the error that their page promises, and nothing written.

import { Numbers } from '../../../src/js/verify/numbers.js';
import { difference, typed, untyped } from '../calls/elements.js';
import { describe, isInPlace, operandsOf, run } from '../calls/make.js';
import { judgeOwn } from '../calls/make.own.js';
import { expected } from '../calls/oracle.js';
import { describeOwn, ownCall } from '../calls/own.js';
import { smallCall, wideCall } from '../calls/random.js';
import { attempt, kindOf, say, settled } from './outcome.js';
import { spoil } from './spoil.js';

/** One call of so many is of an operator with a function of its own. Its oracle is slower. */
const OWN_EVERY = 6;

/** Yields `{ name, callable, problems }` for each call: see `parts` in run.js. A call is data, as `smallCall` makes it. */
export async function* oraclePart(stage, { seed, calls }) {
  for (let n = 0; n < calls; n++) {
    const numbers = new Numbers(seed, n);
    if (n % OWN_EVERY === 0) {
      const call = ownCall(numbers);
      const problem = await judgeOne(stage, call);
      yield { name: `call ${n}: ${describeOwn(call)}`, callable: call.op, problems: problem ? [problem] : null };
      continue;
    }
    const call = n % 50 === 49 ? wideCall(numbers) : smallCall(numbers);
    const fault = !call.wide && numbers.once(4) ? spoil(call, numbers) : null;
    const name = `call ${n}: ${describe(call)}${fault ? `, with ${fault.name}` : ''}`;
    const problem = await judge(stage, call, fault);
    yield { name, callable: `${call.op}${fault ? `, ${fault.name}` : ''}`, problems: problem ? [problem] : null };
  }
}

/** Makes a call of own.js, and returns its fault, or null. */
async function judgeOne(stage, call) {
  const before = stage.memory();
  const read = stage.device === 'cpu' ? (tensor) => tensor.data_sync() : undefined;
  const { problem, skipped, error } = await judgeOwn(stage.lib, call, stage.device, { read });
  stage.count(skipped ?? (error ? kindOf(error) : 'value'));
  return problem ?? leaked(stage, before);
}

/** The fault if memory is not as it was, or null. */
function leaked(stage, before) {
  const now = stage.memory();
  const isSame = ['tensors', 'cpu_bytes', 'gpu_bytes'].every((name) => now[name] === before[name]);
  return isSame ? null : `memory() was ${JSON.stringify(before)} and is ${JSON.stringify(now)}`;
}

/**
 * Makes a call and returns its fault, or null. `fault`, of spoil.js, is the change of the call, and says how it must be refused; null for
 * an unchanged call. Everything made is in `made`, self first, and is disposed of.
 */
async function judge(stage, call, fault) {
  const { lib, device } = stage;
  const before = stage.memory();
  const made = [];
  /** A tensor of the library's with the values of one of the call. */
  const tensor = (like) => {
    made.push(new lib.Tensor(typed(like.dtype, untyped(like.data)), { dtype: like.dtype, shape: like.shape, device }));
    return made.at(-1);
  };
  // A fault of a call may also show when its tensors or its plan are made.
  const prepared = attempt(() => ({ self: tensor(call.self), ...operandsOf(call, tensor, lib, made) }));
  let outcome = prepared;
  if (!prepared.threw) outcome = attempt(() => run(lib, call, prepared.value));
  if (!outcome.threw && outcome.value !== made[0]) made.push(outcome.value);
  const problem = prepared.threw && !fault ? `cannot be prepared: ${say(prepared.error)}` : await compare(stage, call, fault, outcome, made[0]);
  for (const each of made) each.dispose();
  return problem ?? leaked(stage, before);
}

/** The fault of a call's end (`outcome`, of `attempt`), or null. `self` is undefined where it could not be made. */
async function compare(stage, call, fault, outcome, self) {
  stage.count(outcome.threw ? kindOf(outcome.error) : 'value');
  const { dtype } = call.self;
  const read = (t) => (stage.device === 'cpu' ? attempt(() => t.data_sync()) : settled(t.data()));
  const after = self && (await read(self));
  if (after?.threw) return `self cannot be read: ${say(after.error)}`;
  const unchanged = () => {
    const changed = after && difference(dtype, untyped(after.value), untyped(call.self.data), { payloads: true });
    return changed ? `self changed: ${changed.got}, was ${changed.expected}` : null;
  };
  if (fault) {
    if (!outcome.threw) return `was not refused; it has to be ${fault.code}`;
    return fault.wrong(outcome.error) ?? unchanged();
  }
  if (outcome.threw) return `was refused: ${say(outcome.error)}`;
  const result = outcome.value;
  if ((result === self) !== isInPlace(call.op)) return 'is not the object that it should be';
  const found = result === self ? after : await read(result);
  if (found.threw) return `the result cannot be read: ${say(found.error)}`;
  const right = expected(call);
  if (result.shape.join() !== right.shape.join() || result.dtype !== right.dtype) return `gave ${result.dtype} [${result.shape}], not ${right.dtype} [${right.shape}]`;
  const wrong = difference(right.dtype, untyped(found.value), right.bytes);
  if (wrong) return `gave ${wrong.got}, not ${wrong.expected}`;
  return result === self ? null : unchanged();
}
