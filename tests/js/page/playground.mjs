// The free playground: code in a worker, on one device or both, with a way to stop it and a link that brings it back.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { asHtml, asModule } from '../../../www/src/playground/takeaway.js';
import { pack, unpack } from '../../../www/src/shared/address.js';

/** Waits until the playground is there and no code runs in it. */
const finished = (page) => page.locator('.workbench[aria-busy="false"] .run[aria-busy="false"]').first().waitFor();

/** Types code in place of that in the editor. */
async function write(page, code) {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(code);
}

/** Types code, runs it, and waits until it has run. */
async function runCode(page, code) {
  await write(page, code);
  await page.keyboard.press('ControlOrMeta+Enter');
  await finished(page);
}

/** The text of each output, with single blanks. */
const outputs = (page) =>
  page.$$eval('.run .output', (all) => all.map((output) => output.innerText.replace(/\s+/g, ' ').trim()));

export function testPlayground({ open }) {
  test('the playground shows each value, what is logged and what fails', async () => {
    const { page, problems, close } = await open('playground.html');
    await finished(page);
    await runCode(
      page,
      "import init, { Tensor } from 'scatterwise';\nawait init();\n1 + 1;\nconsole.log('a', [1n]);\nshow(new Tensor([7]));\nconst t = new Tensor([1, 2]);\nt.mul_(3);\nt.mul_(2);",
    );
    const shown = await outputs(page);
    assert.deepEqual(shown.slice(0, 2), ['line 3: 2', 'a [1n]']);
    assert.match(shown[2], /7$/);
    assert.match(shown[3], /^line 7:.*3 6$/);
    assert.match(shown[4], /^line 8:.*6 12$/);
    await runCode(page, "import start, { Tensor as T } from 'scatterwise';\nimport * as all from 'scatterwise/cpu';\n[start === all.init, T === all.Tensor];");
    assert.deepEqual(await outputs(page), ['line 3: [true, true]']);
    await runCode(page, "import { chunk } from 'lodash';");
    assert.match(await page.locator('.failure').innerText(), /'lodash' cannot be imported here/);
    await runCode(page, 'new Tensor([1]).gather(0, [4]);');
    assert.match(await page.locator('.failure').innerText(), /IndexError.*position\s+\[0\].*value\s+4/s);
    await runCode(page, 'const broken = [');
    assert.match(await page.locator('.failure').innerText(), /SyntaxError/);
    await runCode(page, 'const quiet = 1;');
    assert.match(await page.locator('.run').innerText(), /showed nothing/);
    assert.deepEqual(problems, []);
    await close();
  });

  test('what was written and not run is there after a reload', async () => {
    const { page, problems, close } = await open('playground.html');
    await finished(page);
    const before = await page.evaluate(() => location.hash);
    await write(page, '2 + 3;');
    await page.getByText('The code was edited since this run.').waitFor();
    await page.waitForFunction((before) => location.hash !== before, before);
    await page.reload();
    await finished(page);
    assert.deepEqual(await outputs(page), ['line 1: 5']);
    assert.deepEqual(problems, []);
    await close();
  });

  test('an endless loop can be stopped, and stops by itself at its limit', async () => {
    const { page, problems, close } = await open('playground.html');
    await finished(page);
    await write(page, "console.log('before');\nawait null;\nfor (;;) {}");
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByText('before', { exact: true }).last().waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('stopped by you').waitFor();
    await page.getByLabel('Time limit').selectOption('2');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('stopped at the time limit').waitFor();
    await runCode(page, '6 * 7;');
    assert.deepEqual(await outputs(page), ['line 1: 42']);
    assert.deepEqual(problems, []);
    await close();
  });

  test('the playground stays alive while code logs without end, and says how much it left out', async () => {
    const { page, problems, close } = await open('playground.html');
    await finished(page);
    await write(page, 'for (let i = 0; i < 2e4; i += 1) console.log(i);');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByText('19,500 more outputs are not shown.').waitFor({ timeout: 20_000 });
    assert.equal(await page.locator('.run .output').count(), 500);
    assert.deepEqual(problems, []);
    await close();
  });

  test('code runs with names of its own and all of a console, and its objects are printed', async () => {
    const { page, problems, close } = await open('playground.html');
    await finished(page);
    await runCode(
      page,
      `const histogram = [1, 2];
let trace = histogram.length;
console.time('work');
console.timeEnd('work');
console.assert(true);
console.debug('seen');
const ring = { name: 'ring' };
ring.self = ring;
console.log(ring);
console.log(IndexPlan.along([4], 0, [1, 2]), new Map([['a', new Set([1, 2])]]), { at: new Float32Array(2) });
trace;
return 'returned'; // the last line`,
    );
    assert.deepEqual(await outputs(page), [
      'seen',
      "{ name: 'ring', self: { name: 'ring', self: { name: 'ring', self: { name: 'ring', self: { name: 'ring', self: … } } } } }",
      "IndexPlan Map(1) { 'a' => Set(2) { 1, 2 } } { at: Float32Array(2) [0, 0] }",
      'line 11: 2',
      'returned',
    ]);
    assert.deepEqual(problems, []);
    await close();
  });

  test('fingers have a row of signs', async () => {
    const { page, problems, close } = await open('playground.html', { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
    await finished(page);
    await write(page, 'new Tensor(');
    for (const sign of ['[', ']', ')']) await page.getByRole('button', { name: `Insert ${sign}`, exact: true }).tap();
    assert.equal(await page.locator('.cm-content').innerText(), 'new Tensor([])');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    const top = async (part) => (await page.locator(part).boundingBox()).y;
    assert.ok((await top('.results')) < (await top('.taking')), 'what the code made comes before what one can take away');
    assert.deepEqual(problems, []);
    await close();
  });

  test('code runs where it reaches neither this site nor the network', async () => {
    const { page, problems, close } = await open('playground.html');
    await finished(page);
    await write(
      page,
      `const attempts = {
  network: () => fetch('${page.url()}'),
  elsewhere: () => fetch('https://example.com/'),
  socket: () => new Promise((done, fail) => { const s = new WebSocket('wss://example.com/'); s.onopen = done; s.onerror = fail; }),
  module: () => import('${page.url()}'),
  script: () => importScripts('${page.url()}'),
  caches: () => caches.open('scatterwise'),
  database: () => new Promise((done, fail) => { const asked = indexedDB.open('x'); asked.onsuccess = done; asked.onerror = fail; }),
};
const reached = [];
for (const [name, attempt] of Object.entries(attempts)) {
  try { await attempt(); reached.push(name); } catch {}
}
console.log(origin, reached.join(' ') || 'nothing');`,
    );
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator('.run .output').first().waitFor();
    assert.deepEqual(await outputs(page), ['null nothing']);
    assert.equal(await page.locator('iframe').count(), 0, 'the frame is closed when the run ends');
    assert.deepEqual(
      problems.filter((problem) => problem.startsWith('request')),
      [],
      'the policy stops a request before it is made',
    );
    await close();
  });

  test('every start runs on both devices with the same bits, and is drawn', async () => {
    const { page, problems, close } = await open('playground.html', { webgpu: true });
    await finished(page);
    await page.locator('.writing .switch label', { hasText: 'Both' }).click();
    const looks = { scatter: 'grid', histogram: 'bars', density: 'heat', image: 'image', gradient: 'grid', segments: 'grid', error: 'grid' };
    for (const [id, look] of Object.entries(looks)) {
      await page.getByLabel('Start from').selectOption(id);
      await page
        .locator('.both .verdict')
        .waitFor({ state: 'detached' })
        .catch(() => {});
      await page.locator('.workbench[aria-busy="false"] .both .verdict').waitFor({ timeout: 60_000 });
      assert.match(await page.locator('.both .verdict').innerText(), /✓ the same bits on both devices/, id);
      assert.match(await page.locator('.both table').innerText(), /CPU\s+WebGPU\s+first run\s+[\d.,]+ ms\s+[\d.,]+ ms\s+second run\s+[\d.,]+ ms\s+[\d.,]+ ms/, id);
      assert.equal(await page.locator('.run').first().locator('.output').count(), await page.locator('.run').last().locator('.output').count(), id);
      assert.equal(await page.locator('.value-of').last().getAttribute('data-look'), look, id);
    }
    await write(page, 'const gone = 1;');
    await page.getByLabel('Start from').selectOption('error'); // once more, after an edit
    await page.locator('.writing .cm-content', { hasText: 'nothing was written' }).waitFor();
    await page.getByLabel('Start from').selectOption('histogram');
    await page.locator('.workbench[aria-busy="false"] .both .verdict').waitFor();
    assert.equal((await page.locator('svg.bars path').first().getAttribute('d')).match(/Z/g).length, 64, 'a bar for each count');
    await page.getByLabel('Look').first().selectOption('plot');
    await page.locator('svg.plot-line:not(.bars)').first().waitFor();
    assert.deepEqual(problems, []);
    await close();
  });

  test('a plot leaves out what no scale has, and a picture shows it', async () => {
    const { page, problems, close } = await open('playground.html');
    await finished(page);
    await runCode(page, 'new Tensor(Float32Array.from({ length: 700 }, (_, at) => [NaN, Infinity, -Infinity][at - 300] ?? at));');
    const path = await page.locator('svg.plot-line path').getAttribute('d');
    assert.match(path, /^(M[\d.]+,[\d.]+(L[\d.]+,[\d.]+)+){2}$/, 'two stretches of numbers');
    const places = path.match(/[\d.]+,[\d.]+/g).map((place) => place.split(',').map(Number));
    // y of the least number and of the largest: looks.js draws 200 high, with an edge of 6.
    assert.deepEqual([places[0][1], places.at(-1)[1]], [194, 6], 'the scale is that of the numbers');

    await runCode(page, 'new Tensor(Float32Array.from({ length: 1000 }, (_, at) => [-Infinity, Infinity, NaN][at] ?? at), { shape: [10, 100] });');
    const pixels = await page.locator('.painted canvas').evaluate((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return Array.from(new Uint32Array(data.buffer));
    });
    // -Infinity and NaN are painted as the least number is, which comes fourth, and Infinity as the largest, the last.
    assert.deepEqual([pixels[0], pixels[1], pixels[2]], [pixels[3], pixels.at(-1), pixels[3]]);
    assert.ok(new Set(pixels).size > 100, 'infinities do not hide the others');
    assert.deepEqual(problems, []);
    await close();
  });

  test('where the bits differ it says so', async () => {
    const { page, close } = await open('playground.html', { webgpu: true });
    await finished(page);
    await write(page, "new Tensor([backend().device === 'cpu' ? 1 : 2, 5]);");
    await page.locator('.writing .switch label', { hasText: 'Both' }).click();
    await page.locator('.both .verdict').waitFor();
    assert.match(
      await page.locator('.both .verdict').innerText(),
      /✗ The bits first differ in the output of line 1\. 1 ≠ 2/,
    );
    await runCode(page, "if (backend().device === 'cpu') show(new Tensor([1]));\n7;");
    await page.locator('.both .verdict').filter({ hasText: '✗ The outputs of the two devices differ.' }).waitFor();
    await close();
  });

  test('a link brings code and device back; the types complete and explain', async () => {
    const { page, close } = await open('playground.html');
    await finished(page);
    const code = "const word = '散布';\nnew Tensor([[1.5, -0], [3, 4]]).gather(1, [[0], [1]]); // «end»";
    await runCode(page, code);
    const { hash } = new URL(page.url());
    assert.match(hash, /^#run=[\w-]+$/);
    const visitor = await open(`playground.html${hash}`);
    await finished(visitor.page);
    assert.equal(
      await visitor.page.$$eval('.cm-line', (lines) => lines.map((line) => line.textContent).join('\n')),
      code,
    );
    assert.match((await outputs(visitor.page))[0], /1\.5.*4$/);
    await visitor.close();
    await write(page, '');
    await page.keyboard.type('const t = Tensor.zer');
    await page.locator('.cm-tooltip-autocomplete', { hasText: 'zeros' }).waitFor();
    await page.keyboard.press('Escape');
    await write(page, 'elementwise_mul');
    await page.locator('.cm-line').getByText('elementwise_mul').hover();
    await page.locator('.cm-tooltip .types', { hasText: 'Paddle' }).waitFor();
    await close();
  });

  test('a link to the playground holds a long text; where there is none it says so', async () => {
    const code = randomBytes(300_000).toString('base64'); // nothing that could be packed
    const word = await pack({ code });
    assert.ok(word.length > 300_000, `${word.length} signs`);
    assert.deepEqual(await unpack(word), { code });

    const { page, problems, close } = await open('playground.html');
    await finished(page);
    await page.evaluate(() => {
      globalThis.CompressionStream = class {
        constructor() {
          throw new Error('no room');
        }
      };
    });
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('The link could not be made: no room').waitFor();
    assert.deepEqual(problems, []);
    await close();
  });

  test('code of the playground is taken away with one import, of what it does not declare itself', () => {
    const code = 'import init, {\n  Tensor,\n} from "scatterwise";\nconst [histogram] = [gather];\nhistogram;';
    const known = ['init', 'Tensor', 'gather', 'histogram'];
    const [head, ...lines] = asModule({ code, device: 'cpu', known }).trimEnd().split('\n');
    assert.equal(head, '// after npm install with the path of the package');
    assert.deepEqual(lines.slice(0, 3), ["import { init, Tensor, gather } from 'scatterwise';", '', "await init({ device: 'cpu' });"]);
    assert.deepEqual(lines.slice(-2), ['const [histogram] = [gather];', 'await show(histogram);']);
    assert.match(lines[4], /console\.log/);
    const renamed = "import start, { Tensor as T } from 'scatterwise/cpu';\nimport * as all from 'scatterwise';\nnew T([all.gather]);";
    assert.equal(
      asModule({ code: renamed, device: 'cpu', known }).split('\n').slice(1, 3).join('\n'),
      "import { init, Tensor, gather, init as start, Tensor as T } from 'scatterwise';\nimport * as all from 'scatterwise';",
    );
    const shadows = 'class Tensor {}\nconst init = new Tensor();\nawait show(init);';
    const text = asModule({ code: shadows, device: 'cpu', known });
    assert.match(text, /^import \{ init as initOfScatterwise, Tensor as TensorOfScatterwise \} from 'scatterwise';$/m);
    assert.match(text, /^await initOfScatterwise\(/m);
    assert.match(text, /value instanceof TensorOfScatterwise /);
  });

  test('a page that is taken away shows what the playground shows', async () => {
    const { page, close } = await open('playground.html');
    const known = ['init', 'Tensor', 'gather'];
    const taken = asHtml({ code: 'const t = new Tensor([1, 2]);\nt.mul(2);', device: 'cpu', known });
    // The page's module without its import: the package is there already, by other means.
    const [, module] = /<script type="module">([^]*)<\/script>/.exec(taken);
    const shown = await page.evaluate(async (body) => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      const Tensor = class { mul() { return this; } async to() { return 'shown'; } };
      const run = Object.getPrototypeOf(async () => {}).constructor;
      await new run('init', 'Tensor', 'document', body)(async () => {}, Tensor, frame.contentDocument);
      return frame.contentDocument.body.innerText;
    }, module.replace(/^\s*import .*$/m, ''));
    assert.equal(shown, 'shown');
    await close();
  });

  test('code that does not parse is told as it was written, with its line, and results say when they are of other code', async () => {
    const { page, problems, close } = await open('playground.html');
    await finished(page);
    const results = async () => (await page.locator('.results').innerText()).replace(/\s+/g, ' ');
    await runCode(page, '1;\nfoo bar');
    assert.match(await results(), /line 2: SyntaxError Unexpected identifier/);
    await runCode(page, "import { Tenzor } from 'scatterwise';");
    assert.match(await results(), /scatterwise has no export 'Tenzor'/);
    await runCode(page, '1;\n}; 1; {');
    assert.match(await results(), /line 2: SyntaxError Unexpected token/);
    await runCode(page, "'x'.repeat(50_000);");
    assert.match(await results(), /x… \(50000\)$/);
    await write(page, '2;');
    assert.match(await results(), /The code was edited since this run\./);
    await runCode(page, '2;');
    assert.doesNotMatch(await results(), /edited/);
    assert.deepEqual(problems, []);
    await close();
  });

  test('an error names the line of the code that it comes from', async () => {
    const { page, problems, close } = await open('playground.html');
    await finished(page);
    const results = async () => (await page.locator('.results').innerText()).replace(/\s+/g, ' ');
    // Behind an import of three lines and a value that is shown, which are both written otherwise when they run.
    await runCode(page, "import {\n  Tensor,\n} from 'scatterwise';\nnew Tensor([1])\n\nTensor.zeros([2]).scatter_(0, [5], 1);");
    assert.match(await results(), /line 6: IndexError .*index\[0\] is 5/);
    const marked = () => page.$$eval('.cm-line', (lines) => lines.flatMap((line, at) => (line.matches('.cm-failed') ? [at + 1] : [])));
    assert.deepEqual(await marked(), [6]);
    await page.locator('.cm-content').press('End');
    await page.keyboard.type(' ');
    assert.deepEqual(await marked(), [], 'the mark is of the code that ran');
    await runCode(page, 'const fail = () => {\n  throw new Error("mine");\n};\nawait null;\nfail();');
    assert.match(await results(), /line 2: Error mine/);
    await runCode(page, '1;\nthrow 7;');
    assert.doesNotMatch(await results(), /line 2/);
    assert.deepEqual(problems, []);
    await close();
  });

  test('another link that is opened in the playground is followed', async () => {
    const { page, problems, close } = await open('playground.html');
    await finished(page);
    await runCode(page, '6 * 7;');
    const follow = (hash) => page.evaluate((to) => (location.hash = to), hash);
    await page.evaluate(() => (globalThis.isOld = true));
    await follow('#main');
    await page.goBack();
    assert.equal(await page.evaluate(() => globalThis.isOld), true, 'its own state is no other link');
    await follow(`#run=${await pack({ code: "'from a link';", device: '__proto__' })}`);
    await page.locator('.run .output', { hasText: 'from a link' }).waitFor();
    assert.equal(await page.locator('.writing .switch input:checked').inputValue(), 'cpu');
    assert.deepEqual(problems, []);
    await close();
  });
}
