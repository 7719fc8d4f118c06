// Part b: random calls against the loops that define them, bit for bit; random calls with one thing wrong, which have to be refused
// with the error that their page promises, and nothing written.

import { difference, typed, untyped } from '../web/elements.js';
import { randomCall } from '../web/random.calls.js';
import { expected } from '../web/random.oracle.js';
import { Numbers } from './numbers.js';
import { attempt, kindOf, say, settled } from './outcome.js';
import { isReading, smallCall } from './small.calls.js';
import { gathered, multiplied, scattered, sizeOf } from './small.oracle.js';
import { spoil } from './spoil.js';

/** Whether an operator writes to self and returns it. */
const isInPlace = (op) => /_( |$)/.test(op) || ['scatter_mul', 'scatter_update', 'scatter_sub', 'scatter_max'].includes(op);

/** Yields `{ name, callable, problems }` for each call: see `parts` in run.js. A call is data, as `smallCall` makes it. */
export async function* oraclePart(stage, { seed, calls }) {
  for (let n = 0; n < calls; n++) {
    const numbers = new Numbers(seed, n);
    const call = n % 50 === 49 ? largeCall(seed, n) : smallCall(numbers);
    const fault = !call.large && numbers.once(4) ? spoil(call, numbers) : null;
    const name = `call ${n}: ${describe(call)}${fault ? `, with ${fault.name}` : ''}`;
    const problem = await judge(stage, call, fault);
    yield { name, callable: `${call.op}${fault ? `, ${fault.name}` : ''}`, problems: problem ? [problem] : null };
  }
}

/**
 * A call of any dtype and rank, made and answered by tests/js/web, whose oracle is slow. Its operators are named as in small.calls.js, where
 * `scatter_add` says how it addresses; tensors in it have `bytes`, where those of small calls have `data`.
 */
function largeCall(seed, n) {
  const call = randomCall(seed, n);
  return { ...call, large: true, how: call.reduce ?? 'replace', op: { scatter_add_nd: 'scatter_add nd', scatter_add: 'scatter_add along' }[call.op] ?? call.op };
}

/** The bytes of a tensor of a call. */
const bytesOf = ({ bytes, data }) => bytes ?? untyped(data);

/** What should come out: `{ shape, bytes }`. */
function answer(call) {
  if (call.large) return expected({ ...call, op: call.op === 'scatter_add nd' ? 'scatter_add_nd' : call.op.split(' ')[0] });
  const right = call.form === 'product' ? multiplied(call) : isReading(call.op) ? gathered(call) : { shape: call.self.shape, data: scattered(call) };
  return { shape: right.shape, bytes: untyped(right.data) };
}

/**
 * Makes a call and returns what was wrong, or null. `fault`, of spoil.js, is what was done to the call, and says how it has to be refused;
 * null where nothing was. Whatever is made is in `made`, self first, and is disposed of.
 */
async function judge(stage, call, fault) {
  const { lib, device } = stage;
  const before = stage.memory();
  const made = [];
  /** A tensor of the library's with the values of one of the call. */
  const tensor = (like) => {
    made.push(new lib.Tensor(like.bytes ? typed(like.dtype, like.bytes) : like.data, { dtype: like.dtype, shape: like.shape, device }));
    return made.at(-1);
  };
  // What is wrong with a call may also come out when its tensors or its plan are made.
  const prepared = attempt(() => ({ self: tensor(call.self), ...handOver(call, tensor, lib, made) }));
  let outcome = prepared;
  if (!prepared.threw) outcome = attempt(() => run(lib, call, prepared.value));
  if (!outcome.threw && outcome.value !== made[0]) made.push(outcome.value);
  const problem = prepared.threw && !fault ? `cannot be prepared: ${say(prepared.error)}` : await compare(stage, call, fault, outcome, made[0]);
  for (const each of made) each.dispose();
  const now = stage.memory();
  if (!problem && (now.tensors !== before.tensors || now.cpu_bytes !== before.cpu_bytes || now.gpu_bytes !== before.gpu_bytes)) {
    return `memory() was ${JSON.stringify(before)} and is ${JSON.stringify(now)}`;
  }
  return problem;
}

/** What is wrong with how a call ended (`outcome`, of `attempt`), or null. `self` is undefined where it could not be made. */
async function compare(stage, call, fault, outcome, self) {
  stage.count(outcome.threw ? kindOf(outcome.error) : 'value');
  const { dtype } = call.self;
  const read = (t) => (stage.device === 'cpu' ? attempt(() => t.data_sync()) : settled(t.data()));
  const after = self && (await read(self));
  if (after?.threw) return `self cannot be read: ${say(after.error)}`;
  const unchanged = () => {
    const changed = after && difference(dtype, untyped(after.value), bytesOf(call.self), { payloads: true });
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
  const right = answer(call);
  if (result.shape.join() !== right.shape.join() || result.dtype !== dtype) return `gave ${result.dtype} [${result.shape}], not ${dtype} [${right.shape}]`;
  const wrong = difference(dtype, untyped(found.value), right.bytes);
  if (wrong) return `gave ${wrong.got}, not ${wrong.expected}`;
  return result === self ? null : unchanged();
}

/** Flat values as nested arrays of a shape. */
function nest(data, shape) {
  let next = 0;
  const level = (d) => (d === shape.length ? data[next++] : Array.from({ length: shape[d] }, () => level(d + 1)));
  return level(0);
}

/**
 * The operands but self, as the call has them handed over (`given`, `planned`): `{ index, source }`, or `{ plan, source }`. Plans are added
 * to `made`.
 */
function handOver(call, tensor, lib, made) {
  /** An operand as a number, an array or a tensor, by what the call asks for. */
  const give = (like) => {
    if (!like.shape) return like.scalar;
    if (call.given === 'typed arrays' && like.shape.length === 1) return like.data;
    // An empty array does not tell all of its sizes: it is given as a tensor, and so are bools, which are numbers here.
    return call.given === 'arrays' && sizeOf(like.shape) > 0 && like.dtype !== 'bool' ? nest(like.data, like.shape) : tensor(like);
  };
  const source = call.source && (call.source === call.self ? made[0] : call.source.bytes ? tensor(call.source) : give(call.source));
  if (!call.index) return { source };
  const index = call.index.bytes ? tensor(call.index) : give(call.index);
  if (!call.planned) return { index, source };
  const more = call.mode ? [{ mode: call.mode }] : [];
  if (call.form === 'slices') {
    made.push(lib.IndexPlan.select(call.self.shape, call.dim, index, ...more));
    return { plan: made.at(-1), source };
  }
  const plan = call.form === 'along' ? lib.IndexPlan.along(call.self.shape, call.dim, index, ...more) : lib.IndexPlan.nd(call.self.shape, call.form === 'rows' ? tensor({ ...call.index, shape: [...call.index.shape, 1] }) : index, ...more);
  made.push(plan);
  return { plan, source };
}

/**
 * The options of a scatter that has `reduce` and `mode`, in a list: none where all are the defaults. A plan has its mode already. `more` is
 * an option too many, by which spoil.js spoils a call.
 */
const options = ({ how, mode, planned, more }) => (how === 'replace' && !more && !mode ? [] : [{ ...(how === 'replace' ? {} : { reduce: how }), ...(mode && !planned ? { mode } : {}), ...more }]);
/** The options of an operator that has `mode` alone. */
const modeOf = ({ mode, planned }) => (mode && !planned ? { mode } : {});
/** Each operator, called with its operands; `where` is the plan, or the dim where it has one and the index. */
const runs = {
  scatter_: (lib, call, { self, where, source }) => self.scatter_(...where, source, ...options(call)),
  scatter: (lib, call, { self, where, source }) => self.scatter(...where, source, ...options(call)),
  scatter_add: (lib, call, { self, where, source }) => self.scatter_add(...where, source),
  scatter_add_: (lib, call, { self, where, source }) => self.scatter_add_(...where, source),
  scatter_mul: (lib, call, { self, where, source }) => lib.scatter_mul(self, ...where, source),
  ...Object.fromEntries(
    ['scatter_reduce', 'scatter_reduce_'].map((op) => [
      op,
      (lib, call, { self, where, source }) => self[op](...where, source, call.how, { include_self: call.include_self, ...modeOf(call) }),
    ]),
  ),
  ...Object.fromEntries(['scatter_nd', 'scatter_nd_'].map((op) => [op, (lib, call, { self, where, source }) => self[op](...where, source, ...options(call))])),
  ...Object.fromEntries(['scatter_update', 'scatter_sub', 'scatter_max'].map((op) => [op, (lib, call, { self, where, source }) => lib[op](self, ...where, source)])),
  ...Object.fromEntries(
    ['index_add', 'index_add_', 'index_copy', 'index_fill_'].map((op) => [op, (lib, call, { self, where, source }) => self[op](...where, source, modeOf(call))]),
  ),
  gather: (lib, call, { self, where }) => self.gather(...where, modeOf(call)),
  gather_nd: (lib, call, { self, where }) => self.gather_nd(...where, modeOf(call)),
  index_select: (lib, call, { self, where }) => self.index_select(...where, modeOf(call)),
  take_along_dim: (lib, call, { self, where }) => self.take_along_dim(where[1], where[0], modeOf(call)),
  mul: (lib, call, { self, source }) => self.mul(source),
  mul_: (lib, call, { self, source }) => self.mul_(source),
  elementwise_mul: (lib, call, { self, source }) => lib.elementwise_mul(self, source, { axis: call.axis ?? call.begin ?? -1, act: call.act }),
};

/** Makes the call, and returns its result. */
function run(lib, call, { self, index, source, plan }) {
  const where = plan ? [plan] : call.dim === undefined ? [index] : [call.dim, index];
  return runs[call.op.split(' ')[0]](lib, call, { self, where, source });
}

/** The call in words, for whoever has to repeat it. */
function describe({ op, self, index, source, dim, how, planned, given }) {
  const named = (like) => (like ? (like.shape ? `${like.dtype}[${like.shape}]` : String(like.scalar)) : '–');
  return `${op} ${how} on ${named(self)} dim ${dim} index ${named(index)} source ${named(source)}${planned ? ' by a plan' : ''}${given ? ` as ${given}` : ''}`;
}
