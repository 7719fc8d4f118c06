import { prose } from '../build/html.js';

/** The page of the playground, in which `src/playground` fills `#playground`. @param {import('../build/page.js').Context} context */
export function body({ t }) {
  return `<main id="main" class="playground" tabindex="-1">
      <h1>${t('playground.title')}</h1>
      <p class="lead">${prose(t('playground.lead'))}</p>
      <noscript><p>${t('frame.noscript')}</p></noscript>
      <div id="playground"></div>
    </main>`;
}
