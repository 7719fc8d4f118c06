import '../../styles/index.css';
import { startTheme } from './theme.js';

/** What every page does: the theme, and a switch of language that takes the state in the address along. */
startTheme();
for (const link of document.querySelectorAll('[data-language]')) {
  link.addEventListener('click', () => (link.hash = location.hash));
}
