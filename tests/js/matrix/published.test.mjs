// The verdicts of package linters on the tarball, and npm's view of it.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { entries, freshFolder, manifest, tarball } from './install.mjs';

test('publint has nothing to say', async () => {
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: Uint8Array.from(readFileSync(tarball)).buffer } });
  assert.deepEqual(messages.map((message) => formatMessage(message, pkg)), []);
});

test('are the types wrong? They are not', () => {
  const attw = createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json');
  // Entries without a CommonJS twin (files, devtools, verify, the .wasm files) say so.
  const args = [join(dirname(attw), 'dist/index.js'), tarball, '--no-color', '--ignore-rules', 'cjs-resolves-to-esm'];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
  const binaries = Object.keys(manifest.exports).filter((path) => path.endsWith('.wasm'));
  assert.equal(binaries.length, 6);
  for (const { specifier } of [...entries, ...binaries.map((path) => ({ specifier: path.replace('.', 'scatterwise') }))]) assert.ok(stdout.includes(`"${specifier}"`), `${specifier} was not looked at`);
});

/** Programs for the compiler, in TypeScript before its arrays know their buffers: what users of the package rely on. */
const program = `import { bincount, histogram, Tensor, vjp } from 'scatterwise';
export const bytes: Promise<Uint8Array> = new Tensor([1]).to_npy();
export const doubles: Promise<Float64Array> = new Tensor(new Float64Array(2)).data();
export const zeros: Tensor<'float32'> = Tensor.zeros([2]);
export const any: Tensor = zeros;
export const counts: Promise<BigInt64Array> = bincount([1]).data();
export const density: Promise<Float64Array> = histogram(zeros, { density: true }).hist.data();
export const edges: Promise<Float32Array> = histogram(zeros, { bins: 3, weights: [1] }).edges.data();
export const gradient: Tensor<'float32'> = vjp('gather', [1], zeros, 0, [0], { mode: 'clip' }).self;
export const { self, src } = vjp('scatter_add', zeros, zeros, 0, [0], [1], { sum: 'exact' });
export const rows: Promise<number[][]> = zeros.tolist<number[][]>();
// @ts-expect-error: numbers become float32
export const small: Tensor<'int8'> = new Tensor([1]);
// @ts-expect-error: a gather takes an index
vjp('gather', zeros, zeros, 0);
`;
/** Both compilers that the package promises to work with: the oldest, and the newest. */
const compilers = { 'TypeScript 5.2': 'typescript-5.2', 'the newest TypeScript': 'typescript-7' };

/** Runs a compiler in a folder; the test fails where it complains. */
function compile(compiler, folder, args) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve(`${compiler}/package.json`)), 'bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...args], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
}

for (const libraries of ['es2022', 'es2022,dom']) {
  test(`the types in the oldest TypeScript, with the libraries ${libraries}`, (t) => {
    const lines = entries.map(({ specifier }, at) => `import * as entry${at} from '${specifier}';\nexport const used${at} = entry${at}.init();\n`);
    const common = "import scatterwise = require('scatterwise');\nexport const used = scatterwise.init().then(() => new scatterwise.Tensor([1]).to_npy());\n";
    const { folder, remove } = freshFolder({ 'use.ts': lines.join('') + program, 'use.cts': common });
    t.after(remove);
    const args = ['use.ts', 'use.cts', '--noEmit', '--strict', '--skipLibCheck', 'false', '--module', 'nodenext', '--lib', libraries];
    compile('typescript-5.2', folder, args);
  });
}

/** The tsconfig.json that `next build` (16) writes into a project without one. */
const nextConfig = {
  compilerOptions: {
    target: 'ES2017',
    lib: ['dom', 'dom.iterable', 'esnext'],
    allowJs: true,
    skipLibCheck: true,
    strict: false,
    noEmit: true,
    incremental: true,
    module: 'esnext',
    esModuleInterop: true,
    moduleResolution: 'bundler',
    resolveJsonModule: true,
    isolatedModules: true,
    jsx: 'react-jsx',
    plugins: [{ name: 'next' }],
  },
  include: ['next-env.d.ts', '.next/types/**/*.ts', '.next/dev/types/**/*.ts', '**/*.mts', '**/*.ts', '**/*.tsx'],
  exclude: ['node_modules'],
};

for (const [name, compiler] of Object.entries(compilers)) {
  test(`the types in a new project of Next.js, by ${name}`, (t) => {
    const { folder, remove } = freshFolder({ 'use.ts': program, 'tsconfig.json': JSON.stringify(nextConfig) });
    t.after(remove);
    compile(compiler, folder, []);
  });
}

test('the manifest promises what the package is', () => {
  assert.equal(manifest.type, 'module');
  assert.equal(manifest.sideEffects, false);
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies', 'scripts', 'bin', 'private']) {
    assert.equal(manifest[field], undefined, field);
  }
  for (const [path, conditions] of Object.entries(manifest.exports)) {
    if (typeof conditions === 'object') assert.equal(Object.keys(conditions)[0], 'types', `${path}: types come first`);
  }
});

test('what npm installs has its licences and evaluates no text', (t) => {
  const { folder, remove } = freshFolder();
  t.after(remove);
  const list = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE', 'LICENSE-THIRD-PARTY', 'README.md']) assert.ok(list.includes(`package/${name}`), name);
  const scripts = list.filter((name) => /\.c?js$/.test(name)).map((name) => name.replace('package/', ''));
  assert.ok(scripts.length >= entries.length);
  for (const name of scripts) {
    const text = readFileSync(join(folder, 'node_modules/scatterwise', name), 'utf8');
    assert.ok(!/\bnew Function\b|\beval\(/.test(text), `${name} would need 'unsafe-eval'`);
  }
});
