import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import { pages } from '../pages.js';
import { highlight } from './highlight.js';
import { escape } from './html.js';

const root = new URL('../../', import.meta.url);

/**
 * A document as HTML: `intro` is what stands before the first `##`, `sections` the rest, each with `id`, `title`, `html` and, if it is in
 * another language than the page, `lang`. Fenced `js` blocks become live blocks, which `src/blocks` starts.
 * @param {string} file its path from the folder of the repository
 * @param {Pick<import('./page.js').Context, 't' | 'up' | 'link'>} site the words of the site, and where its pages are
 * @param {{ pieces: Record<string, string>, whole: string[] }} [translation] the translation of each piece of text (`pieceOf`), and the files
 *   that it covers. Of another page of an operator only the first paragraph is translated; the rest stays English, and its elements say so by `lang`. Ids are
 *   made of the English text, so that links are the same in every language
 */
export function renderDocument(file, site, translation) {
  const { t } = site;
  const markdown = newReader();
  setRules(markdown, file, site);
  const tokens = markdown.parse(readFileSync(new URL(file, root), 'utf8'), {});
  const isWhole = !translation || translation.whole.includes(file);
  // Until the first paragraph was translated, if it is.
  let isSummary = !isWhole && pieceOf(tokens[firstParagraph(tokens)]) in translation.pieces;
  const lang = isWhole ? undefined : 'en';
  /** The text of token `at` in the language of the page; else the element around it is marked as English. */
  const translated = (at) => {
    const [token, around] = [tokens[at], tokens[at - 1]];
    if (isWhole || isSummary) return translation?.pieces[pieceOf(token)] ?? token.content;
    (around.hidden ? tokens[at - 2] : around).attrSet('lang', lang); // in a short list, paragraphs have no element
    return token.content;
  };
  const parts = [{ id: '', title: '', tokens: isWhole || isSummary ? [] : markdown.parse(t('docs.english'), {}) }];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    // A heading is three tokens: its opening, its text, and its end.
    if (token.type === 'heading_open' && token.tag === 'h1')
      at += 2; // content/operator.js writes the title of the page
    else if (token.type === 'heading_open' && token.tag === 'h2') {
      parts.push({ id: anchorOf(tokens[at + 1].content), title: translated(at + 1), tokens: [] });
      at += 2;
    } else {
      if (token.type === 'inline') token.children = markdown.parseInline(translated(at), {})[0].children;
      parts.at(-1).tokens.push(token);
      if (isSummary && token.type === 'paragraph_close') {
        isSummary = false;
        parts[0].tokens.push(...markdown.parse(t('docs.english'), {}));
      }
    }
  }
  for (const { id, tokens } of parts) addIds(id, tokens);
  const rendered = parts.map(({ id, title, tokens }) => ({
    id,
    title,
    lang,
    html: markdown.renderer.render(tokens, markdown.options, {}),
  }));
  return { intro: rendered[0].html, sections: rendered.slice(1) };
}

const newReader = () => new MarkdownIt({ html: false, typographer: false });

/** Where in the tokens of a document the text of its first paragraph is. */
const firstParagraph = (tokens) => tokens.findIndex(({ type }) => type === 'paragraph_open') + 1;

/** The text of a paragraph, a cell or a heading without its line breaks: the key of its translation. */
const pieceOf = ({ content }) => content.replace(/\s+/g, ' ').trim();

/**
 * Every piece of text of these documents that has a word in it, apart from code: what there is to translate. The name of a page
 * that links to it is none. Of a file that is not in `whole` that is the first paragraph. @param {string[]} files @param {string[]} whole
 */
export function piecesOf(files, whole) {
  const pieces = new Set();
  for (const file of files) {
    const tokens = newReader().parse(readFileSync(new URL(file, root), 'utf8'), {});
    for (const token of whole.includes(file) ? tokens : [tokens[firstParagraph(tokens)]]) {
      if (token.type === 'inline' && /[A-Za-z]{2}/.test(token.content.replace(/`[^`]*`|^\[[\w, ]+\]\(\w+\.md\)$/g, ''))) pieces.add(pieceOf(token));
    }
  }
  return pieces;
}

/**
 * Gives ids to what a link can name: `#error-<code>` in the table of errors, `#argument-<name>` in that of the shapes. A name
 * that comes again gets no second id.
 * @param {string} section the id of the section that the tokens are of
 */
function addIds(section, tokens) {
  const seen = new Set();
  const giveId = (token, name) => {
    if (!seen.has(name)) token.attrSet('id', name);
    seen.add(name);
  };
  tokens.forEach((token, at) => {
    if (token.type === 'inline' && section === 'errors') {
      for (const child of token.children)
        if (child.type === 'code_inline' && /^[a-z]+(-[a-z]+)+$/.test(child.content)) giveId(child, `error-${child.content}`);
    }
    const isFirstCell = token.type === 'td_open' && tokens[at - 1].type === 'tr_open';
    if (isFirstCell && section === 'shapes' && /^\w+$/.test(tokens[at + 1].content)) giveId(token, `argument-${tokens[at + 1].content}`);
  });
}

/** The id of a section, from its English title: the one that GitHub gives it, so that links between documents work here too. */
const anchorOf = (title) =>
  title
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** Sets how the renderer writes blocks of code, tables, links, headings and pictures. After its language a block may name the one device that it is for. */
function setRules({ renderer }, file, site) {
  const { rules } = renderer;
  const { t } = site;
  let blocks = 0;
  rules.fence = (tokens, at) => {
    const [language, device] = tokens[at].info.trim().split(/\s+/);
    const code = tokens[at].content.replace(/\n$/, '');
    const isJs = language === 'js' || language === 'javascript'; // only `js` is an example that runs here
    const text = `<pre class="snippet" tabindex="0"><code>${highlight(code, isJs ? 'js' : language)}</code></pre>`;
    if (language !== 'js' || /\bdocument\b/.test(code)) return text; // examples run in a worker, which has no document
    blocks += 1;
    const onlyDevice = device ? ` data-device="${device}"` : '';
    return `<div class="block" data-block id="block-${blocks}"${onlyDevice}>${text}</div>`;
  };
  rules.table_open = () =>
    `<div class="scroll" tabindex="0" role="region" aria-label="${escape(t('docs.table'))}"><table>`;
  rules.table_close = () => '</table></div>';
  // Above a first column that only names its rows, the head of the table may have an empty cell: that is no heading.
  rules.th_open = (tokens, at, options, env, self) => (tokens[at + 1].content ? `<th scope="col"${self.renderAttrs(tokens[at])}>` : '<td>');
  rules.th_close = (tokens, at) => (tokens[at - 1].content ? '</th>' : '</td>');
  rules.heading_open = (tokens, at, options, env, self) => {
    tokens[at].attrSet('id', anchorOf(tokens[at + 1].content));
    return self.renderToken(tokens, at, options);
  };
  rules.link_open = (tokens, at, options, env, self) => {
    const href = addressOnSite(tokens[at].attrGet('href'), file, site);
    if (href === null) return '<span>';
    tokens[at].attrSet('href', href);
    return self.renderToken(tokens, at, options);
  };
  rules.link_close = (tokens, at, options, env, self) => {
    let open = at;
    while (tokens[open].type !== 'link_open') open -= 1; // a link holds no other
    return addressOnSite(tokens[open].attrGet('href'), file, site) === null ? '</span>' : self.renderToken(tokens, at, options);
  };
  rules.image = (tokens, at) => {
    const path = posix.join(posix.dirname(file), tokens[at].attrGet('src'));
    return `<img src="${site.up}../${path}" alt="${escape(tokens[at].content)}"${sizeOf(path)} />`;
  };
}

/** Width and height of a PNG as attributes, so that its place is kept while it loads; the file begins with them. Nothing for other pictures. */
function sizeOf(path) {
  if (!path.endsWith('.png')) return '';
  const bytes = readFileSync(new URL(path, root));
  return ` width="${bytes.readUInt32BE(16)}" height="${bytes.readUInt32BE(20)}"`;
}

/**
 * Where a link of a document leads on the site: to the page of another document. Addresses, places in the same page and links that were
 * found already stay. Other files of the repository are not on the site: null.
 */
function addressOnSite(href, file, { link }) {
  if (/^https?:|^#|\.html/.test(href)) return href;
  const [path, hash] = href.split('#');
  const page = pages.find(({ source }) => source === posix.join(posix.dirname(file), path));
  return page ? `${link(page.id)}${hash ? `#${hash}` : ''}` : null;
}
