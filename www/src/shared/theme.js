import { t } from './messages.js';

const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set();

/** 'light' or 'dark': what the visitor chose here, else what the system says. */
export const theme = () => document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light');

/** Calls `listener` after each change of the theme: pictures that paint their own pixels need to know. */
export function onTheme(listener) {
  listeners.add(listener);
}

/** Names the button after the theme that it leads to, and tells all listeners. */
function refresh() {
  const next = theme() === 'dark' ? 'light' : 'dark';
  const button = document.getElementById('theme');
  button.textContent = t(`theme.${next}`);
  button.setAttribute('aria-label', t(`theme.to.${next}`));
  for (const listener of listeners) listener();
}

/** Wires the button. A script in the page's head has set the remembered choice already, before the first paint. */
export function startTheme() {
  document.getElementById('theme').addEventListener('click', () => {
    const next = theme() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem('theme', next);
    } catch {
      // A browser that stores nothing for this page: the choice lasts until the page closes.
    }
    refresh();
  });
  dark.addEventListener('change', refresh);
  refresh();
}
