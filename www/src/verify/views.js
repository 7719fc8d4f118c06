import { html, nothing } from 'lit-html';
import { formatNumber, t } from '../shared/messages.js';

const MARKS = { same: '✓', different: '✗', 'no-answer': '–', 'not-compared': '–' };
/** How many calls on the GPU, recorded and random ones, came out as `key` says: 'same', 'different' or 'not_supported'. */
const onGpu = (report, key) => [report.recorded.webgpu, report.random].reduce((sum, counts) => sum + (counts?.[key] ?? 0), 0);
/** The same of the recorded calls on the CPU. */
const onCpu = (report, key) => report.recorded.cpu[key];

/**
 * Whether the GPU's bits are those of the CPU, and of how many calls. Right bits in some of the calls are no mark for all of them: then the
 * mark is a part of a circle, and a bar shows how much was tried.
 * @param {object} report of `verify()` @param {{ done: number, of: number }} tried
 */
export function verdictView(report, { done, of }) {
  const { outcome, reason, complete, answered, seconds } = report;
  const [same, different] = [onGpu(report, 'same'), onGpu(report, 'different') + onCpu(report, 'different')];
  const isPart = outcome === 'same' && done < of;
  const values = {
    same: formatNumber(same),
    different: formatNumber(different),
    all: formatNumber(same + different),
    cpu: formatNumber(onCpu(report, 'same')),
    why: reason ?? '',
    done: formatNumber(done),
    of: formatNumber(of),
    seconds: formatNumber(seconds, { maximumFractionDigits: 0 }),
  };
  return html`<div class=${`outcome ${isPart ? 'part' : outcome}`}>
    <p><span class="mark" aria-hidden="true">${isPart ? '◔' : MARKS[outcome]}</span> ${t(`verify.outcome.${isPart ? 'part' : outcome}`, values)}</p>
    <meter max=${of} value=${done} aria-label=${t('verify.tried', values)}></meter>
    <p class="quiet">${t('verify.tried', values)}${!complete && answered ? html` ${t('verify.incomplete')}` : nothing}</p>
    ${outcome === 'not-compared' && reason ? html`<p class="quiet">${t('verify.why', { why: reason })}</p>` : nothing}
  </div>`;
}

/** Adapter, arithmetic, browser, system, and the work. Unknown facts are left out. */
export function factsView(report) {
  const { backend, platform, seconds, seed, version, date } = report;
  const { webgpu, numerics } = backend;
  const rows = {
    adapter: webgpu && `${[webgpu.vendor, webgpu.architecture, webgpu.description].filter(Boolean).join(' ')}${webgpu.software ? ` (${t('verify.software')})` : ''}`,
    arithmetic: numerics && `${t(`verify.arithmetic.${numerics.float32}`)}; ${t(`verify.subnormals.${numerics.subnormals}`)}`,
    demoted: numerics?.demoted.length > 0 && numerics.demoted.join(', '),
    browser: platform.user_agent || platform.runtime,
    system: [platform.system, platform.cores && t('verify.cores', { count: platform.cores })].filter(Boolean).join(' · '),
    calls: webgpu && t('verify.counts', { same: formatNumber(onGpu(report, 'same')), different: formatNumber(onGpu(report, 'different')), lacking: formatNumber(onGpu(report, 'not_supported')) }),
    run: t('verify.run.facts', { seconds: formatNumber(seconds, { maximumFractionDigits: 1 }), seed, version, date: new Date(date).toLocaleString(document.documentElement.lang) }),
  };
  const shown = Object.entries(rows).filter(([, words]) => words);
  return html`<dl class="facts">${shown.map(([name, words]) => html`<div><dt>${t(`verify.fact.${name}`)}</dt><dd>${words}</dd></div>`)}</dl>`;
}

/** The calls that went wrong, and where. */
export function failuresView({ failures }) {
  if (failures.length === 0) return nothing;
  const row = ({ call, device, position, got, expected, error }) => html`<tr>
    <th scope="row">${call}</th><td>${device}</td>
    ${error ? html`<td colspan="3">${error.message}</td>` : html`<td>[${position.join(', ')}]</td><td>${got}</td><td>${expected}</td>`}
  </tr>`;
  return html`<div class="scroll failures" tabindex="0" role="region" aria-label=${t('verify.failures')}>
    <table>
      <caption>${t('verify.failures')}</caption>
      <thead><tr>${['call', 'device', 'position', 'got', 'expected'].map((name) => html`<th scope="col">${t(`verify.column.${name}`)}</th>`)}</tr></thead>
      <tbody>${failures.map(row)}</tbody>
    </table>
  </div>`;
}

/** A time in ms as text, without its unit. */
const ms = (value) => formatNumber(value, { maximumSignificantDigits: 3 });

/** A table for each ladder: the fastest way of each size is marked, and the one that the library takes. @param {import('./times.js').Times} times */
export function timesView({ ladders }) {
  const tables = Object.entries(ladders).filter(([, steps]) => steps.length > 0);
  return html`<section class="times" aria-label=${t('verify.times')}>
    <h2>${t('verify.times')}</h2>
    <p>${t('verify.times.text')}</p>
    ${tables.map(([id, steps]) => ladderView(id, steps))}
  </section>`;
}

/** A row for each size, in growing order, and a column for each way that was timed or chosen; – for a way that was not timed at a size. */
function ladderView(id, steps) {
  const ways = [...new Set(steps.flatMap(({ ms: all, chosen }) => [...Object.keys(all), chosen]).filter(Boolean))];
  const cell = (way, { ms: all, chosen, wrong }) => {
    const dot = way === chosen ? html` <abbr title=${t('verify.chosen')}>●</abbr>` : nothing; // also where it was too slow to be timed
    if (!(way in all)) return html`<td>–${dot}</td>`;
    const isFastest = all[way] === Math.min(...Object.values(all));
    const words = html`${isFastest ? html`<b>${ms(all[way])}</b>` : ms(all[way])}${dot}`;
    return wrong.includes(way) ? html`<td class="wrong">✗ ${t('verify.wrong')}</td>` : html`<td>${words}</td>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${t(`verify.ladder.${id}`)}>
    <table>
      <caption>${t(`verify.ladder.${id}`)}</caption>
      <thead><tr><th scope="col">${t(`verify.x.${id}`)}</th>${ways.map((way) => html`<th scope="col">${way}</th>`)}</tr></thead>
      <tbody>${[...steps].sort((a, b) => a.x - b.x).map((step) => html`<tr><th scope="row">${formatNumber(step.x)}</th>${ways.map((way) => cell(way, step))}</tr>`)}</tbody>
    </table>
  </div>`;
}

/** The report, to copy or to save. Nothing is sent: only the visitor can send it to us. */
export const reportView = ({ text, copied, onCopy, onSave }) => html`<section class="report" aria-label=${t('verify.report')}>
  <h2>${t('verify.report')}</h2>
  <p>${t('verify.report.text')}</p>
  <div class="row">
    <button type="button" @click=${onCopy}>${t(copied ? 'verify.copied' : 'verify.copy')}</button>
    <button type="button" @click=${onSave}>${t('verify.save')}</button>
  </div>
  <details><summary>${t('verify.show')}</summary><pre class="json" tabindex="0">${text}</pre></details>
</section>`;
