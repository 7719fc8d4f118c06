// The stages of `npm test`, in the order in which they start: two run at a time, so long ones are not left for the end.

import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCargo, readNode } from './counts.mjs';
import * as machine from './machine.mjs';
import { root, Trouble } from './shell.mjs';

export const stages = {
  async lint(report) {
    const wasm = ['--target', 'wasm32-unknown-unknown'];
    const clippy = (run, ...flags) => report.check(run, 'cargo', ['clippy', ...flags, '--', '--deny', 'warnings']);
    await report.check('formatting', 'cargo', ['fmt', '--all', '--check']);
    // With the benchmarks in one run: alone they would have every dependency checked again for one feature more.
    await clippy('clippy, native', '--package', 'scatterwise', '--package', 'scatterwise-bench', '--all-targets');
    await clippy('clippy, wasm32', '--all-targets', ...wasm);
    await clippy('clippy, CPU only, native', '--no-default-features');
    await clippy('clippy, CPU only, wasm32', '--no-default-features', ...wasm);
    const tools = ['--test', '--test-reporter=spec', 'tools/counts.test.mjs'];
    await report.tests('tools', process.execPath, tools, { read: readNode });
  },

  async package(report) {
    await buildPackage(report);
    await nodeTests(report, 'package');
    await nodeTests(report, 'npy');
  },

  /**
   * On two drivers: lavapipe keeps subnormal numbers, SwiftShader flushes them. The second is slow, and Chromium runs
   * tests/dtypes on it.
   */
  async native(report) {
    const test = (run, { kinds, filters }, env, backends) => {
      const args = ['test', '--no-fail-fast', ...kinds, '--', '--show-output', ...filters];
      return report.tests(run, 'cargo', args, { env, read: readCargo, backends });
    };
    const drivers = { lavapipe: machine.findLavapipe(), SwiftShader: machine.findSwiftshader() };
    const quiet = { XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR ?? tmpdir() }; // Vulkan's loader complains without it
    let which = { kinds: [], filters: [] }; // all the first time
    for (const [name, manifest] of Object.entries(drivers)) {
      if (manifest) {
        await test(name, which, { ...quiet, VK_DRIVER_FILES: manifest, SCATTERWISE_REQUIRE_WEBGPU: '1' }, ['cpu', 'webgpu']);
        which = { kinds: ['--test', 'main'], filters: ['--skip', 'dtypes::'] };
      } else {
        report.unavailable(name, 'this software Vulkan driver is not installed');
      }
    }
    if (!Object.values(drivers).some(Boolean)) await test('on what is there', which, {}, ['cpu']);
  },

  /** In two engines, which also differ in their WebGPU. The build without SIMD differs on the CPU only. */
  async wasm(report) {
    const chrome = { browser: machine.findChromium(), driver: machine.findChromedriver() };
    const firefox = { browser: machine.findFirefox(), driver: machine.findGeckodriver() };
    const packed = (...flags) => ({
      program: 'wasm-pack',
      args: ['test', '--headless', ...flags, '--mode', 'no-install', '--'],
      backends: ['cpu', 'webgpu'],
    });
    // By cargo alone: wasm-pack would compile the library's own tests once more, of which none runs in a browser.
    const scalar = {
      program: 'cargo',
      args: ['test', '--target', 'wasm32-unknown-unknown'],
      backends: ['cpu'],
      env: {
        CHROMEDRIVER: chrome.driver,
        WASM_BINDGEN_TEST_ONLY_WEB: '1',
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: 'wasm-bindgen-test-runner',
        RUSTC_WORKSPACE_WRAPPER: join(root, 'tools', 'scalar.sh'),
        SCATTERWISE_BACKENDS: 'cpu',
      },
    };
    const runs = [
      { name: 'Chromium', ...chrome, ...packed('--chrome', '--chromedriver', chrome.driver) },
      { name: 'Firefox', ...firefox, ...packed('--firefox', '--geckodriver', firefox.driver) },
      { name: 'Chromium, scalar', ...chrome, ...scalar },
    ];
    for (const { name, browser, driver, program, args, backends, env } of runs) {
      if (!browser || !driver) {
        report.unavailable(name, `${browser ? 'the WebDriver server of this browser' : 'this browser'} is not installed`);
        continue;
      }
      await report.tests(name, program, [...args, '--test', 'main', '--', '--nocapture'], {
        // The runner's own limits (20 s for all tests, 5 s for the driver) are too short for a busy machine.
        env: { WASM_BINDGEN_TEST_TIMEOUT: '1200', WASM_BINDGEN_TEST_DRIVER_TIMEOUT: '60', ...env },
        read: readCargo,
        backends,
      });
    }
  },

  /** What JavaScript may do to the package, case by case; the state of frameworks that wrap and freeze what is in it. */
  async boundary(report) {
    await buildPackage(report);
    await nodeTests(report, 'boundary');
    await nodeTests(report, 'frameworks');
  },

  /** The same at random, a million times: `npm run fuzz` goes on for longer. */
  async fuzz(report) {
    await buildPackage(report);
    await nodeTests(report, 'fuzz', ['webgpu']);
  },

  async page(report) {
    await buildPackage(report);
    await nodeTests(report, 'page');
  },

  async web(report) {
    await buildPackage(report);
    await nodeTests(report, 'web', ['cpu', 'webgpu']);
  },

  /** What users build with, from the tarball. */
  async matrix(report) {
    await buildPackage(report);
    await nodeTests(report, 'matrix', ['cpu', 'webgpu']);
  },

  /** Whether the benchmark still runs: small sizes, without the libraries that it compares. */
  async bench(report) {
    await buildPackage(report);
    if (!machine.findChromium()) return report.unavailable('smoke', 'Chromium is not installed');
    await report.check('smoke', process.execPath, ['benches/browser/bench.mjs', '--smoke', '--no-build']);
  },

  async size(report) {
    await buildPackage(report);
    await report.check('download', process.execPath, ['tools/size.mjs']);
  },

  async types(report) {
    await buildPackage(report);
    const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
    for (const resolution of ['bundler', 'nodenext']) {
      await report.check(resolution, process.execPath, [tsc, '--project', `tests/types/tsconfig.${resolution}.json`]);
    }
  },
};

/** The package is built once, in the first stage that needs it. */
let built;
async function buildPackage(report) {
  built ??= report.check('build', process.execPath, ['tools/package.mjs']);
  if (!(await built)) throw new Trouble('there is no package to test');
}

/** The `*.test.mjs` of a folder of tests/; all of them need a Chromium. */
async function nodeTests(report, folder, backends) {
  if (!machine.findChromium()) return report.unavailable(folder, 'Chromium is not installed');
  const path = join('tests', folder);
  const files = existsSync(join(root, path)) ? readdirSync(join(root, path)).filter((name) => name.endsWith('.test.mjs')) : [];
  if (files.length === 0) throw new Trouble(`there are no tests in ${path}`);
  const args = ['--test', '--test-reporter=spec', '--test-timeout=600000', ...files.map((name) => join(path, name))];
  await report.tests(folder, process.execPath, args, { read: readNode, backends });
}
