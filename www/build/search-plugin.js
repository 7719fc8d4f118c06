import { close, createIndex } from 'pagefind';

/** The files of Pagefind that the site does not use: its other interfaces, and marking words on the page that was found. */
const UNUSED = /-(modular|component)-ui\.|-highlight\.js$/;

/**
 * A Vite plugin that emits `pagefind/`: an index of the text of the pages, in parts that a search loads as it needs them, and the code that
 * searches it. A page is in it if an element has `data-pagefind-body`. It is loaded when a visitor opens the search.
 */
export function searchIndex() {
  return {
    name: 'scatterwise-search',
    apply: 'build',
    generateBundle: {
      order: 'post', // when the pages are there
      async handler(_options, bundle) {
        const { index } = await createIndex({});
        try {
          for (const { fileName, source } of Object.values(bundle)) {
            if (!fileName.endsWith('.html') || !String(source).includes('data-pagefind-body')) continue;
            const { errors } = await index.addHTMLFile({ url: fileName, content: String(source) });
            if (errors.length > 0) this.error(`${fileName}: ${errors.join(' ')}`);
          }
          const { files } = await index.getFiles();
          for (const { path, content } of files) if (!UNUSED.test(path)) this.emitFile({ type: 'asset', fileName: `pagefind/${path}`, source: content });
        } finally {
          await close();
        }
      },
    },
  };
}
