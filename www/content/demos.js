import { density } from './demos/density.js';
import { image } from './demos/image.js';
import { ranks } from './demos/ranks.js';

/** The demos. Each is a section; `src/demos` brings it to life when it comes near the screen. */
export function body(context) {
  const { t } = context;
  return `<main id="main" class="demos" tabindex="-1">
      <h1>${t('demos.title')}</h1>
      <p class="lead">${t('demos.lead')}</p>
      <div class="devices" data-devices></div>
      ${density(context)}
      ${image(context)}
      ${ranks(context)}
      ${flights}
    </main>`;
}

const flights = `<section class="showpiece" aria-labelledby="histogram-title">
        <h2 id="histogram-title">200,000 flights, one scatter</h2>
        <p class="lead">
          Each flight knows its bin. One call adds a 1 at 200,000 places, many of them the same place, and the counts
          come out exact on every device.
        </p>
        <div class="demo" id="histogram">
          <figure>
            <div id="histogram-plot"></div>
            <p class="readout" id="histogram-readout" aria-live="polite">Loading the flights (0.5 MB) …</p>
          </figure>
          <div class="side">
            <div class="controls">
              <label for="histogram-view">Show</label>
              <select id="histogram-view"></select>
              <label for="histogram-bins">Resolution</label>
              <input type="range" id="histogram-bins" min="0" step="1" />
            </div>
            <dl class="facts">
              <div>
                <dt>Records in range</dt>
                <dd id="fact-records">…</dd>
              </div>
              <div>
                <dt>Bins</dt>
                <dd id="fact-bins">…</dd>
              </div>
              <div>
                <dt>Sum over all bins</dt>
                <dd id="fact-sum">…</dd>
              </div>
              <div>
                <dt>Time of the scatter</dt>
                <dd id="fact-time">…</dd>
              </div>
              <div>
                <dt>Updates per second</dt>
                <dd id="fact-rate">…</dd>
              </div>
              <div>
                <dt>Same bits on CPU and WebGPU</dt>
                <dd id="fact-bits">…</dd>
              </div>
            </dl>
            <p class="quiet" id="histogram-method"></p>
          </div>
        </div>
        <details>
          <summary>The picture as a table</summary>
          <div class="scroll" id="histogram-table" tabindex="0" role="region" aria-label="Table of flights"></div>
        </details>
        <details>
          <summary>The code that counts</summary>
          <pre class="snippet"><code>// bins: Int32Array, the bin number of each flight
const index = new Tensor(bins);
const counts = Tensor.zeros([rows * columns], { dtype: 'int32' });
counts.scatter_add_(0, index, 1);
const heights = await counts.data();</code></pre>
        </details>
        <p class="quiet">
          Data: a sample of United States domestic flights from the on-time reports that airlines file with the
          <a href="https://www.transtats.bts.gov/">Bureau of Transportation Statistics</a> (14 CFR part 234), as
          packaged in <a href="https://github.com/vega/vega-datasets">vega-datasets</a> (flights-200k, BSD-3-Clause).
        </p>
      </section>`;
