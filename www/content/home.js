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

/** The first page: two questions that labs answer, how to begin, and the list of the operators. @param {import('../build/page.js').Context} context */
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
      <section class="hero">
        <h1>${t('home.title')}</h1>
        <p class="promise">${t('home.promise')}</p>
        <noscript><p>${t('frame.noscript')}</p></noscript>
      </section>
      <section class="showpiece" aria-labelledby="hero-lead">
        <div class="bench"><p class="lead" id="hero-lead">${t('home.hero')}</p><div class="devices" data-devices></div></div>
        ${labHtml(exampleOf('hero'), context, { ...bare, autoplay: true })}
      </section>
      ${question('equal', 'duplicates-replace')}
      ${question('shape', 'why-shape')}
      <section aria-labelledby="use">
        <h2 id="use">${t('home.use')}</h2>
        <pre class="snippet" tabindex="0"><code>npm install ./${tarball}</code></pre>
        <pre class="snippet" tabindex="0"><code>${highlight(use, 'js')}</code></pre>
        <p>${prose(t('home.use.text'))}</p>
      </section>
      <section aria-labelledby="next">
        <h2 id="next">${t('home.next')}</h2>
        <ul class="tiles">${operators.map((page) => tile(page, t, link)).join('')}</ul>
      </section>
    </main>`;
}

/** Like `prose`; text between asterisks is emphasised. */
const emphasised = (text) => prose(text).replace(/\*([^*]+)\*/g, '<em>$1</em>');

/** The entry of an operator's page in a list of them. @param {import('../pages.js').Page} page */
export function tile({ id }, t, link) {
  const text = t.has(`page.${id}.description`) ? t(`page.${id}.description`) : '';
  return `<li><a href="${link(id)}"><code>${id}</code></a><p>${text}</p></li>`;
}
