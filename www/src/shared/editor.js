import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, drawSelection, keymap } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

/** Marks the line of this number, or with 0 none. */
const setMark = StateEffect.define();
/** The marked line, if there is one. Its mark goes when the text changes. */
const marked = StateField.define({
  create: () => Decoration.none,
  update(lines, { docChanged, effects, newDoc }) {
    for (const effect of effects.filter((each) => each.is(setMark))) {
      const isLine = effect.value > 0 && effect.value <= newDoc.lines;
      return isLine ? Decoration.set([Decoration.line({ class: 'cm-failed' }).range(newDoc.line(effect.value).from)]) : Decoration.none;
    }
    return docChanged ? Decoration.none : lines;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * A code editor. Tab is left alone: it moves the focus on, as everywhere on a page.
 * @param {{ parent: Element, code: string, label: string, onChange(code: string): void, onRun(): void,
 *   extensions?: import('@codemirror/state').Extension[] }} options
 * @returns {{ replace(code: string): void, insert(text: string): void, mark(line: number): void, focus(): void }} `replace` replaces all of the code, `insert` what is
 *   selected, and `mark` marks a line until the next edit; 0 marks none
 */
export function createEditor({ parent, code, label, onChange, onRun, extensions = [] }) {
  const runNow = { key: 'Mod-Enter', run: () => (onRun(), true) };
  const view = new EditorView({
    parent,
    doc: code,
    extensions: [
      extensions,
      history(),
      marked,
      drawSelection(),
      bracketMatching(),
      javascript(),
      syntaxHighlighting(classHighlighter),
      keymap.of([runNow, ...defaultKeymap, ...historyKeymap]), // the first that handles a key does
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
      EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
    ],
  });
  return {
    replace: (text) =>
      text !== view.state.doc.toString() &&
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    insert: (text) => {
      view.dispatch(view.state.replaceSelection(text));
      view.focus();
    },
    mark: (line) => view.dispatch({ effects: setMark.of(line) }),
    focus: () => view.focus(),
  };
}
