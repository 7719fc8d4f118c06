// The comments of the package's types, which editors and the API reference show: every export and member has one, every
// class, function and method an example, and each example does what it says, on both devices.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readApi } from '../../../tools/api.mjs';
import { openPage, say } from './web.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const texts = ['types', 'files'].map((name) => readFileSync(`${root}/src/js/${name}.d.ts`, 'utf8'));
const declarations = texts.flatMap((text) => readApi(text));
const opened = openPage();

/** Every declaration and member, with its full name as `id`. Overloads have the same one, and not each of them has a comment. */
const all = declarations.flatMap((each) => [
  { ...each, id: each.name },
  ...each.members.filter(({ kind }) => kind !== 'private').map((member) => ({ ...member, id: `${each.name}.${member.name}` })),
]);
const documented = new Set(all.filter(({ isDocumented }) => isDocumented).map(({ id }) => id));

test('the reader sees every export', () => {
  const exported = texts.flatMap((text) => [...text.matchAll(/^export (?:class|interface|function|type) (\w+)/gm)]);
  assert.deepEqual(declarations.map(({ name }) => name), exported.map(([, name]) => name));
  const members = declarations.find(({ name }) => name === 'Tensor').members.map(({ name }) => name);
  for (const name of ['constructor', 'zeros', 'shape', 'scatter_', 'to_npy', 'dispose', '[Symbol.dispose]']) assert.ok(members.includes(name), name);
});

test('every export and member has a comment', () => {
  // The properties of an object that is the type of a member are part of that member, and are not looked at.
  assert.deepEqual([...new Set(all.map(({ id }) => id))].filter((id) => !documented.has(id)), []);
});

test('every class, function and method has an example', () => {
  // What [Symbol.dispose] and the constructor of Parameter do is in the examples of dispose() and of the class.
  const needs = all.filter(({ kind, id }) => ['class', 'function', 'method'].includes(kind) && !/Symbol\.dispose|^Parameter\.constructor/.test(id));
  const have = new Set(all.filter(({ examples }) => examples.length > 0).map(({ id }) => id));
  assert.deepEqual([...new Set(needs.map(({ id }) => id))].filter((id) => !have.has(id)), []);
});

test('links lead somewhere', () => {
  const ids = new Set(all.map(({ id }) => id));
  const links = all.flatMap(({ text, id }) => [...text.matchAll(/\{@link ([^}]+)\}/g)].map(([, to]) => ({ id, to })));
  assert.ok(links.length > 10);
  assert.deepEqual(links.filter(({ to }) => !ids.has(to)), []);
});

for (const device of ['cpu', 'webgpu']) {
  test(`every example does what it says, on ${device}`, async () => {
    const examples = all.flatMap(({ id, examples }) => examples.map((code) => ({ id, code })));
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

test('npm run docs writes a page with all of it', () => {
  execFileSync(process.execPath, ['tools/docs.mjs'], { cwd: root, stdio: 'pipe' });
  const page = readFileSync(`${root}/target/docs/api.html`, 'utf8');
  for (const id of documented) assert.ok(page.includes(`id="${id}"`), id);
});
