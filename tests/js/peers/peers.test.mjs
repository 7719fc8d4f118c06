// The examples beside other libraries. Not part of `npm test`: the peers take 310 MB. To run it after `npm run package`:
//   npm ci --prefix tests/js/peers --ignore-scripts && npm ci --prefix tests/js/matrix --ignore-scripts && node --test tests/js/peers/

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from '../browser.mjs';
import { missing, serveExample } from './served.mjs';

let browser;
before(async () => {
  browser = await launch({ webgpu: true });
});
after(() => browser?.close());

/** The text of each example's page on a device. */
const right = {
  tfjs: (device) => `${device}: [[31,41],[61,81]]`,
  'onnxruntime-web': (device) => `${device}: [0,0,0,6]`,
  three: (device) => `${device}: 20000 samples in 4096 points`,
};
/** Other pages of an example, which run on the CPU only, and their texts. */
const onCpu = { 'tfjs/gradient.html': '[5000,2000,7000]' };

// Tests as [example, file of its page, device, text]; no file is the main page.
const everywhere = Object.entries(right).flatMap(([name, text]) => ['cpu', 'webgpu'].map((device) => [name, '', device, text(device)]));
const alone = Object.entries(onCpu).map(([path, text]) => [...path.split('/'), 'cpu', text]);
for (const [name, file, device, text] of [...everywhere, ...alone]) {
  test(`${name} ${file}, ${device}`, { skip: missing }, async (t) => {
    const { url, close } = await serveExample(name);
    t.after(close);
    const page = await browser.newPage();
    t.after(() => page.close());
    const complaints = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    const failed = page.waitForEvent('pageerror', { timeout: 0 }).then((error) => error.message);
    await page.goto(`${url}${file}?device=${device}`);
    const shown = page
      .waitForFunction(() => document.querySelector('output')?.textContent, undefined, { timeout: 120_000 })
      .then((handle) => handle.jsonValue());
    assert.equal(await Promise.race([shown, failed]).catch(({ message }) => message), text, complaints.join('\n'));
  });
}
