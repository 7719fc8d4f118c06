// `npm run docs`: the API reference, by TypeDoc, in target/docs/api. The site has the same pages in its folder `api`.

import { join } from 'node:path';
import { readProject } from './api.mjs';
import { main, root } from './shell.mjs';

await main(async () => {
  const { app, project } = await readProject();
  await app.generateDocs(project, join(root, 'target', 'docs', 'api'));
  console.log(join('target', 'docs', 'api', 'index.html'));
});
