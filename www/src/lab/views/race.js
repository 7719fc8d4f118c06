import { html, nothing } from 'lit-html';
import { formatValue } from '../../shared/picture.js';
import { t } from '../../shared/messages.js';
import { place } from './player.js';

const MOST_ROWS = 8; // for other orders
const MOST_STEPS = 12; // of an order that are written out

/**
 * The results that other orders of the writes would give, beside the real one. The text says that it is a simulation.
 * @param {{ race: import('../../engine/race.js').Race | null, isOpen: boolean, words: import('./player.js').Words }} state
 * @param {() => void} shuffle asks for other orders @param {(isOpen: boolean) => void} toggled hears when a visitor opens or closes it
 */
export function raceView({ race, isOpen, words }, shuffle, toggled) {
  return html`<details class="race" ?open=${isOpen} @toggle=${(event) => toggled(event.target.open)}>
    <summary>${t('race.title')}</summary>
    <p class="rule">${t('race.text')}</p>
    <p><button type="button" @click=${shuffle}>${t('race.shuffle')}</button></p>
    <div role="status">${race ? resultView(race, words) : nothing}</div>
  </details>`;
}

/** A row for each result: first that of the index's order, then others, then the result if all threads read first. */
function resultView({ places, rounds, outcomes, own, lost }, { names, dtype }) {
  const value = (number) => html`<td>${formatValue(number, dtype)}</td>`;
  const order = ({ order: all }) => `${all.slice(0, MOST_STEPS).map((k) => k + 1).join(' ')}${all.length > MOST_STEPS ? ' …' : ''}`;
  const row = (outcome, title) => html`<tr>
    <th scope="row">${title}</th>${outcome.values.map(value)}<td>${t('race.times', { times: outcome.count, rounds })}</td><td class="order">${order(outcome)}</td>
  </tr>`;
  const others = outcomes.slice(0, MOST_ROWS).map((outcome, at) => row(outcome, t('race.other', { number: at + 1 })));
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${t('race.title')}>
      <table>
        <thead><tr><td></td>${places.map((position) => html`<th scope="col">${place(names.written, position)}</th>`)}<th scope="col">${t('race.how-often')}</th><th scope="col">${t('race.order')}</th></tr></thead>
        <tbody>
          ${own.map((outcome) => html`${row(outcome, t('race.own'))}`)} ${others}
          ${lost ? html`<tr><th scope="row">${t('race.lost')}</th>${lost.map(value)}<td></td><td></td></tr>` : nothing}
        </tbody>
      </table>
    </div>
    <p class="count ${outcomes.length > 1 ? 'some' : ''}">
      ${outcomes.length > 1 ? t('race.many', { count: outcomes.length, rounds }) : t('race.one', { rounds })}
    </p>
    ${lost ? html`<p class="quiet">${t('race.lost.text')}</p>` : nothing}`;
}
