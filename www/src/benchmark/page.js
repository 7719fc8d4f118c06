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

/** The page that measures on the visitor's machine, or shows the results that a link holds. */
export class Benchmark {
  #place;
  /** @type {import('./record.js').Run | null} */
  #record = null;
  #running = false;
  #stopped = false; // by the button: the measurement under way is the last
  #now = ''; // the current work, in words
  #failure = ''; // why a run or a library failed
  #shared = false; // the record is that of a link
  #largest = 1_048_576; // elements of the largest size to measure
  #offers = {}; // version and bytes of each library to compare with, from data/peers.json
  #wanted = new Set(); // ids of the libraries that are ticked
  #loaded = {}; // those that are loaded, by id

  constructor(place) {
    this.#place = place;
    ready.then(() => this.#draw());
    onChoice(() => this.#draw());
    this.#loadOffers();
    reloadOnLink('run');
    stateInAddress('run').then((state) => {
      const record = readRecord(state, Object.keys(workloads), WAYS);
      if (!record || this.#record) return;
      [this.#record, this.#shared] = [record, true];
      this.#draw();
    });
  }

  /** Asks which libraries there are to compare with, and how large they are. Without an answer there are no checkboxes. */
  async #loadOffers() {
    const response = await fetch(assetAddress('data/peers.json')).catch(() => null);
    if (!response?.ok) return;
    this.#offers = await response.json();
    this.#draw();
  }

  /** The ids of the implementations to measure: the loop and the CPU always, the GPU if it is chosen, and libraries that are ticked and loaded. */
  #ways(device) {
    const isWanted = (way) => {
      if (way === 'webgpu') return device === 'webgpu';
      return ['loop', 'cpu'].includes(way) || (this.#wanted.has(way) && this.#loaded[way]);
    };
    return WAYS.filter(isWanted);
  }

  /** The ids of the libraries that are ticked and not loaded yet. */
  #toLoad = () => [...this.#wanted].filter((id) => !this.#loaded[id]);

  /** Loads the ticked libraries, then measures on the chosen device. The status names every failure. */
  async #run() {
    [this.#running, this.#stopped, this.#shared, this.#failure, this.#now] = [true, false, false, '', t('bench.start')];
    this.#draw();
    try {
      const device = await useDevice(); // asked once: the visitor may choose another while libraries load
      await this.#load();
      await this.#measure(this.#ways(device));
    } catch (error) {
      this.#failure = t('bench.broken', { why: error.message });
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

  /** Makes a new record, which is shown while it grows, and puts it into the address when it is complete. */
  async #measure(ways) {
    const { webgpu, version } = backend();
    const adapter = ways.includes('webgpu') ? [webgpu.vendor, webgpu.architecture, webgpu.description].filter(Boolean).join(' ') : null;
    const peerVersions = Object.fromEntries(ways.filter((id) => this.#loaded[id]).map((id) => [id, this.#offers[id].version]));
    const { userAgent: browser, hardwareConcurrency: cores } = navigator;
    this.#record = { when: new Date().toISOString(), browser, cores, version, adapter, peers: peerVersions, results: {} };
    for (const name of Object.keys(workloads)) {
      this.#record.results[name] = {};
      for (const size of SIZES.filter((each) => each <= this.#largest)) {
        if (this.#stopped) return;
        this.#say(t('bench.now', { name: t(`bench.${name}`), size: shortSize(size) }));
        await new Promise((next) => setTimeout(next)); // lets the page answer its visitor between measurements
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
    const ways = WAYS.filter((way) => results.some((outcomes) => outcomes[way]));
    render(
      html`${this.#controls()}
        <p class="status" role="status">${this.#status()}</p>
        ${record ? html`${factsView(record)}${summaryView(record)}` : nothing}
        ${ways.length > 0 ? legendView(ways) : nothing}
        ${Object.entries(record?.results ?? {}).map(workloadView)}`,
      this.#place,
    );
  }

  /** What to compare with, up to which size, and the buttons. The one that begins says how many bytes it would load. */
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

  /** What happens now, else why the last run failed, else how the results came about. */
  #status() {
    if (this.#running) return this.#now;
    if (this.#failure) return this.#failure;
    return t(!this.#record ? 'bench.ready' : this.#shared ? 'bench.shared' : this.#stopped ? 'bench.stopped' : 'bench.done');
  }

  /** Saves the results as a file. The address of the page holds the same once a run is complete. */
  #save() {
    save('scatterwise-benchmark.json', JSON.stringify(this.#record, null, 2), 'application/json');
  }
}
