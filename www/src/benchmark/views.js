import { html, nothing } from 'lit-html';
import { formatNumber, t } from '../shared/messages.js';
import { chartView, shortSize } from './chart.js';

/** Half the distance of the quartiles, as text in ms. It is 0 where it is less than a thousandth of the median: clocks are no more exact. */
const spread = (low, median, high) => ms((high - low) / 2 < median / 1000 ? 0 : (high - low) / 2);
/** A time in ms as text, without its unit. */
const ms = (value) => formatNumber(value, { maximumSignificantDigits: 3 });
const title = (name) => t(`bench.${name}`);
const wayTitle = (way) => t(`bench.way.${way}`);

/** Bytes of a download as text in megabytes, rounded up: a visitor must not load more than was said. */
export const megabytes = (bytes) => t('bench.megabytes', { mb: formatNumber(Math.ceil(bytes / 1e5) / 10) });

/**
 * A checkbox for each library that a visitor may compare with, and its size.
 * @param {{ offers: Record<string, { version: string, bytes: number | null }>, wanted: Set<string>, loaded(id: string): boolean,
 *   disabled: boolean, onChange(id: string, isTicked: boolean): void }} state `wanted` are the ids that are ticked; `bytes` is null where there
 *   was no build to measure
 */
export function peersView({ offers, wanted, loaded, disabled, onChange }) {
  const offer = ([id, { version, bytes }]) => html`<li><label>
    <input type="checkbox" name="peer" value=${id} .checked=${wanted.has(id)} ?disabled=${disabled} @change=${({ target }) => onChange(id, target.checked)} />
    <span>${wayTitle(id)} ${version} <small>${loaded(id) ? t('bench.loaded') : bytes ? megabytes(bytes) : ''}</small></span></label>
    <p class="quiet">${t(`bench.how.${id}`)}</p></li>`;
  return html`<fieldset class="peers">
    <legend>${t('bench.peers')}</legend>
    <ul>${Object.entries(offers).map(offer)}</ul>
  </fieldset>`;
}

/** When, in which browser and on which adapter it was measured. @param {import('./record.js').Run} run */
export const factsView = ({ when, browser, cores, adapter, peers }) => html`<p class="quiet">
  ${t('bench.facts', { when: new Date(when).toLocaleString(document.documentElement.lang), browser, cores, adapter: adapter ?? t('bench.no-adapter') })}
  ${Object.entries(peers ?? {}).map(([id, version]) => html` · ${wayTitle(id)} ${version}`)}
</p>`;

/** One line a workload: from which size the GPU wins, where it was measured, and who is fastest at the largest size. @param {import('./record.js').Run} run */
export function summaryView({ results }) {
  const measured = Object.entries(results).filter(([, bySize]) => Object.keys(bySize).length > 0);
  if (measured.length === 0) return nothing;
  const hasGpu = measured.some(([, bySize]) => Object.values(bySize)[0].webgpu);
  const row = ([name, bySize]) => {
    const largest = bySize[Math.max(...Object.keys(bySize))];
    const [[fastest]] = Object.entries(largest).filter(([, { median }]) => median).sort(([, a], [, b]) => a.median - b.median);
    return html`<tr><th scope="row">${title(name)}</th>${hasGpu ? html`<td>${crossing(bySize)}</td>` : nothing}<td>${wayTitle(fastest)}</td></tr>`;
  };
  return html`<div class="scroll summary" tabindex="0" role="region" aria-label=${t('bench.summary')}>
    <table>
      <caption>${t('bench.summary')}</caption>
      <thead><tr><th scope="col">${t('bench.work')}</th>${hasGpu ? html`<th scope="col">${t('bench.from')}</th>` : nothing}<th scope="col">${t('bench.fastest')}</th></tr></thead>
      <tbody>${measured.map(row)}</tbody>
    </table>
  </div>`;
}

/** In words, the smallest size that was measured at which, as at all larger ones, WebGPU is faster than the library on the CPU; or that there is none. */
function crossing(bySize) {
  const sizes = Object.keys(bySize).map(Number).sort((a, b) => a - b);
  const isAhead = (size) => bySize[size].webgpu?.median < bySize[size].cpu?.median;
  const first = sizes.find((size) => sizes.every((each) => each < size || isAhead(each)));
  return first ? t('bench.elements', { size: shortSize(first) }) : t('bench.never', { size: shortSize(sizes.at(-1)) });
}

/** A workload, with its results by size: chart, table, and what the marks in it mean. */
export function workloadView([name, bySize]) {
  const sizes = Object.keys(bySize).map(Number).sort((a, b) => a - b);
  if (sizes.length === 0) return nothing;
  const ways = Object.keys(bySize[sizes[0]]);
  const verdicts = new Set(sizes.flatMap((size) => Object.values(bySize[size]).map(({ verdict }) => verdict)));
  return html`<section class="showpiece" aria-label=${title(name)}>
    <h2>${title(name)}</h2>
    <p>${t(`bench.${name}.text`)}</p>
    <p class="quiet">${t('bench.axis')}</p>
    ${chartView(name, sizes, bySize)}
    <div class="scroll" tabindex="0" role="region" aria-label=${t('bench.table', { name: title(name) })}>
      <table>
        <caption>${t('bench.caption')}</caption>
        <thead><tr><th scope="col">${t('bench.size')}</th>${ways.map((way) => html`<th scope="col">${wayTitle(way)}</th>`)}</tr></thead>
        <tbody>${sizes.map((size) => html`<tr><th scope="row">${shortSize(size)}</th>${ways.map((way) => cellView(bySize[size][way]))}</tr>`)}</tbody>
      </table>
    </div>
    ${[...verdicts].every((verdict) => verdict === 'exact' || verdict === 'lacks') ? html`<p class="quiet">${t('bench.same')}</p>` : nothing}
    ${['rounded', 'wrong', 'failed', 'lacks'].filter((verdict) => verdicts.has(verdict)).map((verdict) => html`<p class="quiet">${t(`bench.means.${verdict}`)}</p>`)}
  </section>`;
}

/** A time with its spread, after ≈ if the result is rounded differently; else the reason why there is none. @param {import('./measure.js').Outcome} outcome */
function cellView({ verdict, median, low, high }) {
  if (verdict === 'lacks') return html`<td>–</td>`;
  if (!median) return html`<td>✗ ${t(`bench.${verdict}`)}</td>`;
  return html`<td>${verdict === 'rounded' ? '≈ ' : ''}${ms(median)} <small>±${spread(low, median, high)}</small></td>`;
}
