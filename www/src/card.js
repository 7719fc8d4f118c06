import { h, prose } from './dom.js';
import { drawOutcome } from './outcome.js';
import { isPicture, parsePrinted, samePicture } from './picture.js';
import { run } from './runner.js';

/** @typedef {import('./runner.js').Outcome} Outcome */

const PAUSE = 250; // ms without a keystroke before edited code runs

/** One example: its words, its code, and beside them what the code does and what its source says it should. */
export class Card {
  #example;
  #code;
  #editor = null;
  #latest = 0; // number of the newest run; older ones must not draw over it
  #timer = 0;
  #place = h('div', { class: 'editor' });
  #verdict = h('p', { class: 'verdict' });
  #picture = h('div', { class: 'picture' });
  #outcome = h('div', { class: 'outcome' }, this.#verdict, this.#picture);
  #reset;

  /** @param {import('./examples.js').Example} example */
  constructor(example) {
    this.#example = example;
    this.#code = example.code;
    this.#place.append(h('pre', {}, example.code));
    this.#reset = h('button', { type: 'button', hidden: true, onclick: () => this.#restore() }, 'Reset');
    const runs = h('button', { type: 'button', class: 'primary', onclick: () => this.#runForVisitor() }, 'Run');
    const { id, title, signature, formula, note, source } = example;
    this.element = h(
      'article',
      { class: 'card', id, 'aria-labelledby': `${id}-title` },
      h(
        'div',
        { class: 'words' },
        h('h4', { id: `${id}-title` }, title),
        h('p', { class: 'signature' }, signature),
        h('p', { class: 'formula' }, h('span', { class: 'hidden' }, 'Rule: '), formula),
        h('p', {}, ...prose(note)),
        source && h('p', { class: 'source' }, 'Numbers from ', h('a', { href: source.url }, source.name)),
      ),
      h('div', { class: 'code' }, this.#place, h('div', { class: 'actions' }, runs, this.#reset)),
      this.#outcome,
    );
  }

  /** Puts the editor in place of the plain text. */
  mount(createEditor) {
    this.#place.replaceChildren();
    this.#editor = createEditor({
      parent: this.#place,
      code: this.#code,
      label: `Code of the example “${this.#example.title}”`,
      onChange: (code) => this.#edited(code),
      onRun: () => this.#runForVisitor(),
    });
  }

  async run() {
    clearTimeout(this.#timer);
    const ticket = (this.#latest += 1);
    this.#outcome.setAttribute('aria-busy', 'true');
    const outcome = await run(this.#code);
    if (ticket !== this.#latest) return;
    this.#show(outcome);
    this.#outcome.setAttribute('aria-busy', 'false');
  }

  #runForVisitor() {
    this.#verdict.setAttribute('role', 'status'); // announce what the visitor caused, not the page's own first runs
    return this.run();
  }

  #edited(code) {
    this.#code = code;
    this.#reset.hidden = code === this.#example.code;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#runForVisitor(), PAUSE);
  }

  #restore() {
    this.#editor.replace(this.#example.code);
  }

  /** @param {Outcome} outcome */
  #show(outcome) {
    const { kind, text } = this.#judge(outcome);
    this.#verdict.className = `verdict ${kind}`;
    this.#verdict.textContent = text;
    this.#picture.replaceChildren(...drawOutcome(outcome, this.#example));
  }

  /** Says in a few words whether this is the result that the example promises. */
  #judge({ result, failure, unchanged }) {
    const { printed, refused, source } = this.#example;
    const edited = this.#code !== this.#example.code;
    if (failure) {
      const asPromised = failure.name === refused && unchanged;
      if (asPromised) return { kind: 'same', text: '✓ Refused, nothing written' };
      return { kind: 'failed', text: failure.name };
    }
    const expected = printed && parsePrinted(printed);
    if (expected && isPicture(result) && samePicture(result, expected)) {
      return { kind: 'same', text: source ? '✓ Same values as the page' : '✓ As defined' };
    }
    if (edited) return { kind: 'edited', text: 'Your edit, your result' };
    return { kind: 'failed', text: '✗ Not the promised result' };
  }
}
