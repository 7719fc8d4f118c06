import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { EditorView, drawSelection, keymap } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

/**
 * A code editor. Tab is left alone: it moves the focus on, as everywhere on a page.
 * @param {{ parent: Element, code: string, label: string, onChange(code: string): void, onRun(): void,
 *   extensions?: import('@codemirror/state').Extension[] }} options
 * @returns {{ replace(code: string): void, insert(text: string): void, focus(): void }} `replace` replaces all of the code, `insert` what is
 *   selected
 */
export function createEditor({ parent, code, label, onChange, onRun, extensions = [] }) {
  const runNow = { key: 'Mod-Enter', run: () => (onRun(), true) };
  const view = new EditorView({
    parent,
    doc: code,
    extensions: [
      extensions,
      history(),
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
    focus: () => view.focus(),
  };
}
