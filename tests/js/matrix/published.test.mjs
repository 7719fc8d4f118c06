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
  assert.equal(binaries.length, 4);
  for (const { specifier } of [...entries, ...binaries.map((path) => ({ specifier: path.replace('.', 'scatterwise') }))]) assert.ok(stdout.includes(`"${specifier}"`), `${specifier} was not looked at`);
});

for (const libraries of ['es2022', 'es2022,dom']) {
  test(`the types in the oldest TypeScript, with the libraries ${libraries}`, (t) => {
    const lines = entries.map(({ specifier }, at) => `import * as entry${at} from '${specifier}';\nexport const used${at} = entry${at}.init();\n`);
    const use = `import { Tensor } from 'scatterwise';
export const bytes: Promise<Uint8Array> = new Tensor([1]).to_npy();
export const doubles: Promise<Float64Array> = new Tensor(new Float64Array(2)).data();
// @ts-expect-error: numbers become float32
export const small: Tensor<'int8'> = new Tensor([1]);
`;
    const common = "import scatterwise = require('scatterwise');\nexport const used = scatterwise.init().then(() => new scatterwise.Tensor([1]).to_npy());\n";
    const { folder, remove } = freshFolder({ 'use.ts': lines.join('') + use, 'use.cts': common });
    t.after(remove);
    const tsc = createRequire(import.meta.url).resolve('typescript-5.2/bin/tsc');
    const args = [tsc, 'use.ts', 'use.cts', '--noEmit', '--strict', '--skipLibCheck', 'false', '--module', 'nodenext', '--lib', libraries];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stdout);
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
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE', 'README.md']) assert.ok(list.includes(`package/${name}`), name);
  const scripts = list.filter((name) => /\.c?js$/.test(name)).map((name) => name.replace('package/', ''));
  assert.ok(scripts.length >= entries.length);
  for (const name of scripts) {
    const text = readFileSync(join(folder, 'node_modules/scatterwise', name), 'utf8');
    assert.ok(!/\bnew Function\b|\beval\(/.test(text), `${name} would need 'unsafe-eval'`);
  }
});
