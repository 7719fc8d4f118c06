import { demos as enDemos } from './en-demos.js';
import { en } from './en.js';
import { demos as zhDemos } from './zh-demos.js';
import { zh } from './zh.js';

/** The words of the site in each language, by key. Keys that start with `ui.` go into the pages, for their scripts. */
export const tables = { en: { ...en, ...enDemos }, 'zh-Hans': { ...zh, ...zhDemos } };

/** Whether the scripts of a page speak these words: those of the demos would weigh on every other page. */
export const speaks = (page, key) => key.startsWith('ui.') && (['demos', 'benchmark'].includes(page.id) || !(key in enDemos));

/** A function from keys to words; a key without words is a mistake that stops the build. */
export function translator(table) {
  const t = (key) => {
    if (!(key in table)) throw new Error(`no words for ${key}`);
    return table[key];
  };
  t.has = (key) => key in table;
  return t;
}
