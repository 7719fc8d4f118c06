import { fileURLToPath } from 'node:url';
import { editions } from '../pages.js';

const www = fileURLToPath(new URL('..', import.meta.url));
/** Where the server of development has what lies outside of www/: fonts, and the pictures of documents. */
const outside = `/@fs${fileURLToPath(new URL('../..', import.meta.url))}`;

/** The entries for the bundler. The files do not exist: `sitePages` makes their text. */
export const inputs = Object.fromEntries(editions.map(({ path }) => [path.replace(/\.html$/, ''), `${www}${path}`]));

/**
 * A Vite plugin that makes the pages of the registry: in the build as modules with the paths of `inputs`, in development again for each
 * request. An edit in the documents, content/, messages/ or build/ reloads the page.
 */
export function sitePages() {
  const byFile = new Map(editions.map((edition) => [`${www}${edition.path}`, edition]));
  /** For the build; in development the server loads `page.js` instead. Imported by an address: Vite would bundle a path into its config. */
  const compose = async (edition) => {
    const { renderPage } = await import(new URL('./page.js', import.meta.url).href);
    return renderPage(edition);
  };
  return {
    name: 'scatterwise-pages',
    enforce: 'pre',
    resolveId: (id) => (byFile.has(id) ? id : null),
    load: (id) => (byFile.has(id) ? compose(byFile.get(id)) : null),
    configureServer(server) {
      server.watcher.add(fileURLToPath(new URL('../../docs', import.meta.url)));
      server.watcher.on(
        'change',
        (file) => /\.md$|[\\/](content|messages|build)[\\/]/.test(file) && server.hot.send({ type: 'full-reload' }),
      );
      server.middlewares.use(async (request, response, next) => {
        // The path without a query and its leading slash; a folder stands for its index.html.
        const path = decodeURIComponent(request.url.split(/[?#]/)[0]).replace(/\/$/, '/index.html').slice(1);
        const edition = byFile.get(`${www}${path}`);
        if (!edition) return next();
        try {
          // Loaded through the server, so that a reload shows edits.
          const { renderPage } = await server.ssrLoadModule(`${www}build/page.js`);
          const text = (await renderPage(edition)).replace(/"(?:\.\.\/)+(?=(?:node_modules|docs)\/)/g, `"${outside}`);
          const html = await server.transformIndexHtml(`/${path}`, text);
          response.setHeader('content-type', 'text/html; charset=utf-8');
          response.end(html);
        } catch (error) {
          next(error);
        }
      });
    },
  };
}
