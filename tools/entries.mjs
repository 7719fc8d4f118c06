// What the package is made of: what is compiled, with which families of operators, and the files and exports of each entry.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, Trouble } from './shell.mjs';

/** Families of JavaScript alone: .npy files and pictures. */
export const scripts = ['files'];
/** What every build has, so that a list of families may name it. */
const always = ['scatter', 'gather', 'elementwise', 'bincount'];

/** The features of Cargo.toml that are families, with the features that each needs. Read from its text: Cargo may not be installed yet. */
function readFamilies() {
  const [, section] = readFileSync(join(root, 'Cargo.toml'), 'utf8').match(/^\[features\]\n([^[]*(?:\[[^\]]*\][^[]*)*?)\n\[/m);
  const features = [...section.matchAll(/^([\w-]+) = \[([^\]]*)\]/gm)].map(([, name, needed]) => [name, [...needed.matchAll(/"([^"]+)"/g)].map(([, each]) => each)]);
  return new Map(features.filter(([name]) => !['default', 'families', 'npm', 'testing'].includes(name)));
}

const needs = readFamilies();
/** All families, in alphabetical order. `webgpu` and `loops` count as such. */
export const families = [...needs.keys(), ...scripts].sort();

/** These families and those that they need, in alphabetical order. Throws for an unknown one. */
function withNeeded(names) {
  const all = new Set();
  const add = (name) => {
    if (all.has(name) || always.includes(name)) return;
    if (!families.includes(name)) throw new Trouble(`There is no family ${name}: there is ${families.join(', ')}.`);
    all.add(name);
    for (const needed of needs.get(name) ?? []) if (needs.has(needed)) add(needed);
  };
  names.forEach(add);
  return [...all].sort();
}

/**
 * What is compiled. `families` are those that a flavour has. `prefix` begins the names of its files, after `scatterwise_` for a binary, and is
 * that of its folder in target/pkg. Flavours of one `entry` do not stand beside each other. `timing` is the whole library with the switches
 * that it is timed by, and no part of the package; the binary of `threads`, on shared memory, is made from that of `full`.
 */
export const flavours = {
  full: { entry: 'scatterwise', prefix: '', families: families },
  cpu: { entry: 'scatterwise/cpu', prefix: 'cpu_', families: families.filter((name) => name !== 'webgpu') },
  core: { entry: 'scatterwise/core', prefix: 'core_', families: [] },
  threads: { entry: 'scatterwise', prefix: '', families: families, shared: true },
  timing: { entry: 'scatterwise', prefix: 'timing_', families: families, testing: true },
};
export const published = ['full', 'cpu', 'core'];

/** Whether a flavour has a family. */
export const has = (flavour, family) => flavours[flavour].families.includes(family);

/** Adds a flavour of one's own, with the families of a list, `scatter,sort`. Its entry is `scatterwise/NAME`. */
export function addFlavour(name, list) {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Trouble(`--name is ${name}; it must be of lower-case letters, digits and _, and begin with a letter.`);
  const taken = [...Object.keys(flavours), 'index', 'inline', 'node', 'packed', 'files', 'devtools', 'verify', 'simd', 'scalar', 'kernels'];
  if (taken.includes(name)) throw new Trouble(`--name is ${name}, the name of what the package has already.`);
  flavours[name] = { entry: `scatterwise/${name}`, prefix: `${name}_`, families: withNeeded(list.split(',').filter(Boolean)) };
}

/** Whether a flavour has every family of operators. */
const hasAll = (flavour) => families.every((name) => name === 'webgpu' || has(flavour, name));

/** The flags by which Cargo compiles a flavour. */
export function cargoFlags(flavour) {
  const { testing } = flavours[flavour];
  const features = ['npm', ...(testing ? ['testing'] : []), ...(hasAll(flavour) ? ['families'] : []), ...rustFamilies(flavour)];
  return ['--no-default-features', '--features', features.join(',')];
}

/** The families of a flavour that its binary has, in alphabetical order. */
const rustFamilies = (flavour) => flavours[flavour].families.filter((name) => !scripts.includes(name));

/** Which families the binary of a flavour says that it has, as build.rs writes it. */
export const identityOf = (flavour) => (hasAll(flavour) ? (has(flavour, 'webgpu') ? 'full' : 'cpu') : rustFamilies(flavour).join('+') || 'core');

/** For each family whether a flavour has it, and for all operators, as the sources know it by the name HAS. */
export const hasOf = (flavour) => ({
  ...Object.fromEntries(families.map((name) => [name, has(flavour, name)])),
  all: hasAll(flavour),
});

// ---------------------------------------------------------------- files

/** The beginning of the names of a flavour's files, and its folder in the package. */
const fileOf = (flavour, name) => (flavours[flavour].entry === 'scatterwise' ? name : `${flavour}.${name}`);
export const folderOf = (flavour) => (flavours[flavour].entry === 'scatterwise' ? '' : `${flavour}/`);
/** The file of a flavour that imports its .wasm from beside it. */
export const mainFile = (flavour) => (flavours[flavour].entry === 'scatterwise' ? 'index.js' : `${flavour}.js`);
/** The module with the compressed binary inside, which an entry imports if its .wasm cannot be loaded. */
export const packedModule = (flavour) => `./${folderOf(flavour)}packed.js`;
/** The name of a binary of a flavour in the package; `name` is `simd` or `scalar`. */
export const wasmFile = (flavour, name) => `scatterwise_${flavours[flavour].prefix}${name}.wasm`;

/**
 * The bundles of a flavour that has its own files in the package. The CommonJS ones are for what cannot require() a module: Jest, and Node
 * before 20.19. `inline`: without a .wasm beside it.
 */
const bundlesOf = (flavour) => [
  { flavour, file: mainFile(flavour), source: 'src/js/entries/index.js' },
  { flavour, file: fileOf(flavour, 'node.js'), source: 'src/js/entries/node.js' },
  { flavour, file: fileOf(flavour, 'node.cjs'), source: 'src/js/entries/node.js' },
  { flavour, file: `${folderOf(flavour)}inline.js`, source: 'src/js/entries/inline.js', inline: true },
  { flavour, file: `${folderOf(flavour)}packed.js`, source: 'src/js/start/packed.js', inline: true },
];

/** The bundles of files and threads. */
const others = [
  { flavour: 'full', file: 'files.js', source: 'src/js/entries/files.js', inline: true },
  { flavour: 'threads', file: 'threads.js', source: 'src/js/entries/threads.js', also: ['threads.wasm', 'kernels.wasm'] },
  { flavour: 'threads', file: 'threads.node.js', source: 'src/js/entries/threads.node.js', also: ['threads.wasm', 'kernels.wasm'] },
  { flavour: 'threads', file: 'threads.node.cjs', source: 'src/js/entries/threads.node.js' },
  { flavour: 'threads', file: 'threads.worker.js', source: 'src/js/entries/threads.worker.js', inline: true },
  { flavour: 'threads', file: 'threads.node.worker.js', source: 'src/js/entries/threads.node.worker.js', inline: true },
];

/** The bundles of these flavours, that the package's `exports` lead to; those of `verify` are made elsewhere. */
export const bundles = (names) => [...names.flatMap(bundlesOf), ...(names.includes('full') ? others : [])];

// ---------------------------------------------------------------- exports

/** The `exports` of package.json for the entries of a flavour and for its binaries; `builds` are the names of these. */
export function exportsOf(flavour, builds) {
  const { entry } = flavours[flavour];
  const at = entry.replace('scatterwise', '.');
  return {
    [at]: conditions(flavour),
    [`${at}/inline`]: inlineConditions(`./${folderOf(flavour)}inline.js`, `./${fileOf(flavour, 'node.cjs')}`),
    ...Object.fromEntries(builds.map((name) => wasmFile(flavour, name)).map((file) => [`./${file}`, { types: `./${file}.d.ts`, default: `./${file}` }])),
  };
}

/**
 * Where an entry with a .wasm beside it leads, by who asks; the first condition that is known counts.
 *
 * - Development servers bundle what a project imports into a folder of theirs, away from the .wasm: they get the entry without one.
 * - `require` alone leads to CommonJS. Node's own `module-sync` and the bundlers' `module` come first, so that code which can have the
 *   module does not get a second copy of the library beside it: a tensor of one is none to the other.
 */
function conditions(flavour) {
  const browser = `./${mainFile(flavour)}`;
  const [node, common] = [`./${fileOf(flavour, 'node.js')}`, `./${fileOf(flavour, 'node.cjs')}`];
  return {
    types: typesOf(browser),
    node: { 'module-sync': node, module: node, require: common, default: node },
    development: `./${folderOf(flavour)}inline.js`,
    module: browser,
    require: common, // Jest's jsdom, which is no `node` and has no fetch()
    default: browser,
  };
}

/** The same for an entry without a .wasm beside it: `file` as a module, and `common` for `require` alone. */
function inlineConditions(file, common) {
  return { types: typesOf(file), 'module-sync': file, module: file, require: common, default: file };
}

/** The types of a module, for those who require() it and for all others. */
function typesOf(file) {
  return { require: file.replace('.js', '.d.cts'), default: file.replace('.js', '.d.ts') };
}

/** The `exports` of package.json that belong to no one flavour. */
export const otherExports = {
  './threads': {
    types: typesOf('./threads.js'),
    node: { 'module-sync': './threads.node.js', module: './threads.node.js', require: './threads.node.cjs', default: './threads.node.js' },
    module: './threads.js',
    require: './threads.node.cjs',
    default: './threads.js',
  },
  './files': { types: './files.d.ts', default: './files.js' },
  './devtools': { types: './devtools.d.ts', default: './devtools.js' },
  './verify': { types: './verify.d.ts', node: './verify.node.js', development: './verify.inline.js', default: './verify.js' },
  './package.json': './package.json',
};

/**
 * The lines of a text without those between `// #if NAME` and `// #end` for a family NAME that a flavour lacks, and without these two lines. One
 * such pair may be inside another.
 */
export function withoutAbsent(text, flavour) {
  const open = []; // of each pair around the line whether its family is there
  const lines = text.split('\n').filter((line) => {
    const [, family] = line.match(/^ *\/\/ #if (\w+)$/) ?? [];
    const isEnd = /^ *\/\/ #end$/.test(line);
    if (family === undefined && !isEnd) return open.every(Boolean);
    if (isEnd ? open.length === 0 : !families.includes(family)) throw new Trouble(`'${line.trim()}' begins or ends no family.`);
    if (isEnd) open.pop();
    else open.push(has(flavour, family));
    return false;
  });
  if (open.length > 0) throw new Trouble('A text has #if without #end.');
  return lines.join('\n');
}
