// A browser and a web server for the tests. Both close cleanly: a test that forgets to close one hangs `node --test`.

import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { chromium } from 'playwright-core';
import { findChromium } from '../../tools/machine.mjs';

export { findChromium };

/**
 * Starts the system's Chromium, headless; resolves to Playwright's Browser, and throws without Chromium.
 * With `webgpu`, pages find one adapter, Chromium's own software one (SwiftShader). Without, `navigator.gpu` exists and its
 * requestAdapter() finds none, as on most machines without WebGPU, whatever GPU this machine has.
 * The environment variable SCATTERWISE_ADAPTER=hardware gives them the machine's own adapter instead.
 * With `canvas`, a page can also draw on a canvas by WebGPU: without it Chromium's GPU process crashes then, on a machine without a GPU.
 * With `keepsPages`, Chromium keeps pages that a visitor may come back to, which Playwright forbids by default.
 */
export function launch({ webgpu, canvas = false, keepsPages = false }) {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium or Chrome on this machine: `npm test` says how to get one.');
  return chromium.launch({
    executablePath,
    ignoreDefaultArgs: keepsPages ? ['--disable-back-forward-cache'] : undefined,
    args: [`--disable-features=${disabled.join()}`, ...(webgpu ? adapter : ['--disable-gpu']), ...(canvas ? software.canvas : [])],
  });
}

/**
 * Features that Chromium runs without. The first two are pages behind the address bar: every window loads them, which takes as long as a
 * page of the site. The rest is Playwright's list without its entries for Windows and Edge: a command line holds one list, and this one
 * replaces Playwright's.
 */
const disabled = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose'],
  ...['HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints'],
  ...['PaintHolding', 'PreconnectToSearch', 'ThirdPartyStoragePartitioning'],
];

/** Flags by which Chromium computes (`webgpu`) and draws (`canvas`) in software. */
const software = {
  // SwiftShader writes out the zeros of workgroup memory one by one where Dawn leaves them to Vulkan: a pipeline with three arrays of
  // 1,024 numbers takes 1.4 s to compile that way, and 0.15 s where Dawn's own loop writes them. webdriver.json has the same flags.
  webgpu: [
    '--enable-unsafe-webgpu',
    '--use-webgpu-adapter=swiftshader',
    '--disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension',
  ],
  canvas: ['--use-gl=angle', '--use-angle=swiftshader', '--use-vulkan=swiftshader', '--enable-features=Vulkan', '--ignore-gpu-blocklist'],
};

/** Flags by which Chromium finds the machine's own adapter: on Linux it needs Vulkan without a window. */
const hardware = ['--enable-unsafe-webgpu', ...(process.platform === 'linux' ? ['--enable-features=Vulkan', '--use-angle=vulkan', '--use-vulkan=native', '--disable-vulkan-surface'] : [])];
const adapter = process.env.SCATTERWISE_ADAPTER === 'hardware' ? hardware : software.webgpu;

/** The folder of target/ from which pages get the package: `npm`, which `npm run package` writes, or `npm-dev`, which `npm start` writes. */
const packageFolder = process.env.SCATTERWISE_PACKAGE ?? 'npm';

const mimeTypes = {
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/**
 * Serves the files under `folder` on a free port of this machine. `headers`, by name, are on every answer. With `keeps`, a file is read
 * from the disk for its first request only, and answered from memory after that. Files under `/target/npm/` come from the folder of the
 * package under test (`packageFolder`). `texts`, by path, are answered in the place of files. Resolves to `{ url, close() }`: `url` ends with
 * a slash, and `close()` resolves when the port is free.
 */
export async function serve(folder, { headers = {}, keeps = false, texts = {} } = {}) {
  const top = resolve(folder);
  const kept = new Map();
  const server = createServer(async (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    try {
      const { pathname } = new URL(request.url, 'http://localhost');
      const file = decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
      if (texts[file] !== undefined) {
        response.setHeader('content-type', mimeTypes[extname(file)]);
        return response.end(texts[file]);
      }
      const path = join(top, file.replace(/^\/target\/npm\//, `/target/${packageFolder}/`));
      // `..` in an address must not lead out of the folder.
      if (!path.startsWith(top + sep) || !(kept.has(path) || (await stat(path)).isFile())) throw new Error('not a file here');
      response.setHeader('content-type', mimeTypes[extname(path)] ?? 'application/octet-stream');
      if (!keeps) return await pipeline(createReadStream(path), response);
      if (!kept.has(path)) kept.set(path, await readFile(path));
      response.end(kept.get(path));
    } catch {
      // The connection may also break in the middle of a file, when the answer has begun.
      if (!response.headersSent) response.writeHead(404);
      response.end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.closeAllConnections(); // the browser keeps its connections alive
      return new Promise((done) => server.close(done));
    },
  };
}
