import { facts } from './facts.js';

const NAMES = ['minutes', 'delays', 'miles'];

/** A histogram with its brush: the sliders set the ends of the brush for those who do not drag. */
const chart = (t, name) => `<div class="brushed">
              <p id="linked-${name}-label">${t(`linked.${name}`)}<output id="linked-${name}-text"></output></p>
              <div class="brushed-bars" id="linked-${name}">
                <canvas data-kind="2d" aria-hidden="true"></canvas>
                <canvas data-kind="webgpu" aria-hidden="true" hidden></canvas>
                <div class="brush-range" hidden></div>
              </div>
              <div class="ends" role="group" aria-labelledby="linked-${name}-label">
                <input type="range" id="linked-${name}-from" min="0" step="1" aria-label="${t('linked.from')}" />
                <input type="range" id="linked-${name}-to" min="0" step="1" aria-label="${t('linked.to')}" />
              </div>
            </div>`;

/** Linked views of a million flights; `src/demos/linked` brings them to life. */
export const linked = ({ t }) => `<section class="showpiece" aria-labelledby="linked-title">
        <h2 id="linked-title">${t('linked.title')}</h2>
        <div class="demo linked" id="linked">
          <figure>
            <div class="map" id="linked-map" role="img" aria-label="${t('linked.map')}">
              <canvas data-kind="2d" aria-hidden="true"></canvas>
              <canvas data-kind="webgpu" aria-hidden="true" hidden></canvas>
            </div>
            <p class="ramp"><span id="linked-low"></span><canvas id="linked-ramp" width="256" height="1" aria-hidden="true"></canvas><span id="linked-high"></span></p>
            <div class="row">
              <button type="button" id="linked-day">${t('ui.linked.day')}</button>
              <button type="button" id="linked-clear">${t('linked.clear')}</button>
              <label for="linked-column">${t('linked.column')}</label>
              <select id="linked-column">
                ${['delays', 'minutes', 'miles'].map((name) => `<option value="${name}">${t(`linked.${name}`)}</option>`).join('')}
              </select>
            </div>
            <p class="status" id="linked-status" role="status">${t('demo.loading')}</p>
          </figure>
          <div class="panel">
            <p class="demo-lead">${t('linked.lead')}</p>
            ${NAMES.map((name) => chart(t, name)).join('\n            ')}
          </div>
          <table class="leaders">
            <caption>${t('linked.caption')}</caption>
            <thead><tr><th scope="col">${t('linked.airport')}</th><th scope="col">${t('linked.flights')}</th><th scope="col">${t('linked.latest')}</th></tr></thead>
            <tbody id="linked-list"></tbody>
          </table>
          <div class="panel">
            <dl class="facts">
              ${facts(t, 'linked', ['kept', 'time'])}
            </dl>
            <button type="button" id="linked-compare">${t('density.compare')}</button>
            <p class="quiet" id="linked-same" role="status"></p>
          </div>
        </div>
        <details>
          <summary>${t('demos.code')}</summary>
          <pre class="snippet"><code>// Once: the airport of each flight, and its bin in each histogram
const { values, inverse } = await unique(origins);
const airports = group_by(inverse, values.size);
const bins = searchsorted(edges, delays, { right: true });

// At every move of a brush: the flights that it keeps
const byDelay = bins.ge(first).logical_and(bins.lt(last));
const counts = bincount(bins, { length: 60, mask: byTime.logical_and(byDistance) }); // the histogram has what the other two keep
const mask = byDelay.logical_and(byTime).logical_and(byDistance);
const { statistic } = binned_statistic(places, delays, 'mean', { bins: [rows, columns], range, mask });
const { values: most, indices } = bincount(inverse, { length: values.size, mask }).sort(0, { descending: true });
const { max, argmax } = airports.agg(where(mask, delays, -32768), ['max', 'argmax']); // the longest delay, and whose it is</code></pre>
        </details>
        <p class="quiet">${t('linked.source')}</p>
      </section>`;
