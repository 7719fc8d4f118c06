// `npm run bench`: compares this library with others in headless Chromium and writes the results into docs/performance.
//   npm run bench                 everything: cpu, threads, groups, gpu and cold starts in the browser; native, programs and counts, without one
//   npm run bench -- cpu          one part
//   npm run bench -- --quick      one size, fewer rounds: to try something out; writes nothing
//   npm run bench -- --only rows  the workloads whose ids have this in them; implies --quick
//   npm run bench -- --smoke      does it still run? Small sizes, no peers; writes nothing
//   npm run bench -- --no-build   the package as it is
//   npm run bench -- gpu --quick --size full --minutes 2 --rivals scatterwise,tfjs-webgpu
//                                 these rivals alone, at this size, for at most so long
//   npm run bench -- gpu --set-up only builds the pages; --no-set-up takes those that were built

import { parseArgs } from 'node:util';
import { main, run, Trouble } from '../../tools/shell.mjs';
import { benchCounts } from './lib/counts.mjs';
import { benchGroups, groupRivals } from './lib/groups.mjs';
import { benchCold, benchCpu, benchGpu, benchNative } from './lib/parts.mjs';
import { benchPrograms } from './lib/programs.mjs';
import { cpuRivals, cpuStarts, gpuRivals, gpuStarts } from './lib/rivals.mjs';
import { readVersions, setUp } from './lib/setup.mjs';
import { benchThreads, rivalsWithThreads } from './lib/threads.mjs';

const parts = { cpu: benchCpu, threads: benchThreads, groups: benchGroups, gpu: benchGpu, cold: benchCold, native: benchNative, programs: benchPrograms, counts: benchCounts };

await main(async () => {
  const flag = { type: 'boolean', default: false };
  const texts = Object.fromEntries(['only', 'rivals', 'size', 'minutes'].map((name) => [name, { type: 'string' }]));
  const { values, positionals } = parseArgs({ options: { quick: flag, smoke: flag, 'no-build': flag, 'set-up': flag, 'no-set-up': flag, ...texts }, allowPositionals: true });
  const unknown = positionals.filter((name) => !parts[name]);
  if (unknown.length > 0) throw new Trouble(`There is no part called ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`);
  const wanted = values.smoke ? ['cpu'] : positionals.length > 0 ? positionals : Object.keys(parts);

  const lists = { cpu: cpuRivals, threads: rivalsWithThreads, groups: groupRivals, gpu: gpuRivals };
  let rivals = wanted.flatMap((part) => lists[part] ?? []);
  let starts = wanted.includes('cold') || values.smoke ? [...cpuStarts, ...gpuStarts] : [];
  if (values.smoke) {
    // Those that need no other library and no crate.
    rivals = rivals.filter(({ id }) => ['scatterwise', 'javascript'].includes(id));
    starts = starts.filter(({ entry }) => ['scatterwise', 'javascript'].includes(entry));
  }
  if (values.rivals) rivals = rivals.filter(({ id }) => values.rivals.split(',').includes(id));
  if (values.only || values.rivals) values.quick = true; // a quick run writes nothing: results of a part would replace those of the whole
  if (values['no-set-up']) console.log('The pages as they were built.');
  else if (rivals.length + starts.length > 0) await setUp(rivals, starts, { peers: !values.smoke, build: !values['no-build'] });
  else if (wanted.includes('programs') && !values['no-build']) await run(process.execPath, ['tools/package.mjs']);
  if (values['set-up']) return;
  const options = { ...values, rivals, starts, versions: values.smoke ? {} : await readVersions(rivals) };
  for (const part of wanted) {
    const begin = Date.now();
    await parts[part](options);
    console.log(`${part}: ${Math.round((Date.now() - begin) / 1000)} s`);
  }
});
