import { createReadStream, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entriesOf, readProject } from '../../tools/api.mjs';
import { en } from '../messages/en.js';
import { pages } from '../pages.js';

const ID = 'virtual:types';
/** What stands for the folder of the site in the navigation of the reference. */
const SITE = 'https://site.invalid/';
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
/** The content types of TypeDoc's files. */
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/**
 * A Vite plugin for what TypeDoc reads in the package's own types. `import entries from 'virtual:types'` gives it for completion and hovers:
 * each name with its owner (`Tensor`, `Tensor.` for what belongs to the class itself, or nothing), its signatures and its words. The folder `api` of the
 * site has the reference, which is neither searched by the site nor kept for offline: it has a search of its own.
 * @typedef {{ name: string, owner: string, kind: string, signatures: string[], doc: string }} Entry
 */
export function apiReference() {
  let reading;
  let outDir; // undefined while a server runs, which closes its bundle too
  const write = async (folder) => {
    reading ??= readProject();
    const { app, project } = await reading;
    app.options.setValue('navigationLinks', Object.fromEntries(siteLinks()));
    await app.generateDocs(project, folder);
    linkToSite(folder);
  };
  return {
    name: 'scatterwise-api',
    configResolved(config) {
      if (config.command === 'build') outDir = join(config.root, config.build.outDir, 'api');
    },
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    async load(id) {
      if (id !== `\0${ID}`) return null;
      this.addWatchFile(here('../../src/js/types.d.ts'));
      reading = readProject();
      return `export default ${JSON.stringify(helpOf(await entriesOf((await reading).project)))};`;
    },
    async closeBundle() {
      if (outDir) await write(outDir);
    },
    configureServer(server) {
      const folder = here('../../target/docs/api');
      let written;
      server.middlewares.use('/api', async (request, response, next) => {
        written ??= write(folder);
        await written;
        const file = join(folder, decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
        if (!existsSync(file) || !statSync(file).isFile()) return next();
        response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
        createReadStream(file).pipe(response);
      });
    },
  };
}

/** The sections of the site, by the words of its own navigation, as addresses that `linkToSite` finds. @returns {[string, string][]} */
const siteLinks = () =>
  pages.filter(({ section }) => section === 'top').map(({ id }) => [id === 'index' ? 'Home' : en[`nav.${id}`], `${SITE}${id}.html`]);

/** Makes the addresses of the site's pages relative in every page of the reference: TypeDoc writes them as they are, at each depth. */
function linkToSite(folder) {
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!file.endsWith('.html')) continue;
    const up = '../'.repeat(file.split(sep).length);
    writeFileSync(join(folder, file), readFileSync(join(folder, file), 'utf8').replaceAll(SITE, up));
  }
}

/** The functions and classes of the package's first entry, and the methods and properties of the classes. @returns {Entry[]} */
function helpOf(entries) {
  const classes = new Set(entries.filter(({ kind }) => kind === 'class').map(({ name }) => name));
  return entries
    .filter(({ module, name, owner, kind }) => module === 'scatterwise' && /^\w+$/.test(name) && (owner ? classes.has(owner) && kind !== 'constructor' : ['function', 'class'].includes(kind)))
    .map(({ name, owner, kind, isStatic, signatures, text }) => ({ name, owner: isStatic ? `${owner}.` : owner, kind, signatures, doc: wordsOf(text) }));
}

/** A comment with the name that each `{@link …}` refers to in place of the tag. */
const wordsOf = (text) => text.replace(/\{@link (?:\w+\.)?(\w+)\}/g, '$1');
