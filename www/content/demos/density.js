import { facts } from './facts.js';

/** The density map of flights; `src/demos/density` brings it to life. */
export const density = ({ t }) => `<section class="showpiece" aria-labelledby="density-title">
        <h2 id="density-title">${t('density.title')}</h2>
        <div class="demo" id="density">
          <figure>
            <div class="map">
              <canvas data-kind="2d" aria-hidden="true"></canvas>
              <canvas data-kind="webgpu" aria-hidden="true" hidden></canvas>
              <svg id="density-map" viewBox="0 0 960 600" tabindex="0" role="img" aria-label="${t('density.map')}" aria-describedby="density-keys"></svg>
            </div>
            <div class="row">
              <button type="button" id="density-move">${t('ui.density.move')}</button>
              <button type="button" id="density-in" aria-label="${t('density.in')}">+</button>
              <button type="button" id="density-out" aria-label="${t('density.out')}">−</button>
              <button type="button" id="density-home">${t('density.home')}</button>
            </div>
            <p class="quiet" id="density-keys">${t('density.keys')}</p>
            <p class="status" id="density-status" role="status">${t('demo.loading')}</p>
          </figure>
          <div class="panel">
            <p class="demo-lead">${t('density.lead')}</p>
            <div class="settings">
              <label for="density-size">${t('density.size')}</label>
              <input type="range" id="density-size" min="0" step="1" value="4" />
            </div>
            <dl class="facts">
              ${facts(t, 'density', ['count', 'inside', 'rate', 'moving', 'counting', 'painting'])}
            </dl>
            <button type="button" id="density-compare">${t('density.compare')}</button>
            <p class="quiet" id="density-same" role="status"></p>
          </div>
        </div>
        <details>
          <summary>${t('demos.code')}</summary>
          <pre class="snippet"><code>// CPU: places is a Float32Array with y and x of every point, and range what the screen shows of the map
const sample = new Tensor(places, { shape: [points, 2] });
const { hist } = histogramdd(sample, { bins: [rows, columns], range: [[top, bottom], [left, right]] });
paint(await hist.data({ out }));

// WebGPU: bins is a GPUBuffer that a shader has filled, and a shader paints. Nothing leaves the GPU
const counts = Tensor.zeros([columns * rows + 1], { dtype: 'int32' }); // one more for what is outside
counts.scatter_add_(0, Tensor.from_gpu_buffer(bins, { shape: [points], dtype: 'int32' }), 1);
paint(counts.gpu_buffer());</code></pre>
        </details>
        <p class="quiet">${t('density.source')}</p>
      </section>`;
