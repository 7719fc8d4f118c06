// The source of the consumers: the same few lines, for each entry of the package.

/** The text of a module: what a user does first. `use` resolves to the device, the result and the code of a refusal, as JSON. */
const use = `
export async function use({ IndexError, Tensor, init }, options) {
  const { device } = await init(options);
  const t = Tensor.zeros([2, 3]);
  t.scatter_(1, [[0], [2]], 5, { reduce: 'add' });
  const product = t.mul([[1], [2]]);
  let refused = 'no';
  try {
    t.scatter_(1, [[7], [0]], 1);
  } catch (error) {
    refused = error instanceof IndexError ? error.code : String(error);
  }
  return JSON.stringify({ device, values: await product.tolist(), refused });
}
`;

/** What `use` makes of a package that works. */
export const right = (device) => JSON.stringify({ device, values: [[5, 0, 0], [0, 0, 10]], refused: 'index-out-of-range' });

/** The same as a CommonJS module. */
const useCommon = use.replace('export async function use', 'exports.use = async function');

const imports = (specifier) => `import { IndexError, Tensor, init } from '${specifier}';\nimport { use } from './use.js';\n`;
/** Lines of scripts: the device that the page's address asks for, and where a page shows its result. */
const asked = `const device = new URLSearchParams(location.search).get('device');\n`;
const show = `const show = (text) => (document.documentElement.dataset.result = text);\n`;

/** A page that runs the script of its name: `NAME.html?device=cpu` leaves its result in the root element. */
const page = (name) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <title>${name}</title>
  <link rel="icon" href="data:," />
  <script type="module" src="./${name}.js"></script>
</html>
`;

/** The files of a consumer, as text by path: for each entry a page, NAME.html, and one that has a module worker do it, NAME-worker.html. */
export function pageFiles(entries) {
  const files = { 'use.js': use };
  for (const { name, specifier } of entries) {
    files[`${name}.html`] = page(name);
    files[`${name}.js`] = `${imports(specifier)}${asked}${show}use({ IndexError, Tensor, init }, { device }).then(show, show);\n`;
    files[`${name}-worker.html`] = page(`${name}-worker`);
    files[`${name}-worker.js`] = `${show}
const worker = new Worker(new URL('./${name}-thread.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => show(data);
worker.onerror = ({ message }) => show(message);
worker.postMessage({ device: new URLSearchParams(location.search).get('device') });
`;
    files[`${name}-thread.js`] = `${imports(specifier)}
onmessage = ({ data }) => use({ IndexError, Tensor, init }, data).then(postMessage, (error) => postMessage(String(error)));
`;
  }
  return files;
}

/** Scripts for Node, as text by path. For each entry there is one with import, import() and require(); each prints its result. */
export function nodeFiles(entries) {
  const files = { 'use.js': use, 'use.cjs': useCommon };
  const write = 'use({ IndexError, Tensor, init }).then((text) => process.stdout.write(text));\n';
  for (const { name, specifier } of entries) {
    files[`${name}-import.mjs`] = imports(specifier) + write;
    files[`${name}-dynamic.cjs`] = `
Promise.all([import('${specifier}'), import('./use.js')])
  .then(([{ IndexError, Tensor, init }, { use }]) => use({ IndexError, Tensor, init }))
  .then((text) => process.stdout.write(text));
`;
    files[`${name}-require.cjs`] = `
const { IndexError, Tensor, init } = require('${specifier}');
const { use } = require('./use.cjs');
${write}`;
  }
  return files;
}

/** Tests for Jest, as text by path: for each entry `common/NAME.test.cjs` in CommonJS, and `modules/NAME.test.mjs` as an ES module. */
export function jestFiles(entries) {
  const files = { 'use.js': use, 'use.cjs': useCommon };
  const body = (specifier) => `test('${specifier}', async () => expect(await use({ IndexError, Tensor, init })).toBe('${right('cpu')}'));\n`;
  for (const { name, specifier } of entries) {
    files[`common/${name}.test.cjs`] = `const { IndexError, Tensor, init } = require('${specifier}');\nconst { use } = require('../use.cjs');\n${body(specifier)}`;
    files[`modules/${name}.test.mjs`] = imports(specifier).replace('./use.js', '../use.js') + body(specifier);
  }
  return files;
}

/**
 * The files of a page that imports an entry's script by a URL made of its text: `blob:…`, which has no folder beside it. The page's address
 * names the entry: `inline`; `file`, the usual one, told where its binary is; or `alone`, the usual one, not told.
 */
export function blobPage() {
  const script = `import { use } from './use.js';
${asked}${show}
const at = (name) => new URL('./node_modules/scatterwise/' + name, location.href);
const moved = async (name) => import(URL.createObjectURL(new Blob([await (await fetch(at(name))).text()], { type: 'text/javascript' })));
const wanted = new URLSearchParams(location.search).get('entry');
const lib = await moved(wanted === 'inline' ? 'inline.js' : 'index.js');
const options = { file: { device, wasm: at('scatterwise_simd.wasm') } }[wanted] ?? { device };
use(lib, options).then(show, show);
`;
  return { 'use.js': use, 'blob.html': page('blob'), 'blob.js': script };
}

/** For each entry, a module that renders a page on a server, where nothing is started, and a script that takes it over in the browser. */
export function renderedFiles(entries) {
  const files = { 'use.js': use };
  for (const { name, specifier } of entries) {
    files[`${name}-page.js`] = `${imports(specifier)}
export const render = () => '<output>' + (typeof Tensor.zeros === 'function' ? 'waiting' : 'broken') + '</output>';
export const run = (options) => use({ IndexError, Tensor, init }, options);
`;
    files[`${name}-client.js`] = `import { run } from './${name}-page.js';\n${asked}${show}
if (document.querySelector('output').textContent !== 'waiting') show('the server rendered something else');
else run({ device }).then(show, show);
`;
  }
  return files;
}

/** The page as a server sends it: `body`, what was rendered, and the script that takes it over. */
export const renderedPage = (body, script) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <title>Rendered</title>
  <link rel="icon" href="data:," />
  ${body}
  <script type="module" src="${script}"></script>
</html>
`;
