// `scatterwise/verify` from the packed tarball works on the instance of `scatterwise`: in Node, in a plain page, and bundled.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { entriesOf, readProject } from '../../../tools/api.mjs';
import { launch } from '../browser.mjs';
import * as bundlers from './bundlers.mjs';
import { freshFolder, write } from './install.mjs';

let browser;
before(async () => {
  browser = await launch({ webgpu: true });
});
after(() => browser?.close());

/**
 * The text of a module whose `use` resolves to what `right` has, as JSON. Were there two instances, the one that verify() looks at would
 * have chosen its device by itself, and have another reason for it.
 */
const use = (library, entry) => `import { backend, init, memory } from '${library}';
import { verify } from '${entry}';

export async function use(options) {
  await init({ device: 'cpu' });
  const before = memory();
  const { outcome, recorded, backend: seen, complete } = await verify(options);
  const isSame = JSON.stringify(seen) === JSON.stringify(backend());
  const isClean = memory().tensors === before.tensors && memory().cpu_bytes === before.cpu_bytes;
  return JSON.stringify({ outcome, isRight: recorded.cpu.different === 0 && recorded.cpu.of > 0, isSame, isClean, reason: seen.reason, complete });
}
`;
const right = { outcome: 'not-compared', isRight: true, isSame: true, isClean: true, reason: 'the CPU was asked for', complete: true };

const page = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <title>verify</title>
  <link rel="icon" href="data:," />
  <script type="module" src="./verify.js"></script>
</html>
`;
const show = `import { use } from './use.js';
const show = (text) => (document.documentElement.dataset.result = text);
use({ device: 'cpu' }).then(show, (error) => show(String(error)));
`;
/** The files of a page, with what imports the library and `verify`. */
const files = (library = 'scatterwise', entry = 'scatterwise/verify') => ({ 'use.js': use(library, entry), 'verify.html': page, 'verify.js': show });
const plain = files('./node_modules/scatterwise/index.js', './node_modules/scatterwise/verify.js');

test('in Node', (t) => {
  const { folder, remove } = freshFolder({ 'use.js': use('scatterwise', 'scatterwise/verify'), 'run.js': "import { use } from './use.js';\nprocess.stdout.write(await use());\n" });
  t.after(remove);
  const { outcome, ...rest } = JSON.parse(execFileSync(process.execPath, ['run.js'], { cwd: folder, encoding: 'utf8' }));
  assert.deepEqual({ outcome, ...rest }, right);
});

test('the example of its types does what it says', async (t) => {
  const { folder, remove } = freshFolder();
  t.after(remove);
  const [example] = (await entriesOf((await readProject()).project)).find(({ id }) => id === 'verify').examples;
  write(folder, { 'example.js': example });
  assert.match(execFileSync(process.execPath, ['example.js'], { cwd: folder, encoding: 'utf8' }), /^Nothing was compared with another device: .*WebGPU/);
});

const consumers = {
  'a plain page': { serve: bundlers.plain, sources: plain },
  'Vite, dev server': { serve: bundlers.viteDev, sources: files() },
  'Vite, build': { serve: bundlers.viteBuild, sources: files() },
  'webpack 5': { serve: bundlers.webpack, sources: files() },
  esbuild: { serve: bundlers.esbuild, sources: files() },
};

for (const [consumer, { serve, sources }] of Object.entries(consumers)) {
  test(`by ${consumer}`, async (t) => {
    const { folder, remove } = freshFolder(sources);
    t.after(remove);
    const server = await serve(folder, ['verify']);
    const tab = await browser.newPage();
    try {
      await tab.goto(`${server.url}verify.html`);
      await tab.waitForFunction(() => document.documentElement.dataset.result, undefined, { timeout: 120_000 });
      const result = await tab.evaluate(() => document.documentElement.dataset.result);
      assert.deepEqual(JSON.parse(result), right);
    } finally {
      await tab.close();
      await server.close();
    }
  });
}
