import { languagesOf, pages } from '../pages.js';
import { speaks, tables, translator } from '../messages/index.js';
import { escape } from './html.js';

/** @typedef {{ page: import('../pages.js').Page, language: { code: string, folder: string, name: string }, path: string }} Edition */

/**
 * What `body` of a file in content/ makes the main part of a page from.
 * @typedef {{ page: import('../pages.js').Page, pages: import('../pages.js').Page[], language: Edition['language'],
 *   t: { (key: string): string, has(key: string): boolean }, up: string, link: (id: string) => string }} Context `t` has the words of the
 *   site; `up` leads from the page to the folder of the whole site; `link` is the address of another page, in the same language where there is one
 */

/** The whole text of one page in one language. @param {Edition} edition */
export async function renderPage({ page, language }) {
  const t = translator(tables[language.code]);
  const up = language.folder ? '../' : '';
  const { body } = await import(`../content/${page.body}.js`);
  const context = { page, pages, language, t, up, link: (id) => linkTo(id, language, up) };
  return `<!doctype html>
<html lang="${language.code}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${titleOf(page, t)}</title>
    <meta name="description" content="${escape(descriptionOf(page, t))}" />
    <meta name="color-scheme" content="light dark" />
    ${fonts(up)}
    <link rel="icon" href="${up}favicon.svg" type="image/svg+xml" />
    ${alternates(page, language, up)}
    <script>
      // Before the first paint, so that a remembered theme does not flash.
      try {
        const theme = localStorage.getItem('theme');
        if (theme) document.documentElement.dataset.theme = theme;
      } catch {}
    </script>
    <script type="application/json" id="messages">${runtimeTable(page, language)}</script>
    <script type="module" src="/src/pages/${page.script}.js"></script>
  </head>
  <body data-page="${page.id}" data-root="${up || './'}">
    <a class="skip" href="#main">${t('frame.skip')}</a>
    ${header(context)}
    ${await body(context)}
    ${footer(context)}
    ${searchDialog(context)}
  </body>
</html>
`;
}

/** The address of the page with this id from a page in this language: a page that is in English only lies in the site's folder. */
function linkTo(id, language, up) {
  const page = pages.find((each) => each.id === id);
  return `${languagesOf(page).includes(language) ? './' : up}${id}.html`;
}

/**
 * The fonts are asked for with the page, not when its styles were read: text that is drawn in another font first moves what follows. Vite
 * finds the files from where the page is in www/, and puts their names in the build in place of these.
 */
const fonts = (up) =>
  ['newsreader/files/newsreader', 'jetbrains-mono/files/jetbrains-mono']
    .map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${up}../node_modules/@fontsource-variable/${name}-latin-wght-normal.woff2" />`)
    .join('\n    ');

/** What the tab of the browser says. */
function titleOf(page, t) {
  const name = nameOf(page, t);
  return escape(page.id === 'index' ? name : `${name} · Scatterwise`);
}

/** The title of a page; where the messages have none that of its document, or its id. */
export const nameOf = ({ id, title }, t) => (t.has(`page.${id}.title`) ? t(`page.${id}.title`) : (title ?? id));
const descriptionOf = ({ id }, t) =>
  t.has(`page.${id}.description`) ? t(`page.${id}.description`) : t('page.index.description');

/** Links for search engines to the same page in the other languages. */
function alternates(page, language, up) {
  const href = (other) => `${up}${other.folder}${page.id}.html`;
  return languagesOf(page)
    .filter(({ code }) => code !== language.code)
    .map((other) => `<link rel="alternate" hreflang="${other.code}" href="${href(other)}" />`)
    .join('\n    ');
}

/** The words that the scripts of a page need, as JSON. Each `<` is escaped, so that no word can end the script element around them. */
function runtimeTable(page, { code }) {
  const needed = Object.entries(tables[code]).filter(([key]) => speaks(page, key));
  return JSON.stringify(Object.fromEntries(needed)).replaceAll('<', '\\u003c');
}

/** The bar at the top: the sections, the same page in the other languages, and the button of the theme, which shared/theme.js wires. */
function header({ page, language, t, up }) {
  const isCurrent = (id) => page.id === id || (id === 'operators' && page.section === 'operators') || (id === 'docs' && ['guides', 'depth'].includes(page.section));
  const links = pages
    .filter(({ section, id }) => section === 'top' && id !== 'index')
    .map(({ id }) => `<li><a href="./${id}.html"${isCurrent(id) ? ' aria-current="page"' : ''}>${t(`nav.${id}`)}</a></li>`);
  const others = languagesOf(page).filter(({ code }) => code !== language.code);
  const choices = others.map(
    ({ code, folder, name }) =>
      `<a class="language" lang="${code}" hreflang="${code}" href="${up}${folder}${page.id}.html" data-language>${name}</a>`,
  );
  return `<header class="bar">
      <a class="wordmark" href="./index.html"><img src="${up}favicon.svg" alt="" width="18" height="18" />scatterwise</a>
      <nav class="sections" aria-label="${t('frame.nav')}"><ul>${links.join('')}</ul></nav>
      <div class="choices">
        <button class="search" id="search" type="button" aria-keyshortcuts="/">${t('frame.search')}</button>
        ${choices.join('')}
        <button class="theme" id="theme" type="button">${t('ui.theme.dark')}</button>
      </div>
    </header>`;
}

/** What the button of the search opens; shared/search.js fills it. */
function searchDialog({ t }) {
  return `<dialog class="search-dialog" id="search-dialog" aria-labelledby="search-title">
      <form method="dialog"><h2 id="search-title">${t('frame.search.title')}</h2><button>${t('frame.search.close')}</button></form>
      <div id="search-place"></div>
      <p class="status" role="status" hidden>${t('frame.search.none')}</p>
    </dialog>`;
}

function footer({ t, up }) {
  return `<footer><p>${t('frame.footer')} <a href="${up}licenses.txt">${t('frame.licences')}</a></p></footer>`;
}
