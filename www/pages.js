import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';

/**
 * The pages of the site: the one place where a page is named. The build makes `<id>.html` of each in every language; its
 * body comes from `content/<body>.js`, its script from `src/pages/<script>.js`, its words from `messages/`. `source` is the document that it
 * shows, as a path from the folder of the repository, and `title` the title of that document; `label` is what the list of operators calls it. A page of the section 'depth' is
 * in English only: guides lead to it.
 * @typedef {{ id: string, section: 'top' | 'operators' | 'guides' | 'depth', body: string, script: string, source?: string, title?: string, label?: string }} Page
 */

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const titleOf = (path) => /^# (.*)$/m.exec(read(path))[1];

/** The pages of docs/operators that rows of its README begin with. The navigation has them in the same order. @returns {Page[]} */
function operatorPages() {
  const rows = read('docs/operators/README.md').matchAll(/^\| \[([^\]]+)\]\((\w+)\.md\)/gm);
  return Array.from(rows, ([, label, id]) => ({ id, label, section: 'operators', body: 'operator', script: 'operator', source: `docs/operators/${id}.md` }));
}

/** The groups of the list of documents, each with its pages by id. The words of the groups are `docs.<group>`. */
export const guides = {
  begin: { start: 'src/js/README.md', overview: 'README.md', recipes: 'docs/RECIPES.md', migrating: 'docs/MIGRATING.md' },
  use: { tensor: 'docs/TENSOR.md', entries: 'docs/ENTRIES.md', files: 'docs/FILES.md', interop: 'docs/INTEROP.md', numerics: 'docs/NUMERICS.md', dtypes: 'docs/DTYPES.md', 'exact-bytes': 'docs/EXACT_SUM.md' },
  trust: { promises: 'docs/PROMISES.md', vectors: 'tests/vectors/package/README.md', performance: 'docs/PERFORMANCE.md', adapters: 'docs/ADAPTERS.md', reliability: 'docs/RELIABILITY.md', versioning: 'docs/VERSIONING.md' },
};

/** Documents behind the guides: the tables of the measurements, how the library is made, and why. */
const depth = {
  ...inFolder('docs/performance', 'performance'),
  ...inFolder('docs/promises', 'promises'),
  upstream: 'docs/upstream/README.md',
  ...inFolder('docs/upstream', 'upstream'),
  architecture: 'docs/ARCHITECTURE.md',
  ...inFolder('docs/architecture', 'architecture'),
  decisions: 'docs/decisions/README.md',
  ...inFolder('docs/decisions', 'decision'),
  changelog: 'CHANGELOG.md',
  security: 'SECURITY.md',
};

/** The documents of a folder by ids that begin with `name`; a README is named where it is listed. */
function inFolder(folder, name) {
  const files = readdirSync(new URL(`../${folder}`, import.meta.url)).filter((file) => file.endsWith('.md') && file !== 'README.md');
  return Object.fromEntries(files.sort().map((file) => [`${name}-${file.replace(/\.md$/, '')}`, posix.join(folder, file)]));
}

/** @returns {Page[]} */
const documentPages = (section, documents) =>
  Object.entries(documents).map(([id, source]) => ({ id, section, body: 'guide', script: 'guide', source, title: titleOf(source) }));

/** @type {Page[]} */
export const pages = [
  { id: 'index', section: 'top', body: 'home', script: 'home' },
  { id: 'docs', section: 'top', body: 'docs', script: 'plain' },
  ...Object.values(guides).flatMap((group) => documentPages('guides', group)),
  ...documentPages('depth', depth),
  { id: 'operators', section: 'top', body: 'operators', script: 'operator', source: 'docs/operators/README.md' },
  ...operatorPages(),
  { id: 'puzzles', section: 'top', body: 'puzzles', script: 'puzzles' },
  { id: 'playground', section: 'top', body: 'playground', script: 'playground' },
  { id: 'demos', section: 'top', body: 'demos', script: 'demos' },
  { id: 'benchmark', section: 'top', body: 'benchmark', script: 'benchmark' },
  { id: 'verify', section: 'top', body: 'verify', script: 'verify' },
  { id: 'about', section: 'top', body: 'about', script: 'plain' },
];

/** English pages lie at the top, others in a folder of their own. Text of documents that is not translated stays English. */
export const languages = [
  { code: 'en', folder: '', name: 'English' },
  { code: 'zh-Hans', folder: 'zh/', name: '简体中文' },
];

/** The languages that a page is in. @param {Page} page */
export const languagesOf = ({ section }) => languages.filter(({ folder }) => section !== 'depth' || !folder);

/** Every page in each of its languages, with its path in the site. */
export const editions = languages.flatMap((language) =>
  pages.filter((page) => languagesOf(page).includes(language)).map((page) => ({ page, language, path: `${language.folder}${page.id}.html` })),
);
