import { highlight } from '../build/highlight.js';
import { escape, prose } from '../build/html.js';
import { formOf } from '../src/lab/forms.js';
import { readCode } from '../src/lab/parse.js';
import { puzzles } from '../src/puzzles/puzzles.js';

/** The puzzles, each with a place for its answer, which `src/puzzles` fills; `src/pages/puzzles.js` fills `#progress`. @param {import('../build/page.js').Context} context */
export function body({ t, link }) {
  /** How many rows of cells the answer has: its place is as high before they come. */
  const rowsOf = (model) => (formOf(model).reads ? model.index : model.self).shape.slice(0, -1)[0] ?? 1;
  /** What the script needs. A call goes along as data, read here so that the page needs no parser. */
  const dataOf = ({ code, shape }) => (shape ? { code, shape } : { model: readCode(code) });
  const puzzleHtml = ({ id, page, code, shape }, at) => `<section class="puzzle" id="${id}" data-puzzle="${escape(JSON.stringify(dataOf({ code, shape })))}" aria-labelledby="${id}-title">
      <h2 id="${id}-title"><span class="quiet">${at + 1}</span> ${escape(t(`puzzle.${id}`))}</h2>
      <pre class="snippet" tabindex="0"><code>${highlight(code, 'js')}</code></pre>
      <div class="puzzle-answer" style="--rows: ${shape ? 1 : rowsOf(readCode(code))}"></div>
      <p class="quiet">${t('puzzles.read')} <a href="${link(page)}"><code>${page}</code></a></p>
    </section>`;
  return `<main id="main" class="puzzles" tabindex="-1">
      <h1>${t('puzzles.title')}</h1>
      <p class="lead">${prose(t('puzzles.lead'))}</p>
      <noscript><p>${t('frame.noscript')}</p></noscript>
      <p class="quiet" id="progress" role="status"></p>
      ${puzzles.map(puzzleHtml).join('\n')}
    </main>`;
}
