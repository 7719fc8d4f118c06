import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { flightColumns } from './flights-plugin.js';

// The package as a user would install it: `npm run package` leaves it there.
const scatterwise = fileURLToPath(new URL('../target/npm/scatterwise/index.js', import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './', // the built page works from any folder of any static host
  resolve: { alias: { scatterwise } },
  plugins: [flightColumns()],
  server: { fs: { allow: ['..'] } }, // the package and the npm packages lie outside www/
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022' },
});
