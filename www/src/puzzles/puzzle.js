import { html, nothing, render } from 'lit-html';
import * as engine from '../engine/client.js';
import { formOf, signOf } from '../lab/forms.js';
import { dtypeOf, readValue, sizeOf } from '../lab/operand.js';
import { place, sentence } from '../lab/views/player.js';
import { t } from '../shared/messages.js';
import { coordinates } from '../shared/picture.js';

/** A call, or other code, whose result the visitor predicts. The library gives the right result when the visitor asks. */
export class Puzzle {
  #host;
  #id;
  #model; // of a call; undefined for other code
  #code; // undefined for a call
  #shape; // of the result: of all calls that read, puzzles have only `gather` along a dim, whose result has index's shape
  #cells; // what the visitor has put in, as text
  #isRefused = false; // the visitor predicts an error
  #answer = null; // the library's; null until it is asked, and after each change
  #trace = null; // the steps of the call; null for other code
  #failure = ''; // why it could not be asked
  #isShown = false; // the visitor gave up, and has changed nothing since then
  #changed;

  /** @param {HTMLElement} element made by the build @param {() => void} changed called whenever `isSolved` may have changed */
  constructor(element, changed) {
    this.#host = element.querySelector('.puzzle-answer');
    this.#id = element.id;
    this.#changed = changed;
    const { model, code, shape } = JSON.parse(element.dataset.puzzle);
    [this.#model, this.#code] = [model, code];
    const form = model && formOf(model);
    this.#shape = shape ?? (form.reads ? model.index.shape : model.self.shape);
    // A scatter keeps places without a write, so self's values are there already. Other cells are blank.
    const isScatter = form?.trace && !form.reads;
    this.#cells = Array.from({ length: sizeOf(this.#shape) }, (_, at) => (isScatter ? String(model.self.values[at]) : ''));
    this.#draw();
  }

  /** Whether the visitor's own prediction was checked, and is right. */
  get isSolved() {
    return this.#answer !== null && !this.#isShown && this.#faults().length === 0;
  }

  /** The numbers of the cells that differ from the answer; or only 'refused', where an error was not predicted, or was and did not come. */
  #faults() {
    const { result, failure } = this.#answer;
    if (Boolean(failure) !== this.#isRefused) return ['refused'];
    if (failure) return [];
    const isSame = (text, value) => {
      const read = readValue(text, { kind: 'tensor', dtype: result.dtype, values: [] });
      return read !== null && Number(read) === Number(value);
    };
    return this.#cells.flatMap((text, at) => (isSame(text, result.values[at]) ? [] : [at]));
  }

  /** Asks the library for the result and the steps. Where that fails there is no answer, and `#failure` says why. */
  async #ask() {
    this.#failure = '';
    try {
      if (this.#code) this.#answer = await engine.valueOf(this.#code);
      else [this.#answer, this.#trace] = await Promise.all([engine.call(this.#model, 'cpu'), engine.trace(this.#model)]);
    } catch (error) {
      [this.#answer, this.#failure] = [null, error.message];
    }
  }

  /** Compares the prediction with the library. */
  async #check() {
    await this.#ask();
    this.#draw();
    this.#changed();
  }

  /** Puts the right answer in place of the prediction. */
  async #show() {
    await this.#ask();
    if (this.#answer) this.#fill(this.#answer);
    this.#draw();
    this.#changed();
  }

  /** Takes an answer for the prediction, as shown and not solved. */
  #fill({ result, failure }) {
    this.#isShown = true;
    this.#isRefused = Boolean(failure);
    if (result) this.#cells = result.values.map(String);
  }

  /** Changes the prediction by `make`. Earlier checks do not count for it. */
  #change(make) {
    make();
    [this.#answer, this.#failure, this.#isShown] = [null, '', false];
    this.#draw();
    this.#changed();
  }

  #draw() {
    render(this.#view(), this.#host);
  }

  #view() {
    const faults = this.#answer && !this.#isShown ? this.#faults() : [];
    const submit = (event) => {
      event.preventDefault();
      this.#check();
    };
    return html`<form @submit=${submit}>
      ${this.#gridView(faults)}
      <label class="tick"><input type="checkbox" .checked=${this.#isRefused} @change=${(event) => this.#change(() => (this.#isRefused = event.target.checked))} /> ${t('puzzle.refused')}</label>
      <div class="actions">
        <button type="submit" class="primary">${t('puzzle.check')}</button>
        <button type="button" @click=${() => this.#show()}>${t('puzzle.show')}</button>
      </div>
      <div role="status">
        ${this.#failure ? html`<p class="verdict failed">${t('puzzle.broke', { why: this.#failure })}</p>` : nothing}
        ${this.#answer ? this.#verdictView(faults) : nothing}
      </div>
    </form>`;
  }

  /** A field for each element of the result: a vector in one row, otherwise row by row. Puzzles have no result above rank 2. */
  #gridView(faults) {
    const shape = this.#shape;
    const [rows, columns] = shape.length < 2 ? [1, shape[0]] : shape;
    const row = (at) => html`<tr>${shape.length < 2 ? nothing : html`<th scope="row">${at}</th>`}${Array.from({ length: columns }, (_, column) => this.#cellView(at * columns + column, faults))}</tr>`;
    return html`<table aria-label=${t('puzzle.result')}>
      <thead><tr>${shape.length < 2 ? nothing : html`<td></td>`}${Array.from({ length: columns }, (_, column) => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>${Array.from({ length: rows }, (_, at) => row(at))}</tbody>
    </table>`;
  }

  /** The field of the element at an offset in row-major order. */
  #cellView(at, faults) {
    const isWrong = faults.includes(at);
    return html`<td class=${isWrong ? 'wrong' : ''}><input
      class="value" size="4" autocomplete="off" .value=${this.#cells[at]} ?disabled=${this.#isRefused}
      aria-label=${place(t('puzzle.result'), coordinates(at, this.#shape))}
      aria-invalid=${isWrong ? 'true' : nothing}
      @input=${(event) => this.#change(() => (this.#cells[at] = event.target.value))}
    /></td>`;
  }

  /** Whether the prediction is right; if it is, or the answer is shown, why. */
  #verdictView(faults) {
    if (faults.length > 0) {
      const words = faults[0] === 'refused' ? t('puzzle.not-that') : t('puzzle.differ', { count: faults.length });
      return html`<p class="verdict failed">✗ ${words}</p>`;
    }
    return html`${this.#isShown ? nothing : html`<p class="verdict same">✓ ${t('puzzle.right')}</p>`}${this.#whyView()}`;
  }

  /** The steps of the result (a product has none), or the error; for code that is no call its reason. */
  #whyView() {
    const { failure, result } = this.#answer;
    if (failure) return html`<p class="why"><b>${failure.name}</b> ${failure.message}</p>`;
    if (this.#code) return html`<p class="why words">${t(`puzzle.why.${this.#id}`)}</p>`;
    const { names: own, reads, writes } = formOf(this.#model);
    const called = Object.entries(own).map(([role, name]) => [role, this.#model[role]?.name ?? name]);
    const names = { ...Object.fromEntries(called), result: t('puzzle.result') };
    names.written = writes ? names.self : names.result;
    const words = { names, sign: signOf(this.#model), dtype: dtypeOf(this.#model.self) || result.dtype, reads };
    return html`<ol class="why">${this.#trace.steps.map((step) => html`<li class="sum">${sentence(step, words)}</li>`)}</ol>`;
  }
}
