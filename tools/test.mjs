// `npm test`: every check of this repository. `npm test -- native types` runs the stages named, `npm test -- quick` a selection.

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Report } from './report.mjs';
import { installBrowsers, installPackages, installPeers, installRust, installWasmTools } from './setup.mjs';
import { main, Trouble } from './shell.mjs';
import { quickStages, stages } from './stages.mjs';

await main(async () => {
  if (process.platform === 'win32') throw new Trouble('npm test needs Linux or macOS: on Windows run it in WSL.');
  const names = process.argv.slice(2);
  const isQuick = names.join() === 'quick';
  const bodies = isQuick ? quickStages : stages;
  const all = Object.keys(bodies);
  const chosen = isQuick ? [] : names;
  const unknown = chosen.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Trouble(`There is no stage called ${unknown.join(', ')}; there are ${all.join(', ')}, or quick alone.`);

  const wanted = chosen.length > 0 ? chosen : all;
  // Two at a time: in most stages one thread works and the rest wait for it. With more, browsers reach their limits of time.
  const workers = Math.min(2, wanted.length, availableParallelism());
  const report = new Report({ parallel: workers > 1 });
  const ready = await report.stage('set-up', (stage) => setUp(stage, wanted, { workers, isQuick }));
  if (ready) await inTurn(wanted, workers, (name) => report.stage(name, bodies[name]));
  if (report.finish() > 0) process.exitCode = 1;
});

/** Does `work` for every item, in their order, for as many at a time as there are `workers`. */
async function inTurn(items, workers, work) {
  const waiting = items.values(); // shared by the workers: each takes the next item
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

/** Installs what the `wanted` stages need. Everything is tried before it throws the first error. */
async function setUp(stage, wanted, { workers, isQuick }) {
  const errors = [];
  /** Runs one step as a part of the stage called `run`, and keeps its error. */
  const install = async ([run, body]) => {
    const passed = async () => {
      await body();
      return { passed: 1 };
    };
    await stage.part(run, passed).catch((error) => errors.push(error));
  };
  /** The npm packages of the repository, and of folders with a lock file of their own. */
  const packages = async () => {
    await installPackages();
    if (wanted.includes('matrix')) await installPackages(join('tests', 'js', 'matrix'));
    if (wanted.includes('boundary')) await installPackages(join('tests', 'js', 'frameworks'));
    if (wanted.includes('page')) await installPeers(); // for its benchmark page
  };
  const needsBrowsers = wanted.some((name) => name !== 'lint' && name !== 'types');
  await install(['Rust', installRust]); // first: the tools are built with it
  await inTurn([['tools', installWasmTools], ['packages', packages], ...(needsBrowsers ? [['browsers', () => installBrowsers(isQuick ? ['Chromium'] : undefined)]] : [])], workers, install);
  if (errors.length > 0) throw errors[0];
}
