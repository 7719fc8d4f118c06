import { readFileSync } from 'node:fs';

/**
 * The pages of the site: the one place where a page is named. The build makes `<id>.html` of each in every language; its
 * body comes from `content/<body>.js`, its script from `src/pages/<script>.js`, its words from `messages/`; `source` is the page of docs/operators that it shows.
 * @typedef {{ id: string, section: 'top' | 'operators', body: string, script: string, source?: string }} Page
 */

const list = readFileSync(new URL('../docs/operators/README.md', import.meta.url), 'utf8');

/** The pages of docs/operators that rows of its README begin with. The navigation has them in the same order. @returns {Page[]} */
function operatorPages() {
  const ids = Array.from(list.matchAll(/^\| \[\w+\]\((\w+)\.md\)/gm), ([, id]) => id);
  return ids.map((id) => ({ id, section: 'operators', body: 'operator', script: 'operator', source: `${id}.md` }));
}

/** @type {Page[]} */
export const pages = [
  { id: 'index', section: 'top', body: 'home', script: 'home' },
  { id: 'operators', section: 'top', body: 'operators', script: 'operator', source: 'README.md' },
  ...operatorPages(),
  { id: 'puzzles', section: 'top', body: 'puzzles', script: 'puzzles' },
  { id: 'playground', section: 'top', body: 'playground', script: 'playground' },
  { id: 'demos', section: 'top', body: 'demos', script: 'demos' },
  { id: 'benchmark', section: 'top', body: 'benchmark', script: 'benchmark' },
  { id: 'verify', section: 'top', body: 'verify', script: 'verify' },
  { id: 'about', section: 'top', body: 'about', script: 'plain' },
];

/** English pages lie at the top, others in a folder of their own. Text of docs/operators that is not translated stays English. */
export const languages = [
  { code: 'en', folder: '', name: 'English' },
  { code: 'zh-Hans', folder: 'zh/', name: '简体中文' },
];
