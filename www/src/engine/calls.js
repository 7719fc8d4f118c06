import * as scatterwise from 'scatterwise';
import { nest, pictureOf } from '../shared/picture.js';
import { formOf } from '../lab/forms.js';
import { sizeOf } from '../lab/operand.js';

const { Tensor, Parameter, trace } = scatterwise;
const MOST_FACTORS = 10_000; // elements of an operand: with more, no factors are asked for
const FACTS = ['code', 'op', 'argument', 'dim', 'position', 'value', 'allowed', 'shapes'];

/** An error as plain data, with those of the library's facts that it has. What was thrown may be anything. @returns {import('./client.js').Failure} */
export function describeFailure(error) {
  const facts = {};
  for (const name of FACTS) if (error?.[name] !== undefined) facts[name] = error[name];
  return { name: error?.name ?? 'Error', message: error?.message ?? String(error), facts };
}

/**
 * What the library gets for an operand. A tensor is put into `made`, to be disposed of.
 * @param {import('../lab/operand.js').Operand} operand @param {Set<Tensor>} made
 */
function build({ kind, shape, dtype, values, parameter }, device, made) {
  if (kind === 'scalar') return values[0];
  if (kind === 'array') return nest(values, shape);
  const Class = parameter === undefined ? Tensor : Parameter;
  // Nested arrays cannot tell the sizes behind a size of 0, so such a shape is given.
  const options = { device, ...(dtype && { dtype }), ...(parameter && { name: parameter }) };
  const tensor = new Class(
    shape.length === 0 ? values[0] : nest(values, shape),
    shape.includes(0) ? { ...options, shape } : options,
  );
  made.add(tensor);
  return tensor;
}

/** A set, since the result of a call in place is its self. @param {Set<Tensor>} made */
function disposeAll(made) {
  for (const tensor of made) tensor.dispose();
}

/** The arguments after self, in order, of the call that the model describes. Tensors among them are put into `made`. */
function argumentsOf(model, device, made) {
  const form = formOf(model);
  const given = form.args.map((role) => (role === 'dim' ? model.dim : build(model[role], device, made)));
  if (form.isWord) given.push(model.reduce);
  const options = {};
  for (const name of form.options) if (model[name] !== null && model[name] !== undefined) options[name] = model[name];
  return Object.keys(options).length > 0 ? [...given, options] : given;
}

/**
 * Makes the call that the model describes. A refused one has a `failure`, and `unchanged` says whether self has the bits that it had; null
 * where self is no tensor or cannot be read.
 * @param {import('../lab/code.js').Model} model @param {'cpu' | 'webgpu'} device @returns {Promise<import('./client.js').Answer>}
 */
export async function callLibrary(model, device) {
  const answer = { result: null, failure: null, unchanged: null };
  const made = new Set();
  let [self, before] = [null, null];
  try {
    self = build(model.self, device, made);
    if (self instanceof Tensor) {
      before = self.clone();
      made.add(before);
    }
    const args = argumentsOf(model, device, made);
    const result = formOf(model).call === 'method' ? self[model.op](...args) : scatterwise[model.op](self, ...args);
    made.add(result);
    answer.result = await pictureOf(result);
  } catch (error) {
    answer.failure = describeFailure(error);
    if (before) answer.unchanged = await self.equals(before).catch(() => null);
  } finally {
    disposeAll(made);
  }
  return answer;
}

/** The value of the last line of some code, which is a tensor, or the code's error. The code is this site's own. @returns {Promise<import('./client.js').Answer>} */
export async function runCode(code) {
  const answer = { result: null, failure: null, unchanged: null };
  const lines = code.split('\n');
  const names = Object.keys(scatterwise).filter((name) => name !== 'default');
  try {
    const run = new Function(...names, lines.with(-1, `return ${lines.at(-1)}`).join('\n'));
    const result = scatterwise.scope(() => run(...names.map((name) => scatterwise[name])));
    answer.result = await pictureOf(result);
    result.dispose();
  } catch (error) {
    answer.failure = describeFailure(error);
  }
  return answer;
}

/**
 * Every write or read of the call, from the library's trace. An operation on two tensors has no order and so no steps, and no result here; it has `factors`,
 * which say what each element of the result was made of.
 * @param {import('../lab/code.js').Model} model @returns {Promise<import('./client.js').Trace>}
 */
export async function traceLibrary(model) {
  const { trace: op } = formOf(model);
  const made = new Set();
  try {
    if (!op) return { steps: [], factors: await factorsOf(model), result: null, failure: null };
    const { steps, result } = trace(op, build(model.self, 'cpu', made), ...argumentsOf(model, 'cpu', made));
    made.add(result);
    return { steps, result: await pictureOf(result), failure: null };
  } catch (error) {
    return { steps: [], result: null, failure: describeFailure(error) };
  } finally {
    disposeAll(made);
  }
}

/**
 * What each element of the result was made of, for an operation on two tensors. The library says so, by products: an operand times ones in
 * the shape of the other gives the operand's part in each element, and the numbers of its elements times ones give the place of each part.
 * @returns {Promise<import('./client.js').Factors | null>} null where there is too much to show, or the call is refused
 */
async function factorsOf(model) {
  // The same operation, into a new tensor and without the activation; and products of the same alignment.
  const plain = { ...model, op: model.op.replace(/_$/, ''), act: null };
  const product = { ...plain, op: formOf(model).rule === 'numpy' ? 'mul' : 'elementwise_mul', rounding: null };
  if (Math.max(sizeOf(model.self.shape), sizeOf(model.src.shape)) > MOST_FACTORS) return null;
  const factors = { results: await valuesOf(plain) };
  for (const [role, other] of [
    ['self', 'src'],
    ['src', 'self'],
  ]) {
    const places = { ...withValues(model[role], (_, at) => at), dtype: 'int32', kind: 'tensor' };
    const ones = { ...withValues(model[other], () => 1), dtype: 'int32', kind: 'tensor' };
    factors[role] = {
      places: await valuesOf({ ...product, [role]: places, [other]: ones }),
      values: await valuesOf({ ...product, [other]: withValues(model[other], oneLike) }),
    };
  }
  const { results, self, src } = factors;
  return [results, self.places, src.places, self.values, src.values].every(Boolean) ? factors : null;
}

/** The values of a call's result on the CPU; null where the call is refused. */
const valuesOf = async (model) => (await callLibrary(model, 'cpu')).result?.values ?? null;
/** The operand with other values, which `valueOf` makes of each value and its place. */
const withValues = (operand, valueOf) => ({ ...operand, values: operand.values.map(valueOf) });

/** The number one in the JavaScript type of a value. */
const oneLike = (value) => ({ bigint: 1n, boolean: true })[typeof value] ?? 1;
