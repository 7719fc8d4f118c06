// `node benches/gpu-day/report.mjs [day.json]`: prints the page and the row of docs/ADAPTERS.md that a day with a GPU makes.
//   --write         writes docs/performance/ADAPTER.md and the row
//   --name m3-max   the name of the file, if the adapter's own is not good

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { main, root, Trouble } from '../../tools/shell.mjs';
import { adapterOf, pageOf, rowOf, slug, withRow } from './page.mjs';

await main(async () => {
  const options = { write: { type: 'boolean', default: false }, name: { type: 'string' } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const file = positionals[0] ?? join(root, 'target', 'gpu-day', 'day.json');
  const day = JSON.parse(await readFile(file, 'utf8').catch(() => { throw new Trouble(`There is no ${file}: \`node benches/gpu-day/run.mjs\` writes it.`); }));
  const adapter = adapterOf(day);
  if (!adapter) throw new Trouble('No step has named the adapter: the native benchmark did not run.');
  if (!values.write) return console.log(`${pageOf(day)}\nThe row of docs/ADAPTERS.md:\n${rowOf(day)}`);

  const page = join(root, 'docs', 'performance', `${slug(values.name ?? adapter.name)}.md`);
  const isOurs = !existsSync(page) || (await readFile(page, 'utf8')).includes('`node benches/gpu-day/report.mjs` writes this page.');
  if (!isOurs) throw new Trouble(`${page} was written by hand: give another name (--name ${slug(adapter.name)}-day).`);
  await writeFile(page, pageOf(day));
  const adapters = join(root, 'docs', 'ADAPTERS.md');
  await writeFile(adapters, withRow(await readFile(adapters, 'utf8'), rowOf(day)));
  console.log(`${page}\n${adapters}\nName the page in docs/PERFORMANCE.md, and say there what it shows.`);
});
