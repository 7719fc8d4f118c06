import { html, nothing, render } from 'lit-html';
import * as engine from '../engine/client.js';
import { pack } from '../shared/address.js';
import { chosen, devicesOf, onChoice, ready } from '../shared/devices.js';
import { t } from '../shared/messages.js';

/**
 * An example of the documentation, live: its text can be changed, it runs in the worker, and each result that a comment promises
 * (`// → value`) is compared with the real one.
 */
class Block {
  #place;
  #footer = document.createElement('div');
  #code;
  #device; // the only one that the example is for; undefined: any
  #outcomes = {}; // by device
  #isRunning = false;
  #isEditable = false; // the editor is there
  #latest = 0; // number of the newest run; the outcome of an earlier one is not shown
  #isStarted = false; // a choice of device runs the example again

  constructor(element) {
    this.element = element;
    this.#device = element.dataset.device;
    this.#place = document.createElement('div');
    this.#place.className = 'editor';
    this.#place.append(...element.childNodes);
    this.#code = this.#place.textContent;
    this.#footer.className = 'block-foot';
    element.append(this.#place, this.#footer);
    this.#draw();
    onChoice(() => this.#isStarted && this.run());
  }

  /** Runs the example on each device that is chosen, and that it is for, and shows the outcomes. */
  async run() {
    this.#isStarted = true;
    const ticket = (this.#latest += 1);
    await ready;
    this.element.setAttribute('aria-busy', 'true');
    this.#isRunning = true;
    this.#outcomes = {}; // of another text or another device
    this.#draw();
    const devices = devicesOf(chosen()).filter((device) => !this.#device || device === this.#device);
    const code = this.#code;
    const outcomes = {};
    for (const device of devices)
      outcomes[device] = await engine.runBlock(code, device).catch((error) => ({ problem: error.message }));
    if (ticket === this.#latest) this.#show(outcomes);
  }

  #show(outcomes) {
    this.#outcomes = outcomes;
    this.#isRunning = false;
    this.#draw();
    this.element.setAttribute('aria-busy', 'false');
  }

  /** The text was edited: the outcomes of the one before do not hold any more, nor does that of a run under way. */
  #change(code) {
    this.#code = code;
    this.#latest += 1;
    this.#show({});
  }

  /** Loads the editor and puts it in place of the plain text. */
  async #edit() {
    if (this.#isEditable) return;
    this.#isEditable = true;
    const { createEditor } = await import('../shared/editor.js');
    this.#place.replaceChildren();
    const editor = createEditor({
      parent: this.#place,
      code: this.#code,
      label: t('block.code'),
      onChange: (code) => this.#change(code),
      onRun: () => this.run(),
    });
    editor.focus();
    this.#draw();
  }

  /** Opens the playground with the text as it is now. */
  async #toPlayground() {
    location.href = `./playground.html#run=${await pack({ code: this.#code, device: this.#device ?? chosen() })}`;
  }

  #draw() {
    render(this.#view(), this.#footer);
  }

  #view() {
    return html`<div class="actions">
        <button type="button" @click=${() => this.run()}>${t('block.run')}</button>
        ${this.#isEditable ? nothing : html`<button type="button" @click=${() => this.#edit()}>${t('block.edit')}</button>`}
        <button type="button" @click=${() => this.#toPlayground()}>${t('lab.playground')}</button>
      </div>
      <div role="status">${this.#isRunning ? html`<p class="quiet">${t('block.running')}</p>` : nothing}<ul class="verdicts">${Object.entries(this.#outcomes).map(([device, outcome]) => this.#outcomeView(device, outcome))}</ul></div>`;
  }

  /** One line: how many promises were kept on a device, and which were not; or the problem for which the example could not run. */
  #outcomeView(device, { ran, passed, faults, problem }) {
    const name = html`<b>${t(`device.${device}`)}</b>`;
    if (problem) return html`<li><span class="verdict failed">${name} ${problem}</span></li>`;
    const kind = faults.length === 0 ? 'same' : 'failed';
    // The worker puts a line before the code, so its line numbers are one too large.
    const lines = faults.map(
      ({ line, expected, got }) =>
        html`<li class="fault"><span class="quiet">${t('block.line', { line: line - 1 })}</span> <code>${got}</code> <span class="quiet">${t('block.promised', { expected })}</span></li>`,
    );
    return html`<li><span class="verdict ${kind}">${name} ${faults.length === 0 ? '✓' : '✗'} ${t('block.kept', { passed, ran })}</span>${lines.length > 0 ? html`<ul class="faults">${lines}</ul>` : nothing}</li>`;
  }
}

/** Starts the blocks of the page; each runs when it first appears on the screen. */
export function startBlocks() {
  const blocks = new Map(
    [...document.querySelectorAll('[data-block]')].map((element) => [element, new Block(element)]),
  );
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      blocks.get(target).run();
    }
  });
  for (const element of blocks.keys()) observer.observe(element);
}
