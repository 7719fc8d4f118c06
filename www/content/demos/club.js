import { facts } from './facts.js';

/** Message passing on a graph; `src/demos/club` brings it to life. */
export const club = ({ t, link }) => `<section class="showpiece" aria-labelledby="club-title">
        <h2 id="club-title">${t('club.title')}</h2>
        <p class="lead">${t('club.lead')}</p>
        <div class="demo" id="club">
          <figure>
            <svg class="graph" id="club-graph" viewBox="0 0 640 460" role="img" aria-label="${t('club.graph')}" aria-describedby="club-legend"></svg>
            <p class="quiet" id="club-legend">${t('club.legend')}</p>
            <p class="status" id="club-status" role="status">${t('demo.loading')}</p>
          </figure>
          <div class="panel">
            <div class="settings">
              <label for="club-how">${t('club.how')}</label>
              <select id="club-how">
                ${['mean', 'amax'].map((how) => `<option value="${how}">${t(`club.how.${how}`)}</option>`).join('')}
              </select>
            </div>
            <div class="row">
              <button type="button" id="club-step" disabled>${t('club.step')}</button>
              <button type="button" id="club-ten" disabled>${t('club.ten')}</button>
              <button type="button" id="club-again">${t('club.again')}</button>
            </div>
            <dl class="facts" aria-live="polite">
              ${facts(t, 'club', ['steps', 'reached', 'right', 'same'])}
            </dl>
          </div>
        </div>
        <details>
          <summary>${t('demos.code')}</summary>
          <pre class="snippet"><code>const heard = values.gather(0, from); // what the neighbours say: an entry for each end of each edge

// the mean over the neighbours; the two leaders keep their opinion
values = values.scatter_reduce(0, to, heard, 'mean', { include_self: false });
values.scatter_(0, [instructor, president], [1, -1]);

// the maximum over the neighbours and oneself, halved with each step
values = values.scatter_reduce(0, to, heard.mul(0.5), 'amax');</code></pre>
        </details>
        <p><a href="${link('playground')}?start=attention">${t('club.attention')}</a></p>
        <p class="quiet">${t('club.source')}</p>
      </section>`;
