import { html, nothing, render } from 'lit-html';
import * as engine from '../engine/client.js';
import { keepInAddress, pack, stateInAddress } from '../shared/address.js';
import { chosen, devicesOf, onChoice, ready } from '../shared/devices.js';
import { t } from '../shared/messages.js';
import { writeCode } from './code.js';
import { exampleOf } from './examples.js';
import { formOf, pageOf, signOf } from './forms.js';
import { fixesFor } from './fixes.js';
import { collisionsOf } from './history.js';
import { Player } from './player.js';
import { dtypeOf, withShape } from './operand.js';
import { chartOf } from './shapes.js';
import { drawArrows } from './views/arrows.js';
import { controlsView } from './views/controls.js';
import { restoreFields } from './views/fields.js';
import { failureView } from './views/failure.js';
import { playerView, writesView } from './views/player.js';
import { combinationView, provenanceView, readView } from './views/provenance.js';
import { raceView } from './views/race.js';
import { shapesView } from './views/shapes.js';
import { sumsView } from './views/sums.js';
import { tensorsView } from './views/tensors.js';
import { comparisonView, verdictView } from './views/verdict.js';

/** @typedef {import('./code.js').Model} Model */

const PAUSE = 250; // ms without a keystroke before edited code is read
const ROUNDS = 200; // orders of the writes that the simulation of a race tries

/**
 * One call, live: its code, its tensors, and every write of it. The code and the pictures are two views of one model; what
 * happens comes from the library alone, run in a worker.
 */
export class Lab {
  #id;
  #example;
  #host; // the element that all of the lab is drawn in
  #place = document.createElement('div'); // where the editor goes
  #editor = null;
  #draft; // what the editor holds
  #code; // the code that was read last
  #model;
  #answered = null; // the model that the trace and the answers are of
  #unreadable = null; // why the code is no call that can be shown, as an `Unreadable`; null: it is one
  #trace = { steps: [], failure: null };
  #answers = {}; // of the library, by device
  #player = new Player(() => this.#draw());
  #editing = null; // { role, offset } of the cell that is a field now
  #opened = null; // the element of the result whose origin is shown: { offset, position, writes(steps) }
  #slice = null; // above rank 3, the coordinates of the slice that is drawn, if the visitor has set them, and the step they hold for
  #axes = null; // above rank 3, the two axes that are drawn, if the visitor has chosen them
  #isChartOpen = false;
  #race = null; // what other orders gave
  #isRaceOpen = false;
  #sums = null; // the steps of the sum by both definitions
  #isSumsOpen = false;
  #isStarted = false;
  #latest = 0; // number of the newest run; answers to older ones are dropped
  #timer = 0; // of the pause after a keystroke
  #note = ''; // whether sharing worked, in words

  /** @param {HTMLElement} element the section that the build has made of the example */
  constructor(element) {
    this.#id = element.dataset.lab;
    this.#example = exampleOf(this.#id);
    this.#isRaceOpen = this.#example.race ?? false;
    this.#isSumsOpen = this.#example.sums ?? false;
    this.#host = element.querySelector('.lab-body');
    this.#code = this.#example.code;
    this.#draft = this.#code;
    this.#model = JSON.parse(element.dataset.model); // read when the site was built
    this.#place.className = 'editor';
    this.element = element;
    this.#host.setAttribute('aria-busy', 'true');
    onChoice(() => this.#isStarted && this.#run());
    new ResizeObserver(() => drawArrows(this.#host)).observe(this.#host);
  }

  /** Shows the lab and runs it; with `autoplay` it plays its steps once. */
  async start({ autoplay = false } = {}) {
    await ready;
    const kept = await stateInAddress(this.#id); // anyone can write a link: it may hold anything
    if (typeof kept?.code === 'string') await this.#read(kept.code);
    this.#isStarted = true;
    this.#place.append(...this.#host.querySelector('.editor').childNodes); // until now it stood where the build put it
    this.#host.replaceChildren();
    await this.#renew();
    const { steps } = this.#trace;
    if (Number.isInteger(kept?.step)) this.#player.go(kept.step);
    else if (autoplay && steps.length > 0 && !matchMedia('(prefers-reduced-motion: reduce)').matches)
      this.#player.play();
  }

  /** Puts the editor in place of the plain text. */
  mount(createEditor) {
    this.#place.replaceChildren();
    this.#editor = createEditor({
      parent: this.#place,
      code: this.#draft,
      label: t('lab.code'),
      onChange: (code) => this.#typed(code),
      onRun: () => this.#readEditor(),
    });
  }

  /** The editor holds another text: it is read after a pause, unless it is again the one that was read last. */
  #typed(code) {
    clearTimeout(this.#timer);
    this.#draft = code;
    if (code !== this.#code) this.#timer = setTimeout(() => this.#readEditor(), PAUSE);
  }

  /** Reads the editor's code at once, and shows the call, or why it is no call. */
  async #readEditor() {
    await this.#read(this.#draft);
    if (this.#unreadable) this.#draw();
    else await this.#renew();
  }

  /** Makes the model of a text. Where the text is no call, the model stays that of the last one, and `#unreadable` says why. */
  async #read(code) {
    clearTimeout(this.#timer);
    this.#code = code;
    this.#draft = code;
    this.#note = '';
    const { readCode, Unreadable } = await import('./parse.js'); // with the grammar, which the editor brings anyway
    if (code !== this.#code) return; // another text was read meanwhile
    try {
      this.#model = readCode(code);
      this.#unreadable = null;
      this.#opened = null;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.#unreadable = error;
    }
  }

  /** The picture was changed: updates the code and runs the call again. @param {Model} model */
  #change(model) {
    this.#model = model;
    this.#unreadable = null;
    this.#opened = null;
    this.#note = '';
    this.#setCode(writeCode(model));
    this.#renew();
  }

  /** Replaces the editor's code. Code that was typed and not read yet is dropped. */
  #setCode(code) {
    clearTimeout(this.#timer);
    this.#code = code;
    this.#draft = code;
    if (this.#editor) this.#editor.replace(code);
    else this.#place.querySelector('code')?.replaceChildren(code);
  }

  /** Runs the call, and meanwhile draws it as far as it is known. The call comes first: what cannot be drawn must still run. */
  #renew() {
    const running = this.#run();
    this.#draw();
    return running;
  }

  /** Runs the call of the model on the chosen devices. */
  async #run() {
    this.#latest += 1;
    const ticket = this.#latest;
    this.#host.setAttribute('aria-busy', 'true');
    this.#trace.factors = null; // those of the call before
    this.#race = null;
    this.#sums = null;
    try {
      await this.#ask(this.#model, ticket);
    } finally {
      if (ticket === this.#latest) this.#host.setAttribute('aria-busy', 'false');
    }
  }

  /** Asks the library about the call and shows the answers, unless a newer run has begun. */
  async #ask(model, ticket) {
    const devices = devicesOf(chosen());
    const answering = devices.map((device) =>
      engine.call(model, device).catch((error) => ({ problem: error.message })),
    );
    const [trace, ...answers] = await Promise.all([
      engine.trace(model).catch((error) => ({ steps: [], failure: null, problem: error.message })),
      ...answering,
    ]);
    if (ticket !== this.#latest) return;
    this.#answered = model;
    this.#trace = trace;
    this.#answers = Object.fromEntries(devices.map((device, at) => [device, answers[at]]));
    const { reads } = formOf(model); // to read a place twice is no collision
    this.#player.load(trace.steps.length, reads ? [] : collisionsOf(trace.steps, model.self.shape));
    this.#draw();
    if (this.#isRaceOpen) await this.#simulateRace(0);
    if (this.#isSumsOpen) await this.#compareSums();
  }

  /** Whether the call is a sum of floats, which has two definitions, and in some place two terms meet. */
  get #isSum() {
    const model = this.#model;
    const isFloat = ['float32', 'float64'].includes(dtypeOf(model.self) || 'float32');
    return isFloat && formOf(model).options.includes('sum') && signOf(model) === '+' && !model.alpha && this.#player.state.collisions.length > 0;
  }

  /** Asks for the steps of the sum by both definitions, and shows them. */
  async #compareSums() {
    if (!this.#isSum) return;
    const model = this.#model;
    const sums = await engine.sums(model).catch(() => null);
    if (model !== this.#model) return; // the call was changed meanwhile
    this.#sums = sums;
    this.#draw();
  }

  /** Simulates a race of the writes, if two of them meet, and shows it. The same `seed` gives the same orders. */
  async #simulateRace(seed) {
    if (this.#player.state.collisions.length === 0) return;
    const model = this.#model;
    const race = await engine.race(model, ROUNDS, seed).catch(() => null);
    if (model !== this.#model) return; // the call was changed meanwhile
    this.#race = race;
    this.#draw();
  }

  /** Whether the code is another than that of the example. */
  get #isEdited() {
    return this.#code !== this.#example.code;
  }

  /** How views describe the call (`Words` in views/player.js): names, the sign of its arithmetic, self's dtype, whether steps are reads. */
  get #words() {
    const form = formOf(this.#model);
    const names = Object.fromEntries(
      Object.entries(form.names).map(([role, name]) => [role, this.#model[role]?.name ?? name]),
    );
    names.result = t('grid.result');
    names.written = form.writes ? names.self : names.result;
    const dtype = dtypeOf(this.#model.self) || 'float32';
    return { names, sign: signOf(this.#model), dtype, reads: form.reads, isExact: this.#model.sum === 'exact' && dtype.includes('float') };
  }

  /** Draws all of the lab. Of two devices the answer with an error is shown, if there is one, else that of the first. */
  #draw() {
    const answer = Object.values(this.#answers).find(({ failure }) => failure) ?? Object.values(this.#answers)[0];
    // The error of another call may name places and arguments that this one does not have.
    const failure = (this.#answered === this.#model && answer?.failure) || null;
    if (/rank|shape/.test(failure?.facts.code ?? '')) this.#isChartOpen = true; // the chart of the shapes shows why
    render(this.#view(answer, failure), this.#host);
    drawArrows(this.#host);
  }

  /** The steps to show: while a call waits for its answer those of the one before, if they can be told in the same words. */
  get #steps() {
    const isAlike = this.#answered !== null && formOf(this.#answered) === formOf(this.#model);
    return isAlike ? this.#trace.steps : [];
  }

  /** Whether the call has more steps than the library traces. */
  get #hasTooManySteps() {
    return this.#answered === this.#model && this.#trace.failure?.facts.code === 'trace-limit';
  }

  /**
   * Where the code cannot be read, its tensors are those of the last call that could, and greyed.
   * @param {import('../engine/client.js').Answer | undefined} answer the one to show; none while the first is awaited
   * @param {import('../engine/client.js').Failure | null} failure the error of the call that is shown
   */
  #view(answer, failure) {
    const model = this.#model;
    const words = this.#words;
    const { factors } = this.#trace;
    const steps = this.#steps;
    const id = `lab-${this.#id}`;
    const isStale = this.#unreadable !== null;
    const at = this.#player.at;
    const slice = this.#slice?.step === at ? this.#slice.at : null;
    return html`<div class="lab-side">
        ${this.#place} ${isStale ? this.#unreadableView() : nothing}
        ${controlsView({ id, model }, (next) => this.#change(next))} ${this.#actionsView()}
      </div>
      <div class="lab-main ${isStale ? 'stale' : ''}">
        ${tensorsView(
          { model, words, steps, factors, at, result: answer?.result, failure, editing: this.#editing, opened: this.#opened, axes: this.#axes, slice },
          this.#tensorActions,
        )}
        ${steps.length > 0 ? playerView({ id, steps, words, ...this.#player.state }, this.#player) : nothing}
        ${this.#isSum && !failure ? this.#sumsView(words) : nothing}
        ${this.#hasTooManySteps ? html`<p class="quiet">${t('grid.steps')}</p>` : nothing}
        ${this.#opened === null ? nothing : this.#provenanceView(words, answer?.result)}
        ${failure ? failureView({ failure, unchanged: answer.unchanged, fixes: fixesFor(model, failure), page: pageOf(model) }, (next) => this.#change(next)) : nothing}
        <div class="answers ${this.#answered === model ? '' : 'awaiting'}">
          ${verdictView({ example: this.#example, answers: this.#answers, edited: this.#isEdited })}
          ${failure ? nothing : comparisonView(this.#example, answer?.result)}
        </div>
        ${shapesView(
          { id, model, chart: chartOf(model), names: words.names, isOpen: this.#isChartOpen },
          (role, shape) => this.#change({ ...model, [role]: withShape(model[role], shape) }),
          (isOpen) => (this.#isChartOpen = isOpen),
        )}
        ${this.#player.state.collisions.length > 0 && !failure ? this.#raceView(words) : nothing}
        ${steps.length > 0 ? writesView({ steps, words, ...this.#player.state }) : nothing}
      </div>`;
  }

  #sumsView(words) {
    const toggled = (isOpen) => {
      const isNew = isOpen && !this.#isSumsOpen;
      this.#isSumsOpen = isOpen;
      if (isNew && !this.#sums) this.#compareSums();
    };
    return sumsView({ sums: this.#sums, at: this.#player.at, isOpen: this.#isSumsOpen, words }, toggled);
  }

  #raceView(words) {
    const toggled = (isOpen) => {
      const isNew = isOpen && !this.#isRaceOpen;
      this.#isRaceOpen = isOpen;
      if (isNew && !this.#race) this.#simulateRace(0);
    };
    const again = () => this.#simulateRace(Math.floor(Math.random() * 2 ** 32));
    return raceView({ race: this.#race, isOpen: this.#isRaceOpen, words }, again, toggled);
  }

  /** What the opened element of the result was made of: the elements of an operation on two tensors, the read of a gather, or the writes of a scatter. */
  #provenanceView(words, result) {
    const { offset, position, writes } = this.#opened;
    const { factors } = this.#trace;
    const steps = this.#steps;
    const close = () => this.#open(null);
    if (factors && result) return combinationView({ model: this.#model, factors, offset, position, result, words, close });
    if (steps.length === 0) return nothing;
    if (words.reads) return readView({ position, reads: writes(steps), words, close });
    const start = this.#model.self.values[offset];
    return provenanceView({ position, writes: writes(steps), start, words, close });
  }

  #unreadableView() {
    const { reason, words } = this.#unreadable;
    return html`<p class="unreadable" role="status">
      ${t(`unreadable.${reason}`, words)} ${t('unreadable.rest')}
      <button type="button" @click=${() => this.#toPlayground()}>${t('lab.playground')}</button>
    </p>`;
  }

  #actionsView() {
    return html`<div class="actions">
      <button type="button" ?hidden=${!this.#isEdited} @click=${() => this.#reset()}>${t('lab.reset')}</button>
      <button type="button" @click=${() => this.#share()}>${t('lab.share')}</button>
      <button type="button" @click=${() => this.#toPlayground()}>${t('lab.playground')}</button>
      <span class="note" role="status">${this.#note}</span>
    </div>`;
  }

  /** Goes back to the example, also where the code cannot be read or a field was refused. */
  async #reset() {
    restoreFields(this.#host);
    this.#setCode(this.#example.code);
    await this.#readEditor();
  }

  /** Puts the code and the step into the address, and the address on the clipboard where that is allowed. */
  async #share() {
    await keepInAddress(this.#id, { code: this.#draft, step: this.#player.at });
    this.#note =
      (await navigator.clipboard?.writeText(location.href).then(
        () => t('lab.copied'),
        () => t('lab.in-address'),
      )) ?? t('lab.in-address');
    this.#draw();
  }

  /** Opens the playground with what the editor holds. */
  async #toPlayground() {
    location.href = `./playground.html#run=${await pack({ code: this.#draft, device: chosen() })}`;
  }

  /** Shows the origin of an element of the result; null closes it. */
  #open(element) {
    this.#opened = element;
    this.#draw();
  }

  /** What the view of the tensors can ask for (`Actions` in views/tensors.js). */
  #tensorActions = {
    change: (model) => this.#change(model),
    setEditing: (cell) => {
      this.#editing = cell;
      this.#draw();
      if (cell) {
        const field = this.#host.querySelector('input.value');
        field?.focus();
        field?.select();
      }
    },
    open: (element) => this.#open(element),
    setAxes: (axes) => {
      this.#axes = axes;
      this.#draw();
    },
    setSlice: (at) => {
      this.#slice = { at, step: this.#player.at };
      this.#draw();
    },
  };
}
