import { escape, langOf } from '../build/html.js';

/**
 * The list of pages beside each of them, and what is on this one.
 * @param {import('../build/page.js').Context} context
 * @param {{ id: string, html: string }[]} list the pages, each with its name
 * @param {{ id: string, title: string, lang?: string }[]} sections of this page
 */
export function sideNav({ page, t, link }, list, sections) {
  const item = ({ id, html }) => `<li><a href="${link(id)}"${id === page.id ? ' aria-current="page"' : ''}>${html}</a></li>`;
  const contents = sections.map(({ id, title, lang }) => `<li><a href="#${id}"${langOf(lang)}>${escape(title.replaceAll('`', ''))}</a></li>`);
  const label = page.section === 'operators' || page.id === 'operators' ? t('frame.operators') : t('nav.docs');
  return `<nav class="side" aria-label="${label}">
      <ul class="operators">${list.map(item).join('')}</ul>
      ${contents.length > 0 ? `<p class="quiet">${t('operator.contents')}</p><ul class="contents">${contents.join('')}</ul>` : ''}
    </nav>`;
}
