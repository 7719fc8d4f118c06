import { gzipSync } from 'node:zlib';

/** What the first view of a page may cost, in bytes after gzip: its text, its styles, and the scripts that it loads at once. */
const LIMIT = 62_500;

const gzippedBytes = (source) => gzipSync(source, { level: 9 }).length;

/** A Vite plugin that measures every page of the build, prints the heaviest, and fails over the budget. */
export function budget() {
  return {
    name: 'scatterwise-budget',
    apply: 'build',
    generateBundle: {
      order: 'post', // when all files of the bundle are there
      handler(_options, bundle) {
        const weights = Object.values(bundle)
          .filter(({ fileName }) => fileName.endsWith('.html'))
          .map((file) => ({ page: file.fileName, bytes: weigh(file, bundle) }))
          .sort((a, b) => b.bytes - a.bytes);
        const kilobytes = ({ page, bytes }) => `${page} ${(bytes / 1000).toFixed(1)} kB`;
        this.info(
          `first view, gzipped without fonts (limit ${LIMIT / 1000} kB): ${weights.slice(0, 4).map(kilobytes).join(', ')}`,
        );
        const over = weights.filter(({ bytes }) => bytes > LIMIT);
        if (over.length > 0) this.error(`over the budget of ${LIMIT} bytes: ${over.map(kilobytes).join(', ')}`);
      },
    },
  };
}

/**
 * The bytes of a page's first view: its HTML, and each script and style sheet that the HTML names, once and gzipped by itself. Fonts
 * and what scripts import later are not counted.
 * @param {{ source: string | Uint8Array }} page the HTML file
 * @param {Record<string, { code?: string, source?: string | Uint8Array }>} bundle the files of the build by name: scripts have `code`, others `source`
 */
function weigh({ source }, bundle) {
  const html = String(source);
  const files = [...html.matchAll(/(?:src|href)="(?:\.\.?\/)*(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file);
  const bytes = [...new Set(files)].map((file) => {
    const { code, source: text } = bundle[file];
    return gzippedBytes(code ?? text);
  });
  return bytes.reduce((sum, each) => sum + each, gzippedBytes(html));
}
