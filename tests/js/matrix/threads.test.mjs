// `scatterwise/threads` from the packed tarball, on two threads: in pages that each tool makes, under the strictest content security policy, and in
// Node, Bun and Deno. Where a tool moves the entry away from its files, it has to say so, or to run on one thread.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { launch } from '../browser.mjs';
import * as bundlers from './bundlers.mjs';
import { freshFolder } from './install.mjs';
import { bun, deno, noBun, noDeno } from './programs.mjs';

let browser;
before(async () => {
  browser = await launch({ webgpu: false });
});
after(() => browser?.close());

/** The text of a module whose `use` resolves to what the library says of its threads, and whether a product of many elements is right. */
const use = (library) => `import { init, Tensor } from '${library}';
export async function use() {
  const { threads } = await init({ device: 'cpu', threads: 2 });
  const t = Tensor.full([1 << 20], 1.5);
  return { ...threads, isRight: t.mul(t).data_sync().every((value) => value === 2.25) };
}
`;
const page = (script) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <title>threads</title>
  <link rel="icon" href="data:," />
  <script type="module" src="./${script}.js"></script>
</html>
`;
const show = 'const show = (value) => (document.documentElement.dataset.result = JSON.stringify(value));\n';
/** A page that uses the library itself, and one that has a module worker use it. */
const files = (library = 'scatterwise/threads') => ({
  'use.js': use(library),
  'page.html': page('page'),
  'page.js': `import { use } from './use.js';\n${show}use().then(show, (error) => show({ error: String(error) }));\n`,
  'page-worker.html': page('page-worker'),
  'page-worker.js': `${show}const worker = new Worker(new URL('./page-thread.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => show(data);
worker.onerror = ({ message }) => show({ error: message });
`,
  'page-thread.js': "import { use } from './use.js';\nuse().then(postMessage, (error) => postMessage({ error: String(error) }));\n",
});
const two = { count: 2, isRight: true };

/** What a page of a server says. */
async function visit(url) {
  const tab = await browser.newPage();
  try {
    await tab.goto(url);
    await tab.waitForFunction(() => document.documentElement.dataset.result, undefined, { timeout: 120_000 });
    return JSON.parse(await tab.evaluate(() => document.documentElement.dataset.result));
  } finally {
    await tab.close();
  }
}

const names = ['page', 'page-worker'];
const headers = bundlers.isolation;
const exclude = { optimizeDeps: { exclude: ['scatterwise'] } };
/** The configuration of docs/THREADS.md where there is one. */
const consumers = {
  'a plain page': { serve: bundlers.plain, sources: files('./node_modules/scatterwise/threads.js') },
  'Vite, dev server': { serve: (folder) => bundlers.viteDev(folder, names, 'vite', { headers }, exclude), sources: files() },
  'Vite, build': { serve: (folder) => bundlers.viteBuild(folder, names, 'vite', { format: 'es' }), sources: files() },
  'Vite 7, dev server': { serve: (folder) => bundlers.viteDev(folder, names, 'vite7', { headers }, exclude), sources: files() },
  'Vite 7, build': { serve: (folder) => bundlers.viteBuild(folder, names, 'vite7', { format: 'es' }), sources: files() },
  'webpack 5': { serve: (folder) => bundlers.webpack(folder, names), sources: files() },
  esbuild: { serve: (folder) => bundlers.esbuild(folder, names), sources: files() },
  Rollup: { serve: (folder) => bundlers.rollup(folder, ['page']), sources: files(), isPageOnly: true },
  'bun build': { serve: (folder) => bundlers.bun(folder, ['page']), sources: files(), isPageOnly: true, skip: noBun },
};

for (const [consumer, { serve, sources, isPageOnly, skip = false }] of Object.entries(consumers)) {
  test(`two threads by ${consumer}`, { skip }, async (t) => {
    const { folder, remove } = freshFolder(sources);
    t.after(remove);
    const server = await serve(folder);
    try {
      assert.deepEqual(await visit(`${server.url}page.html`), two);
      if (!isPageOnly) assert.deepEqual(await visit(`${server.url}page-worker.html`), two, 'in a worker');
    } finally {
      await server.close();
    }
  });
}

/** What the development server gives without the line of docs/THREADS.md: Vite 7 moves the entry away from its files, and says how to exclude it. */
const unconfigured = { vite: two, vite7: /HTTP 404 for the \.wasm at .*\.vite\/deps\/.* write optimizeDeps: \{ exclude: \['scatterwise'\] \} in vite\.config\.js/ };
for (const [vite, wanted] of Object.entries(unconfigured)) {
  test(`the development server of ${vite} without optimizeDeps.exclude`, async (t) => {
    const { folder, remove } = freshFolder(files());
    t.after(remove);
    const server = await bundlers.viteDev(folder, names, vite, { headers });
    try {
      const found = await visit(`${server.url}page.html`);
      if (wanted === two) assert.deepEqual(found, two);
      else assert.match(found.error, wanted);
    } finally {
      await server.close().catch((error) => assert.match(wanted === two ? '' : error.message, /Try adding it to `optimizeDeps\.exclude`/));
    }
  });
}

const script = "import { use } from './use.js';\nconsole.log(JSON.stringify(await use()));\n";
const runtimes = {
  Node: { program: process.execPath, args: ['script.mjs'] },
  Bun: { program: bun, args: ['script.mjs'], skip: noBun },
  Deno: { program: deno, args: ['run', '--allow-all', 'script.mjs'], skip: noDeno },
};
for (const [name, { program, args, skip = false }] of Object.entries(runtimes)) {
  test(`two threads in ${name}, which ends by itself`, { skip }, async (t) => {
    const { folder, remove } = freshFolder({ 'use.js': use('scatterwise/threads'), 'script.mjs': script });
    t.after(remove);
    const env = { ...process.env, DENO_DIR: `${folder}/.deno`, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' };
    const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env, timeout: 60_000 });
    assert.deepEqual(JSON.parse(stdout), two);
  });
}
