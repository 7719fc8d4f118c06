// An example with its peers, served by Vite as its README says.

import { cpSync, existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder, root } from '../matrix/install.mjs';

const peers = join(root, 'tests/js/peers/node_modules');

/** For `skip` of a test: what is missing, or false. */
export const missing = !existsSync(peers) && 'its peers are not installed: see the top of peers.test.mjs';

/** Serves a copy of an example; `files` has more files beside it, their paths from the root by name. Resolves to `{ url, close() }`; `url` ends with a slash. */
export async function serveExample(name, files = {}) {
  const { folder, remove } = freshFolder();
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  for (const [file, path] of Object.entries(files)) cpSync(join(root, path), join(folder, file));
  // The example finds its other packages among the peers.
  for (const each of readdirSync(peers)) if (!existsSync(join(folder, 'node_modules', each))) symlinkSync(join(peers, each), join(folder, 'node_modules', each));
  const { createServer } = await import('vite');
  const server = await createServer({ root: folder, configFile: false, logLevel: 'error', server: { host: '127.0.0.1', port: 0, fs: { strict: false } } });
  await server.listen();
  const close = async () => {
    await server.close();
    remove();
  };
  return { url: server.resolvedUrls.local[0], close };
}
