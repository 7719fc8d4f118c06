import { readFileSync } from 'node:fs';
import { highlight } from '../build/highlight.js';
import { prose } from '../build/html.js';
import { exampleOf } from '../src/lab/examples.js';
import { labHtml } from './lab.js';

const [, version] = /^version = "(.+)"$/m.exec(readFileSync(new URL('../../Cargo.toml', import.meta.url), 'utf8'));
/** The name of the file that `npm run package` makes. */
const tarball = `scatterwise-${version}.tgz`;

const use = `import init, { Tensor } from 'scatterwise';

await init(); // WebGPU where there is a graphics card, else the CPU
const counts = Tensor.zeros([4], { dtype: 'int32' });
counts.scatter_add_(0, [0, 2, 2, 3], 1);
console.log(await counts.data()); // [1, 0, 2, 1]`;

/** The first page: what the library is for, how to begin, one call step by step, three questions that labs answer, and the list of the operators. @param {import('../build/page.js').Context} context */
export function body(context) {
  const { t, pages, link } = context;
  const bare = { heading: 'h3', note: false };
  /** A section whose words are under `home.<id>`, with the lab of an example. */
  const question = (id, example) => `<section aria-labelledby="${id}">
      <h2 id="${id}">${t(`home.${id}.title`)}</h2>
      <p class="answer">${emphasised(t(`home.${id}.answer`))}</p>
      <p class="lead">${emphasised(t(`home.${id}.text`))}</p>
      ${labHtml(exampleOf(example), context, bare)}
    </section>`;
  const operators = pages.filter(({ section }) => section === 'operators');
  return `<main id="main" class="home" tabindex="-1">
      ${heroHtml(context)}
      <section aria-labelledby="use">
        <h2 id="use">${t('home.use')}</h2>
        <div class="use">
          <div>
            <pre class="snippet" tabindex="0"><code>npm install ./${tarball}</code></pre>
            <p>${prose(t('home.use.text'))}</p>
          </div>
          <pre class="snippet" tabindex="0"><code>${highlight(use, 'js')}</code></pre>
        </div>
      </section>
      <section aria-labelledby="steps">
        <h2 id="steps">${t('home.steps')}</h2>
        <p class="lead">${t('home.hero')}</p>
        <noscript><p>${t('frame.noscript')}</p></noscript>
        <div class="devices" data-devices></div>
        ${labHtml(exampleOf('hero'), context, { ...bare, autoplay: true })}
      </section>
      ${question('equal', 'duplicates-replace')}
      ${question('sums', 'sum-exact')}
      ${question('shape', 'why-shape')}
      <section aria-labelledby="next">
        <h2 id="next">${t('home.next')}</h2>
        <ul class="tiles">${operators.map((page) => tile(page, t, link)).join('')}</ul>
      </section>
    </main>`;
}

/**
 * What a visitor sees first: what the library is for, three promises, and beside them a map that one call counts. Its figure shows a
 * picture of the first frame until `src/home` draws.
 */
function heroHtml({ t, link }) {
  const promises = ['bits', 'nothing', 'import'].map((id) => `<li><strong>${t(`home.${id}`)}</strong> ${prose(t(`home.${id}.text`))}</li>`);
  return `<section class="hero" aria-labelledby="what">
        <h1 id="what">${t('home.title')}</h1>
        <figure class="flights" id="flights">
          <div class="map">
            <canvas width="960" height="600" role="img" aria-label="${t('home.map')}"></canvas>
            <button type="button" id="flights-move" hidden></button>
          </div>
          <figcaption>${prose(t('home.map.text'))} <span id="flights-took">…</span></figcaption>
        </figure>
        <div class="pitch">
          <p class="promise">${t('home.promise')}</p>
          <ul class="promises">${promises.join('')}</ul>
          <p class="ways"><a class="button primary" href="#use">${t('home.use')}</a> <a class="button" href="${link('playground')}">${t('home.try')}</a> <a class="button" href="${link('demos')}">${t('home.demos')}</a></p>
        </div>
      </section>`;
}

/** Like `prose`; text between asterisks is emphasised. */
const emphasised = (text) => prose(text).replace(/\*([^*]+)\*/g, '<em>$1</em>');

/** The entry of an operator's page in a list of them. @param {import('../pages.js').Page} page */
export function tile({ id, label }, t, link) {
  const text = t.has(`page.${id}.description`) ? t(`page.${id}.description`) : '';
  return `<li><a href="${link(id)}"><code>${label}</code></a><p>${text}</p></li>`;
}
