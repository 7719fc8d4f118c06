import { traceLibrary } from './calls.js';

/**
 * The steps of a sum by both definitions, from the library's trace. The exact sum is not rounded on the way, but a trace shows it in self's
 * dtype: `soFar` are the steps of the same terms in float64, which has digits enough to show it.
 * @param {{ model: import('../lab/code.js').Model }} question
 * @typedef {import('scatterwise').Step} Step
 * @typedef {{ ordered: Step[], exact: Step[], soFar: Step[] }} Sums
 * @returns {Promise<Sums | null>} null where the call is refused
 */
export async function sums({ model }) {
  const exactly = { ...model, sum: 'exact' };
  const traces = await Promise.all([{ ...model, sum: null }, exactly, inFloat64(exactly)].map(traceLibrary));
  if (traces.some(({ failure }) => failure)) return null;
  const [ordered, exact, soFar] = traces.map(({ steps }) => steps);
  return { ordered, exact, soFar };
}

/** The call with the values that its tensors have, in float64. @param {import('../lab/code.js').Model} model */
function inFloat64(model) {
  const read = model.self.dtype === 'float64' ? Number : Math.fround;
  const wide = (operand) => ({ ...operand, values: operand.values.map(read), ...(operand.kind === 'tensor' && { dtype: 'float64' }) });
  return { ...model, self: { ...wide(model.self), kind: 'tensor', dtype: 'float64' }, src: wide(model.src) };
}
