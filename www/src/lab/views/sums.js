import { html, nothing } from 'lit-html';
import { formatValue } from '../../shared/picture.js';
import { t } from '../../shared/messages.js';
import { roundingOf } from '../rounding.js';
import { bracket, place } from './player.js';

const MOST_ROWS = 100;

/**
 * The sum of one place by both definitions, step beside step: in order, rounded after each addition, and exactly. It is the place that the
 * shown step writes; terms of later steps are not there yet.
 * @param {{ sums: import('../../engine/sums.js').Sums | null, at: number, isOpen: boolean, words: import('./player.js').Words }} state
 * @param {(isOpen: boolean) => void} toggled hears when a visitor opens or closes it
 */
export function sumsView({ sums, at, isOpen, words }, toggled) {
  return html`<details class="sums" ?open=${isOpen} @toggle=${(event) => toggled(event.target.open)}>
    <summary>${t('sums.title')}</summary>
    ${sums ? tableView(sums, at, words) : nothing}
    <p>${t('sums.when')}</p>
  </details>`;
}

function tableView({ ordered, exact, soFar }, at, { names, dtype }) {
  const { destination } = ordered[Math.max(0, at - 1)];
  const isHere = (step) => step.destination.join() === destination.join();
  const steps = ordered.filter(isHere);
  const show = (value) => formatValue(value, dtype);
  const isMade = ({ k }) => k < at;
  const row = (step) => {
    const rounding = roundingOf(step.before, '+', step.operand, step.after, dtype);
    const cells = isMade(step)
      ? html`<td>${show(step.after)}${rounding ? html` <span class="quiet">${t('provenance.rounded', { exact: rounding.exact, dtype })}</span>` : nothing}</td><td>${formatValue(soFar[step.k].after, 'float64')}</td>`
      : html`<td>·</td><td>·</td>`;
    return html`<tr class=${step.k === at - 1 ? 'current' : ''}><th scope="row">${step.k + 1}</th><td>+ ${bracket(show(step.operand))}</td>${cells}</tr>`;
  };
  const made = steps.filter(isMade);
  const results = made.length > 0 ? [made.at(-1).after, exact[made.at(-1).k].after] : [steps[0].before, steps[0].before];
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${t('sums.title')}>
    <table>
      <thead><tr>${['step', 'term', 'ordered', 'exact'].map((head) => html`<th scope="col">${t(`sums.${head}`)}</th>`)}</tr></thead>
      <tbody>
        <tr><th scope="row">${t('sums.start')}</th><td></td><td>${show(steps[0].before)}</td><td>${show(steps[0].before)}</td></tr>
        ${steps.slice(0, MOST_ROWS).map(row)}
      </tbody>
      <tfoot><tr><th scope="row" colspan="2">${place(names.written, destination)}, ${dtype}</th>${results.map((value) => html`<td><b>${show(value)}</b></td>`)}</tr></tfoot>
    </table>
  </div>`;
}
