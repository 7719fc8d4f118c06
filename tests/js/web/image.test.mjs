// Pictures of the page: everything that can be drawn, on both devices, and pictures without readable pixels.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, serve } from '../browser.mjs';
import { say } from './web.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let server;
let elsewhere; // another origin, for pictures that a page may show and not read
let browser;
let page;
const passed = { cpu: 0, webgpu: 0 };
let ran = 0;
before(async () => {
  [server, elsewhere] = await Promise.all([serve(root), serve(root)]);
  browser = await launch({ webgpu: true });
  page = await browser.newPage();
  await page.goto(`${server.url}tests/js/package/blank.html`);
  await page.evaluate(async () => {
    const { init } = await import('/target/npm/scatterwise/index.js');
    await init({ device: 'webgpu' });
  });
});
after(async () => {
  for (const backend of ['cpu', 'webgpu']) say({ backend, adapter: backend === 'cpu' ? '' : 'SwiftShader', suite: 'images', ran, passed: passed[backend] });
  await browser?.close();
  await Promise.all([server?.close(), elsewhere?.close()]);
});

/** A test that runs the function named `run` of image.js in the page on each device, with `elsewhere.url`; `look` asserts its result. */
function row(name, run, look) {
  test(name, async () => {
    ran += 1;
    for (const device of ['cpu', 'webgpu']) {
      const found = await page.evaluate(
        async ([run, device, elsewhere]) => {
          const { set_device } = await import('/target/npm/scatterwise/index.js');
          await set_device(device);
          const images = await import('/tests/js/web/image.js');
          return images[run](elsewhere);
        },
        [run, device, elsewhere.url],
      );
      look(found, device);
      passed[device] += 1;
    }
  });
}

/** The pixels of every source: those of image.js. */
const sourcePixels = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 0, 255], [0, 255, 255, 255], [17, 34, 51, 255]];

row('every source gives its pixels', 'sources', (found, device) => {
  const names = ['ImageData', 'ImageBitmap', 'HTMLCanvasElement', 'OffscreenCanvas', 'HTMLImageElement', 'VideoFrame', 'HTMLVideoElement', 'of a frame'];
  assert.deepEqual(Object.keys(found), names);
  for (const [name, picture] of Object.entries(found)) {
    assert.deepEqual([picture.device, picture.dtype, picture.shape], [device, 'uint8', [2, 3, 4]], name);
    // A video is compressed.
    const away = picture.values.map((value, at) => Math.abs(value - sourcePixels.flat()[at]));
    assert.ok(Math.max(...away) <= (name === 'HTMLVideoElement' ? 60 : 0), `${name}: ${picture.values}`);
  }
});

row('a picture for wide screens has the same colours on the way through', 'wide', ({ original, back, values, shown, asked }) => {
  assert.deepEqual([original, back, asked], ['display-p3', 'display-p3', 'srgb']);
  assert.deepEqual([values, shown], [[200, 100, 50, 255], [200, 100, 50, 255]]);
});

row('pixels of ImageData are taken as they are, and come back so', 'translucent', ({ there, back, drawn, constructor }) => {
  assert.deepEqual(there, [200, 100, 50, 1, 10, 20, 30, 0]);
  assert.deepEqual(back, there);
  assert.equal(constructor, 'ImageData');
  assert.deepEqual(drawn.slice(3, 4), [1]);
  assert.deepEqual(drawn.slice(4), [0, 0, 0, 0], 'a canvas forgets the colour of what is invisible');
});

row('what the platform copies is not read, and has the same bytes where it is opaque', 'copies', ({ found, named, pixels, long }, device) => {
  const reads = device === 'webgpu' ? 0 : 1;
  assert.deepEqual(found, [[64, 5], [128, 64], [63, 7], [1, 300], [300, 1]].map(([width, height]) => ({ name: `${width} × ${height}`, reads, shape: [height, width, 4], isSame: true })));
  assert.deepEqual(named, { dtype: 'float32', shape: [6, 4], name: 'picture', values: pixels });
  assert.deepEqual(long, { shape: [1, 20_000, 4], reads: 1 }, 'no texture is so wide');
});

row('what has no pixels to give is a ValueError that says why', 'refused', (found) => {
  const reasons = {
    'closed bitmap': /has no pixels \(0 × 0\): it was closed or transferred/,
    'transferred bitmap': /it was closed or transferred/,
    'closed frame': /has no pixels \(0 × 0\): it was closed/,
    'canvas without width': /has no pixels \(0 × 150\): it is empty/,
    'transferred canvas': /it is empty, or was transferred/,
    'image that is not loaded': /await image\.decode\(\) first/,
    'broken image': /await image\.decode\(\) first/,
    'video that is not loaded': /wait for its event 'loadeddata'/,
    'tainted image': /crossOrigin = 'anonymous'/,
    'tainted canvas': /crossOrigin = 'anonymous'/,
  };
  assert.deepEqual(Object.keys(found), Object.keys(reasons));
  for (const [name, { error }] of Object.entries(found)) {
    assert.deepEqual([error?.name, error?.code, error?.op, error?.argument], ['ValueError', 'invalid-image', 'Tensor.from_image', 'image'], `${name}: ${JSON.stringify(error)}`);
    assert.match(error.message, reasons[name], name);
  }
});
