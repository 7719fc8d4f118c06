import { demos as enDemos } from './en-demos.js';
import { en } from './en.js';
import { demos as zhDemos } from './zh-demos.js';
import { docs as zhDocs, same as zhSame } from './zh-docs.js';
import { zh } from './zh.js';

/** The words of the site in each language, by key. Keys that start with `ui.` go into the pages, for their scripts. */
export const tables = { en: { ...en, ...enDemos }, 'zh-Hans': { ...zh, ...zhDemos } };

/**
 * The pages of docs/operators in the other languages: what each piece of text is there, which pieces stay as they are, and which pages are
 * translated as a whole. Those are the list, and the operators whose reference pages are in Chinese; of the others the first paragraph is.
 */
export const documents = {
  'zh-Hans': { pieces: zhDocs, same: zhSame, whole: ['README', 'scatter_', 'scatter_add', 'scatter_mul', 'elementwise_mul'].map((id) => `docs/operators/${id}.md`) },
};

/** The page whose scripts alone say the words with this beginning. */
const own = { 'ui.flights.': 'index', 'ui.puzzle.': 'puzzles', 'ui.playground.': 'playground', 'ui.start.': 'playground', 'ui.look.': 'playground', 'ui.verify.': 'verify' };

/** Pages without labs, whose scripts share these words with the others. */
const withoutLabs = ['docs', 'demos', 'benchmark', 'verify', 'about'];
/** Pages of documents have no labs, but examples that run. */
const ofBlocks = ['ui.block.', 'ui.lab.playground'];
const shared = ['ui.theme.', 'ui.device.'];

/**
 * Whether the scripts of a page need the words of this key. Only these go into the page, so that its first view stays small.
 * @param {import('../pages.js').Page} page @param {string} key
 */
export function speaks(page, key) {
  if (!key.startsWith('ui.')) return false;
  // en-demos.js has the words of the demos and of the benchmark page; that page gets those of the density map too.
  if (key in enDemos) {
    const isOfBenchmark = key.startsWith('ui.bench.');
    return (page.id === 'demos' && !isOfBenchmark) || (page.id === 'benchmark' && (isOfBenchmark || key.startsWith('ui.density.')));
  }
  const beginning = Object.keys(own).find((start) => key.startsWith(start));
  if (beginning) return own[beginning] === page.id;
  const startsAs = (list) => list.some((start) => key.startsWith(start));
  if (['guides', 'depth'].includes(page.section)) return startsAs(shared) || startsAs(ofBlocks);
  return !withoutLabs.includes(page.id) || startsAs(shared);
}

/** A function from keys to words, whose `has` says whether there are any. To ask for words that are not there is a mistake, and stops the build. */
export function translator(table) {
  const t = (key) => {
    if (!(key in table)) throw new Error(`no words for ${key}`);
    return table[key];
  };
  t.has = (key) => key in table;
  return t;
}
