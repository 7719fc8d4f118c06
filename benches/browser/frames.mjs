// How a page draws while a long scatter runs on WebGPU: the time between its frames, beside that of an idle page.
//
//   npm run package && node benches/browser/frames.mjs
//
// On SwiftShader, which has no GPU of its own and shares the processors with the page. Printed are milliseconds.

import { launch, serve } from '../../tests/js/browser.mjs';
import { main, root } from '../../tools/shell.mjs';

/** The numbers of updates, and of the slots that they are added to. */
const calls = [
  [1 << 18, 1 << 18],
  [1 << 20, 1 << 20],
  [1 << 20, 256],
];

await main(async () => {
  const browser = await launch({ webgpu: true });
  const server = await serve(root);
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}tests/js/package/blank.html`);
    const rows = await page.evaluate(measure, calls);
    console.log('| | took | frames | between frames: median | 19 of 20 below | longest |\n| --- | --- | --- | --- | --- | --- |');
    for (const { name, took, frames, gaps } of rows) {
      const quantile = (part) => gaps[Math.min(Math.floor(part * gaps.length), gaps.length - 1)].toFixed(0);
      console.log(`| ${name} | ${took.toFixed(0)} | ${frames} | ${quantile(0.5)} | ${quantile(0.95)} | ${quantile(1)} |`);
    }
  } finally {
    await browser.close();
    await server.close();
  }
});

/**
 * Runs in the page, so nothing of this file can be used in it. Resolves to a row { name, took, frames, gaps } for an idle page and for each of
 * the calls: how long it took, how many frames were drawn meanwhile, and the times between them, sorted, all in milliseconds.
 */
async function measure(calls) {
  const { Tensor, init } = await import('/target/npm/scatterwise/index.js');
  await init({ device: 'webgpu' });

  /** The row of a piece of work, by this name. `work` returns a promise, which is done when the work is. */
  async function framesDuring(name, work) {
    const frames = [];
    let isOver = false;
    const frame = () => {
      frames.push(performance.now());
      if (!isOver) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const start = performance.now();
    await work();
    const end = performance.now();
    isOver = true;
    const times = [start, ...frames, end]; // what passes before the first frame and after the last one counts too
    const gaps = times.slice(1).map((time, at) => time - times[at]);
    return { name, took: end - start, frames: frames.length, gaps: gaps.sort((one, other) => one - other) };
  }

  const rows = [await framesDuring('nothing', () => new Promise((done) => setTimeout(done, 2000)))];
  for (const [updates, slots] of calls) {
    const table = Tensor.zeros([slots]);
    // Every slot is named as often, as 7919 is a prime that does not divide their number; neighbours are far apart.
    const index = new Tensor(Int32Array.from({ length: updates }, (_, at) => (at * 7919) % slots));
    const src = new Tensor(new Float32Array(updates).fill(1));
    const call = async () => {
      table.scatter_add_(0, index, src);
      await table.data();
    };
    await call(); // compiles
    rows.push(await framesDuring(`float32 sums, ${updates} updates of ${slots} slots`, call));
  }
  return rows;
}
