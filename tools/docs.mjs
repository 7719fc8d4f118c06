// `npm run docs`: the API reference, one page, from the comments of src/js/types.d.ts and files.d.ts: target/docs/api.html.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readApi } from './api.mjs';
import { main, root } from './shell.mjs';
import { readTypes } from './types.mjs';

await main(async () => {
  const texts = [await readTypes(), await readFile(join(root, 'src', 'js', 'files.d.ts'), 'utf8')];
  const declarations = texts.flatMap(readApi);
  const out = join(root, 'target', 'docs');
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'api.html'), page(declarations));
  console.log(join('target', 'docs', 'api.html'));
});

/** The page, as HTML. Overloads without a comment are listed behind the section of the one before them. */
function page(declarations) {
  const groups = { Classes: 'class', Functions: 'function', Types: 'interface type' };
  const of = (kinds) => declarations.filter(({ kind, isDocumented }) => kinds.includes(kind) && (isDocumented || kind === 'function'));
  const links = (kinds) => [...new Set(of(kinds).map(({ name }) => name))].map((name) => `<a href="#${name}">${name}</a>`).join(' ');
  const contents = Object.entries(groups).map(([title, kinds]) => `<p>${title}: ${links(kinds)}</p>`);
  const sections = Object.entries(groups).map(([title, kinds]) => `<h2>${title}</h2>\n${of(kinds).map((each) => section(each)).join('\n')}`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Scatterwise: API</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
  pre { overflow-x: auto; padding: .6rem .8rem; border: 1px solid #8886; border-radius: 4px }
  code, pre { font: 14px/1.45 ui-monospace, monospace }
  section section { margin-left: 1.5rem }
  h2 { margin-top: 3rem }
</style>
<h1>Scatterwise: API</h1>
<nav>${contents.join('\n')}</nav>
${sections.join('\n')}
</html>
`;
}

/**
 * A declaration with its members. One without a comment is an overload: its signature alone, which follows those of the one before it.
 * `owner` is the name of the class of a member.
 */
function section({ kind, name, signature, text, examples, members, isDocumented }, owner) {
  if (!isDocumented) return `<pre>${escape(signature.replace(/^export /, ''))}</pre>`;
  const level = owner ? 'h4' : 'h3';
  const id = owner ? `${owner}.${name}` : name;
  const inner = members.filter(({ kind }) => kind !== 'private').map((member) => section(member, name));
  return `<section id="${escape(id)}">
<${level}>${escape(id)}</${level}>
<pre>${escape(kind === 'class' || kind === 'interface' ? signature : signature.replace(/^export /, ''))}</pre>
${prose(text)}
${examples.map((example) => `<pre>${escape(example)}</pre>`).join('\n')}
${inner.join('\n')}
</section>`;
}

/** The text of a comment as HTML. Paragraphs, lists, code and links are all that the comments use. */
function prose(text) {
  const blocks = text.split(/\n\s*\n/).filter(Boolean);
  return blocks.map((block) => (block.startsWith('- ') ? `<ul>${items(block)}</ul>` : `<p>${inline(block)}</p>`)).join('\n');
}

/** The items of a list, a block whose items begin with `- `, as HTML. */
function items(block) {
  return block.split(/^- /m).filter(Boolean).map((item) => `<li>${inline(item)}</li>`).join('\n');
}

/** A paragraph or an item as HTML, with its code and links. */
function inline(text) {
  return escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\{@link ([\w.]+)\}/g, '<a href="#$1"><code>$1</code></a>');
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
