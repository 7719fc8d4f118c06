// Cold start: the time from asking for a library to the first result, in a browser context that has nothing cached. Each library is
// started as the script of a page, and imported by an open page: the first request of a page takes longer than later ones, whatever it
// asks for. Beside the times, the bytes that were downloaded, compressed as a server would.
//
// No developer tools are attached to these pages: they would note every task and the stack behind every request. A page is told by
// its address what to load and whom to report to.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { launch, serve } from '../../../tests/js/browser.mjs';
import { site } from './setup.mjs';

/** How long a page is left alone before it loads anything: the browser is busy with making the page for longer than it takes to load. */
const rest_ms = 400;
/** How long a page may take to report. */
const patience_ms = 30_000;

/**
 * Measures the cold starts of `starts`, entries of rivals.mjs, `rounds` times, all of them in turn in each round. Resolves to `browser`, its
 * version, and `rows`, one for each start: { name, navigated, scripted, imported, files, raw, gzip, brotli }, or { name, failed }.
 * - `navigated`, `scripted`, `imported`: lists of milliseconds to the first result, one for each round: since the navigation to a page,
 *   since that page asked for its script, and since an open page asked for the script.
 * - `files`: the paths of the loaded files, and their bytes in all, raw (`raw`) and compressed.
 */
export async function measureColdStarts(starts, { rounds, webgpu = false }) {
  const browser = await launch({ webgpu });
  const server = await serve(site, { keeps: true }); // so that the disk is not measured
  const receiver = createServer().listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const pages = { url: server.url, receiver, devtools: await browser.newBrowserCDPSession() };
  const rows = starts.map(({ name, entry }) => ({ name, entry, navigated: [], scripted: [], imported: [] }));
  for (let round = 0; round <= rounds; round++) { // the first one warms up the browser, and does not count
    for (const row of rows) if (!row.failed) await startOnce(pages, row, round > 0);
  }
  const version = browser.version();
  receiver.close();
  await browser.close();
  await server.close();
  return { browser: version, rows: await Promise.all(rows.map(weigh)) };
}

/** Starts once as a page and once as an import, and adds the times to the row if they are `counted`. An error becomes `row.failed`. */
async function startOnce(pages, row, counted) {
  try {
    const page = await visit(pages, { page: `/cold/${row.entry}.html` });
    const imported = await visit(pages, { script: `/cold/${row.entry}/${row.entry}.js` });
    if (counted) {
      row.navigated.push(page.time);
      row.scripted.push(page.since);
      row.imported.push(imported.since);
    }
    row.files = page.files.map((url) => new URL(url).pathname).filter((path) => /\.(m?js|wasm)$/.test(path));
  } catch (error) {
    row.failed = String(error.message).split('\n')[0];
  }
}

/**
 * The report of a page in a browser context of its own, after it has loaded `{ page }` or imported `{ script }`: see first.js.
 * The address tells it what, and in its hash the port of the receiver.
 */
async function visit({ url, receiver, devtools }, what) {
  const { browserContextId } = await devtools.send('Target.createBrowserContext');
  try {
    const address = `${url}cold/blank.html?${new URLSearchParams({ ...what, rest_ms })}#${receiver.address().port}`;
    const [[request, response]] = await Promise.all([
      once(receiver, 'request', { signal: AbortSignal.timeout(patience_ms) }),
      devtools.send('Target.createTarget', { url: address, browserContextId }),
    ]);
    const report = JSON.parse(await text(request));
    response.end();
    if (!report.right) throw new Error(report.error ?? 'the first result is wrong');
    return report;
  } finally {
    await devtools.send('Target.disposeBrowserContext', { browserContextId });
  }
}

/** The row with the sums of its files' bytes; a row that failed as it is. */
async function weigh(row) {
  if (row.failed) return row;
  const sizes = [];
  for (const path of row.files) sizes.push(await compress(await readFile(join(site, path))));
  const sum = (kind) => sizes.reduce((total, size) => total + size[kind], 0);
  return { ...row, raw: sum('raw'), gzip: sum('gzip'), brotli: sum('brotli') };
}

/** The bytes of a file, raw and compressed. They are remembered from run to run, because 13 MB take brotli a while. */
async function compress(content) {
  const cache = join(site, '..', 'compressed', createHash('sha256').update(content).digest('hex'));
  if (existsSync(cache)) return JSON.parse(await readFile(cache, 'utf8'));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const size = { raw: content.length, gzip: gzipSync(content, { level: 9 }).length, brotli: brotliCompressSync(content, { params }).length };
  await mkdir(join(cache, '..'), { recursive: true });
  await writeFile(cache, JSON.stringify(size));
  return size;
}
