// After the first visit the site needs no network.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settle } from './context.mjs';

export function testOffline({ open }) {
  test('a second visit needs no network, on pages not seen before too', async () => {
    const { page, problems, close } = await open('index.html', { serviceWorkers: 'allow' });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    const kept = await page.evaluate(async () => {
      const caches = await Promise.all((await self.caches.keys()).map((name) => self.caches.open(name)));
      return (await Promise.all(caches.map((cache) => cache.keys()))).flat().map(({ url }) => url);
    });
    assert.ok(kept.length > 40);
    assert.deepEqual(kept.filter((url) => /ort-wasm|tfjs|jax|onnx/.test(url) && !url.endsWith('.html')), [], 'what is compared with is not kept');
    await page.context().setOffline(true);
    await page.goto(new URL('zh/scatter_.html', page.url()).href);
    await settle(page);
    assert.equal(await page.locator('.lab-body').count() > 0, true);
    await page.goto(new URL('../demos.html', page.url()).href);
    await page.locator('#density').scrollIntoViewIfNeeded();
    await page.locator('#density-count').filter({ hasText: /^1,000,000$/ }).waitFor();
    assert.deepEqual(problems, []);
    await close();
  });
}
