// The packed package in fresh folders, as a user who installed the tarball has it.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
export const manifest = JSON.parse(readFileSync(join(root, 'target/npm/scatterwise/package.json'), 'utf8'));
export const tarball = join(root, `target/npm/scatterwise-${manifest.version}.tgz`);

/**
 * The package's entries that have the library in them (`scatterwise`, `scatterwise/inline`, …): what imports it (`specifier`), a short
 * `name` for files and tables, and the `file` that it leads to by default.
 */
export const entries = Object.entries(manifest.exports)
  .filter(([path, conditions]) => typeof conditions === 'object' && !['./files', './devtools', './verify'].includes(path) && !path.endsWith('.wasm'))
  .map(([path, conditions]) => ({
    name: path === '.' ? 'index' : path.slice(2).replaceAll('/', '-'),
    specifier: path.replace('.', 'scatterwise'),
    file: conditions.default,
  }));

/** Whether an entry has GPU code. */
export const hasGpu = ({ name }) => !/^(cpu|core)/.test(name);
/** The devices that an entry has. */
export const devicesOf = (entry) => (hasGpu(entry) ? ['cpu', 'webgpu'] : ['cpu']);

/** The folder into which npm has installed the tarball, once there is one. */
let installed;

/** A new folder below the system's temporary one, with `files` in it and the tarball installed; `remove()` takes it away. */
export function freshFolder(files = {}) {
  installed ??= install();
  const folder = mkdtempSync(join(tmpdir(), 'scatterwise-matrix-'));
  cpSync(installed, folder, { recursive: true });
  write(folder, files);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Writes files, given as text by their path in the folder, and makes the folders that they need. */
export function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/**
 * Installs the tarball by npm into a new folder, which goes when the process ends; returns the folder. It needs no network, since the
 * package depends on nothing, and runs no scripts, since it has none.
 */
function install() {
  const folder = mkdtempSync(join(tmpdir(), 'scatterwise-install-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  write(folder, { 'package.json': JSON.stringify({ private: true, type: 'module' }) });
  execFileSync('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball], { cwd: folder, stdio: 'pipe' });
  return folder;
}
