import '../../styles/index.css';
import { keepOffline } from '../offline/start.js';
import { startSearch } from './search.js';
import { startTheme } from './theme.js';

/** What every page does: the theme, the search, no need of a network, and a switch of language that takes the state in the address along. */
startTheme();
startSearch();
keepOffline();
// On a phone the lists of pages are strips: this page's own is scrolled to.
for (const current of document.querySelectorAll(':is(.sections, .side) [aria-current="page"]')) {
  const strip = current.closest('ul');
  strip.scrollLeft = current.offsetLeft - strip.offsetLeft - (strip.clientWidth - current.offsetWidth) / 2;
}
for (const link of document.querySelectorAll('[data-language]')) {
  link.addEventListener('click', () => (link.hash = location.hash));
}
