// Cold start: from the navigation to the first result, in a browser context that has nothing cached; and what was
// downloaded on the way, compressed as a server would.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { launch, serve } from '../../../tests/browser.mjs';
import { site } from './setup.mjs';

/** Rounds over all pages in turn. Resolves to rows { name, times, since, gzip, brotli, files } or { name, failed }. */
export async function measureColdStarts(starts, { rounds, webgpu = false }) {
  const browser = await launch({ webgpu });
  const server = await serve(site);
  const rows = starts.map(({ name, entry }) => ({ name, entry, times: [], since: [] }));
  for (let round = 0; round <= rounds; round++) {
    for (const row of rows) if (!row.failed) await startOnce(browser, server.url, row, round > 0);
  }
  await browser.close();
  await server.close();
  return Promise.all(rows.map(weigh));
}

async function startOnce(browser, url, row, counted) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const files = new Set();
    page.on('request', (request) => files.add(new URL(request.url()).pathname));
    await page.goto(`${url}cold/${row.entry}.html`);
    await page.waitForFunction('globalThis.first', undefined, { timeout: 30_000 });
    const { time, since, right } = await page.evaluate('first');
    if (!right) throw new Error('the first result is wrong');
    if (counted) {
      row.times.push(time); // the first round is the browser's own warm-up
      row.since.push(since);
    }
    row.files = [...files].filter((path) => /\.(m?js|wasm)$/.test(path));
  } catch (error) {
    row.failed = String(error.message).split('\n')[0];
  } finally {
    await context.close();
  }
}

async function weigh(row) {
  if (row.failed) return row;
  const sizes = [];
  for (const path of row.files) sizes.push(await compress(await readFile(join(site, path))));
  const sum = (kind) => sizes.reduce((total, size) => total + size[kind], 0);
  return { ...row, raw: sum('raw'), gzip: sum('gzip'), brotli: sum('brotli') };
}

/** Remembered from run to run: 13 MB take brotli a while. */
async function compress(content) {
  const cache = join(site, '..', 'compressed', createHash('sha256').update(content).digest('hex'));
  if (existsSync(cache)) return JSON.parse(await readFile(cache, 'utf8'));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const size = { raw: content.length, gzip: gzipSync(content, { level: 9 }).length, brotli: brotliCompressSync(content, { params }).length };
  await mkdir(join(cache, '..'), { recursive: true });
  await writeFile(cache, JSON.stringify(size));
  return size;
}
