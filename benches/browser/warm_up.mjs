// What `warm_up` is worth: the first call of an operator on WebGPU, read back, with and without it.
//
//   npm run package && node benches/browser/warm_up.mjs
//
// On SwiftShader, each time in a fresh browser, because a browser keeps compiled shaders. Printed are medians in milliseconds.

import { launch, serve } from '../../tests/js/browser.mjs';
import { main, root } from '../../tools/shell.mjs';

const ROUNDS = 5;
/** The calls, as code, each with the name of its operator for `warm_up`. */
const calls = [
  ['src.mul(src)', 'mul'],
  ['t.scatter_add_(0, index, 1)', 'scatter_add'],
  ['t.gather(0, index)', 'gather'],
  ["t.scatter_reduce_(0, index, src, 'mean')", 'scatter_reduce'],
];

const median = (list) => list.toSorted((one, other) => one - other)[list.length >> 1];

await main(async () => {
  const server = await serve(root);
  console.log('| first call | without | after `warm_up` | ratio | `warm_up` itself |\n| --- | --- | --- | --- | --- |');
  try {
    for (const [code, op] of calls) {
      const runs = { without: [], after: [] };
      for (let round = 0; round < ROUNDS; round++) {
        runs.without.push(await inFreshBrowser(server, { code }));
        runs.after.push(await inFreshBrowser(server, { code, op }));
      }
      const medianOf = (list, key) => median(list.map((run) => run[key]));
      const [without, after, itself] = [medianOf(runs.without, 'call'), medianOf(runs.after, 'call'), medianOf(runs.after, 'warmUp')];
      console.log(`| \`${code}\` | ${without.toFixed(0)} | ${after.toFixed(0)} | ${(without / after).toFixed(1)} | ${itself.toFixed(0)} |`);
    }
  } finally {
    await server.close();
  }
});

/** What `measure` returns for `{ code, op }`, in a browser of its own. */
async function inFreshBrowser(server, what) {
  const browser = await launch({ webgpu: true });
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}tests/js/package/blank.html`);
    return await page.evaluate(measure, what);
  } finally {
    await browser.close();
  }
}

/**
 * Runs in the page, so nothing of this file can be used in it. Resolves to milliseconds: those of the call `code`, read included (`call`),
 * and of the `warm_up` of its operator `op` before it (`warmUp`). Without `op` nothing is warmed up.
 */
async function measure({ code, op }) {
  const { Tensor, init, sync, warm_up } = await import('/target/npm/scatterwise/index.js');
  await init({ device: 'webgpu' });
  const n = 100_000;
  const t = Tensor.zeros([n]);
  // Every place once, with neighbours far apart.
  const index = new Tensor(Int32Array.from({ length: n }, (_, at) => (at * 7919) % n));
  const src = new Tensor(new Float32Array(n).fill(1.5));
  await sync();
  const begun = performance.now();
  if (op) await warm_up({ ops: [op], dtypes: ['float32'] });
  const start = performance.now();
  const result = new Function('t', 'index', 'src', `return ${code};`)(t, index, src);
  await (result ?? t).data();
  return { warmUp: start - begun, call: performance.now() - start };
}
