// Every example of the operator pages, of docs/TENSOR.md, docs/FILES.md, docs/INTEROP.md, docs/RECIPES.md and of both READMEs (one is the package's) does
// what its comments say, on each device. All of them run before the test fails; a fault names file, line, and the expected and the actual result.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, serve } from '../browser.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const operators = readdirSync(`${root}/docs/operators`).filter((name) => name.endsWith('.md'));
const pages = [...operators.sort().map((name) => `docs/operators/${name}`), 'docs/TENSOR.md', 'docs/FILES.md', 'docs/INTEROP.md', 'docs/RECIPES.md', 'README.md', 'src/js/README.md'];

let server;
let browser;
before(async () => {
  server = await serve(root);
  browser = await launch({ webgpu: true });
});
after(async () => {
  await browser?.close();
  await server?.close();
});

/** The rows of the tables of MIGRATING.md as examples: the lines of its first block, then the call of this library with its result. */
function rowsAsExamples(markdown) {
  const [start] = markdown.match(/```js\n[\s\S]*?\n(?=```)/);
  const rows = [...markdown.matchAll(/^\| `(.+)` \| `(.+)` \| `(.+)` \|$/gm)];
  assert.equal(rows.length, markdown.match(/^\| `/gm).length, 'a row that is no example');
  return rows.map(([, , ours, value]) => `${start}${ours}; // → ${value}\n\`\`\`\n`);
}

/** Opens a page in which the package runs on `device`. Resolves to it and the name of its WebGPU adapter, '' on the CPU. */
async function open(t, device) {
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(`${server.url}tests/js/package/blank.html`);
  const adapter = await page.evaluate(async (device) => {
    const { init } = await import('/target/npm/scatterwise/index.js');
    const { webgpu } = await init({ device });
    return webgpu ? webgpu.description || `${webgpu.vendor} ${webgpu.architecture}` : '';
  }, device);
  return { page, adapter };
}

/**
 * Runs the examples of a text by `runExamples`. `pixels` is a name that the README's examples take as given. After "All of them begin with" a text
 * has the import line of its examples, which have no other names then.
 */
const run = (page, markdown) =>
  page.evaluate(
    async ([markdown, names]) => {
      const { runExamples } = await import('/tests/js/web/examples.js');
      return runExamples(markdown, { pixels: new Uint8Array([0, 255, 255]) }, names);
    },
    [markdown, markdown.match(/All of them begin with\s+```javascript\nimport \{ (.*) \} from/)?.[1].split(', ')],
  );

for (const device of ['cpu', 'webgpu']) {
  test(`every example does what it says, on ${device}`, async (t) => {
    const { page, adapter } = await open(t, device);
    const [faults, silent] = [[], []];
    let [ran, passed, skipped] = [0, 0, 0];
    for (const file of pages) {
      const outcome = await run(page, readFileSync(`${root}/${file}`, 'utf8'));
      ran += outcome.ran;
      passed += outcome.passed;
      skipped += outcome.skipped.length;
      if (outcome.ran === 0) silent.push(file);
      faults.push(...outcome.faults.map(({ line, expected, got }) => `${file}:${line}: expected ${expected}\n    got ${got}`));
    }
    const why = skipped > 0 ? ` (an example for the other device: ${skipped})` : '';
    const counts = `ran=${ran} passed=${passed} skipped=${skipped}${why}`;
    console.log(`scatterwise-tests: backend=${device} adapter="${adapter}" suite=docs ${counts}`);
    assert.equal(faults.length, 0, `${ran - passed} of ${ran} are wrong\n${faults.join('\n')}`);
    const none = device === 'cpu' ? ['docs/INTEROP.md'] : []; // there are no buffers to share
    assert.deepEqual(silent, none, 'pages without an example');
  });
}

for (const device of ['cpu', 'webgpu']) {
  test(`every row for those who come from another library gives what it says, on ${device}`, async (t) => {
    const { page } = await open(t, device);
    const examples = rowsAsExamples(readFileSync(`${root}/docs/MIGRATING.md`, 'utf8'));
    assert.ok(examples.length > 60);
    const faults = [];
    for (const example of examples) {
      const { passed, faults: found } = await run(page, example);
      if (passed !== 1) faults.push(`${example.split('\n').at(-3)}: ${found[0]?.got}`);
    }
    assert.deepEqual(faults, []);
  });
}

test('docs/DTYPES.md lists what WebGPU alone refuses of float64', async (t) => {
  const { page } = await open(t, 'webgpu');
  const { words, codes } = await page.evaluate(async () => {
    const { refused } = await import('/tests/js/web/refused.js');
    return refused();
  });
  const [, list] = readFileSync(`${root}/docs/DTYPES.md`, 'utf8').match(/^Refused for float64: ([^.]*)\./m);
  assert.deepEqual([...list.matchAll(/`(\w+)`/g)].map(([, word]) => word), words);
  assert.deepEqual(codes, ['unsupported-on-device']);
});

test('pages say what a call costs where its name does not', () => {
  // A plan, positions of 64 bits, a pass before the call or behind it, a read-back, an object for each step.
  const costly = ['bincount', 'binned_statistic', 'group_by', 'histogram', 'IndexPlan', 'modes', 'reduce_dims', 'scatter_reduce', 'scatter_softmax', 'segment_reduce', 'sort', 'spmm', 'trace', 'vjp'];
  const silent = costly.filter((name) => !/What (it|an? \w+) costs/.test(readFileSync(`${root}/docs/operators/${name}.md`, 'utf8')));
  assert.deepEqual(silent, []);
});

test('the recipe for three.js is part of its example', () => {
  const [, recipe] = readFileSync(`${root}/docs/RECIPES.md`, 'utf8').match(/## A tensor in three\.js[\s\S]*?```javascript\n([\s\S]*?)```/);
  const example = readFileSync(`${root}/examples/three/main.js`, 'utf8');
  for (const line of recipe.trim().split('\n')) assert.ok(example.includes(line), line);
});

test('the page of elementwise_mul lists the activations that there are', () => {
  const rows = (text, row) => [...text.matchAll(row)].map(([, name, ulps]) => `${name} ${ulps}`);
  const known = rows(readFileSync(`${root}/src/plan/activation.rs`, 'utf8'), /^ {4}\w+ = "(\w+)" => (\d+);$/gm);
  const page = readFileSync(`${root}/docs/operators/elementwise_mul.md`, 'utf8');
  assert.ok(known.length > 40);
  assert.deepEqual(rows(page, /^\| `(\w+)` \|.*\| (\d+) \|$/gm), known.sort());
});

/** Examples that are right or wrong on purpose, each with a text that its fault must contain; null if it is right. */
const planted = [
  ['Tensor.ones([2]); // → [1, 1]', null],
  ['Tensor.ones([2]); // → [1, 2]', '[1, 1]'],
  ['Tensor.ones([2]); // → [[1, 1]]', '[1, 1]'],
  ['const t = Tensor.zeros([1]); // → [-0]', '[0]'],
  ['new Tensor([0.1]); // → [0.1]', null],
  ['new Tensor([0.1], { dtype: "float64" });\n// → [0.2]', '[0.1]'],
  ['new Tensor([0.5]); // ≈ [0.5000001]', null],
  ['new Tensor([0.5]); // ≈ [0.51]', '[0.5]'],
  ['Tensor.ones([2, 1]);\n// → [[1],\n//    [2]]', '[[1], [1]]'],
  ['console.log(await Tensor.ones([1]).tolist()); // [2]', '[1]'],
  ['Tensor.ones([1]).reshape([2]);', 'Error'],
  ['const fine = 1;', null],
  ['Tensor.ones([1]); // throws IndexError index-out-of-range', 'no error'],
  ['Tensor.ones([1]).gather(0, [1]); // throws IndexError index-out-of-range position [0] value 1', null],
  ['Tensor.ones([1]).gather(0, [1]); // throws IndexError index-out-of-range position [1] value 1', 'position [0]'],
  ['Tensor.ones([1]).gather(0, [1]); // throws RuntimeError index-out-of-range', 'IndexError'],
  ['Tensor.ones([1]).gather(0, [1]); // throws IndexError rank-mismatch', 'index-out-of-range'],
  ['Tensor.ones([1]).gather(0, [1]); // throws IndexError index-out-of-range, because', 'cannot be read'],
  ['Tensor.ones([1]).gather(0, [1]); // IndexError: index[0] is 1,\n// out of range', null],
  ['Tensor.ones([1]).gather(0, [1]); // IndexError: index[0] is 2', 'IndexError'],
  ['nonsense();\nTensor.ones([1]); // → [1]', 'ReferenceError'],
  ['const = 1;', 'SyntaxError'],
];

test('an example that is wrong is found', async (t) => {
  const { page } = await open(t, 'webgpu');
  const begin = "All of them begin with\n\n```javascript\nimport { Tensor } from 'scatterwise';\n```\n";
  const lacking = await run(page, `${begin}\`\`\`js\nTensor.ones([1]); // → [1]\nbincount([0]);\n\`\`\`\n`);
  assert.match(lacking.faults[0].got, /bincount is not defined/);
  for (const [code, complaint] of planted) {
    const { passed, faults } = await run(page, `Text.\n\n\`\`\`js\n${code}\n\`\`\`\n`);
    if (complaint === null) assert.deepEqual([passed, faults], [1, []], code);
    else assert.ok(faults[0]?.got.includes(complaint), `${code}\n${faults[0]?.got}`);
  }
  const index = "new Tensor([1], { dtype: 'int32' }).gather(0, [0])";
  const late = `Tensor.ones([1]).scatter_(0, ${index}, 5); // throws IndexError index-out-of-range`;
  const missed = await run(page, `\`\`\`js\n${late}\n\`\`\``);
  assert.match(missed.faults[0].got, /at the next read, not at once/);
  const said = await run(page, `\`\`\`js\n${late}, on WebGPU at the next read\n\`\`\``);
  assert.deepEqual([said.passed, said.faults], [1, []]);
});
