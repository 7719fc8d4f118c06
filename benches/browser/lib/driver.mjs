// Opens a page for each rival and takes samples in turn: A B C A B C …, so that what disturbs the machine disturbs all.

import { launch, serve } from '../../../tests/browser.mjs';
import { site } from './setup.mjs';

const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** Opens the rivals' pages. Resolves to `{ pages, close() }`; a rival that does not start is in `pages` with `failed`. */
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
 * Runs one case on every page. Resolves to rows { rival, mode, verdict, note, lacks, failed, times } with the times of one
 * call in milliseconds, one for each round.
 */
export async function runCase(pages, spec, { rounds, sample_ms }) {
  const rows = [];
  for (const { rival, page, failed } of pages) {
    if (failed) rows.push({ rival: rival.id, failed });
    else rows.push(...(await loadCase(rival, page, spec)));
  }
  const byId = new Map(pages.map((one) => [one.rival.id, one.page]));
  for (const mode of new Set(rows.filter((row) => row.mode && !row.failed).map((row) => row.mode.split(':')[0]))) {
    const running = rows.filter((row) => row.mode?.split(':')[0] === mode && !row.failed);
    const ours = running.find((row) => row.rival === 'scatterwise')?.estimate;
    for (let round = 0; round < rounds; round++) {
      for (const row of running) {
        if (row.failed || round >= roundsFor(row, ours, rounds)) continue;
        await sample(byId.get(row.rival), row, sample_ms);
      }
    }
  }
  for (const { page, failed } of pages) if (!failed) await page.evaluate('bench.unload()').catch(() => {});
  return rows;
}

/** Those that are not near anybody need fewer rounds to tell. */
function roundsFor({ estimate }, ours, rounds) {
  if (estimate > 300) return 1;
  return estimate > 100 || estimate > 4 * ours ? Math.min(3, rounds) : rounds;
}

async function loadCase(rival, page, spec) {
  const fact = { rival: rival.id };
  try {
    const { lacks, modes } = await within(120_000, page.evaluate((given) => bench.load(given), spec));
    if (lacks) return [{ ...fact, lacks }];
    return Object.entries(modes).map(([mode, result]) => ({ ...fact, mode, ...result, times: [] }));
  } catch (error) {
    return [{ ...fact, failed: firstLine(error) }];
  }
}

async function sample(page, row, sample_ms) {
  const calls = Math.max(1, Math.min(10_000, Math.ceil(sample_ms / row.estimate)));
  try {
    row.times.push(await within(60_000, page.evaluate((given) => bench.sample(given), { mode: row.mode, calls })));
  } catch (error) {
    row.failed = firstLine(error);
  }
}

function within(milliseconds, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${milliseconds / 1000} s`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const firstLine = (error) => String(error.message ?? error).split('\n')[0].replace(/^page\.evaluate: (Error: )?/, '');
