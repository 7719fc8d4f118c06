/** The page that measures on the visitor's machine, in which `src/benchmark` fills `#benchmark`. @param {import('../build/page.js').Context} context */
export const body = ({ t }) => `<main id="main" class="demos benchmark" tabindex="-1">
      <h1>${t('benchmark.title')}</h1>
      <p class="lead">${t('benchmark.lead')}</p>
      <div class="devices" data-devices></div>
      <noscript><p>${t('frame.noscript')}</p></noscript>
      <div id="benchmark" class="demo-controls"></div>
      <p class="quiet">${t('benchmark.method')}</p>
    </main>`;
