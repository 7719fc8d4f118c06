import { assetAddress } from './address.js';
import { byId, h } from './dom.js';
import { once } from './load.js';

/** Opens the search at its button and at the key `/`, which must not be taken from a field. Nothing of it is loaded before. */
export function startSearch() {
  byId('search').addEventListener('click', open);
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    open();
  });
}

async function open() {
  const dialog = byId('search-dialog');
  if (!dialog.open) dialog.showModal();
  try {
    await load();
    dialog.querySelector('input')?.focus();
  } catch {
    dialog.querySelector('.status').hidden = false;
  }
}

/** Loads Pagefind, which the build leaves in `pagefind/`, and puts its interface into the dialog. */
const load = once(async () => {
  const from = (file) => assetAddress(`pagefind/${file}`).href;
  const arrived = (element) =>
    new Promise((resolve, reject) => {
      element.onload = resolve;
      element.onerror = reject;
      document.head.append(element);
    });
  await Promise.all([arrived(h('link', { rel: 'stylesheet', href: from('pagefind-ui.css') })), arrived(h('script', { src: from('pagefind-ui.js') }))]);
  new globalThis.PagefindUI({
    element: '#search-place',
    bundlePath: from(''),
    baseUrl: assetAddress('').pathname,
    showImages: false,
    showSubResults: true,
    pageSize: 6,
    resetStyles: false,
  });
});
