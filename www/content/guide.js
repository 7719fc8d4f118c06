import { escape, langOf } from '../build/html.js';
import { renderDocument } from '../build/markdown.js';
import { nameOf } from '../build/page.js';
import { documents } from '../messages/index.js';
import { sideNav } from './side-nav.js';

/** A document of the repository beside the list of the guides. @param {import('../build/page.js').Context} context */
export function body(context) {
  const { page, pages, t } = context;
  const { intro, sections } = renderDocument(page.source, context, documents[context.language.code]);
  const guides = pages.filter(({ section }) => section === 'guides').map((guide) => ({ id: guide.id, html: escape(nameOf(guide, t)) }));
  const hasBlocks = [intro, ...sections.map(({ html }) => html)].some((html) => html.includes('data-block'));
  // What is deeper than the guides would fill the list of what a search finds.
  const isFound = page.section === 'guides';
  const section = ({ id, title, lang, html }) =>
    `<section class="doc" aria-labelledby="${id}"><h2 id="${id}"${langOf(lang)}>${escape(title.replaceAll('`', ''))}</h2>${html}</section>`;
  return `<div class="with-side">
      ${sideNav(context, guides, sections)}
      <main id="main" class="guide" tabindex="-1"${isFound ? ' data-pagefind-body' : ''}>
        <h1>${escape(nameOf(page, t))}</h1>
        <div class="doc intro">${intro}</div>
        ${hasBlocks ? '<div class="devices" data-devices></div>' : ''}
        ${sections.map(section).join('\n')}
      </main>
    </div>`;
}
