// The comments of the package's types, which editors and the API reference show: every export and member has one, every
// class, function and method an example, and each example does what it says, on both devices.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { entriesOf, readProject } from '../../../tools/api.mjs';
import { openPage, say } from './web.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The files of the types, by the entries that have them. */
const modules = { scatterwise: 'types', 'scatterwise/files': 'files', 'scatterwise/verify': 'verify', 'scatterwise/threads': 'threads' };
/** Every declaration and member; overloads are one. The properties of an object that is the type of a member are part of that member. */
const { app, project } = await readProject(); // throws where a link in a comment leads nowhere
const all = await entriesOf(project);
const opened = openPage();

test('the reader sees every export', () => {
  for (const [module, name] of Object.entries(modules)) {
    const text = readFileSync(`${root}/src/js/${name}.d.ts`, 'utf8');
    const exported = new Set(Array.from(text.matchAll(/^export (?:class|interface|function|type|const) (\w+)/gm), ([, name]) => name));
    assert.deepEqual(all.filter((each) => each.module === module && !each.owner).map(({ name }) => name).sort(), [...exported].sort());
  }
  const members = all.filter(({ owner }) => owner === 'Tensor').map(({ name }) => name);
  for (const name of ['constructor', 'zeros', 'shape', 'scatter_', 'to_npy', 'dispose', '[Symbol.dispose]']) assert.ok(members.includes(name), name);
});

test('every export and member has a comment', () => {
  assert.deepEqual(all.filter(({ text }) => !text).map(({ id }) => id), []);
});

test('every class, function and method has an example', () => {
  // What [Symbol.dispose] and the constructor of Parameter do is in the examples of dispose() and of the class.
  const needs = all.filter(({ kind, id }) => ['class', 'constructor', 'function', 'method'].includes(kind) && !/Symbol\.dispose|^Parameter\.constructor/.test(id));
  assert.deepEqual(needs.filter(({ examples }) => examples.length === 0).map(({ id }) => id), []);
});

for (const device of ['cpu', 'webgpu']) {
  test(`every example does what it says, on ${device}`, async () => {
    // tests/js/matrix runs that of verify, and threads.test.mjs those of threads.
    const own = all.filter(({ module }) => !['scatterwise/verify', 'scatterwise/threads'].includes(module));
    const examples = own.flatMap(({ id, examples }) => examples.map((code) => ({ id, code })));
    const here = examples.filter(({ code }) => device === 'webgpu' || !code.includes('gpu_'));
    const faults = [];
    let ran = 0;
    for (const { id, code } of here) {
      // Examples take a tensor `t` as given.
      const needsT = /\bt\b/.test(code) && !/const t =/.test(code);
      const text = `\`\`\`js\n${needsT ? 'const t = new Tensor([[1, 2], [3, 4]]);\n' : ''}${code}\n\`\`\`\n`;
      const outcome = await opened.page.evaluate(
        async ([text, device]) => {
          const { set_device } = await import('/target/npm/scatterwise/index.js');
          await set_device(device);
          const { runExamples } = await import('/tests/js/web/examples.js');
          return runExamples(text);
        },
        [text, device],
      );
      ran += outcome.ran;
      faults.push(...outcome.faults.map(({ expected, got }) => `${id}: expected ${expected}\n    got ${got}`));
    }
    const skipped = examples.length - here.length;
    say({ backend: device, adapter: opened.adapter[device], suite: 'api', ran, passed: ran - faults.length, skipped: skipped ? { 'an example for WebGPU': skipped } : {} });
    assert.equal(faults.length, 0, faults.join('\n'));
  });
}

test('npm run docs writes a page of every export', async () => {
  const folder = join(root, 'target', 'docs', 'tried');
  await app.generateDocs(project, folder);
  const pages = readdirSync(folder, { recursive: true });
  for (const { id, module, owner } of all) if (!owner) assert.ok(pages.some((path) => path.endsWith(`/${module.replace('/', '_')}.${id}.html`)), id);
});
