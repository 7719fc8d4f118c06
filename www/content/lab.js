import { highlight } from '../build/highlight.js';
import { escape, prose } from '../build/html.js';
import { examples } from '../src/lab/examples.js';
import { readCode } from '../src/lab/parse.js';

/**
 * The place of a lab, with everything that is known without running it; `src/lab` brings it to life.
 * @param {import('../src/lab/examples.js').Example} example
 * @param {import('../build/page.js').Context} context
 * @param {{ heading?: string, note?: boolean, autoplay?: boolean }} [options] the element of the title; whether the note of the example is
 *   shown; whether the lab plays its steps when it first appears
 */
export function labHtml(example, { t }, { heading = 'h3', note = true, autoplay = false } = {}) {
  const { id, code, printed } = example;
  const title = `<${heading} id="${id}-title">${escape(t(`ui.example.${id}`))}</${heading}>`;
  const words = note && t(`note.${id}`) ? `<p class="note">${prose(t(`note.${id}`))}</p>` : '';
  const source = `<div class="editor"><pre class="snippet" tabindex="0"><code>${highlight(code, 'js')}</code></pre></div>`;
  const promised = printed
    ? `<figure><figcaption>${t('lab.printed')}</figcaption><pre tabindex="0">${escape(printed)}</pre></figure>`
    : '';
  return `<section class="lab" id="${id}" data-lab="${id}" data-model="${escape(JSON.stringify(readCode(code)))}"${autoplay ? ' data-autoplay' : ''} aria-labelledby="${id}-title">
      ${title}${words}
      <div class="lab-body"><div class="lab-side">${source}</div><div class="lab-main">${promised}</div></div>
    </section>`;
}

/** The examples that the page with this id shows. */
export const labsOf = (id) => examples.filter(({ page }) => page === id);
