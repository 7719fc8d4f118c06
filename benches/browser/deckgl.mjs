// Times of the aggregators of examples/deckgl beside deck.gl's own, in headless Chromium. Writes docs/performance/deckgl.md.
//
//   node benches/browser/deckgl.mjs           # some minutes; tests/js/peers/deckgl.test.mjs says what has to be installed and built first
//   node benches/browser/deckgl.mjs --quick   # 20,000 points, printed
//   --bins 5000,50000 --rounds 3              # fewer rows and rounds, as the page then says

import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { launch } from '../../tests/js/browser.mjs';
import { entries } from '../../tests/js/matrix/install.mjs';
import { missing, serveExample } from '../../tests/js/peers/served.mjs';
import { main, root, Trouble } from '../../tools/shell.mjs';
import { machine, measuredOn } from './lib/parts.mjs';
import { milliseconds as ms, table, writeResult } from './lib/report.mjs';

const options = { quick: { type: 'boolean' }, bins: { type: 'string', default: '500,5000,50000' }, rounds: { type: 'string', default: '7' } };
const { quick, bins, rounds: most } = parseArgs({ options }).values;

const sizes = quick ? [20_000] : [100_000, 500_000, 2_000_000];
const wantedBins = bins.split(',').map(Number);
const cases = [
  ...sizes.flatMap((count) => wantedBins.filter((wanted) => wanted < count).map((wanted) => ({ layer: 'hexagons', count, wanted }))),
  ...wantedBins.filter(() => !quick).map((wanted) => ({ layer: 'grid', count: 500_000, wanted })),
];
const steps = sizes.map((count) => ({ layer: 'hexagons', count, wanted: 5000 }));
const roundsOf = (count) => Math.min(Number(most), count >= 2_000_000 ? 5 : 7);

await main(async () => {
  if (missing) throw new Trouble(`deck.gl: ${missing}.`);
  if (!entries.some(({ name }) => name === 'deckgl')) throw new Trouble('scatterwise/deckgl is not built: see the top of tests/js/peers/deckgl.test.mjs.');
  const served = await serveExample('deckgl', { 'deckgl.js': 'tests/js/peers/deckgl.js', 'bench.js': 'benches/browser/page/deckgl.js' });
  const browser = await launch({ webgpu: false, canvas: true });
  const loads = [loadavg()[0]];
  try {
    // A page for each number of points: what one leaves to the collector is gone in the next.
    const ask = async (name, row) => {
      const page = await browser.newPage();
      page.setDefaultTimeout(0);
      try {
        await page.goto(`${served.url}?points=20000`);
        const result = await page.evaluate(async ({ name, row }) => (await import('/bench.js'))[name](row), { name, row: { ...row, rounds: roundsOf(row.count) } });
        loads.push(loadavg()[0]);
        return result;
      } finally {
        await page.close();
      }
    };
    const rows = [];
    for (const row of cases) {
      const measured = await ask('measure', row);
      if (measured.different.length > 0) throw new Trouble(`${row.layer}, ${row.count}: ${measured.different.join('; ')}`);
      rows.push(measured);
      console.log(`  ${row.layer}, ${row.count} points, ${measured.bins} bins: deck.gl ${ms(measured['deck.gl'].first)}, scatterwise ${ms(measured.scatterwise.first)}, plain ${ms(measured.plain.first)}`);
    }
    const parts = [];
    for (const row of steps) parts.push(...(await ask('measureSteps', row)));
    const text = pageOf({ rows, parts, loads, version: browser.version() });
    if (quick) console.log(text);
    else await writeResult('deckgl.md', text);
  } finally {
    await browser.close();
    await served.close();
  }
});

function number(value) {
  return value.toLocaleString('en');
}

/** Times of deck.gl, of scatterwise, of the plain twin, and how often the two go into the first. */
function timesTable(rows, step) {
  const head = ['', 'bins', 'deck.gl', 'scatterwise', 'plain', 'deck.gl ÷ scatterwise', 'deck.gl ÷ plain'];
  return table(
    head,
    rows.map((row) => {
      const [theirs, ours, plain] = ['deck.gl', 'scatterwise', 'plain'].map((by) => row[by][step]);
      return [`${row.layer}, ${number(row.count)} points`, number(row.bins), ms(theirs), ms(ours), ms(plain), (theirs / ours).toFixed(1), (theirs / plain).toFixed(1)];
    }),
  );
}

function stepsTable(parts) {
  const names = ['project', 'keys', 'group', 'sum', 'mean', 'min', 'max', 'median', 'std', 'mode', 'nunique', 'members'];
  return table(['', ...names], parts.map((row) => [`${number(row.count)} points, ${row.by}`, ...names.map((name) => ms(row[name]))]));
}

/** The whole page. Sentences about results are computed, or hold whatever the times are. */
function pageOf({ rows, parts, loads, version }) {
  const here = machine({ version });
  const ratios = (by, step) => rows.map((row) => row['deck.gl'][step] / row[by][step]);
  const range = (list) => `${Math.min(...list).toFixed(1)} to ${Math.max(...list).toFixed(1)}`;
  const between = rows.map((row) => row.scatterwise.first / row.plain.first);
  const shares = parts.map((row) => (row.project + row.keys) / (row.project + row.keys + row.group + row.sum + row.mean));
  const percent = (list) => `${Math.round(100 * Math.min(...list))} to ${Math.round(100 * Math.max(...list))} %`;
  const gzip = (file) => gzipSync(readFileSync(join(root, 'target/npm/scatterwise', file)), { level: 9 }).length;
  const weight = ((gzip('deckgl.js') + gzip('scatterwise_deckgl_simd.wasm')) / 1000).toFixed(1);
  const busy = Math.min(...loads) > here.cores ? '\n\n**This run shared its processors with others throughout.** Its ratios are of that load: measure them again on an idle machine before you quote them.' : '';
  return `# deck.gl's hexagons and grids

\`node benches/browser/deckgl.mjs\` writes this page from one run. It compares the three aggregators of [examples/deckgl](../../examples/deckgl/): deck.gl's
own \`CPUAggregator\`, one on typed keys that groups by \`group_by\`, and its twin without a library, on the same keys.

${measuredOn(here)}, deck.gl 9.4.0, luma.gl 9.4.2. No adapter: all three compute on the CPU, on the thread of the page. While it ran, the load average
over a minute was ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}; above ${here.cores} the machine was busy. Compare times of one row only.${busy}

## What it says

- On typed keys the first update takes ${range(ratios('scatterwise', 'first'))} times less than in deck.gl by scatterwise, and ${range(ratios('plain', 'first'))} times less by the
  plain loops. After a new radius it is ${range(ratios('scatterwise', 'resized'))} and ${range(ratios('plain', 'resized'))} times.
- **The library is not what makes it fast.** The twin takes from ${(1 / Math.max(...between)).toFixed(2)} to ${(1 / Math.min(...between)).toFixed(2)} of our time. The speed is that of integer keys in place of a \`Map\` of
  strings, and of columns in place of a call for each point. That needs no dependency: [keys.js](../../examples/deckgl/keys.js) and
  [plain.js](../../examples/deckgl/plain.js) are all of it, and deck.gl or kepler.gl could take them as they are.
- Of what is left, projecting and making keys is ${percent(shares)} of an update with a sum and a mean. Neither the library nor the twin touches that.
- Bins, counts and members are deck.gl's in every row; sums and means are equal or one float32 unit beside. The run stops where they are not.

## What the library adds

- Missing values: NaN are skipped, in sums and means too, by one option. In deck.gl one NaN makes the sum of its bin NaN.
- Sums and means are exact and rounded once: the same bits in any order of the points, in a worker and on a GPU. deck.gl's add in the order of the
  points.
- Codes are checked before they are used; members, counts, first and last rows, extremes and their rows come from the same groups, one call each.
- Medians, deviations, modes and distinct counts of bins are one call each, as the sum is. kepler.gl has these; there, each is a function of deck.gl's
  \`getColorValue\`, with an array of members for each bin. The twin sorts the values of each bin for them; the table of steps has both.
- It weighs ${weight} KB after gzip, in a [build of one's own](../ENTRIES.md#a-build-of-your-own) with \`group_by\` and what it needs. The twin weighs nothing.

## First update

Milliseconds of \`update()\`, with a sum and a mean: the points are new, so they are projected.

${timesTable(rows, 'first')}

## A new radius

The same points: ours and the twin keep them projected.

${timesTable(rows, 'resized')}

## The steps

Hexagons, about 5,000 bins. *project* and *keys* are the same code for both. *members*: the first bin that is picked, after any of the above. deck.gl has
made the members already then.

${stepsTable(parts)}

## Method

Points lie around twelve places, from a fixed seed: \`examples/deckgl/points.js\`. The size of the bins is sought so that they are about ${wantedBins.map(number).join(', ')}.
Each row has a page of its own. In it the three take turns, each with a new aggregator; times are medians of ${roundsOf(0)} rounds (${roundsOf(2e6)} at 2,000,000 points), after one that
does not count. Nothing is drawn meanwhile: the time of drawing is the same for all three. All bins, members and results of the last round are
compared. The first table has what a page waits for when its data arrive, the second what it waits for when somebody drags a slider.
`;
}
