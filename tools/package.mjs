// `npm run package`: builds the npm package into target/npm/scatterwise and packs it beside that.
// `--fast` leaves a package that works but is neither optimised nor packed, for `npm start`.

import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { editGlue, editTypes } from './glue.mjs';
import { installPackages, installRust, installWasmTools } from './setup.mjs';
import { ask, main, root, run, runNpm, Trouble } from './shell.mjs';

/** The files that the package's `exports` lead to. A new entry (`./inline`, `./cpu`) is added here and in `manifest`. */
const entries = [
  { source: 'src/js/index.js', file: 'index.js' },
  { source: 'src/js/node.js', file: 'node.js' },
];

/** One source, two binaries. The flags of .cargo/config.toml turn SIMD on; an empty RUSTFLAGS overrides them. */
const builds = {
  simd: {},
  scalar: { RUSTFLAGS: '' },
};

const out = join(root, 'target', 'npm', 'scatterwise');
const build = (name, file) => join(root, 'target', 'pkg', name, file);

await main(async () => {
  const { fast } = parseArgs({ options: { fast: { type: 'boolean', default: false } } }).values;
  await installPackages();
  await installRust();
  await installWasmTools();

  await rm(join(out, '..'), { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await buildWasm('simd');
  if (fast) {
    await copyFile(build('simd', 'core_bg.wasm'), join(out, 'scatterwise_simd.wasm'));
    // Not scalar, but there: bundlers want the file, and every engine that runs `npm start` has SIMD.
    await copyFile(build('simd', 'core_bg.wasm'), join(out, 'scatterwise_scalar.wasm'));
  } else {
    await buildWasm('scalar');
    await compareBuilds();
    await Promise.all(Object.keys(builds).map(optimise));
  }
  for (const entry of entries) await bundle(entry);
  await writeFile(join(out, 'index.d.ts'), editTypes(await readFile(build('simd', 'core.d.ts'), 'utf8')));
  await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  for (const file of ['README.md', 'LICENSE-MIT', 'LICENSE-APACHE']) await copyFile(join(root, file), join(out, file));
  await link();
  if (!fast) await runNpm('pack', out, '--pack-destination', join(out, '..'), '--loglevel', 'warn');
});

function buildWasm(name) {
  const where = ['--no-pack', '--out-name', 'core', '--out-dir', build(name, '')];
  return run('wasm-pack', ['build', '--release', '--mode', 'no-install', '--target', 'web', ...where], { env: builds[name] });
}

/** Both binaries are run by one glue, so it has to be the same for both; and they are worth shipping if they differ. */
async function compareBuilds() {
  const same = async (file) => (await readFile(build('simd', file))).equals(await readFile(build('scalar', file)));
  for (const file of ['core.js', 'core.d.ts']) {
    if (!(await same(file))) throw new Trouble(`${file} is not the same for the SIMD and the scalar build.`);
  }
  if (await same('core_bg.wasm')) throw new Trouble('The SIMD and the scalar build are the same.');
}

function optimise(name) {
  const files = [build(name, 'core_bg.wasm'), '-o', join(out, `scatterwise_${name}.wasm`)];
  return run(process.execPath, ['node_modules/binaryen/bin/wasm-opt', '-O3', ...files]);
}

async function bundle({ source, file }) {
  const esbuild = await import('esbuild'); // not at the top: it may have been installed only now
  await esbuild.build({
    entryPoints: [join(root, source)],
    outfile: join(out, file),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    external: ['node:*'],
    target: ['chrome96', 'firefox79', 'safari15'], // the oldest that run what rustc compiles to
    minify: true,
    plugins: [{ name: 'glue', setup: ({ onLoad }) => onLoad({ filter: /[\\/]target[\\/]pkg[\\/]simd[\\/]core\.js$/ }, loadGlue) }],
    logLevel: 'warning',
    logOverride: { 'duplicate-object-key': 'silent' }, // the glue names a snippet once for each way of calling it
  });
  const text = await readFile(join(out, file), 'utf8');
  for (const name of Object.keys(builds)) {
    const url = `new URL("./scatterwise_${name}.wasm",import.meta.url)`;
    if (text.split(url).length !== 2) throw new Trouble(`${file} should have exactly one ${url}, for bundlers to find.`);
  }
}

async function loadGlue({ path }) {
  return { contents: editGlue(await readFile(path, 'utf8'), join(root, 'src', 'js', 'unstarted.js')) };
}

function manifest() {
  const { packages } = JSON.parse(ask('cargo', 'metadata', '--no-deps', '--format-version', '1'));
  const { name, version, description, license, keywords } = packages.find((crate) => crate.name === 'scatterwise');
  return {
    name,
    version,
    description,
    license,
    keywords,
    type: 'module',
    sideEffects: false,
    main: './index.js',
    types: './index.d.ts',
    exports: {
      '.': { types: './index.d.ts', node: './node.js', default: './index.js' },
      './scatterwise_simd.wasm': './scatterwise_simd.wasm',
      './scatterwise_scalar.wasm': './scatterwise_scalar.wasm',
      './package.json': './package.json',
    },
    files: ['*.js', '*.d.ts', '*.wasm', 'LICENSE-*'],
    engines: { node: '>=20' },
  };
}

/** Lets the tests and the playground import 'scatterwise' as its users do. */
async function link() {
  const path = join(root, 'node_modules', 'scatterwise');
  await rm(path, { recursive: true, force: true });
  await symlink(out, path, 'junction'); // on Windows, where others need a privilege; elsewhere the word is ignored
}
