import { GridLayer, HexagonLayer } from '@deck.gl/aggregation-layers';
import { Deck, MapView } from '@deck.gl/core';
import { init } from 'scatterwise/deckgl';
import { statistics, withGroups } from './aggregator.js';
import { Bins } from './groups.js';
import { PlainBins } from './plain.js';
import { centre, makePoints } from './points.js';

const form = document.querySelector('form');

/** The layer, which says how long it took to make its bins. */
const timed = (Layer) =>
  class extends Layer {
    static layerName = `Timed${Layer.layerName}`;

    updateAttributes(changed) {
      const begun = performance.now();
      super.updateAttributes(changed);
      form.made.value = `${this.id}, ${this.props.colorAggregation}: ${this.state.aggregator.binCount} bins in ${Math.round(performance.now() - begun)} ms`;
    }
  };

// A class for each pair, made once: deck.gl keeps a layer's state as long as its class is the same.
const makers = {
  scatterwise: (Layer) => timed(withGroups(Layer, Bins)),
  plain: (Layer) => timed(withGroups(Layer, PlainBins)),
  'deck.gl': timed,
};
const classes = Object.fromEntries(
  Object.entries(makers).flatMap(([by, make]) => [
    [`${by} hexagons`, make(HexagonLayer)],
    [`${by} grid`, make(GridLayer)],
  ]),
);

let made;
/** The points that the form asks for. deck.gl compares `data` by identity, so it is a new object only for other points. */
function points() {
  const key = `${form.points.value} ${form.missing.checked}`;
  if (made?.key === key) return made.data;
  const { count, positions, values } = makePoints(Number(form.points.value), form.missing.checked);
  const attributes = { getPosition: { value: positions, size: 3 }, getColorWeight: { value: values, size: 1 }, getElevationWeight: { value: values, size: 1 } };
  made = { key, data: { length: count, attributes } };
  return made.data;
}

const theirs = ['SUM', 'MEAN', 'MIN', 'MAX', 'COUNT']; // the statistics of deck.gl's own aggregator

function draw() {
  for (const option of form.statistic) option.disabled = form.by.value === 'deck.gl' && !theirs.includes(option.value);
  if (form.statistic.selectedOptions[0].disabled) form.statistic.value = 'MEAN';
  const id = `${form.by.value} ${form.layer.value}`;
  const radius = Number(form.radius.value);
  const layer = new classes[id]({
    id,
    data: points(),
    gpuAggregation: false,
    radius,
    cellSize: 1.5 * radius,
    colorAggregation: form.statistic.value,
    elevationAggregation: 'COUNT',
    colorScaleType: 'linear',
    extruded: true,
    elevationScale: 5,
    coverage: 0.9,
    pickable: true,
  });
  deck.setProps({ layers: [layer] });
}

for (const name of Object.keys(statistics)) form.statistic.add(new Option(name));
// ?layer=grid&statistic=MEAN&by=plain&points=100000&radius=800
for (const [name, value] of new URLSearchParams(location.search)) {
  if (form[name]?.type === 'checkbox') form[name].checked = value === 'true';
  else if (form[name]) form[name].value = value;
}

// Once, while the page loads; after that every update of a layer is synchronous.
await init();

const deck = new Deck({
  parent: document.body,
  views: new MapView({ repeat: false }),
  initialViewState: { longitude: centre[0], latitude: centre[1], zoom: 9.5, pitch: 45, bearing: 20 },
  controller: true,
  onLoad: draw,
  onHover: ({ object }) => {
    form.picked.value = object ? `column ${object.col}, row ${object.row}: ${object.count} points, ${object.colorValue}; the first are ${object.pointIndices.slice(0, 3)}` : 'Point at a bin.';
  },
});
globalThis.deck = deck; // for the console
form.addEventListener('input', draw);
