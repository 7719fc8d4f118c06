// Documents name files that are there: every relative link of a Markdown file, and every path in the documents that begins with a
// folder of the repository.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { readme } from './readme.mjs';
import { root } from './shell.mjs';

/** The Markdown files of a folder, without built or installed ones. */
function markdown(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(\..*|node_modules|target|dist)$/.test(entry.name) ? [] : markdown(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

const documents = markdown('');
/** A document without its blocks of code. */
const textOf = (file) => readFileSync(join(root, file), 'utf8').replace(/^```[^]*?^```/gm, '');

/** The anchor of a heading. */
const anchor = (heading) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
/** The anchors of a document. */
const anchors = (file) => [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading));

test('relative links lead somewhere', () => {
  const dead = [];
  let links = 0;
  for (const file of documents) {
    for (const [, target] of textOf(file).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      links++;
      const [path, fragment] = target.split('#');
      const to = path === '' ? file : normalize(join(dirname(file), path));
      const isThere = existsSync(join(root, to)) && (fragment === undefined || !to.endsWith('.md') || anchors(to).includes(fragment));
      if (!isThere) dead.push(`${file}: ${target}`);
    }
  }
  assert.ok(links > 100);
  assert.deepEqual(dead, []);
});

test('paths that the documents name are there', () => {
  // The others describe removed files, or, in www/, name paths from there.
  const isKept = (file) => !/^(CHANGELOG\.md|docs\/performance\/|www\/)/.test(file);
  const missing = documents.filter(isKept).flatMap((file) => {
    const paths = [...textOf(file).matchAll(/`((?:src|shaders|tests|tools|benches|docs|examples)\/[\w./-]*)`/g)];
    return paths.filter(([, path]) => !existsSync(join(root, path))).map(([, path]) => `${file}: ${path}`);
  });
  assert.deepEqual(missing, []);
});

test("links of the package's page lead into the repository", () => {
  const links = (repository) => [...readme(repository).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  assert.ok(links('https://example.org/us/it').includes('https://example.org/us/it/blob/main/docs/RECIPES.md'));
  for (const repository of ['https://example.org/us/it', undefined, null]) assert.deepEqual(links(repository).filter((target) => !/^https:/.test(target)), []);
});
