// `npm run vectors`: writes the package scatterwise-vectors to target/npm/scatterwise-vectors, and packs it beside that. Every file of
// tests/vectors is in it as it is, so a new one needs no line here. `-- --small` first writes tests/vectors/small.json by its definitions.

import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { promises, promisesOf } from '../tests/vectors/promises.js';
import { smallFile } from '../tests/vectors/small.js';
import { main, root, run, Trouble } from './shell.mjs';

export const source = join(root, 'tests', 'vectors');
const out = join(root, 'target', 'npm', 'scatterwise-vectors');
const version = /^version = "(.+)"$/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))[1];

const read = (file) => JSON.parse(readFileSync(join(source, file), 'utf8'));

/** What vectors/index.json of the package has: the files, the vectors of each operator by number, those of each promise by id. */
export function indexOf(names = readdirSync(source).filter((name) => name.endsWith('.json')).sort()) {
  const files = {};
  const operators = {};
  const shown = Object.fromEntries(Object.keys(promises).map((name) => [name, []]));
  for (const name of names) {
    const { file, about, oracles, count, cases } = read(name);
    if (`${file}.json` !== name || cases.length !== count) throw new Trouble(`${name} calls itself ${file} and counts ${count} of ${cases.length} vectors`);
    files[file] = { about, count, oracles };
    for (const vector of cases) {
      const operator = (operators[vector.op] ??= { files: [], vectors: 0 });
      if (!operator.files.includes(file)) operator.files.push(file);
      operator.vectors += 1;
      for (const promise of promisesOf(vector, file)) {
        if (!shown[promise]) throw new Trouble(`${vector.id} names the promise ${promise}, which tests/vectors/promises.js has not`);
        shown[promise].push(vector.id);
      }
    }
  }
  const described = Object.entries(promises).map(([name, { has, ...facts }]) => [name, { ...facts, vectors: shown[name] }]);
  return { version, files, operators, promises: Object.fromEntries(described) };
}

/** Writes the package, without packing it. Returns its folder. */
export function writeVectors(folder = out) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'vectors'), { recursive: true });
  cpSync(join(source, 'package'), folder, { recursive: true });
  for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) copyFileSync(join(root, name), join(folder, name));
  for (const name of readdirSync(source).filter((name) => name.endsWith('.json'))) copyFileSync(join(source, name), join(folder, 'vectors', name));
  writeFileSync(join(folder, 'vectors', 'index.json'), JSON.stringify(indexOf()));
  const description = {
    name: 'scatterwise-vectors', version, type: 'module', license: 'MIT OR Apache-2.0', sideEffects: false,
    description: 'What scatters, gathers, reductions and sorts of tensors give: recorded calls, grouped by promise, and a runner for any library',
    keywords: ['conformance', 'test-vectors', 'tensor', 'scatter', 'gather', 'numerics'],
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './adapters/*': { types: './adapters/*.d.ts', default: './adapters/*.js' }, './vectors/*': './vectors/*', './vectors.schema.json': './vectors.schema.json', './package.json': './package.json' },
    types: './index.d.ts',
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
  return folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    const { small } = parseArgs({ options: { small: { type: 'boolean' } } }).values;
    if (small) writeFileSync(join(source, 'small.json'), smallFile());
    const folder = writeVectors();
    await run('npm', ['pack', '--pack-destination', join(root, 'target', 'npm')], { cwd: folder });
    const { operators, promises } = indexOf();
    console.log(`${Object.values(operators).reduce((sum, { vectors }) => sum + vectors, 0)} vectors of ${Object.keys(operators).length} operators`);
    for (const [name, { vectors }] of Object.entries(promises)) console.log(`  ${name}: ${vectors.length}`);
  });
}
