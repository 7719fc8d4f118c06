import { h } from './dom.js';
import { drawFailure } from './errors.js';
import { drawTensor } from './grid.js';
import { isPicture, printPicture } from './picture.js';

/**
 * What a run did: every call with its tensors, then the error, or the result beside the one that the example promises.
 * @param {import('./runner.js').Outcome} outcome
 * @param {import('./examples.js').Example} example
 * @returns {Element[]}
 */
export function drawOutcome({ calls, result, failure, unchanged }, example) {
  const drawings = calls.map((call) => drawCall(call, call.failed ? failure?.facts : undefined));
  return [...drawings, failure ? drawFailure(failure, unchanged) : drawResult(result, example)];
}

function drawCall({ op, before, args, after }, facts) {
  const tensors = Object.entries(args).filter(([, value]) => isPicture(value));
  const settings = Object.entries(args).filter(([, value]) => !isPicture(value));
  const label = op.endsWith('_') ? 'self, after' : 'result';
  const result = drawTensor(after, { label, before: op === 'gather' ? undefined : before }); // gather writes no cell
  return h(
    'div',
    { class: 'call', role: 'group', 'aria-label': `Call of ${op}` },
    h('p', {}, h('b', {}, op), ...settings.map(([name, value]) => ` · ${name} ${value}`)),
    h(
      'div',
      { class: 'tensors' },
      drawTensor(before, { label: 'self' }),
      ...tensors.map(([name, value]) =>
        drawTensor(value, { label: name, bad: facts?.argument === name ? facts.position : undefined }),
      ),
      h('div', { class: 'after' }, h('span', { class: 'arrow', 'aria-hidden': 'true' }, '→'), result),
    ),
  );
}

function drawResult(result, { printed, source }) {
  const figure = (title, text) => h('figure', {}, h('figcaption', {}, title), h('pre', {}, text));
  return h(
    'div',
    { class: 'comparison' },
    figure('Returned', isPicture(result) ? printPicture(result) : String(result)),
    printed && figure(source ? 'Printed on the page' : 'Defined', printed),
  );
}
