/** The headers by which a browser lets a page share memory with workers: docs/THREADS.md. */
const HEADERS = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
/** The pages that get them, in each language: other pages have no threads. Some hosts leave `.html` out of addresses. */
const ISOLATED = /\/playground(\.html)?$/;
const PATHS = ['/playground', '/zh/playground'].flatMap((path) => [path, `${path}.html`]);

/**
 * A Vite plugin: the playground is cross-origin isolated, so that code can run on several threads there. The development server and the preview
 * send the headers. For static hosts there is `_headers`, which some of them read; on all others the service worker adds the headers, from
 * the second visit on.
 */
export function isolation() {
  const send = ({ middlewares }) => {
    middlewares.use((request, response, next) => {
      if (ISOLATED.test(new URL(request.url, 'http://localhost').pathname)) for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
      next();
    });
  };
  return {
    name: 'scatterwise-isolation',
    enforce: 'pre', // before the middleware that answers for pages
    configureServer: send,
    configurePreviewServer: send,
    generateBundle() {
      const lines = Object.entries(HEADERS).map(([name, value]) => `  ${name}: ${value}\n`);
      this.emitFile({ type: 'asset', fileName: '_headers', source: PATHS.map((path) => `${path}\n${lines.join('')}`).join('\n') });
    },
  };
}
