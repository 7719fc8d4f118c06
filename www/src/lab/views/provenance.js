import { html, nothing } from 'lit-html';
import { coordinates, formatValue } from '../../shared/picture.js';
import { t } from '../../shared/messages.js';
import { bracket, place } from './player.js';
import { roundingOf } from '../rounding.js';

/** The frame of an origin, which is shown when a visitor clicks an element of the result. */
function frame(title, lines, close) {
  return html`<section class="provenance" aria-live="polite">
    <h5>${title}</h5>
    ${lines}
    <button type="button" @click=${close}>${t('provenance.close')}</button>
  </section>`;
}

/** How a sum, a difference or a product was rounded or wrapped to its dtype, in words. */
function roundingView(before, sign, operand, after, dtype) {
  const rounding = roundingOf(before, sign, operand, after, dtype);
  return rounding ? html`<span class="quiet">${t(`provenance.${rounding.kind}`, { exact: rounding.exact, dtype })}</span>` : nothing;
}

const MOST_LINES = 100; // of the list of writes

/** Every write to one element of self, in order, with the arithmetic. `start` is the value before the first of them. @param {{ words: import('./player.js').Words }} state */
export function provenanceView({ position, writes, start, words, close }) {
  const { names, sign, dtype, isExact } = words;
  const show = (value) => formatValue(value, dtype);
  const sum = ({ before, operand, after }) => (isExact ? `+ ${bracket(show(operand))}${t('player.so-far', { value: show(after) })}` : `${show(before)} ${sign} ${bracket(show(operand))} = ${show(after)}`);
  const line = ({ k, operand, before, after, source, index }) => html`<li>
    <span class="sum">${sign ? sum({ before, operand, after }) : `= ${show(after)}`}</span>
    ${isExact ? nothing : roundingView(before, sign, operand, after, dtype)}
    <span class="quiet">${t('provenance.step', { k: k + 1, entry: place(names.index, index) })}${source ? t('player.from', { place: place(names.src, source) }) : ''}</span>
  </li>`;
  const count = writes.length === 0 ? t('provenance.none') : t('provenance.count', { count: writes.length });
  return frame(
    t('provenance.title', { place: place(names.written, position) }),
    html`<p>${t('provenance.start', { value: show(start) })} ${count}</p><ol>${writes.slice(0, MOST_LINES).map(line)}</ol>
      ${writes.length > MOST_LINES ? html`<p class="quiet">${t('writes.first', { count: MOST_LINES })}</p>` : nothing}`,
    close,
  );
}

/** The one read that a place of a gather's result comes from. */
export function readView({ position, reads, words: { names, dtype }, close }) {
  const line = ({ k, index, source, value }) => html`<p>
    <span class="sum">${place(names.self, source)} = ${formatValue(value, dtype)}</span>
    <span class="quiet">${t('provenance.step', { k: k + 1, entry: place(names.index, index) })}</span>
  </p>`;
  return frame(t('provenance.origin', { place: place(names.result, position) }), reads.map(line), close);
}

/**
 * The two elements that an operation on two tensors made an element of, and its activation.
 * @param {{ factors: import('../../engine/client.js').Factors, offset: number, position: number[] }} state the element by offset and by position
 */
export function combinationView({ model, factors, offset, position, result, words: { names, sign }, close }) {
  const { self, src, act } = model;
  const show = (value) => formatValue(value, result.dtype);
  const [a, b, combined] = [factors.self.values[offset], factors.src.values[offset], factors.results[offset]];
  /** The element of an operand; a number has only its name. */
  const called = (role, { kind, shape }) =>
    kind === 'scalar' ? names[role] : place(names[role], coordinates(factors[role].places[offset], shape));
  const equation = [
    place(names.result, position),
    `${called('self', self)} ${sign} ${called('src', src)}`,
    `${show(a)} ${sign} ${bracket(show(b))}`,
    show(combined),
  ].join(' = ');
  return frame(
    t('provenance.origin', { place: place(names.result, position) }),
    html`<p><span class="sum">${equation}</span> ${roundingView(a, sign, b, combined, result.dtype)}</p>
      ${act ? html`<p class="sum">${act}(${show(combined)}) = ${show(result.values[offset])}</p>` : nothing}`,
    close,
  );
}
