import { escape } from '../build/html.js';

/** The list of operators beside each of their pages, and what is on this one. */
export function operatorNav({ page, pages, t, link }, sections) {
  const item = ({ id }) =>
    `<li><a href="${link(id)}"${id === page.id ? ' aria-current="page"' : ''}><code>${id}</code></a></li>`;
  const operators = pages.filter(({ section }) => section === 'operators');
  const here = sections.map(({ id, title }) => `<li><a href="#${id}">${escape(title)}</a></li>`);
  return `<nav class="side" aria-label="${t('frame.operators')}">
      <ul class="operators">${operators.map(item).join('')}</ul>
      ${here.length > 0 ? `<p class="quiet">${t('operator.contents')}</p><ul class="contents">${here.join('')}</ul>` : ''}
    </nav>`;
}
