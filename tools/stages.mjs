// The stages of `npm test`, in the order in which they start. Two run at a time, so the longest ones start first. Those after `package`
// wait for its build, which keeps one processor busy: beside it there is `lint`, which needs none.

import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCargo, readNode } from './counts.mjs';
import * as machine from './machine.mjs';
import { root, Trouble } from './shell.mjs';

/**
 * For cargo: clippy compiles the crates of this workspace. Its output is the compiler's, so `lint` checks the tests that run and compiles
 * nothing twice. A separate clippy run would compile all dependencies again.
 */
const clippy = { RUSTC_WORKSPACE_WRAPPER: 'clippy-driver' };

/** For cargo: every family of operators, without the GPU backend. */
const onCpu = ['--no-default-features', '--features', 'families'];

/** Each stage gets the `Stage` of report.mjs that it adds its parts to, called `report` here. */
export const stages = {
  /**
   * On two drivers. lavapipe keeps subnormal numbers and runs all tests. SwiftShader flushes them, and is slow. Chromium's tests run on
   * SwiftShader too, so here it runs only the suites about bits and tests that no browser runs. A build without families of operators has
   * tests of its own. The suites of each family run once more on lavapipe, with workgroups of 128 threads.
   */
  async native(report) {
    /** Runs tests: `kinds` are flags that choose binaries, none for all; `filters` are parts of the names of tests, none for all, and flags that skip some. */
    const test = (run, { kinds, filters }, env, backends) => {
      const args = ['test', '--no-fail-fast', ...kinds, '--', '--show-output', ...filters];
      return report.tests(run, 'cargo', args, { env, read: readCargo, backends });
    };
    const drivers = { lavapipe: machine.findLavapipe(), SwiftShader: machine.findSwiftshader() };
    const common = { ...clippy, XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR ?? tmpdir() }; // Vulkan's loader complains without it
    let which = { kinds: [], filters: [] }; // all tests on the first driver that is there
    for (const [name, manifest] of Object.entries(drivers)) {
      if (manifest) {
        await test(name, which, { ...common, VK_DRIVER_FILES: manifest, SCATTERWISE_REQUIRE_WEBGPU: '1' }, ['cpu', 'webgpu']);
        which = { kinds: ['--test', 'main'], filters: onSecondDriver };
      } else {
        report.unavailable(name, 'this software Vulkan driver is not installed');
      }
    }
    const small = { ...common, VK_DRIVER_FILES: drivers.lavapipe, SCATTERWISE_REQUIRE_WEBGPU: '1', SCATTERWISE_COMPATIBILITY: '1' };
    if (drivers.lavapipe) await test('lavapipe, 128 threads', { kinds: ['--test', 'main'], filters: withSmallWorkgroups }, small, ['cpu', 'webgpu']);
    if (!Object.values(drivers).some(Boolean)) await test('on what is there', which, common, ['cpu']);
    await report.tests('no family', 'cargo', ['test', '--no-fail-fast', '--no-default-features', '--lib', '--test', 'main', '--', '--show-output'], { env: common, read: readCargo });
  },

  /**
   * In two engines with different WebGPU. Firefox uses lavapipe, on which the native tests run tests/rust/dtypes; Chromium's flushes
   * subnormal numbers, so the tests of single operations run there, and `dtypes::segments`, because no other test finds every wrong SIMD
   * loop of a reduction. The vectors, calls of every dtype and calls with plans are tests/js/web's. Slow tests (lost work, limits, random
   * histograms) run in one of the two. In Chromium wasm-pack runs them, as its users would; in Firefox cargo and a runner, because
   * wasm-pack drives Firefox only by a WebDriver server. The code of the build without SIMD also runs natively;
   * tests/js/web/builds.test.mjs tries the binary that users get.
   */
  async wasm(report) {
    const driver = machine.findChromedriver();
    const chromium = { missing: !machine.findChromium() ? 'Chromium' : !driver ? 'chromedriver' : undefined };
    const firefox = { missing: machine.findFirefox() ? undefined : 'Firefox' };
    // With `packed`, the flags of wasm-pack, it runs the tests; else cargo does, with `runner`.
    const runs = [
      { name: 'Chromium', ...chromium, packed: ['--chrome', '--chromedriver', driver], skips: ['dtypes::calls', 'dtypes::reductions', 'plans::', 'conformance::results'] },
      { name: 'Firefox', ...firefox, runner: 'node tools/firefox-runner.mjs', skips: ['dtypes::', 'lost_work::', 'limits::', 'plans::', 'histogram::edges::values', 'histogram::edges::ranges', 'histogram::integers::integers'] },
    ];
    for (const { name, missing, packed, runner = 'wasm-bindgen-test-runner', skips } of runs) {
      if (missing) {
        report.unavailable(name, `${missing} is not installed`);
        continue;
      }
      const start = packed ? ['test', '--headless', ...packed, '--mode', 'no-install', '--'] : ['test', '--target', 'wasm32-unknown-unknown'];
      await report.tests(name, packed ? 'wasm-pack' : 'cargo', [...start, '--test', 'main', '--', '--nocapture', ...skips.flatMap((name) => ['--skip', name])], {
        env: {
          ...(driver && { CHROMEDRIVER: driver }),
          WASM_BINDGEN_TEST_ONLY_WEB: '1',
          // The runner's own limits (20 s for all tests, 5 s for the driver) are too short for a busy machine.
          WASM_BINDGEN_TEST_TIMEOUT: '1200',
          WASM_BINDGEN_TEST_DRIVER_TIMEOUT: '60',
          CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: runner,
          ...clippy,
        },
        read: readCargo,
        backends: ['cpu', 'webgpu'],
      });
    }
  },

  /** The built package in Node and in pages, files of NumPy's and of other formats. */
  async package(report) {
    await buildPackage(report);
    await nodeTests(report, 'package');
    await nodeTests(report, 'npy');
    await nodeTests(report, 'files');
  },

  /** Formatting, clippy, that each family compiles alone, and the tests of the tools themselves. */
  async lint(report) {
    const wasm = ['--target', 'wasm32-unknown-unknown'];
    /** Has clippy compile something, without running it; `env` are variables for cargo. */
    const lint = (run, args, env) => report.check(run, 'cargo', args, { env: { ...clippy, ...env }, complaint: /generated \d+ warning/ });
    const unoptimised = { CARGO_PROFILE_DEV_OPT_LEVEL: '0' }; // for code that no stage runs
    await formatting(report);
    await lint('clippy, native', ['test', '--no-run']);
    await lint('clippy, wasm32', ['build', '--tests', ...wasm]);
    await lint('clippy, benchmarks', ['build', '--package', 'scatterwise-bench', '--all-targets']); // with the library of the tests
    await lint('clippy, CPU only, native', ['test', '--no-run', ...onCpu], unoptimised);
    await lint('clippy, CPU only, wasm32', ['build', ...onCpu, ...wasm], unoptimised);
    await report.check('each feature alone', process.execPath, ['tools/features.mjs']);
    const tools = ['--test', '--test-reporter=spec', 'tools/adapters.test.mjs', 'tools/counts.test.mjs', 'tools/links.test.mjs', 'tools/notices.test.mjs', 'tools/promises.test.mjs'];
    await report.tests('tools', process.execPath, tools, { read: readNode });
  },

  /** The site, in Chromium and Firefox. */
  async page(report) {
    await buildPackage(report);
    await nodeTests(report, 'page');
  },

  /** The package's JavaScript API in a page, on both devices. */
  async web(report) {
    await buildPackage(report);
    await nodeTests(report, 'web', ['cpu', 'webgpu']);
  },

  /** What JavaScript may do to the package, at random, a million times: `npm run fuzz` goes on for longer. */
  async fuzz(report) {
    await buildPackage(report);
    await nodeTests(report, 'fuzz', ['webgpu']);
  },

  /** The users' tools, from the tarball. On all processors: by default Node leaves one out. */
  async matrix(report) {
    await buildPackage(report);
    await nodeTests(report, 'matrix', ['cpu', 'webgpu'], [`--test-concurrency=${availableParallelism()}`]);
  },

  /** Each known mistake of a caller; the state of frameworks that wrap and freeze its values. */
  async boundary(report) {
    await buildPackage(report);
    await nodeTests(report, 'boundary');
    await nodeTests(report, 'frameworks');
  },

  /** Whether the benchmark still runs: small sizes, without the libraries that it compares. */
  async bench(report) {
    await buildPackage(report);
    if (!machine.findChromium()) return report.unavailable('smoke', 'Chromium is not installed');
    await report.check('smoke', process.execPath, ['benches/browser/bench.mjs', '--smoke', '--no-build']);
  },

  /** The sizes of the package's files, beside their budget and the documents. */
  async size(report) {
    await buildPackage(report);
    await report.check('download', process.execPath, ['tools/size.mjs']);
  },

  /**
   * The package's types, in both ways in which TypeScript resolves modules, and without `strict`, which new projects of Next.js lack; and those of
   * every operator, by programs that a test writes.
   */
  async types(report) {
    await buildPackage(report);
    const tsc = join('node_modules', 'typescript-7', 'bin', 'tsc');
    for (const config of ['bundler', 'nodenext', 'loose']) {
      await report.check(config, process.execPath, [tsc, '--project', `tests/js/types/tsconfig.${config}.json`]);
    }
    await node(report, 'operators', ['tests/js/types/operators.test.mjs']);
  },
};

/**
 * These run natively on the second driver too: tests that block on the GPU, which no browser allows, and tests about bits. Left out are the
 * cutting of work into pieces and the arithmetic of integers and half floats, which no driver changes, tests that Chromium runs (the
 * vectors, and random products, by tests/js/web), and small calls by each strategy, because the long ones are enough.
 */
const onSecondDriver = [
  ...['elementwise::', 'passes::', 'multiply_pass::', 'strategies::', 'numerics::', 'extremes_of_both_signs'],
  ...['work_in_pieces', 'calls_by_strategy', 'vectors_by_strategy', 'activations_by_dtype::', 'elementwise::conformance::', 'elementwise::properties::'].flatMap((name) => ['--skip', name]),
];

/**
 * These run on a device whose workgroups have at most 128 threads, as in WebGPU's compatibility mode: for each pass with memory of a workgroup
 * at least one suite, and vectors of every family.
 */
const withSmallWorkgroups = [
  ...['a_device_of_compatibility_mode', 'conformance::', 'dtypes::calls::', 'lists::', 'order_free::', 'strategies::work_in_pieces', 'faulty_adapters::the_probe'],
  ...['dims::sums_of_rows', 'dims::many_terms', 'dims::vectors', 'sort::in_order', 'sort::searches', 'sort::vectors', 'masks::', 'histogram::', 'groups::', 'softmax::'],
  ...['winners::', 'exact_vectors::', 'exact_calls::', 'multiply_pass::', 'passes::passes', 'elementwise::operations::', 'spmm::passes::arithmetic', 'gradients::long_runs'],
];

/**
 * `npm test -- quick`: finds most mistakes within minutes. The CPU alone, one browser, and the package as `npm start` builds it.
 */
export const quickStages = {
  async rust(report) {
    await formatting(report);
    await report.tests('CPU', 'cargo', ['test', ...onCpu, '--no-fail-fast'], { read: readCargo });
  },

  async package(report) {
    const build = await report.check('build', process.execPath, ['tools/package.mjs', '--fast']);
    if (!build) throw new Trouble('there is no package to test');
    const files = ['activations', 'data', 'devtools', 'image', 'operators', 'small', 'verify'].map((name) => `tests/js/package/${name}.test.mjs`);
    await node(report, 'Node', [...files, 'tests/js/types/operators.test.mjs', 'tests/js/page/languages.test.mjs', 'tests/js/npy/npy.test.mjs', 'tests/js/npy/printing.test.mjs']);
    if (!machine.findChromium()) return report.unavailable('page', 'Chromium is not installed');
    const pages = ['tests/js/package/page.test.mjs', 'tests/js/web/calls.test.mjs'];
    const env = { SCATTERWISE_PACKAGE: 'npm-dev' };
    await node(report, 'page', ['--test-name-pattern', ' on cpu$', ...pages], { env, read: readChosen });
  },
};

/** Whether the Rust code is formatted. */
const formatting = (report) => report.check('formatting', 'cargo', ['fmt', '--all', '--check']);

let built;
/** Builds the package, once: in the first stage that needs it. The others wait for it; all fail where it cannot be built. */
async function buildPackage(report) {
  built ??= report.check('build', process.execPath, ['tools/package.mjs', '--timing']); // the site's tests time
  if (!(await built)) throw new Trouble('there is no package to test');
}

/**
 * Runs the `*.test.mjs` of a folder of tests/js, for which a Chromium has to be there. They have to report that they ran on each of
 * `backends`.
 */
async function nodeTests(report, folder, backends, flags = []) {
  if (!machine.findChromium()) return report.unavailable(folder, 'Chromium is not installed');
  const path = join('tests', 'js', folder);
  const files = existsSync(join(root, path)) ? readdirSync(join(root, path)).filter((name) => name.endsWith('.test.mjs')) : [];
  if (files.length === 0) throw new Trouble(`there are no tests in ${path}`);
  await node(report, folder, [...flags, ...files.map((name) => join(path, name))], { backends });
}

/** As `readNode`, but that tests which were not asked for, by --test-name-pattern, do not count as skipped. */
function readChosen(output) {
  const { skipped, reasons, ...counts } = readNode(output);
  const real = reasons.filter((reason) => !reason.endsWith('test name does not match pattern'));
  return { ...counts, skipped: skipped - (reasons.length - real.length), reasons: real };
}

/** Runs Node's test runner with these arguments; `options` are those of `Stage.tests`. */
function node(report, run, args, options) {
  const all = ['--test', '--test-reporter=spec', '--test-timeout=1200000', ...args];
  return report.tests(run, process.execPath, all, { read: readNode, ...options });
}
