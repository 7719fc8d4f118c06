import * as scatterwise from 'scatterwise';
import { nest, pictureOf } from '../shared/picture.js';
import { formOf } from '../lab/forms.js';

const { Tensor, Parameter, trace } = scatterwise;
const FACTS = ['code', 'op', 'argument', 'dim', 'position', 'value', 'allowed', 'shapes'];

/** An error as plain data. */
export function describeFailure(error) {
  const facts = {};
  for (const name of FACTS) if (error?.[name] !== undefined) facts[name] = error[name];
  return { name: error?.name ?? 'Error', message: error?.message ?? String(error), facts };
}

/** @param {import('../lab/operand.js').Operand} operand */
function build({ kind, shape, dtype, values, parameter }, device) {
  if (kind === 'scalar') return values[0];
  if (kind === 'array') return nest(values, shape);
  const Class = parameter === undefined ? Tensor : Parameter;
  const options = { device, ...(dtype && { dtype }), ...(parameter && { name: parameter }) };
  return new Class(
    shape.length === 0 ? values[0] : nest(values, shape),
    shape.includes(0) ? { ...options, shape } : options,
  );
}

/** The arguments after self, in order, of the call that the model describes. */
function argumentsOf(model, device) {
  const form = formOf(model);
  const given = form.args.map((role) => (role === 'dim' ? model.dim : build(model[role], device)));
  const options = {};
  for (const name of form.options) if (model[name] !== null && model[name] !== undefined) options[name] = model[name];
  return Object.keys(options).length > 0 ? [...given, options] : given;
}

/** Makes the call. A refused one has a `failure`, and says whether self is as it was, compared bit by bit. */
export async function callLibrary(model, device) {
  const made = { result: null, failure: null, unchanged: null };
  let [self, before] = [null, null];
  try {
    self = build(model.self, device);
    if (self instanceof Tensor) before = self.clone();
    const args = argumentsOf(model, device);
    const result = formOf(model).call === 'method' ? self[model.op](...args) : scatterwise[model.op](self, ...args);
    made.result = await pictureOf(result);
    if (result !== self) result.dispose();
  } catch (error) {
    made.failure = describeFailure(error);
    if (before) made.unchanged = await self.equals(before).catch(() => null);
  } finally {
    before?.dispose();
    if (self instanceof Tensor) self.dispose();
  }
  return made;
}

/** Every write, from the library's trace; operators without one have no steps. */
export async function traceLibrary(model) {
  const { trace: op } = formOf(model);
  if (!op) return { steps: [], result: null, failure: null };
  try {
    const { steps, result } = trace(op, build(model.self, 'cpu'), ...argumentsOf(model, 'cpu'));
    return { steps, result: await pictureOf(result), failure: null };
  } catch (error) {
    return { steps: [], result: null, failure: describeFailure(error) };
  }
}
