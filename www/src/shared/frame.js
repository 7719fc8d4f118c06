import '../../styles/index.css';
import { keepOffline } from '../offline/start.js';
import { startTheme } from './theme.js';

/** What every page does: the theme, a switch of language that takes the state in the address along, and no need of a network. */
startTheme();
keepOffline();
for (const link of document.querySelectorAll('[data-language]')) {
  link.addEventListener('click', () => (link.hash = location.hash));
}
