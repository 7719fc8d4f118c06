import { facts } from './facts.js';

/** A map of airports learned from the lengths of routes; `src/demos/atlas` brings it to life. */
export const atlas = ({ t }) => `<section class="showpiece" aria-labelledby="atlas-title">
        <h2 id="atlas-title">${t('atlas.title')}</h2>
        <p class="lead">${t('atlas.lead')}</p>
        <div class="demo" id="atlas">
          <figure>
            <div class="airports" id="atlas-map"></div>
            <p class="status" id="atlas-status" role="status">${t('demo.loading')}</p>
          </figure>
          <div class="panel">
            <dl class="facts">
              ${facts(t, 'atlas', ['routes', 'step', 'error', 'time', 'same'])}
            </dl>
            <p class="quiet">${t('atlas.lines')}</p>
            <button type="button" id="atlas-again">${t('atlas.again')}</button>
          </div>
        </div>
        <details>
          <summary>${t('demos.code')}</summary>
          <pre class="snippet"><code>const ends = IndexPlan.select([airports, 2], 0, rows); // the two ends of each route
for (let step = 0; step &lt; 400; step++) {
  const places = table.index_select(ends); // the embedding of each end
  const cotangent = slopeOf(await places.data(), lengths); // of the squared errors
  const { self } = vjp('index_select', cotangent, table, ends); // summed in order, duplicates included
  table.index_add_(every, adam(await self.data()), { alpha: -rate });
}</code></pre>
        </details>
        <p class="quiet">${t('density.source')}</p>
      </section>`;
