import { langOf, prose } from '../build/html.js';
import { renderDocument } from '../build/markdown.js';
import { documents } from '../messages/index.js';
import { labHtml, labsOf } from './lab.js';
import { sideNav } from './side-nav.js';
import { vjpPicture } from './vjp-picture.js';

/** What a page shows before its words, by id. */
const pictures = { vjp: vjpPicture };

/**
 * A page of docs/operators, with the labs of its operator between the introduction and the rules; where there is no lab, the examples come
 * first. @param {import('../build/page.js').Context} context
 */
export function body(context) {
  const { page, t } = context;
  const { intro, sections } = renderDocument(page.source, context, documents[context.language.code]);
  const labs = labsOf(page.id);
  if (labs.length === 0) sections.sort((a, b) => (b.id === 'examples') - (a.id === 'examples')); // the others keep their order
  const operators = context.pages.filter(({ section }) => section === 'operators').map(({ id, label }) => ({ id, html: `<code>${label}</code>` }));
  const live =
    labs.length === 0
      ? ''
      : `<section class="live" data-pagefind-ignore aria-labelledby="live">
        <h2 id="live">${t('operator.live')}</h2>
        <p class="lead">${prose(t('operator.live.text'))}</p>
        <noscript><p>${t('frame.noscript')}</p></noscript>
        <div class="devices" data-devices></div>
        ${labs.map((example) => labHtml(example, context)).join('\n')}
      </section>`;
  const section = ({ id, title, lang, html }) =>
    `<section class="doc" aria-labelledby="${id}"><h2 id="${id}"${langOf(lang)}>${title}</h2>${html}</section>`;
  return `<div class="with-side">
      ${sideNav(context, operators, [...(live ? [{ id: 'live', title: t('operator.live') }] : []), ...sections])}
      <main id="main" tabindex="-1" data-pagefind-body>
        <h1 class="operator">${t.has(`page.${page.id}.title`) ? t(`page.${page.id}.title`) : page.id}</h1>
        ${pictures[page.id]?.(context) ?? ''}
        <div class="doc intro">${intro}</div>
        ${live || '<div class="devices" data-devices></div>'}
        ${sections.map(section).join('\n')}
      </main>
    </div>`;
}
