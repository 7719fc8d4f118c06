/** Gains along the axes of a picture, and its histogram; `src/demos/image` brings it to life. */
export const image = ({ t }) => `<section class="showpiece" aria-labelledby="image-title">
        <h2 id="image-title">${t('image.title')}</h2>
        <p class="lead">${t('image.lead')}</p>
        <div class="demo" id="image">
          <figure>
            <canvas class="photo" id="image-canvas" role="img" aria-label="${t('image.picture')}"></canvas>
            <div class="curves" id="image-histogram"></div>
            <p class="readout" id="image-readout" aria-live="polite"></p>
            <p class="status" id="image-status" role="status">${t('demo.loading')}</p>
          </figure>
          <div class="panel">
            <div class="settings">
              <label for="image-mode">${t('image.mode')}</label>
              <select id="image-mode">
                ${['channel', 'row', 'column'].map((mode) => `<option value="${mode}">${t(`image.mode.${mode}`)}</option>`).join('')}
              </select>
              ${[0, 1, 2].map(lever).join('\n              ')}
            </div>
            <button type="button" id="image-reset">${t('image.reset')}</button>
            <div class="settings file">
              <label for="image-file">${t('image.own')}</label>
              <input type="file" id="image-file" accept="image/*" />
            </div>
            <p class="quiet">${t('image.private')}</p>
          </div>
        </div>
        <details open>
          <summary>${t('demos.code')}</summary>
          <pre class="snippet"><code id="image-call"></code>
<code>// levels: for each value of the result, channel * 256 + its level
Tensor.zeros([3 * 256], { dtype: 'int32' }).scatter_add_(0, levels, 1);</code></pre>
        </details>
        <p class="quiet">${t('image.source')}</p>
      </section>`;

/** One of the three sliders for gains. The demo's script names them, and hides one that a mode does not use. */
const lever = (at) => `<div class="lever">
                <label for="image-lever-${at}" id="image-lever-${at}-name">×</label>
                <input type="range" id="image-lever-${at}" min="0" max="2.5" step="0.05" value="1" />
              </div>`;
