// `npm run site`: builds the package and from it the site, in www/dist. Any static host serves it, from any folder.

import { join } from 'node:path';
import { installPackages } from './setup.mjs';
import { main, run } from './shell.mjs';

await main(async () => {
  await run(process.execPath, ['tools/package.mjs']);
  await installPackages(join('benches', 'browser')); // what the benchmark page compares with
  await run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'www']);
});
