import '../shared/frame.js';
import '../../styles/puzzles.css';
import { Puzzle } from '../puzzles/puzzle.js';
import { t } from '../shared/messages.js';

const progress = document.getElementById('progress');
const puzzles = [...document.querySelectorAll('[data-puzzle]')].map((element) => new Puzzle(element, showProgress));

/** Says how many puzzles are solved. Each puzzle calls it when it may have been solved, or is no longer. */
function showProgress() {
  const solved = puzzles.filter(({ isSolved }) => isSolved).length;
  progress.textContent = t('puzzle.solved', { solved, all: puzzles.length });
}
