// The TypeScript declarations of the package: src/js/types.d.ts, with the words that it shares with Rust and with the table of operators written
// out. Those of an entry without all families lack what `// #if NAME` marks.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operatorsWhere } from '../src/js/arguments/operators.js';
import * as wire from '../src/js/engine/wire.js';
import { families, flavours, folderOf, has, mainFile, wasmFile, withoutAbsent } from './entries.mjs';
import { root, Trouble } from './shell.mjs';

/** Symbol.dispose is younger than the libraries that most projects compile against. */
const disposable = '/// <reference lib="esnext.disposable" />\n';
const read = (name) => readFile(join(root, 'src', 'js', name), 'utf8');
const asTypes = (file) => file.replace(/\.js$/, '.d.ts');

/**
 * The declarations of the entries of a flavour and of its binaries, as text by the name of their file; `builds` are the names of the binaries.
 * An entry without GPU code has the types of another file, without a choice of device.
 */
export async function typesOf(flavour, builds) {
  const main = mainFile(flavour);
  const whole = `${disposable}${await readTypes(flavour)}`;
  const lacksGpuAlone = families.every((name) => has(flavour, name) === (name !== 'webgpu'));
  const all = lacksGpuAlone ? 'index.js' : `${folderOf(flavour)}types.js`;
  const onCpu = (await read('cpu.d.ts')).replaceAll('./index.js', `./${all}`).replaceAll('scatterwise/cpu', flavours[flavour].entry);
  const up = folderOf(flavour) && '../';
  const again = `export * from './${up}${main}';\nexport { default } from './${up}${main}';\n`.replaceAll('./../', '../');
  const ofWasm = (await read('wasm.d.ts')).replace('index.js', main);
  return {
    [asTypes(main)]: has(flavour, 'webgpu') ? whole : onCpu,
    ...(!has(flavour, 'webgpu') && !lacksGpuAlone && { [asTypes(all)]: whole }),
    [`${folderOf(flavour)}inline.d.ts`]: again,
    ...Object.fromEntries(builds.map((name) => [`${wasmFile(flavour, name)}.d.ts`, ofWasm])),
  };
}

/** The names by which `trace` and `vjp` know operators, of the rows that `isKnown` accepts, in a flavour. */
const namesWhere = (flavour, isKnown) => Object.keys(operatorsWhere((row) => (row.family === undefined || has(flavour, row.family)) && isKnown(row)));
/** The lists of words of a flavour: those of wire.js, and the names that `vjp` and both forms of `trace` take. */
const listsOf = (flavour) => ({
  ...wire,
  ACTIVATIONS: wire.ACTIVATIONS.filter((name) => has(flavour, 'activations') || !wire.TRANSCENDENTAL.includes(name)),
  SUMS: has(flavour, 'exact') ? ['ordered', 'exact'] : ['ordered'],
  DIFFERENTIABLE: namesWhere(flavour, ({ hasGradient }) => hasGradient),
  SCATTERS: namesWhere(flavour, ({ run }) => run === 'scatter' || run === 'rows'),
  GATHERS: namesWhere(flavour, ({ run }) => run === 'gather'),
});

/**
 * The text of src/js/types.d.ts for a flavour, where `Words<'LIST', 'left out'>` becomes the union of the words of that one of `listsOf`, without
 * the one left out.
 */
export async function readTypes(flavour = 'full') {
  const lists = listsOf(flavour);
  const header = /^\/\/.*\n(\/\/.*\n)*\n/;
  const text = withoutAbsent(await read('types.d.ts'), flavour);
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
