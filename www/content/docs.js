import { escape } from '../build/html.js';
import { nameOf } from '../build/page.js';
import { guides } from '../pages.js';

/** The documents that lie behind the guides, as the list names them. */
const deeper = ['architecture', 'decisions', 'changelog', 'security'];

/** The list of the documents. @param {import('../build/page.js').Context} context */
export function body({ t, pages, link, up }) {
  const titled = (id) => escape(nameOf(pages.find((page) => page.id === id), t));
  const entry = (id) => `<li><a href="${link(id)}">${titled(id)}</a><p>${t(`page.${id}.description`)}</p></li>`;
  const api = `<li><a href="${up}api/index.html">${t('docs.api')}</a><p>${t('docs.api.description')}</p></li>`;
  const group = (name, ids) => `<section aria-labelledby="${name}">
        <h2 id="${name}">${t(`docs.${name}`)}</h2>
        <ul class="tiles">${ids.map(entry).join('')}${name === 'use' ? api : ''}</ul>
      </section>`;
  return `<main id="main" class="documents" tabindex="-1">
      <h1>${t('docs.title')}</h1>
      <p class="lead">${t('docs.lead')}</p>
      ${Object.entries(guides).map(([name, ids]) => group(name, [...Object.keys(ids), ...(name === 'use' ? ['operators'] : [])])).join('\n')}
      ${group('depth', deeper)}
    </main>`;
}
