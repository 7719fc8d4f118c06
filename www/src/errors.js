import { h } from './dom.js';
import { formatShape } from './picture.js';

/** How each fact of an error reads; the order is the order on the page. */
const READERS = {
  code: ['code', String],
  op: ['operator', String],
  argument: ['argument', String],
  dim: ['dim', String],
  position: ['position', (position) => `[${position.join(', ')}]`],
  value: ['value', String],
  allowed: [
    'allowed',
    (allowed) => (typeof allowed[0] === 'number' ? `${allowed[0]} to ${allowed[1]}` : allowed.join(', ')),
  ],
  shapes: [
    'shapes',
    (shapes) =>
      Object.entries(shapes)
        .map(([name, shape]) => `${name} ${formatShape(shape)}`)
        .join(', '),
  ],
};

/**
 * An error as designed text: what happened, the facts, and whether the tensor is as it was.
 * @param {import('./runner.js').Failure} failure
 * @param {boolean | null} unchanged
 */
export function drawFailure(failure, unchanged) {
  const facts = Object.entries(READERS)
    .filter(([name]) => failure.facts[name] !== undefined)
    .map(([name, [label, read]]) => h('div', {}, h('dt', {}, label), h('dd', {}, read(failure.facts[name]))));
  return h(
    'section',
    { class: 'failure' },
    h('h5', {}, failure.name),
    h('p', {}, failure.message),
    facts.length > 0 && h('dl', {}, ...facts),
    unchanged && h('p', { class: 'unchanged' }, 'Tensor unchanged: the same bytes as before the call.'),
  );
}
