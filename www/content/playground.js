import { prose } from '../build/html.js';

export function body({ t }) {
  return `<main id="main" class="playground" tabindex="-1">
      <h1>${t('playground.title')}</h1>
      <p class="lead">${prose(t('playground.lead'))}</p>
      <noscript><p>${t('frame.noscript')}</p></noscript>
      <div id="playground"></div>
    </main>`;
}
