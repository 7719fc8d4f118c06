// Opens a page for each rival and takes samples in turn: A B C A B C …, so that what disturbs the machine disturbs all.

import { fileURLToPath } from 'node:url';
import { launch, serve } from '../../../tests/js/browser.mjs';
import { site } from './setup.mjs';

/** The headers of cross-origin isolation, without which a page may not use threads. */
const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/**
 * Opens the rivals' pages. Resolves to `{ browser, version, pages, close() }`. A page is { rival, page, facts, noise }: its facts about itself,
 * and a list of the errors that it has logged. A rival that does not start is { rival, failed, noise }.
 */
export async function openPages(rivals, { webgpu = false } = {}) {
  const browser = await launch({ webgpu });
  const servers = { plain: await serve(site), isolated: await serve(site, { headers: isolation }) };
  const pages = [];
  for (const rival of rivals) pages.push(await openPage(browser, servers, rival));
  return {
    browser,
    pages,
    version: browser.version(),
    async close() {
      await browser.close();
      await Promise.all(Object.values(servers).map((server) => server.close()));
    },
  };
}

/**
 * Opens a page that tells whether `count` processors are free. Resolves to `{ isFree, seen }`: `isFree()` resolves to whether so many loops that run
 * together take at most `most` times as long as one alone (see page/probe.js), and `seen` has how often it did, and how often it was asked.
 */
export async function openProbe(browser, count, most = 1.15) {
  const page = await (await browser.newContext()).newPage();
  await page.addScriptTag({ path: fileURLToPath(new URL('../page/probe.js', import.meta.url)) });
  const seen = { free: 0, asked: 0 };
  const isFree = async () => {
    const isSo = (await page.evaluate((count) => probe(count), count)) <= most;
    seen.asked++;
    if (isSo) seen.free++;
    return isSo;
  };
  return { isFree, seen };
}

/** Opens one rival's page, in a browser context of its own. Resolves to a page as `openPages` has them. */
async function openPage(browser, servers, rival) {
  const page = await (await browser.newContext()).newPage();
  const noise = [];
  page.on('pageerror', (error) => noise.push(String(error)));
  page.on('console', (line) => line.type() === 'error' && noise.push(line.text()));
  const { url } = servers[rival.isolated ? 'isolated' : 'plain'];
  try {
    await page.goto(`${url}rivals/` + rival.entry.replace(/\.js$/, '.html') + (rival.query ?? ''));
    await page.waitForFunction('globalThis.bench', undefined, { timeout: 30_000 });
    const facts = await within(60_000, page.evaluate('bench.start()'));
    return { rival, page, facts, noise };
  } catch (error) {
    console.log(`  ${rival.name} does not start: ${error.message}`);
    return { rival, failed: `does not start: ${firstLine(error)}`, noise };
  }
}

/**
 * Runs one case on every page. `spec` says which: { id, size, dtype, oneSlot, modes, warm }, as the harness takes it. Resolves to rows, one
 * for each mode of each rival: { rival, mode, verdict, note, estimate, times }. `estimate` is the milliseconds of a call while warming
 * up; `times` has those of a call in each round, from samples of some `sample_ms`. Instead of times a row may have `lacks`, `failed` or
 * `slow`, each a reason. With `patience`, the milliseconds that a call may take, what takes much longer is `slow` and not sampled, and what
 * `tooSlow(id, spec)` gives a reason for, with the id of a rival, is not even tried. With `isFree`, which resolves to whether the machine has
 * processors to spare, a round counts only if it had before and after; `tries` rounds are tried for that.
 */
export async function runCase(pages, spec, { rounds, sample_ms, patience, tooSlow, isFree, tries = rounds }) {
  const rows = [];
  for (const one of pages) {
    const slow = tooSlow?.(one.rival.id, spec);
    if (one.failed) rows.push({ rival: one.rival.id, failed: one.failed });
    else if (slow) rows.push({ rival: one.rival.id, slow });
    else rows.push(...(await loadCase(one, { ...spec, patience })));
  }
  const byId = new Map(pages.map((one) => [one.rival.id, one.page]));
  // Modes that are compared take turns: 'resident', and its limits, named 'resident: memory.copy' and so on.
  for (const mode of new Set(rows.filter((row) => row.mode && !row.failed && !row.slow).map((row) => row.mode.split(':')[0]))) {
    const running = rows.filter((row) => row.mode?.split(':')[0] === mode && !row.failed && !row.slow);
    const ours = running.find((row) => row.rival === 'scatterwise')?.estimate;
    for (let round = 0, tried = 0; round < rounds && tried < tries; tried++) {
      if (isFree && !(await isFree())) continue;
      const taking = running.filter((row) => !row.failed && round < roundsFor(row, ours, rounds));
      for (const row of taking) await sample(byId.get(row.rival), row, sample_ms);
      if (!isFree || (await isFree())) round++;
      else for (const row of taking) if (!row.failed) row.times.pop();
    }
  }
  for (const { page, failed } of pages) if (!failed) await page.evaluate('bench.unload()').catch(() => {});
  return rows;
}

/** How many of `rounds` rounds a row has, by its estimate and ours, if we have one. A slow call needs fewer, and so does one that is far slower than ours. */
function roundsFor({ estimate }, ours, rounds) {
  if (estimate > 300) return 1;
  return estimate > 100 || estimate > 4 * ours ? Math.min(3, rounds) : rounds;
}

/**
 * Loads a case in one page of `openPages`, which checks each mode. Resolves to a row for each mode, or to one row where the rival lacks
 * the workload or fails as a whole. With `patience`, a page that hangs counts as failed for all later cases.
 */
async function loadCase(one, spec) {
  const { rival, page } = one;
  const fact = { rival: rival.id };
  // Loading makes many calls: to warm up, to estimate, and two for the verdict of each mode.
  const limit = spec.patience ? 40 * spec.patience : 120_000;
  try {
    const { lacks, modes } = await within(limit, page.evaluate((given) => bench.load(given), spec));
    if (lacks) return [{ ...fact, lacks }];
    return Object.entries(modes).map(([mode, result]) => ({ ...fact, mode, ...result, times: [] }));
  } catch (error) {
    // Every later case would wait for it as long again.
    if (spec.patience && error.late) one.failed = `hung at ${spec.id}, ${spec.dtype}, ${spec.size}`;
    return [{ ...fact, failed: firstLine(error) }];
  }
}

/** Adds one time to a row: that of a call, in milliseconds, from as many calls as take some `sample_ms`. An error becomes `row.failed`. */
async function sample(page, row, sample_ms) {
  const calls = Math.max(1, Math.min(10_000, Math.ceil(sample_ms / row.estimate)));
  try {
    row.times.push(await within(60_000, page.evaluate((given) => bench.sample(given), { mode: row.mode, calls })));
  } catch (error) {
    row.failed = firstLine(error);
  }
}

/** The promise; where it takes longer, a rejection by an error that has `late`. */
function within(milliseconds, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    const error = Object.assign(new Error(`no answer in ${milliseconds / 1000} s`), { late: true });
    timer = setTimeout(() => reject(error), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** An error's message in one line, without what Playwright puts before it. */
const firstLine = (error) => String(error.message ?? error).split('\n')[0].replace(/^page\.evaluate: (Error: )?/, '');
