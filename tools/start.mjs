// `npm start`: builds the library, serves the playground and opens it. `-- --port 5000 --no-open` do what they say.

import { parseArgs } from 'node:util';
import { installPeers } from './setup.mjs';
import { main, root, run } from './shell.mjs';

await main(async () => {
  const { values } = parseArgs({ options: { port: { type: 'string' }, 'no-open': { type: 'boolean', default: false } } });
  await run(process.execPath, ['tools/package.mjs', '--fast', '--timing']); // also installs what is missing
  await installPeers();
  process.env.SCATTERWISE_PACKAGE = 'npm-dev'; // read by www/vite.config.js

  const { createServer } = await import('vite'); // not at the top: it may have been installed only now
  const server = await createServer({
    root: 'www',
    server: { port: values.port && Number(values.port), open: hasDesktop() && !values['no-open'] },
  });
  await server.listen();
  console.log('\nThe playground is at');
  server.printUrls();
});

/** Whether a browser can be opened on this machine. */
function hasDesktop() {
  if (process.env.CI) return false;
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
}
