import { prose } from '../build/html.js';

/** Compares the visitor's GPU with the CPU, and times the ways to scatter on it; `src/verify` does it. @param {import('../build/page.js').Context} context */
export const body = ({ t }) => `<main id="main" class="verify" tabindex="-1">
      <h1>${t('verify.title')}</h1>
      <p class="lead">${t('verify.lead')}</p>
      <noscript><p>${t('frame.noscript')}</p></noscript>
      <div id="verify"></div>
      <p class="quiet">${prose(t('verify.method'))}</p>
      <p class="quiet">${prose(t('verify.share'))}</p>
    </main>`;
