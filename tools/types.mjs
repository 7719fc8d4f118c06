// The TypeScript declarations of the package: src/js/types.d.ts, with the words that it shares with Rust and with the table of operators written out.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operatorsWhere } from '../src/js/arguments/operators.js';
import * as wire from '../src/js/engine/wire.js';
import { root, Trouble } from './shell.mjs';

/** The names by which `trace` and `vjp` know operators, of the rows that `isKnown` accepts. */
const namesWhere = (isKnown) => Object.keys(operatorsWhere(isKnown));
/** The lists of words: those of wire.js, and the names that `vjp` and both forms of `trace` take. */
const lists = {
  ...wire,
  DIFFERENTIABLE: namesWhere(({ hasGradient }) => hasGradient),
  SCATTERS: namesWhere(({ run }) => run === 'scatter' || run === 'rows'),
  GATHERS: namesWhere(({ run }) => run === 'gather'),
};

/** The text of src/js/types.d.ts, where `Words<'LIST', 'left out'>` becomes the union of the words of that one of `lists`, without the one left out. */
export async function readTypes() {
  const text = await readFile(join(root, 'src', 'js', 'types.d.ts'), 'utf8');
  const header = /^\/\/.*\n\n/;
  return text.replace(header, '').replace(/ Words<'(\w+)'(?:, '(\w+)')?>/g, (_, name, left_out) => {
    if (!lists[name]) throw new Trouble(`There is no list ${name}, which src/js/types.d.ts names.`);
    const words = lists[name].map((word) => (Array.isArray(word) ? word[0] : word)).filter((word) => word !== left_out);
    return inLines(words.map((word) => `'${word}'`));
  });
}

/** A union of `members`; a long one in lines of some 120 characters. */
function inLines(members) {
  if (members.length < 10) return ` ${members.join(' | ')}`;
  const lines = [''];
  for (const member of members) {
    if (lines.at(-1).length + member.length > 112) lines.push('');
    lines.push(`${lines.pop()} | ${member}`);
  }
  return lines.map((line) => `\n  ${line.trim()}`).join('');
}
