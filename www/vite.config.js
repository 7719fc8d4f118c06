import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { apiReference } from './build/api-plugin.js';
import { budget } from './build/budget.js';
import { flightColumns } from './build/flights-plugin.js';
import { millionFlights } from './build/million-plugin.js';
import { flightRoutes } from './build/routes-plugin.js';
import { OF_MODULES, notices } from './build/notices-plugin.js';
import { offline } from './build/offline-plugin.js';
import { isolation } from './build/isolation-plugin.js';
import { inputs, sitePages } from './build/pages-plugin.js';
import { peers } from './build/peers-plugin.js';
import { searchIndex } from './build/search-plugin.js';
import { sandboxedWorker } from './build/sandbox-plugin.js';

/** The absolute path of a file or folder that is named relative to this one. */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The package as a user would install it, from `npm run package`; or the one that `npm start` builds, in npm-dev. */
const scatterwise = here(`../target/${process.env.SCATTERWISE_PACKAGE ?? 'npm'}/scatterwise`);

export default defineConfig({
  root: here('.'),
  base: './', // the built site works from any folder of any static host
  appType: 'mpa',
  resolve: {
    alias: [
      { find: /^scatterwise$/, replacement: `${scatterwise}/index.js` },
      { find: /^scatterwise\/timing$/, replacement: `${scatterwise}/../timing.js` }, // no part of the package
      { find: /^scatterwise\//, replacement: `${scatterwise}/` },
      { find: /^(?:\.\.\/)+target\/npm\/scatterwise\//, replacement: `${scatterwise}/` }, // as tests/js/web/examples.js imports it
    ],
  },
  plugins: [
    isolation(),
    sitePages(),
    flightColumns(),
    flightRoutes(),
    millionFlights(),
    peers(),
    searchIndex(),
    notices(),
    offline(),
    apiReference(),
    sandboxedWorker(scatterwise),
    budget(),
  ],
  worker: { format: 'es' },
  define: { HAS_THREADS: JSON.stringify(existsSync(`${scatterwise}/threads.js`)) }, // the package of `npm start` has none
  server: {
    fs: { allow: ['..'] }, // the package and the npm packages lie outside www/
    warmup: { clientFiles: ['./src/pages/*.js', './src/playground/playground.js'] }, // else the first visitor waits until TypeDoc has read the types
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    license: { fileName: OF_MODULES },
    modulePreload: { polyfill: false },
    rolldownOptions: { input: inputs },
  },
});
