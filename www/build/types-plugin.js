import { readFile } from 'node:fs/promises';
import { readApi } from '../../tools/api.mjs';

const ID = 'virtual:types';

/**
 * A Vite plugin: `import entries from 'virtual:types'` gives what the package's own types say, for completion and hovers: each
 * name with its owner (`Tensor`, `Tensor.` for what belongs to the class itself, or nothing), its signatures and its words.
 * @typedef {{ name: string, owner: string, kind: string, signatures: string[], doc: string }} Entry
 * @param {string} file the package's index.d.ts
 */
export function typeEntries(file) {
  return {
    name: 'scatterwise-types',
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    async load(id) {
      if (id !== `\0${ID}`) return null;
      this.addWatchFile(file);
      return `export default ${JSON.stringify(readEntries(await readFile(file, 'utf8')))};`;
    },
  };
}

/**
 * The functions and classes that a `.d.ts` exports, and the methods and properties of the classes.
 * @param {string} text of the `.d.ts` @returns {Entry[]}
 */
export function readEntries(text) {
  const entries = new Map();
  for (const { members, ...declaration } of readApi(text)) {
    if (['function', 'class'].includes(declaration.kind)) note(declaration, '');
    if (declaration.kind !== 'class') continue;
    for (const member of members) {
      if (/^(method|property)$/.test(member.kind) && /^\w+$/.test(member.name) && member.name !== 'constructor')
        note(member, member.isStatic ? `${declaration.name}.` : declaration.name);
    }
  }
  return [...entries.values()];

  /** Adds a signature to the entry of its name and owner. Overloads are one entry, with the words of the first. */
  function note({ name, kind, signature, text: doc }, owner) {
    const key = `${owner}#${name}`;
    if (!entries.has(key)) entries.set(key, { name, owner, kind, signatures: [], doc: wordsOf(doc) });
    entries.get(key).signatures.push(signature.replace(/^export (declare )?(function )?|;$/g, ''));
  }
}

/** A comment with the name that each `{@link …}` refers to in place of the tag. */
const wordsOf = (text) => text.replace(/\{@link (?:\w+\.)?(\w+)\}/g, '$1');
