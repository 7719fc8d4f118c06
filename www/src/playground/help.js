import { autocompletion } from '@codemirror/autocomplete';
import { javascriptLanguage, localCompletionSource } from '@codemirror/lang-javascript';
import { hoverTooltip } from '@codemirror/view';
import entries from 'virtual:types';

/** @typedef {import('../../build/api-plugin.js').Entry} Entry */

const knownNames = [
  ...entries,
  { name: 'show', owner: '', kind: 'function', signatures: ['show(...values): Promise<void>'], doc: '' },
];
/** What completion offers of an owner, as `Entry` has it: '' for the package, 'Tensor.' for the class, 'Tensor' for its tensors. */
const optionsOf = (wanted) =>
  knownNames
    .filter(({ owner }) => owner === wanted)
    .map((entry) => ({ label: entry.name, type: entry.kind, info: () => words(entry) }));
const [globals, statics, members] = ['', 'Tensor.', 'Tensor'].map(optionsOf);

/** An element with the signatures of a name and what the package's types say of it. @param {Entry} entry */
function words({ signatures, doc }) {
  const element = document.createElement('div');
  element.className = 'types';
  const code = document.createElement('pre');
  code.textContent = signatures.join('\n');
  const text = document.createElement('p');
  text.textContent = doc;
  element.append(code, ...(doc ? [text] : []));
  return element;
}

/** What to offer: after a dot what a tensor has, or the class after `Tensor.`; elsewhere the names of the package; null for nothing. */
function complete(/** @type {import('@codemirror/autocomplete').CompletionContext} */ context) {
  const after = context.matchBefore(/(\w+|\)|\])\.\w*/);
  if (after) {
    const from = after.from + after.text.lastIndexOf('.') + 1;
    return { from, options: after.text.startsWith('Tensor.') ? statics : members, validFor: /^\w*$/ };
  }
  const word = context.matchBefore(/\w+/);
  if (!word && !context.explicit) return null;
  return { from: word ? word.from : context.pos, options: globals, validFor: /^\w*$/ };
}

/** Shows the signatures of the name under the pointer, if the types have it. */
const hover = hoverTooltip((view, pos) => {
  const word = view.state.wordAt(pos);
  if (!word) return null;
  const name = view.state.sliceDoc(word.from, word.to);
  const before = view.state.sliceDoc(Math.max(0, word.from - 'Tensor.'.length), word.from);
  const owner = before.endsWith('Tensor.') ? 'Tensor.' : before.endsWith('.') ? 'Tensor' : '';
  const entry = knownNames.find((each) => each.name === name && each.owner === owner);
  return entry ? { pos: word.from, end: word.to, above: true, create: () => ({ dom: words(entry) }) } : null;
});

/** Completion and hovers for the editor, from the package's own types. */
export const help = [
  javascriptLanguage.data.of({ autocomplete: complete }),
  javascriptLanguage.data.of({ autocomplete: localCompletionSource }),
  autocompletion({ icons: false }),
  hover,
];
