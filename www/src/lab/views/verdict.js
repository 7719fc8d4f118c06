import { html, nothing } from 'lit-html';
import { isPicture, parsePrinted, printPicture, samePicture } from '../../shared/picture.js';
import { t } from '../../shared/messages.js';

/** @typedef {import('../../engine/client.js').Answer} Answer */

/**
 * Whether an answer is what the example promises: the error, with self unchanged where that is known, a shape, or the printed values. Null
 * if nothing is promised and the call was not refused.
 * @param {import('../examples.js').Example} example @param {Answer} answer @returns {boolean | null}
 */
export function isAsPromised({ printed, printedShape, refused }, { result, failure, unchanged }) {
  if (refused) return failure ? failure.name === refused && unchanged !== false : false;
  if (failure || !isPicture(result)) return false;
  if (printedShape) return printedShape.join() === result.shape.join();
  return printed ? samePicture(result, parsePrinted(printed)) : null;
}

/** Whether two pictures agree in shape, dtype and every value: −0 is not 0, and every NaN is the same. */
const haveSameBits = (a, b) =>
  a.shape.join() === b.shape.join() &&
  a.dtype === b.dtype &&
  a.values.every((value, at) => Object.is(value, b.values[at]));

/**
 * One line for each device that ran, and whether their bits are the same.
 * @param {{ example: import('../examples.js').Example, answers: Record<string, Answer | { problem: string }>, edited: boolean }} state `edited` is
 *   whether the code is another than the example's; a `problem` is why the library could not be asked
 */
export function verdictView({ example, answers, edited }) {
  const devices = Object.keys(answers);
  const results = devices.map((device) => answers[device].result).filter(isPicture);
  const both = devices.length === 2 && results.length === 2 ? haveSameBits(...results) : null;
  return html`<div role="status"><ul class="verdicts">
    ${devices.map((device) => html`<li>${lineFor(device, answers[device], example, edited)}</li>`)}
    ${both === null ? nothing : html`<li class="verdict ${both ? 'same' : 'failed'}">${both ? `✓ ${t('verdict.bits')}` : `✗ ${t('verdict.no-bits')}`}</li>`}
  </ul></div>`;
}

/** The verdict on one device. Where the code was edited, a result that is not what the example promises is not called wrong. */
function lineFor(device, answer, example, edited) {
  const say = (kind, sign, key) =>
    html`<span class="verdict ${kind}"><b>${t(`device.${device}`)}</b> ${sign} ${t(key)}</span>`;
  if (answer.problem)
    return html`<span class="verdict failed"><b>${t(`device.${device}`)}</b> ${answer.problem}</span>`;
  const isKept = isAsPromised(example, answer);
  // A refusal, a shape, what a page prints, or what Scatterwise defines.
  const promise = example.refused ? 'refused' : example.printedShape ? 'shape' : example.source ? 'page' : 'defined';
  if (isKept) return say('same', '✓', `verdict.${promise}`);
  if (answer.failure)
    return say(edited ? 'edited' : 'failed', '✗', answer.unchanged === false ? 'verdict.failed' : 'verdict.refused');
  if (edited || isKept === null) return say('edited', '·', 'verdict.edited');
  return say('failed', '✗', 'verdict.wrong');
}

/** Our result beside the one that the source prints; nothing where the example has none. */
export function comparisonView(example, result) {
  if (!example.printed && !example.printedShape) return nothing;
  const figure = (title, text) =>
    html`<figure><figcaption>${title}</figcaption><pre tabindex="0">${text}</pre></figure>`;
  const ours = !isPicture(result)
    ? '–'
    : example.printedShape
      ? `shape = [${result.shape.join(', ')}]`
      : printPicture(result);
  const theirs = example.printed ?? `shape = [${example.printedShape.join(', ')}]`;
  return html`<div class="comparison">
    ${figure(t('verdict.ours'), ours)} ${figure(t(example.source ? 'verdict.printed' : 'verdict.definition'), theirs)}
    ${example.source ? html`<p class="source">${t('verdict.source')} <a href=${example.source.url}>${example.source.name}</a></p>` : nothing}
  </div>`;
}
