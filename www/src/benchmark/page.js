import { backend } from 'scatterwise';
import { html, nothing, render } from 'lit-html';
import { useDevice } from '../demos/device.js';
import { keepInAddress, stateInAddress } from '../shared/address.js';
import { chosen, onChoice, ready } from '../shared/devices.js';
import { formatNumber, t } from '../shared/messages.js';
import { chartView, legendView, shortSize } from './chart.js';
import { measure } from './measure.js';
import { workloads } from './workloads.js';

const SIZES = [1024, 16_384, 262_144, 1_048_576, 4_194_304];
const ms = (value) => formatNumber(value, { maximumSignificantDigits: 3 });

/**
 * The page's state, also what a link carries and a file holds.
 * @typedef {{ when: string, browser: string, cores: number, adapter: string | null, results: Record<string, Record<number,
 *   Record<string, { median: number, low: number, high: number, same: boolean }>>> }} Run
 */
export class Benchmark {
  #place;
  #record = null;
  #running = false;
  #stopped = false;
  #now = '';
  #failure = '';
  #shared = false;
  #largest = 1_048_576;

  constructor(place) {
    this.#place = place;
    ready.then(() => this.#draw());
    onChoice(() => this.#draw());
    stateInAddress('run').then((record) => {
      if (!record || this.#record) return;
      [this.#record, this.#shared] = [record, true];
      this.#draw();
    });
  }

  #ways = () => ['loop', 'cpu', ...(chosen() === 'cpu' ? [] : ['webgpu'])];

  async #run() {
    [this.#running, this.#stopped, this.#shared, this.#failure, this.#now] = [true, false, false, '', t('bench.start')];
    const ways = this.#ways();
    this.#record = { when: new Date().toISOString(), browser: navigator.userAgent, cores: navigator.hardwareConcurrency, adapter: null, results: {} };
    this.#draw();
    try {
      await useDevice();
      const { webgpu, version } = backend();
      this.#record.version = version;
      this.#record.adapter = ways.includes('webgpu') ? [webgpu.vendor, webgpu.architecture, webgpu.description].filter(Boolean).join(' ') : null;
      for (const name of Object.keys(workloads)) {
        this.#record.results[name] = {};
        for (const size of SIZES.filter((each) => each <= this.#largest)) {
          if (this.#stopped) return;
          this.#now = t('bench.now', { name: t(`bench.${name}`), size: shortSize(size) });
          this.#draw();
          await new Promise((next) => setTimeout(next)); // the page stays alive between measurements
          this.#record.results[name][size] = await measure(name, size, ways);
        }
      }
      await keepInAddress('run', this.#record);
    } catch (error) {
      this.#failure = t('density.stopped', { why: error.message });
    } finally {
      [this.#running, this.#now] = [false, ''];
      this.#draw();
    }
  }

  #draw() {
    const record = this.#record;
    const sizes = SIZES.filter((size) => record && Object.values(record.results).some((bySize) => bySize[size]));
    const ways = record ? [...new Set(Object.values(record.results).flatMap((bySize) => Object.values(bySize).flatMap(Object.keys)))] : [];
    render(
      html`<div class="row">
          <label>${t('bench.largest')}
            <select ?disabled=${this.#running} @change=${({ target }) => (this.#largest = Number(target.value))}>
              ${SIZES.slice(1).map((size) => html`<option value=${size} ?selected=${size === this.#largest}>${shortSize(size)}</option>`)}
            </select>
          </label>
          ${this.#running
            ? html`<button type="button" @click=${() => (this.#stopped = true)}>${t('bench.stop')}</button>`
            : html`<button type="button" class="primary" @click=${() => this.#run()}>${t('bench.run')}</button>`}
          ${record && !this.#running ? html`<button type="button" @click=${() => this.#save()}>${t('bench.save')}</button>` : nothing}
        </div>
        <p class="status" role="status">${this.#now || this.#failure || t(!record ? 'bench.ready' : this.#shared ? 'bench.shared' : this.#stopped ? 'bench.stopped' : 'bench.done')}</p>
        ${record ? factsView(record) : nothing}
        ${ways.length > 0 ? legendView(ways) : nothing}
        ${Object.entries(record?.results ?? {}).map(([name, results]) => workloadView(name, sizes, results))}`,
      this.#place,
    );
  }

  /** As a file. The address of the page has the same. */
  #save() {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([JSON.stringify(this.#record, null, 2)], { type: 'application/json' }));
    link.download = 'scatterwise-benchmark.json';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

const factsView = ({ when, browser, cores, adapter }) => html`<p class="quiet">
  ${t('bench.facts', { when: new Date(when).toLocaleString(document.documentElement.lang), browser, cores, adapter: adapter ?? t('bench.no-adapter') })}
</p>`;

function workloadView(name, sizes, results) {
  const measured = sizes.filter((size) => results[size]);
  if (measured.length === 0) return nothing;
  const ways = Object.keys(results[measured[0]]);
  const cell = ({ median, low, high, same }) =>
    html`<td>${same ? '' : '✗ '}${ms(median)} <small>±${ms((high - low) / 2)}</small></td>`;
  return html`<section class="showpiece" aria-label=${t(`bench.${name}`)}>
    <h2>${t(`bench.${name}`)}</h2>
    <p>${t(`bench.${name}.text`)} ${crossing(measured, results)}</p>
    <p class="quiet">${t('bench.axis')}</p>
    ${chartView(name, measured, results)}
    <div class="scroll" tabindex="0" role="region" aria-label=${t('bench.table', { name: t(`bench.${name}`) })}>
      <table>
        <caption>${t('bench.caption')}</caption>
        <thead><tr><th scope="col">${t('bench.size')}</th>${ways.map((way) => html`<th scope="col">${t(`bench.way.${way}`)}</th>`)}</tr></thead>
        <tbody>${measured.map((size) => html`<tr><th scope="row">${shortSize(size)}</th>${ways.map((way) => cell(results[size][way]))}</tr>`)}</tbody>
      </table>
    </div>
    <p class="quiet">${Object.values(results).every((each) => Object.values(each).every(({ same }) => same)) ? t('bench.same') : t('bench.differ')}</p>
  </section>`;
}

/** From which size on WebGPU is ahead of the CPU, here. */
function crossing(sizes, results) {
  if (!results[sizes[0]].webgpu) return '';
  const first = sizes.find((size) => sizes.filter((each) => each >= size).every((each) => results[each].webgpu.median < results[each].cpu.median));
  return first ? t('bench.ahead', { size: shortSize(first) }) : t('bench.never');
}
