import { html, nothing } from 'lit-html';
import { formatNumber, t } from '../shared/messages.js';
import { chartView, shortSize } from './chart.js';

/** Half the range; less than a thousandth of the median is no more than what the clock leaves of it. */
const spread = (low, median, high) => ms((high - low) / 2 < median / 1000 ? 0 : (high - low) / 2);
const ms = (value) => formatNumber(value, { maximumSignificantDigits: 3 });
const title = (name) => t(`bench.${name}`);
const wayTitle = (way) => t(`bench.way.${way}`);

/** Size of a download, rounded up: a visitor must not load more than was said. */
export const megabytes = (bytes) => t('bench.megabytes', { mb: formatNumber(Math.ceil(bytes / 1e5) / 10) });

/** What a visitor may compare with: what it is, and what it costs to load. */
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

export const factsView = ({ when, browser, cores, adapter, peers }) => html`<p class="quiet">
  ${t('bench.facts', { when: new Date(when).toLocaleString(document.documentElement.lang), browser, cores, adapter: adapter ?? t('bench.no-adapter') })}
  ${Object.entries(peers ?? {}).map(([id, version]) => html` · ${wayTitle(id)} ${version}`)}
</p>`;

/** One line a workload: from which size the GPU wins, and who is fastest at the largest one. */
export function summaryView({ results }) {
  const measured = Object.entries(results).filter(([, bySize]) => Object.keys(bySize).length > 0);
  if (measured.length === 0) return nothing;
  const gpu = measured.some(([, bySize]) => Object.values(bySize)[0].webgpu);
  const row = ([name, bySize]) => {
    const largest = bySize[Math.max(...Object.keys(bySize))];
    const [[fastest]] = Object.entries(largest).filter(([, { median }]) => median).sort(([, a], [, b]) => a.median - b.median);
    return html`<tr><th scope="row">${title(name)}</th>${gpu ? html`<td>${crossing(bySize)}</td>` : nothing}<td>${wayTitle(fastest)}</td></tr>`;
  };
  return html`<div class="scroll summary" tabindex="0" role="region" aria-label=${t('bench.summary')}>
    <table>
      <caption>${t('bench.summary')}</caption>
      <thead><tr><th scope="col">${t('bench.work')}</th>${gpu ? html`<th scope="col">${t('bench.from')}</th>` : nothing}<th scope="col">${t('bench.fastest')}</th></tr></thead>
      <tbody>${measured.map(row)}</tbody>
    </table>
  </div>`;
}

/** From which measured size on WebGPU is ahead of WebAssembly, at that size and all larger ones. */
function crossing(bySize) {
  const sizes = Object.keys(bySize).map(Number).sort((a, b) => a - b);
  const ahead = (size) => bySize[size].webgpu?.median < bySize[size].cpu?.median;
  const first = sizes.find((size) => sizes.every((each) => each < size || ahead(each)));
  return first ? t('bench.elements', { size: shortSize(first) }) : t('bench.never', { size: shortSize(sizes.at(-1)) });
}

/** A workload at the sizes measured: chart, table, and what the marks in it mean. */
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

function cellView({ verdict, median, low, high }) {
  if (verdict === 'lacks') return html`<td>–</td>`;
  if (!median) return html`<td>✗ ${t(`bench.${verdict}`)}</td>`;
  return html`<td>${verdict === 'rounded' ? '≈ ' : ''}${ms(median)} <small>±${spread(low, median, high)}</small></td>`;
}
