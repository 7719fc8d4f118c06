import { html, nothing, render } from 'lit-html';
import * as engine from '../engine/client.js';
import { pack } from '../shared/address.js';
import { chosen, devicesOf, onChoice, ready } from '../shared/devices.js';
import { t } from '../shared/messages.js';

/**
 * An example of the documentation, live: its text can be changed, it runs in the worker, and each promise that a comment
 * makes (`// → value`) is held against what came.
 */
class Block {
  #place;
  #footer = document.createElement('div');
  #code;
  #device;
  #outcomes = {};
  #editor = false;
  #latest = 0; // what an earlier run brings is left out
  #isStarted = false;

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

  async run() {
    this.#isStarted = true;
    const ticket = (this.#latest += 1);
    await ready;
    this.element.setAttribute('aria-busy', 'true');
    const devices = devicesOf(chosen()).filter((device) => !this.#device || device === this.#device);
    const code = this.#code;
    const outcomes = {};
    for (const device of devices)
      outcomes[device] = await engine.runBlock(code, device).catch((error) => ({ problem: error.message }));
    if (ticket === this.#latest) this.#show(outcomes);
  }

  #show(outcomes) {
    this.#outcomes = outcomes;
    this.#draw();
    this.element.setAttribute('aria-busy', 'false');
  }

  /** The verdicts of the code before do not hold for this one. */
  #change(code) {
    this.#code = code;
    this.#latest += 1;
    this.#show({});
  }

  async #edit() {
    if (this.#editor) return;
    this.#editor = true;
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

  async #toPlayground() {
    location.href = `./playground.html#run=${await pack({ code: this.#code, device: this.#device ?? chosen() })}`;
  }

  #draw() {
    render(this.#view(), this.#footer);
  }

  #view() {
    return html`<div class="actions">
        <button type="button" @click=${() => this.run()}>${t('block.run')}</button>
        ${this.#editor ? nothing : html`<button type="button" @click=${() => this.#edit()}>${t('block.edit')}</button>`}
        <button type="button" @click=${() => this.#toPlayground()}>${t('lab.playground')}</button>
      </div>
      <div role="status"><ul class="verdicts">${Object.entries(this.#outcomes).map(([device, outcome]) => this.#outcomeView(device, outcome))}</ul></div>`;
  }

  #outcomeView(device, { ran, passed, faults, problem }) {
    const name = html`<b>${t(`device.${device}`)}</b>`;
    if (problem) return html`<li><span class="verdict failed">${name} ${problem}</span></li>`;
    const kind = faults.length === 0 ? 'same' : 'failed';
    // The worker puts a line before the code.
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
