// Installs what the commands need on a machine that has rustup and Node. Each function is quick if everything is installed.

import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import * as machine from './machine.mjs';
import { ask, metadata, root, run, runNpm, show, Trouble } from './shell.mjs';

const wasm = 'wasm32-unknown-unknown';
const read = (...path) => readFileSync(join(root, ...path), 'utf8');

/** Installs the npm packages of a folder of the repository at the versions of its package-lock.json, unless it has them. */
export async function installPackages(folder = '.') {
  const installed = join(folder, 'node_modules', '.package-lock.json');
  if (existsSync(join(root, installed))) {
    const has = JSON.parse(read(installed)).packages;
    const wanted = Object.entries(JSON.parse(read(folder, 'package-lock.json')).packages);
    // An optional package may be for another platform.
    if (wanted.every(([path, { version, optional }]) => !path || optional || has[path]?.version === version)) return;
  }
  await runNpm('ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'); // none of the packages needs its script
}

/** Installs the libraries that the benchmark, and the site's page of it, compare with. */
export const installPeers = () => installPackages(join('benches', 'browser'));

/**
 * Installs the toolchain of rust-toolchain.toml, and the target and components that are named there: rustup adds these by itself only to a
 * toolchain that it installs.
 */
export async function installRust() {
  if (!ask('rustc', '--version')) {
    if (!ask('rustup', '--version')) throw new Trouble('Rust is missing: install rustup (https://rustup.rs), then run this again.');
    const [, channel] = read('rust-toolchain.toml').match(/^channel = "(.+)"$/m);
    await run('rustup', ['toolchain', 'install', channel, '--profile', 'minimal']);
  }
  if (!existsSync(ask('rustc', '--print', 'target-libdir', '--target', wasm))) await run('rustup', ['target', 'add', wasm]);
  for (const [component, tool] of [['clippy', 'cargo-clippy'], ['rustfmt', 'rustfmt']]) {
    if (!ask(tool, '--version')) await run('rustup', ['component', 'add', component]);
  }
}

/**
 * Provides wasm-bindgen, its test runner and wasm-pack at the versions of Cargo.lock: those on PATH where all match, else they are built
 * from tools/ (about a minute, once) and put first on PATH.
 */
export async function installWasmTools() {
  const lock = read('Cargo.lock');
  const locked = (crate) => lock.match(`name = "${crate}"\nversion = "(.+)"`)[1];
  const bindgen = locked('wasm-bindgen');
  const wanted = { 'wasm-bindgen': bindgen, 'wasm-bindgen-test-runner': bindgen, 'wasm-pack': locked('wasm-pack') };
  if (Object.entries(wanted).every(([tool, version]) => ask(tool, '--version') === `${tool} ${version}`)) return;
  await run('cargo', ['build', '--package', 'tools']);
  process.env.PATH = [join(metadata().target_directory, 'debug'), process.env.PATH].join(delimiter);
}

/** What the tests need beside Rust and Node: its name, its Debian package, and how to find it. */
const needs = [
  { name: 'Chromium', debian: 'chromium', find: machine.findChromium },
  { name: 'chromedriver', debian: 'chromium-driver', find: machine.findChromedriver },
  { name: 'Firefox', debian: 'firefox-esr', find: machine.findFirefox },
  { name: 'lavapipe (software Vulkan)', debian: 'mesa-vulkan-drivers', find: machine.findLavapipe },
];

/**
 * As root, installs the named `needs`, or all of them, with apt-get. Prints what is still missing; that is no failure.
 */
export async function installBrowsers(names) {
  const missing = () => needs.filter(({ name, find }) => (!names || names.includes(name)) && !find());
  if (missing().length > 0 && process.getuid?.() === 0 && ask('apt-get', '--version')) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env });
    const packages = missing().map(({ debian }) => debian);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
  }
  for (const { name, debian } of missing()) {
    show(`${name} is missing: install it (Debian and Ubuntu: apt-get install ${debian}), else the tests on it are skipped.\n`);
  }
}
