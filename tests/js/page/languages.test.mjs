// The words of the site: each language has all of them, and translations keep code and links. Needs no browser.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { piecesOf } from '../../../www/build/markdown.js';
import { documents, tables } from '../../../www/messages/index.js';
import { pages } from '../../../www/pages.js';

/** The files in www/messages that have the words of a language, and the documentation in it. */
const files = {
  en: { words: 'www/messages/en.js' },
  'zh-Hans': { words: 'www/messages/zh.js', documents: 'www/messages/zh-docs.js' },
};

/** Asserts that a list is empty; `what` says of what. */
const none = (list, what) => assert.deepEqual(list, [], `${what} ${list.join(', ')}`);

test('the languages say the same things', () => {
  const [[, first], ...others] = Object.entries(tables);
  const needed = Object.keys(first).filter((key) => !key.endsWith('.one')); // not every language has a singular
  for (const [language, table] of others) {
    const file = files[language].words;
    none(needed.filter((key) => !(key in table)), `${file} lacks`);
    none(Object.keys(table).filter((key) => !(key in first)), `${file} has, and ${files.en.words} not`);
    const fields = (text) => [...new Set(text.match(/\{\w+\}/g))].sort().join();
    for (const key of needed) assert.equal(fields(table[key]), fields(first[key]), `${file}: ${key}`);
  }
});

test('every page has a description, but for what lies behind the guides', () => {
  for (const [language, table] of Object.entries(tables)) {
    const missing = pages.filter(({ title, section }) => !title || section === 'guides').map(({ id }) => `page.${id}.description`).filter((key) => !(key in table));
    none(missing, `${files[language].words} lacks`);
  }
});

test('every page of docs/operators is a page of the site', () => {
  const files = readdirSync(new URL('../../../docs/operators', import.meta.url)).map((file) => `docs/operators/${file}`);
  none(files.filter((file) => !pages.some(({ source }) => source === file)), 'the site lacks');
});

test('the documentation that is translated says the same things in every language', () => {
  const parts = (text) => [...text.matchAll(/`[^`]*`|\]\([^)]*\)/g)].map(([part]) => part).sort();
  for (const [language, { pieces: table, same, whole }] of Object.entries(documents)) {
    const file = files[language].documents;
    const pieces = piecesOf(pages.flatMap(({ source, title }) => (source && !title ? source : [])), whole);
    const known = new Set([...Object.keys(table), ...same]);
    none([...pieces].filter((piece) => !known.has(piece)), `${file} lacks`);
    none([...known].filter((piece) => !pieces.has(piece)), `${file} has, and the documentation not`);
    for (const [piece, text] of Object.entries(table)) assert.deepEqual(parts(text), parts(piece), `${file}: code and links stay`);
  }
});
