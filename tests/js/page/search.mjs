// The search and the documents: what a visitor looks for is found, in the page's language, by keyboard alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';

/** Opens the search by its key, types the words, and returns the addresses of the pages that are found. */
async function find(page, words) {
  await page.keyboard.press('/');
  const field = page.locator('#search-dialog input');
  await field.waitFor();
  await page.waitForFunction(() => document.activeElement?.matches('#search-dialog input'));
  await field.fill(words);
  await page.locator('.pagefind-ui__result-link').first().waitFor();
  return page.$$eval('.pagefind-ui__result-link', (links) => links.map((link) => link.href));
}

export function testSearch({ open, address }) {
  for (const [path, words, expected] of [
    ['index.html', 'cross entropy', /\/(recipes|migrating)\.html/],
    ['gather.html', 'npz archive', /\/files\.html/],
    ['decisions.html', 'on WebGPU float64', /\/(dtypes|numerics)\.html/],
    ['zh/index.html', '直方图', /\/zh\//],
  ]) {
    test(`the search finds ${words} from ${path}`, async () => {
      const { page, problems, close } = await open(path);
      const found = await find(page, words);
      assert.ok(found.some((link) => expected.test(link)), found.join(' '));
      await page.keyboard.press('Tab'); // the button that clears the field
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.href.split('#')[0] === found[0].split('#')[0]);
      assert.ok(found[0].startsWith(address()));
      await page.locator('h1').waitFor();
      assert.deepEqual(problems, []);
      await close();
    });
  }

  test('the search closes by Escape, leaves the key to fields, and says where it is missing', async () => {
    const { page, close } = await open('playground.html');
    await page.locator('.cm-content').click();
    await page.keyboard.type('/');
    assert.equal(await page.locator('#search-dialog').evaluate((dialog) => dialog.open), false);
    await page.route(/\/pagefind\//, (route) => route.abort());
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('The search is not there').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#search-dialog').evaluate((dialog) => dialog.open), false);
    await close();
  });

  test('the documents are pages with the links and the examples of the repository', async () => {
    const { page, problems, close } = await open('docs.html');
    await page.getByRole('link', { name: 'Recipes' }).click();
    await page.waitForURL(/\/recipes\.html$/);
    await page.locator('#block-1 .verdict.same').waitFor();
    assert.ok((await page.locator('main img').evaluateAll((images) => images.filter((image) => image.naturalWidth > 0).length)) >= 4);
    await page.getByRole('link', { name: 'INTEROP.md' }).first().click();
    await page.waitForURL(/\/interop\.html$/);
    assert.deepEqual(problems, []);
    await close();
  });
}
