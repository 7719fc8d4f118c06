// `npm run site`: builds the package and from it the site, in www/dist. Any static host serves it, from any folder.

import { installPeers } from './setup.mjs';
import { main, run } from './shell.mjs';

await main(async () => {
  await run(process.execPath, ['tools/package.mjs', '--timing']);
  await installPeers();
  await run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'www']);
});
