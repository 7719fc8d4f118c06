import { readFileSync } from 'node:fs';
import MarkdownIt from 'markdown-it';
import { pages } from '../pages.js';
import { highlight } from './highlight.js';
import { escape } from './html.js';

const docs = new URL('../../docs/operators/', import.meta.url);

/**
 * A page of docs/operators as HTML: `intro` is what stands before the first `##`, `sections` the rest, each with `id`,
 * `title` and `html`. Fenced `js` blocks become live blocks, which `src/blocks` starts. `pieces` has the text in another
 * language; places in the page keep their English names.
 * @param {Record<string, string>} [pieces]
 */
export function renderDocument(file, t, pieces = {}) {
  const markdown = newReader();
  adapt(markdown, t);
  const tokens = markdown.parse(readFileSync(new URL(file, docs), 'utf8'), {});
  const said = (token) => pieces[pieceOf(token)] ?? token.content;
  const parts = [{ id: '', title: '', tokens: [] }];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token.type === 'heading_open' && token.tag === 'h1')
      at += 2; // the page has its own
    else if (token.type === 'heading_open' && token.tag === 'h2') {
      const heading = tokens[at + 1];
      parts.push({ id: slug(heading.content), title: said(heading), tokens: [] });
      at += 2;
    } else {
      if (token.type === 'inline') token.children = markdown.parseInline(said(token), {})[0].children;
      parts.at(-1).tokens.push(token);
    }
  }
  for (const { id, tokens } of parts) addPlaces(id, tokens);
  const rendered = parts.map(({ id, title, tokens }) => ({
    id,
    title,
    html: markdown.renderer.render(tokens, markdown.options, {}),
  }));
  return { intro: rendered[0].html, sections: rendered.slice(1) };
}

const newReader = () => new MarkdownIt({ html: false, typographer: false });

/** A paragraph, a cell or a heading, however its lines are broken. */
const pieceOf = ({ content }) => content.replace(/\s+/g, ' ').trim();

/** Every piece of text of the documentation that has a word in it, apart from code. */
export function piecesOf(files) {
  const pieces = new Set();
  for (const file of files) {
    for (const token of newReader().parse(readFileSync(new URL(file, docs), 'utf8'), {})) {
      if (token.type === 'inline' && /[A-Za-z]{2}/.test(token.content.replace(/`[^`]*`/g, ''))) pieces.add(pieceOf(token));
    }
  }
  return pieces;
}

/** Places that a link can name: `#error-<code>` in the table of errors, `#argument-<name>` in that of the shapes. */
function addPlaces(section, tokens) {
  const seen = new Set();
  const place = (token, name) => {
    if (!seen.has(name)) token.attrSet('id', name);
    seen.add(name);
  };
  tokens.forEach((token, at) => {
    if (token.type === 'inline' && section === 'errors') {
      for (const child of token.children)
        if (child.type === 'code_inline' && /^[a-z]+(-[a-z]+)+$/.test(child.content)) place(child, `error-${child.content}`);
    }
    const isFirst = token.type === 'td_open' && tokens[at - 1].type === 'tr_open';
    if (isFirst && section === 'shapes' && /^\w+$/.test(tokens[at + 1].content)) place(token, `argument-${tokens[at + 1].content}`);
  });
}

const slug = (title) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

function adapt({ renderer }, t) {
  const { rules } = renderer;
  let blocks = 0;
  rules.fence = (tokens, at) => {
    const [language, device] = tokens[at].info.trim().split(/\s+/);
    const code = tokens[at].content.replace(/\n$/, '');
    const text = `<pre class="snippet" tabindex="0"><code>${highlight(code, language)}</code></pre>`;
    if (language !== 'js') return text;
    blocks += 1;
    const only = device ? ` data-device="${device}"` : '';
    return `<div class="block" data-block id="block-${blocks}"${only}>${text}</div>`;
  };
  rules.table_open = () =>
    `<div class="scroll" tabindex="0" role="region" aria-label="${escape(t('docs.table'))}"><table>`;
  rules.table_close = () => '</table></div>';
  // The first cell of a row names it; an empty cell at the head of a column is no heading.
  rules.th_open = (tokens, at) => (tokens[at + 1].content ? '<th scope="col">' : '<td>');
  rules.th_close = (tokens, at) => (tokens[at - 1].content ? '</th>' : '</td>');
  const plainLink = rules.link_open ?? ((tokens, at, options, _env, self) => self.renderToken(tokens, at, options));
  rules.link_open = (tokens, at, ...rest) => {
    const href = tokens[at].attrGet('href');
    tokens[at].attrSet('href', target(href));
    return plainLink(tokens, at, ...rest);
  };
}

/** Links between pages of the documentation lead to the site's pages; those to other files name them in the repository. */
function target(href) {
  const [, id, hash = ''] = href.match(/^(\w+)\.md(#.*)?$/) ?? [];
  if (id && pages.some((page) => page.id === id)) return `./${id}.html${hash}`;
  if (/^https?:|^#/.test(href)) return href;
  return './about.html#documents';
}
