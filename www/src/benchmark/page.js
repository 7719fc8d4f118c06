import { backend } from 'scatterwise';
import { html, nothing, render } from 'lit-html';
import { peers } from 'virtual:peers';
import { useDevice } from '../demos/device.js';
import { assetAddress, keepInAddress, reloadOnLink, stateInAddress } from '../shared/address.js';
import { onChoice, ready } from '../shared/devices.js';
import { save } from '../shared/dom.js';
import { t } from '../shared/messages.js';
import { WAYS, legendView, shortSize } from './chart.js';
import { measure } from './measure.js';
import { readRecord } from './record.js';
import { factsView, megabytes, peersView, summaryView, workloadView } from './views.js';
import { workloads } from './workloads.js';

const SIZES = [1024, 16_384, 262_144, 1_048_576, 4_194_304];

/** The page that measures, and shows the results of a link. */
export class Benchmark {
  #place;
  /** @type {import('./record.js').Run | null} */
  #record = null;
  #running = false;
  #stopped = false;
  #now = '';
  #failure = '';
  #shared = false;
  #largest = 1_048_576;
  #offers = {};
  #wanted = new Set();
  #loaded = {};

  constructor(place) {
    this.#place = place;
    ready.then(() => this.#draw());
    onChoice(() => this.#draw());
    this.#ask();
    reloadOnLink('run');
    stateInAddress('run').then((state) => {
      const record = readRecord(state, Object.keys(workloads), WAYS);
      if (!record || this.#record) return;
      [this.#record, this.#shared] = [record, true];
      this.#draw();
    });
  }

  /** The libraries to compare with, and their sizes. Without an answer there are no checkboxes. */
  async #ask() {
    const response = await fetch(assetAddress('data/peers.json')).catch(() => null);
    if (!response?.ok) return;
    this.#offers = await response.json();
    this.#draw();
  }

  #ways = (device) => WAYS.filter((way) => (way === 'webgpu' ? device === 'webgpu' : ['loop', 'cpu'].includes(way) || (this.#wanted.has(way) && this.#loaded[way])));
  #toLoad = () => [...this.#wanted].filter((id) => !this.#loaded[id]);

  async #run() {
    [this.#running, this.#stopped, this.#shared, this.#failure, this.#now] = [true, false, false, '', t('bench.start')];
    this.#draw();
    try {
      const device = await useDevice(); // of all of this run: another may be chosen while libraries load
      await this.#load();
      await this.#measure(this.#ways(device));
    } catch (error) {
      this.#failure = t('demo.stopped', { why: error.message });
    } finally {
      [this.#running, this.#now] = [false, ''];
      this.#draw();
    }
  }

  /** Loads the libraries that are ticked. One that cannot be loaded is unticked, with a message. */
  async #load() {
    for (const id of this.#toLoad()) {
      const name = t(`bench.way.${id}`);
      this.#say(t('bench.loading', { name }));
      try {
        this.#loaded[id] = await (await peers[id]()).start();
      } catch (error) {
        this.#wanted.delete(id);
        this.#failure = t('bench.unloadable', { name, why: error.message });
      }
    }
  }

  async #measure(ways) {
    const { webgpu, version } = backend();
    const adapter = ways.includes('webgpu') ? [webgpu.vendor, webgpu.architecture, webgpu.description].filter(Boolean).join(' ') : null;
    const versions = Object.fromEntries(ways.filter((id) => this.#loaded[id]).map((id) => [id, this.#offers[id].version]));
    const { userAgent: browser, hardwareConcurrency: cores } = navigator;
    this.#record = { when: new Date().toISOString(), browser, cores, version, adapter, peers: versions, results: {} };
    for (const name of Object.keys(workloads)) {
      this.#record.results[name] = {};
      for (const size of SIZES.filter((each) => each <= this.#largest)) {
        if (this.#stopped) return;
        this.#say(t('bench.now', { name: t(`bench.${name}`), size: shortSize(size) }));
        await new Promise((next) => setTimeout(next)); // the page stays alive between measurements
        this.#record.results[name][size] = await measure(name, size, ways, this.#loaded);
      }
    }
    await keepInAddress('run', this.#record);
  }

  #say(words) {
    this.#now = words;
    this.#draw();
  }

  #draw() {
    const record = this.#record;
    const results = Object.values(record?.results ?? {}).flatMap((bySize) => Object.values(bySize));
    const ways = WAYS.filter((way) => results.some((each) => each[way]));
    render(
      html`${this.#controls()}
        <p class="status" role="status">${this.#status()}</p>
        ${record ? html`${factsView(record)}${summaryView(record)}` : nothing}
        ${ways.length > 0 ? legendView(ways) : nothing}
        ${Object.entries(record?.results ?? {}).map(workloadView)}`,
      this.#place,
    );
  }

  #controls() {
    const bytes = this.#toLoad().reduce((sum, id) => sum + this.#offers[id].bytes, 0);
    return html`${Object.keys(this.#offers).length > 0
        ? peersView({
            offers: this.#offers,
            wanted: this.#wanted,
            loaded: (id) => id in this.#loaded,
            disabled: this.#running,
            onChange: (id, on) => {
              this.#wanted[on ? 'add' : 'delete'](id);
              this.#draw();
            },
          })
        : nothing}
      <div class="row">
        <label>${t('bench.largest')}
          <select ?disabled=${this.#running} @change=${({ target }) => (this.#largest = Number(target.value))}>
            ${SIZES.slice(1).map((size) => html`<option value=${size} ?selected=${size === this.#largest}>${shortSize(size)}</option>`)}
          </select>
        </label>
        ${this.#running
          ? html`<button type="button" @click=${() => (this.#stopped = true)}>${t('bench.stop')}</button>`
          : html`<button type="button" class="primary" @click=${() => this.#run()}>
              ${bytes > 0 ? t('bench.run.load', { size: megabytes(bytes) }) : t('bench.run')}
            </button>`}
        ${this.#record && !this.#running ? html`<button type="button" @click=${() => this.#save()}>${t('bench.save')}</button>` : nothing}
      </div>`;
  }

  #status() {
    if (this.#running) return this.#now;
    if (this.#failure) return this.#failure;
    return t(!this.#record ? 'bench.ready' : this.#shared ? 'bench.shared' : this.#stopped ? 'bench.stopped' : 'bench.done');
  }

  /** Saves the results as a file. The address of the page holds the same. */
  #save() {
    save('scatterwise-benchmark.json', JSON.stringify(this.#record, null, 2), 'application/json');
  }
}
