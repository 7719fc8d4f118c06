import { html, nothing, render } from 'lit-html';
import entries from 'virtual:types';
import { addressWith, keepInAddress, reloadOnLink, stateInAddress } from '../shared/address.js';
import { choices, chosen, devicesOf, ready } from '../shared/devices.js';
import { save } from '../shared/dom.js';
import { createEditor } from '../shared/editor.js';
import { formatNumber, t } from '../shared/messages.js';
import { onTheme } from '../shared/theme.js';
import { starts } from './examples.js';
import { help } from './help.js';
import { comparisonOfRuns, runView } from './outputs.js';
import { compareRuns, startRun } from './session.js';
import { asHtml, asIssue, asModule } from './takeaway.js';

const LIMITS = [2, 10, 60]; // seconds
/** How long nothing is typed until an edit is put into the address, in milliseconds. */
const REST = 400;
const SYMBOLS = ['[', ']', '(', ')', '{', '}', ',', ';', '=', "'", '.']; // that a phone's keyboard hides
/** The names that the package exports. */
const known = entries.filter(({ owner }) => owner === '').map(({ name }) => name);
/** Why code cannot run on several threads here, as a key of the messages; null: it can. */
const threadObstacle = !HAS_THREADS ? 'playground.no-threads-built' : crossOriginIsolated ? null : 'playground.not-isolated';

/** The free playground: an editor, a device, and what the code made. Its state is in the address. */
export class Playground {
  #host;
  #place = document.createElement('div');
  #editor = null;
  #code = starts[0].code;
  #device = 'cpu'; // or 'webgpu', or 'both'
  #limit = 10; // seconds of a run
  #hasThreads = false; // whether the CPU's runs are on several threads
  #obstacle = null; // why there is no WebGPU, as a key of the messages; null: there is
  #runs = []; // of the newest start, one for each device
  #ranCode = ''; // the code that they ran
  #job = null; // the run that goes on now: { stop }
  #looks = {}; // how the visitor looks at tensors, by the ids of outputs.js
  #note = ''; // what the newest action came to, in words
  #keeping = 0; // the timer after which an edit is put into the address

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#host = host;
    this.#place.className = 'editor';
    onTheme(() => this.#draw());
    reloadOnLink('run');
  }

  /** Takes the state out of the address and runs the code, unless that needs a GPU and this visitor's own choice is another. */
  async start() {
    this.#obstacle = await ready;
    const kept = await stateInAddress('run');
    const start = starts.find(({ id }) => id === new URLSearchParams(location.search).get('start')); // other pages link to it
    if (start) this.#code = start.code;
    if (typeof kept?.code === 'string') this.#code = kept.code;
    if (choices.includes(kept?.device) && (!this.#obstacle || kept.device === 'cpu')) this.#device = kept.device;
    this.#hasThreads = kept?.threads === true && !threadObstacle;
    this.#looks = kept?.looks ?? {};
    this.#editor = createEditor({
      parent: this.#place,
      code: this.#code,
      label: t('playground.code'),
      onChange: (code) => {
        const wasEdited = this.#isEdited;
        this.#code = code;
        if (this.#isEdited !== wasEdited) this.#draw();
        clearTimeout(this.#keeping);
        this.#keeping = setTimeout(() => this.#keep(), REST); // so that a reload shows the code
      },
      onRun: () => this.#run(),
      extensions: help,
    });
    // A link alone does not start a visitor's graphics card: then the visitor is asked.
    const isAsking = this.#device !== 'cpu' && this.#device !== chosen();
    if (isAsking) this.#note = t('playground.asks');
    this.#draw();
    if (!isAsking) await this.#run();
  }

  /** Runs the code on each chosen device, one after the other, so that their times are their own. */
  async #run() {
    this.#job?.stop();
    this.#note = '';
    this.#keep();
    this.#runs = [];
    const job = { stop: () => {}, isStopped: false };
    this.#job = job;
    const [code, limit] = [this.#code, this.#limit * 1000];
    this.#ranCode = code;
    this.#editor.mark(0);
    const isTwice = this.#device === 'both'; // a GPU compiles in the first run: only the second ones can be compared
    for (const device of devicesOf(this.#device)) {
      const at = this.#runs.length;
      const { finished, stop } = startRun({ code, device, limit, isTwice, hasThreads: this.#hasThreads && device === 'cpu' }, (run) => {
        if (this.#job !== job) return; // a newer run has taken its place
        this.#runs[at] = run;
        this.#draw();
      });
      job.stop = () => {
        job.isStopped = true;
        stop();
      };
      this.#draw();
      await finished;
      if (job.isStopped) break;
    }
    if (this.#job !== job) return;
    this.#job = null;
    const line = this.#runs.find(({ line }) => line > 0)?.line;
    if (line && !this.#isEdited) this.#editor.mark(line);
    this.#draw();
  }

  /** Whether the code is another than that of the newest run. */
  get #isEdited() {
    return this.#code !== this.#ranCode;
  }

  /** What a link to this page holds. */
  get #state() {
    return { code: this.#code, device: this.#device, looks: this.#looks, ...(this.#hasThreads && { threads: true }) };
  }

  /** Puts the state into the address. Nothing waits for it. */
  #keep() {
    keepInAddress('run', this.#state).catch((error) => this.#say(t('playground.no-link', { why: error.message })));
  }

  #say(note) {
    this.#note = note;
    this.#draw();
  }

  #draw() {
    render(this.#view(), this.#host);
  }

  #view() {
    const areBothDone = this.#runs.length === 2 && this.#runs.every(({ ended }) => ended === 'done');
    return html`<div class="workbench" aria-busy=${this.#job ? 'true' : 'false'}>
      <div class="writing">
        ${this.#startsView()} ${this.#place} ${this.#symbolsView()} ${this.#controlsView()}
        ${threadObstacle ? html`<p class="status">${t(threadObstacle)}</p>` : nothing}
        ${this.#obstacle ? html`<p class="status">${t(this.#obstacle)} ${t('device.calm')}</p>` : nothing}
      </div>
      <div class="results" aria-live="polite">
        ${this.#runs.length > 0 && this.#isEdited ? html`<p class="quiet">${t('playground.edited')}</p>` : nothing}
        ${areBothDone ? comparisonOfRuns(this.#runs, compareRuns(...this.#runs)) : nothing}
        ${this.#runs.map((run) => runView(run, this.#looks, (id, look) => this.#look(id, look)))}
      </div>
      <div class="taking">
        ${this.#takeView()}
        <p class="quiet">${t('playground.keys')}</p>
      </div>
    </div>`;
  }

  /** Runs the code again, on several threads or on one. */
  #thread(hasThreads) {
    this.#hasThreads = hasThreads;
    this.#run();
  }

  /** Shows a tensor in another look. */
  #look(id, look) {
    this.#looks = { ...this.#looks, [id]: look };
    this.#keep();
    this.#draw();
  }

  /** The list of examples, and the note of the one that is shown. Choosing one replaces the code and runs it. */
  #startsView() {
    const load = (event) => {
      const start = starts.find(({ id }) => id === event.target.value);
      if (!start) return;
      event.target.value = ''; // the same example can be chosen again after an edit
      this.#looks = {};
      this.#editor.replace(start.code);
      this.#run();
    };
    return html`<label class="choice">${t('playground.examples')}
      <select @change=${load}><option value="">…</option>${starts.map(({ id }) => html`<option value=${id}>${t(`start.${id}`)}</option>`)}</select>
    </label>${this.#noteView()}`;
  }

  /** What there is to know about the example, while the code is as the example has it. */
  #noteView() {
    const start = starts.find(({ code, more }) => more && code === this.#code);
    if (!start) return nothing;
    return html`<p class="quiet">${t(`start.${start.id}.note`)} <a href=${`./${start.more}.html`}>${t(`start.${start.id}.more`)}</a></p>`;
  }

  /** Buttons that insert signs. */
  #symbolsView() {
    const key = (symbol) =>
      html`<button type="button" aria-label=${t('playground.insert', { symbol })} @click=${() => this.#editor.insert(symbol)}>${symbol}</button>`;
    return html`<div class="symbols">${SYMBOLS.map(key)}</div>`;
  }

  /** Run, stop, the device, which runs the code again, and the limit, which the next run has. */
  #controlsView() {
    const choose = (device) => {
      this.#device = device;
      this.#run();
    };
    const isUnavailable = (device) => this.#obstacle !== null && device !== 'cpu';
    const option = (device) =>
      html`<label><input type="radio" name="run-device" value=${device} .checked=${this.#device === device} ?disabled=${isUnavailable(device)} @change=${() => choose(device)} /><span>${t(`device.${device}`)}</span></label>`;
    return html`<div class="actions">
      <button type="button" class="primary" @click=${() => this.#run()}>${t('playground.run')}</button>
      <button type="button" ?disabled=${!this.#job} @click=${() => this.#job?.stop()}>${t('playground.stop')}</button>
      <fieldset class="switch"><legend class="hidden">${t('device.legend')}</legend>${choices.map(option)}</fieldset>
      <label class="choice"><input
          type="checkbox" name="threads" .checked=${this.#hasThreads} ?disabled=${threadObstacle !== null}
          @change=${(event) => this.#thread(event.target.checked)}
        /> ${t('playground.threads')}</label>
      <label class="choice">${t('playground.limit')}
        <select @change=${(event) => (this.#limit = Number(event.target.value))}>
          ${LIMITS.map((seconds) => html`<option value=${seconds} ?selected=${seconds === this.#limit}>${t('playground.seconds', { count: formatNumber(seconds) })}</option>`)}
        </select>
      </label>
    </div>`;
  }

  /** The forms in which the code can be taken away: a link, a page, a module, a report. */
  #takeView() {
    const device = this.#device === 'both' ? 'auto' : this.#device;
    const taken = () => ({ code: this.#code, device, known: this.#hasThreads ? [...known, 'keep_awake'] : known, entry: this.#hasThreads ? 'scatterwise/threads' : 'scatterwise' });
    const report = async () =>
      asIssue({ code: this.#ranCode, runs: this.#runs, address: await addressWith('run', { ...this.#state, code: this.#ranCode }) });
    const button = (key, make) => html`<button type="button" @click=${() => this.#copy(make())}>${t(key)}</button>`;
    return html`<div class="actions">
      ${button('lab.share', () => addressWith('run', this.#state))} ${button('playground.as-html', () => asHtml(taken()))}
      ${button('playground.as-npm', () => asModule(taken()))} ${button('playground.as-issue', report)}
      <span class="note" role="status">${this.#note}</span>
    </div>`;
  }

  /** Puts text on the clipboard; where that is not allowed, into a file. @param {string | Promise<string>} coming */
  async #copy(coming) {
    let text;
    try {
      text = await coming;
    } catch (error) {
      this.#say(t('playground.no-link', { why: error.message })); // only the address, which is packed, can fail
      return;
    }
    try {
      await navigator.clipboard.writeText(text);
      this.#say(t('playground.copied'));
    } catch {
      save('scatterwise.txt', text, 'text/plain');
      this.#say(t('playground.saved'));
    }
  }
}
