import '../../styles/index.css';
import { keepOffline } from '../offline/start.js';
import { startTheme } from './theme.js';

/** What every page does: the theme, no need of a network, and a switch of language that takes the state in the address along. */
startTheme();
keepOffline();
// On a phone the list of operators is a strip: this page's own is scrolled to.
const current = document.querySelector('.side .operators [aria-current="page"]');
const strip = current?.closest('.operators');
if (strip) strip.scrollLeft = current.offsetLeft - strip.offsetLeft - (strip.clientWidth - current.offsetWidth) / 2;
for (const link of document.querySelectorAll('[data-language]')) {
  link.addEventListener('click', () => (link.hash = location.hash));
}
