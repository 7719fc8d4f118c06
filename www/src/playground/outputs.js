import { html, nothing } from 'lit-html';
import { failureView } from '../lab/views/failure.js';
import { formatNumber, t } from '../shared/messages.js';
import { lookView, looksOf } from './looks.js';

/** @typedef {import('./session.js').Run} Run */

/**
 * Everything that a run showed, then how it ended.
 * @param {Run} run @param {Record<string, string>} looks what the visitor chose for a tensor, by the id that its place in the outputs makes
 * @param {(id: string, look: string) => void} choose hears when a visitor chooses the look of a tensor
 */
export function runView(run, looks, choose) {
  const { device, outputs, left, ended, failure, line, info } = run;
  return html`<section class="run" aria-label=${t(`device.${device}`)} aria-busy=${ended === null ? 'true' : 'false'}>
    <p class="run-head"><b>${t(`device.${device}`)}</b> <span class="quiet">${endOf(run)}${info?.threads ? html` · ${t('playground.count', info.threads)}` : nothing}</span></p>
    ${info?.threads?.reason ? html`<p class="quiet">${t('playground.alone', { why: info.threads.reason })}</p>` : nothing}
    ${outputs.map((output, at) => outputView(output, `${device}-${at}`, looks, choose))}
    ${ended !== null && left > 0 ? html`<p class="quiet">${t('playground.left', { count: left, left: formatNumber(left) })}</p>` : nothing}
    ${failure && line > 0 ? html`<p class="line quiet">${t('block.line', { line })}</p>` : nothing}
    ${failure ? failureView({ failure, unchanged: null, fixes: [] }) : nothing}
    ${ended === 'done' && outputs.length === 0 ? html`<p class="quiet">${t('playground.silent')}</p>` : nothing}
  </section>`;
}

/** A time in ms as text, without its unit. */
const msText = (ms) => formatNumber(ms, { maximumFractionDigits: ms < 10 ? 2 : 0 });

/** How a run ended, in words, or that it goes on. */
function endOf({ ended, ms }) {
  if (ended === null) return t('playground.running');
  if (ended === 'done') return t('playground.took', { ms: msText(ms) });
  return t(`playground.${ended}`);
}

/** The output of one line of the code, or of one call of `show` or the console. Line 0 means no line. */
function outputView({ kind, line, values }, id, looks, choose) {
  const place = line > 0 ? html`<span class="line quiet">${t('block.line', { line })}</span>` : nothing;
  return html`<div class="output ${kind}">${place}${values.map((value, at) => valueView(value, `${id}-${at}`, looks, choose))}</div>`;
}

/** Text, a drawing, or a tensor in the look that is chosen for it, else in its best one. @param {import('./session.js').Value} value */
function valueView({ tensor, canvas, text }, id, looks, choose) {
  if (canvas) return html`<div class="drawing" role="img" aria-label=${t('playground.drawing')}>${canvas}</div>`;
  if (!tensor) return html`<pre>${text}</pre>`;
  const possible = looksOf(tensor);
  const chosen = possible.includes(looks[id]) ? looks[id] : possible[0];
  const choice = html`<label class="choice"><span class="hidden">${t('playground.look')}</span>
    <select @change=${(event) => choose(id, event.target.value)}>
      ${possible.map((name) => html`<option value=${name} ?selected=${name === chosen}>${t(`look.${name}`)}</option>`)}
    </select></label>`;
  return html`<div class="value-of" data-look=${chosen}>${choice} ${lookView(chosen, tensor)}</div>`;
}

/**
 * Whether both devices gave the same bits, and what each run took on them. The first one on a GPU compiles its programs.
 * @param {[Run, Run]} runs that are done @param {ReturnType<typeof import('./session.js').compareRuns>} comparison
 */
export function comparisonOfRuns(runs, { count, difference }) {
  const differWords = () => (difference.line > 0 ? t('playground.differ', { line: difference.line }) : t('playground.differ-anywhere'));
  const bits = difference ? `✗ ${differWords()}` : `✓ ${t('playground.same', { count })}`;
  const values = difference?.values ? html`<code>${difference.values.map(String).join(' ≠ ')}</code>` : nothing;
  const row = (key) => html`<tr><th scope="row">${t(`playground.${key}`)}</th>${runs.map((run) => html`<td>${run[key] === undefined ? '–' : t('playground.took', { ms: msText(run[key]) })}</td>`)}</tr>`;
  return html`<div class="both">
    <p class="verdict ${difference ? 'failed' : 'same'}">${bits} ${values}</p>
    <table>
      <thead><tr><td></td>${runs.map(({ device }) => html`<th scope="col">${t(`device.${device}`)}</th>`)}</tr></thead>
      <tbody>${['ms', 'again'].map(row)}</tbody>
    </table>
    <p class="quiet">${t('playground.twice')}</p>
  </div>`;
}
