import { facts } from './facts.js';

/** A histogram of flights over two of their variables; `src/demos/histogram` brings it to life. */
export const histogram = ({ t }) => `<section class="showpiece" aria-labelledby="histogram-title">
        <h2 id="histogram-title">${t('histogram.title')}</h2>
        <p class="lead">${t('histogram.lead')}</p>
        <div class="demo" id="histogram">
          <figure>
            <div id="histogram-plot"></div>
            <p class="readout" id="histogram-readout" aria-live="polite">${t('histogram.loading')}</p>
          </figure>
          <div class="panel">
            <div class="settings">
              <label for="histogram-view">${t('histogram.view')}</label>
              <select id="histogram-view"></select>
              <label for="histogram-bins">${t('histogram.resolution')}</label>
              <input type="range" id="histogram-bins" min="0" step="1" />
            </div>
            <dl class="facts">
              ${facts(t, 'histogram', ['records', 'count', 'sum', 'time', 'rate', 'bits'])}
            </dl>
            <p class="quiet" id="histogram-method"></p>
          </div>
        </div>
        <details>
          <summary>${t('histogram.table')}</summary>
          <div class="scroll" id="histogram-table" tabindex="0" role="region" aria-label="${t('histogram.table')}"></div>
        </details>
        <details>
          <summary>${t('demos.code')}</summary>
          <pre class="snippet"><code>// bins: Int32Array, the bin number of each flight
const index = new Tensor(bins);
const counts = Tensor.zeros([rows * columns], { dtype: 'int32' });
counts.scatter_add_(0, index, 1);
const heights = await counts.data();</code></pre>
        </details>
        <p class="quiet">${t('histogram.source')}</p>
      </section>`;
