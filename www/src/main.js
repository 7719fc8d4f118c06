import '../styles/index.css';
import { Card } from './card.js';
import { onDevice, startDevice } from './device.js';
import { byId, h, prose } from './dom.js';
import { groups } from './examples.js';
import { HistogramPanel } from './histogram/panel.js';
import { startTheme } from './theme.js';

startTheme();

const cards = [];
for (const { id, title, lead, examples } of groups) {
  const own = examples.map((example) => new Card(example));
  cards.push(...own);
  byId('groups').append(
    h(
      'section',
      { 'aria-labelledby': `${id}-group` },
      h('h3', { id: `${id}-group` }, title),
      h('p', { class: 'lead' }, ...prose(lead)),
      ...own.map((card) => card.element),
    ),
  );
}

const histogram = new HistogramPanel();
onDevice((device) => {
  histogram.show(device);
  for (const card of cards) card.run();
});

try {
  await startDevice();
} catch (error) {
  byId('status').textContent = `Scatterwise could not start in this browser: ${error.message}`;
}

// The editors are the heaviest part of the page: they come last, and everything above works without them.
const { createEditor } = await import('./editor.js');
for (const card of cards) card.mount(createEditor);
