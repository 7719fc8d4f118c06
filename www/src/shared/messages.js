const table = JSON.parse(document.getElementById('messages').textContent);
const plural = new Intl.PluralRules(document.documentElement.lang);

/**
 * The words for `key` in the page's language, with `{name}` replaced by the values given. Where the table has `key.one`
 * and `key.other`, `count` decides. A key that is missing is a mistake, and shows.
 * @param {string} key @param {Record<string, unknown>} [values]
 */
export function t(key, values = {}) {
  const words =
    table[`ui.${key}`] ?? table[`ui.${key}.${plural.select(values.count ?? 0)}`] ?? table[`ui.${key}.other`];
  if (words === undefined) {
    console.error(`no words for ${key}`);
    return key;
  }
  return words.replace(/\{(\w+)\}/g, (_all, name) => String(values[name]));
}

/** Whether there are words for a key, of those that have no plural forms. */
export const has = (key) => `ui.${key}` in table;

/** A number as the page's language writes it. */
export const formatNumber = (value, options) => value.toLocaleString(document.documentElement.lang, options);
