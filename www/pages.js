import { readdirSync } from 'node:fs';

/**
 * The pages of the site: the one place where a page is named. The build makes `<id>.html` of each in every language; its
 * body comes from `content/<body>.js`, its script from `src/pages/<script>.js`, its words from `messages/`; `source` is the page of docs/operators that it shows.
 * @typedef {{ id: string, section: 'top' | 'operators', body: string, script: string, source?: string }} Page
 */

const docs = new URL('../docs/operators/', import.meta.url);

/** In this order in the navigation; pages of docs/operators that are not named here come last, by the alphabet. */
const order = [
  ...['scatter_', 'scatter_add', 'scatter_reduce', 'scatter_nd', 'index_add', 'segment_reduce', 'scatter_mul', 'scatter_update'],
  ...['elementwise_mul', 'mul', 'gather', 'take_along_dim', 'bincount', 'histogram', 'sums', 'modes', 'vjp', 'IndexPlan', 'trace'],
];
const placeInOrder = (id) => (order.includes(id) ? order.indexOf(id) : order.length);

/** One page for each page of docs/operators but its README, in the order of the navigation. @returns {Page[]} */
function operatorPages() {
  return readdirSync(docs)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => name.slice(0, -'.md'.length))
    .sort((a, b) => placeInOrder(a) - placeInOrder(b) || a.localeCompare(b))
    .map((id) => ({ id, section: 'operators', body: 'operator', script: 'operator', source: `${id}.md` }));
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
