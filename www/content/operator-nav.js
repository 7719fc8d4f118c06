import { escape, langOf } from '../build/html.js';

/**
 * The list of operators beside each of their pages, and what is on this one.
 * @param {import('../build/page.js').Context} context @param {{ id: string, title: string, lang?: string }[]} sections of this page
 */
export function operatorNav({ page, pages, t, link }, sections) {
  const item = ({ id }) =>
    `<li><a href="${link(id)}"${id === page.id ? ' aria-current="page"' : ''}><code>${id}</code></a></li>`;
  const operators = pages.filter(({ section }) => section === 'operators');
  const contents = sections.map(({ id, title, lang }) => `<li><a href="#${id}"${langOf(lang)}>${escape(title)}</a></li>`);
  return `<nav class="side" aria-label="${t('frame.operators')}">
      <ul class="operators">${operators.map(item).join('')}</ul>
      ${contents.length > 0 ? `<p class="quiet">${t('operator.contents')}</p><ul class="contents">${contents.join('')}</ul>` : ''}
    </nav>`;
}
