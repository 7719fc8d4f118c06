import { atlas } from './demos/atlas.js';
import { club } from './demos/club.js';
import { density } from './demos/density.js';
import { histogram } from './demos/histogram.js';
import { image } from './demos/image.js';
import { linked } from './demos/linked.js';
import { ranks } from './demos/ranks.js';

/** The demos. Each is a section; `src/demos` brings it to life when it comes near the screen. @param {import('../build/page.js').Context} context */
export function body(context) {
  const { t } = context;
  return `<main id="main" class="demos" tabindex="-1">
      <div class="bench"><h1>${t('demos.title')}</h1><div class="devices" data-devices></div></div>
      <p class="lead">${t('demos.lead')}</p>
      <noscript><p>${t('frame.noscript')}</p></noscript>
      ${linked(context)}
      ${density(context)}
      ${image(context)}
      ${atlas(context)}
      ${ranks(context)}
      ${club(context)}
      ${histogram(context)}
    </main>`;
}
