// How long the linked views of the site take for one redraw, when a brush moves: the time that the page shows.
//
//   npm run package && npx vite build www && node benches/browser/redraw.mjs
//
// In headless Chromium, on the CPU and on SwiftShader. Each brush makes more moves than the page keeps times of.

import { launch, serve } from '../../tests/js/browser.mjs';
import { main, root } from '../../tools/shell.mjs';

/** Moves of a brush. The page takes the median of the newest 30. */
const MOVES = 40;
/** Bins that a brush is wide. */
const WIDTH = 12;
const brushes = ['minutes', 'delays', 'miles'];

await main(async () => {
  const server = await serve(root);
  console.log('| brush | device | one redraw, ms |\n| --- | --- | --- |');
  try {
    for (const device of ['cpu', 'webgpu']) {
      const webgpu = device === 'webgpu';
      const browser = await launch({ webgpu, canvas: webgpu });
      try {
        const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
        page.setDefaultTimeout(120_000);
        await page.goto(`${server.url}www/dist/demos.html`);
        if (webgpu) await page.locator('[data-devices] label:has(input[value="webgpu"])').first().click();
        await page.locator('#linked').scrollIntoViewIfNeeded();
        await page.locator('#linked-list tr').nth(9).waitFor();
        for (const brush of brushes) {
          const time = await page.evaluate(move, { brush, width: WIDTH, moves: MOVES });
          console.log(`| ${brush} | ${device} | ${time} |`);
        }
      } finally {
        await browser.close();
      }
    }
  } finally {
    await server.close();
  }
});

/** Runs in the page: moves a brush bin by bin, each time after the last redraw, and returns the time that the page shows. */
async function move({ brush, width, moves }) {
  const [from, to] = ['from', 'to'].map((end) => document.getElementById(`linked-${brush}-${end}`));
  const shown = document.getElementById('linked-time');
  const set = (slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  };
  /** Resolves once the page has drawn again. Each redraw writes the time, also an equal one. */
  const redrawn = () =>
    new Promise((done) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        done();
      });
      observer.observe(shown, { childList: true, characterData: true, subtree: true });
    });
  document.getElementById('linked-clear').click();
  await redrawn();
  for (let at = 0; at < moves; at += 1) {
    const next = redrawn();
    const first = at % (Number(to.max) - width);
    // The end that is moved first must not push the other one along.
    const ends = first >= Number(from.value) ? [[to, first + width], [from, first]] : [[from, first], [to, first + width]];
    for (const [slider, value] of ends) set(slider, value);
    await next;
    await new Promise((done) => setTimeout(done, 20));
  }
  return shown.textContent;
}
