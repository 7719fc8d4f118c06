import { html, nothing, render } from 'lit-html';
import { save } from '../shared/dom.js';
import { formatNumber, t } from '../shared/messages.js';
import { run, stop } from './run.js';
import { factsView, failuresView, reportView, timesView, verdictView } from './views.js';

/** How long the first try may take, in seconds, and how long one of every call: the visitor can stop it. On a slow machine most of it is spent on compiling shaders. */
const [SHORT, LONG] = [12, 3600];

/** The page that compares the visitor's GPU with the CPU. Nothing is loaded, and no GPU started, before the button is pressed. */
export class Verify {
  #place;
  /** The running part: none, or one of the two. */
  #running = '';
  #stopped = false; // by the button
  #now = ''; // the current work, in words that are read aloud
  /** How far it is, in words. It changes with every call, so it is not read aloud. */
  #count = '';
  #failure = ''; // why the newest part, or copying its report, failed
  #done = [0, 1]; // of the bar: how much is done, of how much
  /** The report of `verify()`, with `times` once they were taken. @type {any} */
  #report = null;
  /** How many calls the report is of, of how many that there are. */
  #tried = { done: 0, of: 0 };
  #copied = false;

  constructor(place) {
    this.#place = place;
    this.#draw();
  }

  /**
   * Does one of the two parts.
   * @param {'verify' | 'times'} part @param {string} words the key that says how far it is
   * @param {(result: object) => void} take gets the result, and times already while they are measured
   * @param {number} [seconds] after which no further call is compared
   */
  async #part(part, words, take, seconds) {
    [this.#running, this.#stopped, this.#failure, this.#copied, this.#done] = [part, false, '', false, [0, 1]];
    [this.#now, this.#count] = [t('verify.start'), ''];
    this.#draw();
    try {
      const result = await run({ part, seconds }, ({ done, of, times }) => {
        if (times) take(times);
        this.#done = [done, of];
        if (!this.#stopped) [this.#now, this.#count] = ['', t(words, { done, of })];
        this.#draw();
      });
      if (result) take(result);
      else if (part === 'verify') this.#failure = t('verify.silent'); // it had to be stopped
    } catch (error) {
      this.#failure = t('verify.broke', { why: error.message });
    } finally {
      [this.#running, this.#now, this.#count] = ['', '', ''];
      this.#draw();
    }
  }

  /** Compares for some seconds; a new report takes the place of the one before. */
  #verify = (seconds) =>
    this.#part(
      'verify',
      'verify.now',
      (report) => {
        this.#report = report;
        this.#tried = { done: this.#done[0], of: this.#done[1] };
      },
      seconds,
    );

  /** Times the ways to scatter; the times join the report. */
  #time = () =>
    this.#part('times', 'verify.now.times', (times) => {
      this.#report = { ...this.#report, times };
    });

  /** Ends the part after the call in flight. The results until then are shown. */
  #stop = () => {
    this.#stopped = true;
    [this.#now, this.#count] = [t('verify.stopping'), ''];
    stop();
    this.#draw();
  };

  #draw() {
    const report = this.#report;
    const shown = report && this.#running !== 'verify'; // while times are measured the report stays
    render(
      html`<div class="row">${this.#buttons()}</div>
        ${this.#running ? html`<progress max=${this.#done[1]} value=${this.#done[0]} aria-label=${t('verify.progress')}></progress>` : nothing}
        ${this.#count ? html`<p class="status">${this.#count}</p>` : nothing}
        <p class="status" role="status">${this.#status()}</p>
        ${shown ? html`${verdictView(report, this.#tried)}${factsView(report)}${failuresView(report)}` : nothing}
        ${shown && report.times ? timesView(report.times) : nothing}
        ${shown && !this.#running ? reportView({ text: this.#text(), copied: this.#copied, onCopy: this.#copy, onSave: this.#save }) : nothing}`,
      this.#place,
    );
  }

  #buttons() {
    if (this.#running) return html`<button type="button" @click=${this.#stop} ?disabled=${this.#stopped}>${t('verify.stop')}</button>`;
    const report = this.#report;
    const { done, of } = this.#tried;
    const isRest = report?.answered && done < of; // there is more to try
    const canTime = report?.device === 'webgpu' && report.answered;
    const minutes = formatNumber(Math.max(1, Math.ceil((report?.seconds * of) / done / 60)));
    return html`${isRest ? html`<button type="button" class="primary" @click=${() => this.#verify(LONG)}>${t('verify.all', { of: formatNumber(of), minutes })}</button>` : nothing}
      <button type="button" class=${isRest || canTime ? '' : 'primary'} @click=${() => this.#verify(SHORT)}>${t(report ? 'verify.again' : 'verify.run')}</button>
      ${canTime ? html`<button type="button" class=${isRest ? '' : 'primary'} @click=${this.#time}>${t('verify.time')}</button>` : nothing}`;
  }

  #status() {
    if (this.#running) return this.#now;
    if (this.#failure) return this.#failure;
    if (!this.#report) return t('verify.ready');
    if (this.#report.times) return t(this.#report.times.complete ? 'verify.done.times' : 'verify.stopped.times');
    if (this.#stopped) return t('verify.stopped');
    return this.#report.device === 'webgpu' ? t('verify.done') : '';
  }

  /** The report as the visitor may share it. */
  #text = () => JSON.stringify(this.#report, null, 1);

  #copy = async () => {
    try {
      await navigator.clipboard.writeText(this.#text());
      this.#copied = true;
    } catch (error) {
      this.#failure = t('verify.uncopied', { why: error.message });
    }
    this.#draw();
  };

  #save = () => save('scatterwise-report.json', this.#text(), 'application/json');
}
