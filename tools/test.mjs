// `npm test`: every check of this repository. `npm test -- native types` runs the stages named.

import { join } from 'node:path';
import { Report } from './report.mjs';
import { installBrowsers, installPackages, installPeers, installRust, installWasmTools } from './setup.mjs';
import { main, Trouble } from './shell.mjs';
import { stages } from './stages.mjs';

await main(async () => {
  if (process.platform === 'win32') throw new Trouble('npm test needs Linux or macOS: on Windows run it in WSL.');
  const all = Object.keys(stages);
  const chosen = process.argv.slice(2);
  const unknown = chosen.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Trouble(`There is no stage called ${unknown.join(', ')}; there are ${all.join(', ')}.`);

  const report = new Report();
  const wanted = chosen.length > 0 ? chosen : all;
  const ready = await report.stage('set-up', () => report.part('tools', () => setUp(wanted)));
  if (ready) for (const name of wanted) await report.stage(name, stages[name]);
  if (report.finish() > 0) process.exitCode = 1;
});

async function setUp(wanted) {
  await installPackages();
  if (wanted.includes('matrix')) await installPackages(join('tests', 'matrix'));
  if (wanted.includes('page')) await installPeers(); // for its benchmark page
  await installRust();
  await installWasmTools();
  if (wanted.some((name) => name !== 'lint' && name !== 'types')) await installBrowsers();
}
