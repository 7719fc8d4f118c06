import { readFile } from 'node:fs/promises';

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

const MEMBER = /^\s+(static |readonly )*(\w+)(?:<[^>]*>)?\??(\(|:)/;
const TOP = /^export (?:declare )?(function|class|interface|type|const) (\w+)/;

/** @returns {Entry[]} */
export function readEntries(text) {
  const entries = new Map();
  let [owner, doc] = ['', ''];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (/^\s*\/\*\*/.test(line)) {
      const start = at;
      while (!lines[at].includes('*/')) at += 1;
      doc = wordsOf(lines.slice(start, at + 1));
      continue;
    }
    const [, kind, name] = line.match(TOP) ?? [];
    const member = owner && line.match(MEMBER);
    if (kind === 'function')
      note({ name, owner: '', kind, signature: line.replace(/^export (declare )?function /, ''), doc });
    else if (kind === 'class')
      note({ name, owner: '', kind, signature: line.replace(/^export (declare )?|\s*\{$/g, ''), doc });
    else if (member && member[2] !== 'constructor') {
      const isStatic = line.includes('static ');
      note({
        name: member[2],
        owner: isStatic ? `${owner}.` : owner,
        kind: member[3] === '(' ? 'method' : 'property',
        signature: line.trim(),
        doc,
      });
    }
    if (kind === 'class' && line.endsWith('{')) owner = name;
    if (line === '}') owner = '';
    if (line.trim()) doc = '';
  }
  return [...entries.values()];

  function note({ signature, ...entry }) {
    const key = `${entry.owner}#${entry.name}`;
    const known = entries.get(key) ?? { ...entry, signatures: [] };
    known.signatures.push(signature.replace(/;$/, ''));
    if (entry.doc && known.doc !== entry.doc) known.doc ||= entry.doc;
    entries.set(key, known);
  }
}

/** A comment as plain words: without stars, tags of links, and the example. */
const wordsOf = (lines) =>
  lines
    .map((line) => line.replace(/^\s*(\/\*\*|\*\/|\*)\s?|\*\/\s*$/g, ''))
    .join('\n')
    .replace(/\{@link (?:\w+\.)?(\w+)\}/g, '$1')
    .split(/@example/)[0]
    .trim();
