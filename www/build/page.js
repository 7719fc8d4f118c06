import { languages, pages } from '../pages.js';
import { speaks, tables, translator } from '../messages/index.js';
import { escape } from './html.js';

/** @typedef {{ page: import('../pages.js').Page, language: { code: string, folder: string, name: string }, path: string }} Edition */

/** The whole text of one page in one language. @param {Edition} edition */
export async function renderPage({ page, language }) {
  const t = translator(tables[language.code]);
  const up = language.folder ? '../' : '';
  const { body } = await import(`../content/${page.body}.js`);
  const context = { page, pages, language, t, up, link: (id) => `./${id}.html` };
  return `<!doctype html>
<html lang="${language.code}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title(page, t)}</title>
    <meta name="description" content="${escape(about(page, t))}" />
    <meta name="color-scheme" content="light dark" />
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
  </body>
</html>
`;
}

function title(page, t) {
  const own = nameOf(page, t);
  return escape(page.id === 'index' ? own : `${own} · Scatterwise`);
}

/** A page of the documentation that the messages do not know yet goes by its name. */
const nameOf = ({ id }, t) => (t.has(`page.${id}.title`) ? t(`page.${id}.title`) : id);
const about = ({ id }, t) =>
  t.has(`page.${id}.description`) ? t(`page.${id}.description`) : t('page.index.description');

function alternates(page, language, up) {
  const href = (other) => `${up}${other.folder}${page.id}.html`;
  return languages
    .filter(({ code }) => code !== language.code)
    .map((other) => `<link rel="alternate" hreflang="${other.code}" href="${href(other)}" />`)
    .join('\n    ');
}

/** What scripts say; what only the build says stays out of the page. */
function runtimeTable(page, { code }) {
  const spoken = Object.entries(tables[code]).filter(([key]) => speaks(page, key));
  return JSON.stringify(Object.fromEntries(spoken)).replaceAll('<', '\\u003c');
}

function header({ page, language, t, up }) {
  const here = (id) => page.id === id || (id === 'operators' && page.section === 'operators');
  const links = pages
    .filter(({ section, id }) => section === 'top' && id !== 'index')
    .map(({ id }) => `<li><a href="./${id}.html"${here(id) ? ' aria-current="page"' : ''}>${t(`nav.${id}`)}</a></li>`);
  const others = languages.filter(({ code }) => code !== language.code);
  const choices = others.map(
    ({ code, folder, name }) =>
      `<a class="language" lang="${code}" hreflang="${code}" href="${up}${folder}${page.id}.html" data-language>${name}</a>`,
  );
  return `<header class="bar">
      <a class="wordmark" href="./index.html"><img src="${up}favicon.svg" alt="" width="18" height="18" />scatterwise</a>
      <nav class="sections" aria-label="${t('frame.nav')}"><ul>${links.join('')}</ul></nav>
      <div class="choices">
        ${choices.join('')}
        <button class="theme" id="theme" type="button">${t('ui.theme.dark')}</button>
      </div>
    </header>`;
}

function footer({ t }) {
  return `<footer><p>${t('frame.footer')}</p></footer>`;
}
