import { prose } from '../build/html.js';

/** What the project promises, its limits, and how this site is made. @param {import('../build/page.js').Context} context */
export function body({ t }) {
  const list = (keys) => `<ul>${keys.map((key) => `<li>${prose(t(`about.${key}`))}</li>`).join('')}</ul>`;
  const section = (id, html) =>
    `<section class="doc" aria-labelledby="${id}"><h2 id="${id}">${t(`about.${id}`)}</h2>${html}</section>`;
  return `<main id="main" class="about" tabindex="-1">
      <h1>${t('about.title')}</h1>
      <p class="promise">${t('about.what')}</p>
      ${section('promises', list(['bits', 'nothing', 'import']))}
      ${section('limits', list(['limits.gpu', 'limits.gradients']))}
      ${section('site', list(['site.trace', 'site.work', 'site.keys']))}
    </main>`;
}
