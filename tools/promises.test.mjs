// docs/PROMISES.md and the pages of docs/promises are what follows from docs/promises/results.json and the vectors.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { libraries, pagesOf, readResults } from './promises.mjs';
import { root } from './shell.mjs';

test('the pages of the promises follow from the results', async () => {
  const pages = await pagesOf();
  for (const [path, text] of Object.entries(pages)) assert.equal(readFileSync(join(root, 'docs', path), 'utf8'), text, `docs/${path}: node tools/promises.mjs --write`);
  const there = readdirSync(join(root, 'docs', 'promises')).filter((name) => name.endsWith('.md')).map((name) => `promises/${name}`);
  assert.deepEqual(there.sort(), Object.keys(pages).filter((path) => path !== 'PROMISES.md').sort());
});

test('every library was measured, with its version and a date, or the page says why not', () => {
  const results = readResults();
  for (const { id } of libraries) {
    if (results[id]?.failed) continue;
    assert.match(results[id]?.version, /^\d+\.\d+/, id);
    assert.match(results[id].date, /^\d{4}-\d\d-\d\d$/, id);
  }
});

test('this library keeps what it promises', () => {
  const results = readResults();
  for (const { id } of libraries.filter(({ group }) => group === 'scatterwise')) {
    for (const [promise, { differs, kept }] of Object.entries(results[id].promises)) {
      assert.equal(differs, 0, `${id}: ${promise}`);
      assert.ok(kept > 0 || promise === 'devices', `${id}: ${promise}`);
    }
  }
});
