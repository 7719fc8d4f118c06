// The packed package in fresh folders, as a user who installed the tarball has it.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const manifest = JSON.parse(readFileSync(join(root, 'target/npm/scatterwise/package.json'), 'utf8'));
export const tarball = join(root, `target/npm/scatterwise-${manifest.version}.tgz`);

/** What has the library in it: `scatterwise`, `scatterwise/inline`, …; a short name for each. */
export const entries = Object.entries(manifest.exports)
  .filter(([path, conditions]) => typeof conditions === 'object' && !['./files', './devtools', './verify'].includes(path) && !path.endsWith('.wasm'))
  .map(([path, conditions]) => ({
    name: path === '.' ? 'index' : path.slice(2).replaceAll('/', '-'),
    specifier: path.replace('.', 'scatterwise'),
    file: conditions.default,
  }));

/** The devices that an entry has. */
export const devicesOf = ({ name }) => (name.startsWith('cpu') ? ['cpu'] : ['cpu', 'webgpu']);

let installed;

/** A new folder below the system's temporary one, with `files` in it and the tarball installed; `remove()` takes it away. */
export function freshFolder(files = {}) {
  installed ??= install();
  const folder = mkdtempSync(join(tmpdir(), 'scatterwise-matrix-'));
  cpSync(installed, folder, { recursive: true });
  write(folder, files);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** npm itself, once: without a network, since the package depends on nothing, and without scripts, since it has none. */
function install() {
  const folder = mkdtempSync(join(tmpdir(), 'scatterwise-install-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  write(folder, { 'package.json': JSON.stringify({ private: true, type: 'module' }) });
  execFileSync('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball], { cwd: folder, stdio: 'pipe' });
  return folder;
}
