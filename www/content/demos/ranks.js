import { facts } from './facts.js';

/** PageRank of the airports; `src/demos/ranks` brings it to life. */
export const ranks = ({ t }) => `<section class="showpiece" aria-labelledby="ranks-title">
        <h2 id="ranks-title">${t('ranks.title')}</h2>
        <p class="lead">${t('ranks.lead')}</p>
        <div class="demo" id="ranks">
          <figure>
            <div class="airports" id="ranks-map"></div>
            <p class="status" id="ranks-status" role="status">${t('demo.loading')}</p>
          </figure>
          <div class="panel">
            <div class="settings">
              <label for="ranks-size">${t('ranks.size')}</label>
              <input type="range" id="ranks-size" min="0" step="1" value="2" />
            </div>
            <p class="quiet">${t('ranks.round')}</p>
            <div class="bars" id="ranks-bars"></div>
            <dl class="facts">
              ${facts(t, 'ranks', ['edges', 'prepare', 'same', 'devices'])}
            </dl>
            <button type="button" id="ranks-again">${t('ranks.again')}</button>
          </div>
        </div>
        <details open>
          <summary>${t('ranks.top')}</summary>
          <div class="scroll" id="ranks-table" tabindex="0" role="region" aria-label="${t('ranks.top')}"></div>
        </details>
        <details>
          <summary>${t('demos.code')}</summary>
          <pre class="snippet"><code>const from = IndexPlan.along([nodes], 0, origins); // checked and prepared once
const to = IndexPlan.along([nodes], 0, destinations);
for (let round = 0; round &lt; 20; round++) {
  const flow = ranks.mul(share).gather(from); // what each flight carries
  const next = Tensor.full([nodes], 0.15 / (0.85 * nodes));
  next.scatter_add_(to, flow);
  ranks = next.mul_(0.85);
}</code></pre>
        </details>
        <p class="quiet">${t('density.source')}</p>
      </section>`;
