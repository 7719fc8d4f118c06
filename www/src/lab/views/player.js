import { html, nothing } from 'lit-html';
import { formatValue } from '../../shared/picture.js';
import { formatNumber, t } from '../../shared/messages.js';

/**
 * What the views call things: the name of each role, of the result and of what is written (self, or the result of a call that leaves self as it
 * is), the sign of the arithmetic or null, self's dtype, whether steps are reads, and whether a sum is exact: then it is not rounded on the way.
 * @typedef {{ names: Record<string, string>, sign: string | null, dtype: string, reads?: boolean, isExact?: boolean }} Words
 * @typedef {import('scatterwise').Step} Step
 */

/** An element in words: `src[1, 0]`. */
export const place = (name, position) => `${name}[${position.join(', ')}]`;

/**
 * One write in words and numbers: `t[1, 0] = 6 × 7 = 42, from src[1, 0]`; one read: `result[0, 1] = t[2, 1] = 5`. A replacement says what was
 * there before.
 * @param {Step | import('scatterwise').Read} step @param {Words} words
 */
export function sentence({ before, operand, after, value, destination, source }, { names, sign, dtype, reads, isExact }) {
  const show = (number) => formatValue(number, dtype);
  if (reads) return `${place(names.result, destination)} = ${place(names.self, source)} = ${show(value)}`;
  const from = source ? t('player.from', { place: place(names.src, source) }) : '';
  if (isExact) return `${place(names.written, destination)} + ${bracket(show(operand))}${from}${t('player.so-far', { value: show(after) })}`;
  const change = sign ? `${show(before)} ${sign} ${bracket(show(operand))} = ${show(after)}` : show(after);
  const was = sign ? '' : t('player.was', { value: show(before) });
  return `${place(names.written, destination)} = ${change}${from}${was}`;
}

/** A number as the right side of an operation: one with a minus gets brackets. */
export const bracket = (text) => (text.startsWith('-') ? `(${text})` : text);

/**
 * The controls of the step player and the step in words. `at` is how many steps are made, so that step `at` − 1 is shown.
 * @param {{ id: string, steps: Step[], at: number, playing: boolean, speed: number, collisions: number[], words: Words }} state
 *   `id` begins the ids of the fields; `collisions` are the numbers of the steps that write where an earlier one has
 * @param {{ go(at: number): void, play(): void, speed(value: number): void, collision(): void }} actions
 */
export function playerView({ id, steps, at, playing, speed, collisions, words }, actions) {
  const last = steps.length;
  const step = steps[at - 1];
  const isCollision = step && collisions.includes(step.k);
  // Arrows, Home and End go to a step, in the list of speeds they choose; the space bar on the slider plays.
  const keys = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return; // those of the browser
    const target = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (target !== undefined && event.target.tagName !== 'SELECT') {
      event.preventDefault();
      actions.go(target);
    } else if (event.key === ' ' && event.target.tagName === 'INPUT') {
      event.preventDefault();
      actions.play();
    }
  };
  return html`<div class="player" role="group" aria-label=${t('player.label')} @keydown=${keys}>
    <div class="transport">
      <button type="button" class="icon" ?disabled=${at === 0} aria-label=${t('player.back')} @click=${() => actions.go(at - 1)}>${icon('back')}</button>
      <button type="button" class="icon primary" aria-label=${t(playing ? 'player.pause' : 'player.play')} data-action="play" @click=${actions.play}>
        ${icon(playing ? 'pause' : 'play')}
      </button>
      <button type="button" class="icon" ?disabled=${at === last} aria-label=${t('player.forward')} @click=${() => actions.go(at + 1)}>${icon('forward')}</button>
      <input
        type="range" min="0" max=${last} step="1" .value=${String(at)} id=${`${id}-scrub`}
        aria-label=${t('player.scrub')}
        aria-valuetext=${t('player.position', { at, count: last })}
        @input=${(event) => actions.go(Number(event.target.value))}
      />
      ${words.reads ? nothing : html`<button type="button" class="next-collision" ?disabled=${collisions.length === 0} @click=${actions.collision}>${t('player.collision')}</button>`}
      <label class="speed"><span class="hidden">${t('player.speed')}</span>
        <select @change=${(event) => actions.speed(Number(event.target.value))}>
          ${[0.5, 1, 2, 4].map((value) => html`<option value=${value} .selected=${value === speed}>${formatNumber(value)}×</option>`)}
        </select>
      </label>
    </div>
    <p class="step" aria-live=${playing ? 'off' : 'polite'}>
      <b>${t('player.position', { at, count: last })}</b>
      ${step ? html`<span class="sum">${sentence(step, words)}</span>` : t(words.reads ? 'player.start-reads' : 'player.start')}
      ${isCollision ? html`<span class="collision">${t('player.again')}</span>` : nothing}
    </p>
    <p class="count ${collisions.length > 0 ? 'some' : ''}">
      ${words.reads ? t('player.reads', { count: last }) : collisions.length === 0 ? t('player.none', { count: last }) : t('player.some', { count: collisions.length })}
    </p>
  </div>`;
}

const paths = {
  back: 'M4 3h2v10H4zM13 3v10L6.5 8z',
  forward: 'M10 3h2v10h-2zM3 3v10l6.5-5z',
  play: 'M4 2.5v11L13.5 8z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
};

const icon = (name) =>
  html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path fill="currentColor" d=${paths[name]} /></svg>`;

/** Every write or read as a table: what the pictures show, for visitors who do not see them. */
export function writesView(state) {
  return state.words.reads ? readsTable(state) : writesTable(state);
}

function readsTable({ steps, at, words: { names, dtype } }) {
  const cells = (step) => [
    step.k + 1,
    place(names.index, step.index),
    place(names.self, step.source),
    place(names.result, step.destination),
    formatValue(step.value, dtype),
  ];
  const row = (step) => {
    const [head, ...rest] = cells(step);
    return html`<tr class=${step.k === at - 1 ? 'current' : ''}><th scope="row">${head}</th>${rest.map((text) => html`<td>${text}</td>`)}</tr>`;
  };
  return tableView(t('reads.title', { count: steps.length }), ['step', 'index', 'source', 'destination', 'value'], steps.map(row));
}

function writesTable({ steps, at, collisions, words }) {
  const { names, sign, dtype } = words;
  const show = (value) => formatValue(value, dtype);
  const cells = (step) => html`<tr class=${step.k === at - 1 ? 'current' : ''}>
    <th scope="row">${step.k + 1}</th>
    <td>${place(names.index, step.index)}</td>
    <td>${step.source ? place(names.src, step.source) : t('writes.scalar')}</td>
    <td>${place(names.written, step.destination)}${collisions.includes(step.k) ? html` <span class="collision">${t('writes.again')}</span>` : nothing}</td>
    <td>${show(step.before)}</td>
    <td>${sign ?? '='} ${show(step.operand)}</td>
    <td>${show(step.after)}</td>
  </tr>`;
  const heads = ['step', 'index', 'source', 'destination', 'before', 'operand', 'after'];
  return tableView(t('writes.title', { count: steps.length }), heads, steps.map(cells));
}

const MOST_ROWS = 500; // of the table

/** A table of steps that can be folded. @param {string[]} heads the ends of the keys `writes.<head>` */
function tableView(title, heads, rows) {
  return html`<details class="writes">
    <summary>${title}</summary>
    <div class="scroll" tabindex="0" role="region" aria-label=${title}>
      <table>
        <thead><tr>${heads.map((head) => html`<th scope="col">${t(`writes.${head}`)}</th>`)}</tr></thead>
        <tbody>${rows.slice(0, MOST_ROWS)}</tbody>
      </table>
      ${rows.length > MOST_ROWS ? html`<p class="quiet">${t('writes.first', { count: MOST_ROWS })}</p>` : nothing}
    </div>
  </details>`;
}
