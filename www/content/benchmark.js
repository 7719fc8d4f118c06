import { recordedHtml } from './recorded.js';

/**
 * The page that shows what the project measured, and measures on the visitor's machine: there `src/benchmark` fills `#benchmark`.
 * @param {import('../build/page.js').Context} context
 */
export const body = (context) => {
  const { t, link } = context;
  return `<main id="main" class="demos benchmark" tabindex="-1">
      <h1>${t('benchmark.title')}</h1>
      <p class="lead">${t('benchmark.lead')} <a href="#yours">${t('benchmark.yours')}</a></p>
      ${recordedHtml(context)}
      <p class="quiet">${t('recorded.means')} <a href="${link('performance')}">${t('recorded.method')}</a></p>
      <section aria-labelledby="yours">
        <h2 id="yours">${t('benchmark.yours')}</h2>
        <p class="lead">${t('benchmark.yours.text')}</p>
        <div class="devices" data-devices></div>
        <noscript><p>${t('frame.noscript')}</p></noscript>
        <div id="benchmark" class="demo-controls"></div>
        <p class="quiet">${t('benchmark.method')}</p>
      </section>
    </main>`;
};
