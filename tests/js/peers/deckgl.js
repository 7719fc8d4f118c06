// Runs in the page of examples/deckgl: its aggregators beside deck.gl's own, and all of them without a layer.

import { CPUAggregator, GridLayer, HexagonLayer } from '@deck.gl/aggregation-layers';
import { WebMercatorViewport } from '@deck.gl/core';
import { init, memory } from 'scatterwise/deckgl';
import { ColumnAggregator } from './aggregator.js';
import { Bins } from './groups.js';
import { PlainBins } from './plain.js';
import { centre, makePoints } from './points.js';

await init();

const viewport = new WebMercatorViewport({ longitude: centre[0], latitude: centre[1], zoom: 12 });
const origin = viewport.center.slice(0, 2).map(Math.fround);
const { unitsPerMeter } = viewport.getDistanceScales(centre);

/** What the layers tell an aggregator about bins of so many metres. */
export function binOptions(layer, metres) {
  const size = unitsPerMeter[0] * metres;
  return layer === 'hexagons' ? { radiusCommon: size, hexOriginCommon: origin } : { cellSizeCommon: [size, size], cellOriginCommon: origin };
}

/** An attribute as deck.gl makes it of a typed array. */
const attribute = (value, size) => ({ value, size, isConstant: false, getAccessor: () => ({ size, offset: 0, stride: size * value.BYTES_PER_ELEMENT }) });

/** An aggregator of points by 'deck.gl', 'scatterwise' or 'plain', which has not computed anything yet. */
export function makeAggregator(by, layer, { count, positions, values }, props) {
  const Layer = layer === 'hexagons' ? HexagonLayer : GridLayer;
  const theirs = Layer.prototype.createAggregator.call({ props: {}, state: { aggregatorViewport: viewport } }, 'cpu');
  const more = { columns: ['colorWeights', 'elevationWeights'], viewport: () => viewport };
  const Groups = { scatterwise: Bins, plain: PlainBins }[by];
  const made = Groups ? new ColumnAggregator({ ...theirs.props, ...more, Groups }) : new CPUAggregator(theirs.props);
  const weights = attribute(values, 1);
  made.setProps({ pointCount: count, attributes: { positions: attribute(positions, 3), colorWeights: weights, elevationWeights: weights }, ...props });
  return made;
}

const bits = (value) => new Int32Array(Float32Array.of(value).buffer)[0];
/** Whether two float32 numbers are equal, or neighbours. */
const isNear = (a, b) => Object.is(a, b) || a === b || Math.abs(bits(a) - bits(b)) <= 1;

/** What differs between an aggregator and deck.gl's: bins, counts, members, both channels and their domains. */
export function differences(ours, theirs) {
  const found = [];
  if (ours.binCount !== theirs.binCount) return [`${ours.binCount} bins, not ${theirs.binCount}`];
  const placeOf = new Map(Array.from({ length: ours.binCount }, (_, bin) => [String(ours.getBin(bin).id), bin]));
  for (let bin = 0; bin < theirs.binCount; bin++) {
    const right = theirs.getBin(bin);
    const place = placeOf.get(String(right.id));
    if (place === undefined) return [...found, `bin ${right.id} is missing`];
    const { count, pointIndices, value } = ours.getBin(place);
    if (count !== right.count) found.push(`bin ${right.id}: ${count} points, not ${right.count}`);
    if (!Array.isArray(pointIndices) || String(pointIndices) !== String(right.pointIndices)) found.push(`bin ${right.id}: other members`);
    value.forEach((each, channel) => isNear(each, right.value[channel]) || found.push(`bin ${right.id}: ${each}, not ${right.value[channel]}`));
    const packed = ours.getBins().value.subarray(2 * place, 2 * place + 2);
    if (String(packed) !== String(right.id)) found.push(`bin ${right.id} is packed as ${packed}`);
  }
  for (const channel of [0, 1]) {
    const [mine, their] = [ours, theirs].map((each) => each.getResultDomain(channel));
    if (!mine.every((each, end) => isNear(each, their[end]))) found.push(`domain ${mine}, not ${their}`);
  }
  return found.slice(0, 5);
}

/** Statistics of values without NaN. */
const sum = (values) => values.reduce((a, b) => a + b, 0);
const references = {
  SUM: sum,
  MEAN: (values) => sum(values) / values.length,
  MIN: (values) => (values.length ? Math.min(...values) : NaN),
  MAX: (values) => (values.length ? Math.max(...values) : NaN),
  MEDIAN(values) {
    const sorted = values.toSorted((a, b) => a - b);
    return sorted.length % 2 ? sorted[sorted.length >> 1] : (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
  },
  STDEV(values) {
    const mean = sum(values) / values.length;
    return values.length > 1 ? Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1)) : NaN;
  },
  MODE(values) {
    const counts = new Map();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    const most = Math.max(...counts.values());
    return values.length ? Math.min(...[...counts.keys()].filter((value) => counts.get(value) === most)) : NaN;
  },
  COUNT_UNIQUE: (values) => new Set(values).size,
};

const pairs = [['SUM', 'MEAN'], ['MIN', 'MAX'], ['COUNT', 'SUM']];

/** All comparisons of one way to group; resolves to what differs. */
export function check(by) {
  const found = [];
  const note = (where, list) => found.push(...list.map((each) => `${where}: ${each}`));
  const before = memory().tensors;
  const points = makePoints(20_000, false);
  const gaps = makePoints(20_000, true);
  for (const layer of ['hexagons', 'grid']) {
    // From some bins to one for nearly each point, which are numbered as they come.
    for (const metres of [5000, 700, 100, 2]) {
      for (const operations of pairs) {
        const props = { operations, binOptions: binOptions(layer, metres) };
        const [ours, theirs] = [by, 'deck.gl'].map((each) => makeAggregator(each, layer, points, props));
        ours.update();
        theirs.update();
        note(`${layer} of ${metres} m, ${operations}`, differences(ours, theirs));
        ours.destroy();
      }
      note(`${layer} of ${metres} m with NaN`, checkStatistics(makeAggregator(by, layer, gaps, { binOptions: binOptions(layer, metres) }), gaps));
    }
    note(`${layer}, changes`, checkChanges(by, layer, points));
  }
  if (memory().tensors !== before) found.push(`${memory().tensors - before} tensors are left`);
  return found;
}

/** Each statistic of a column with NaN, which are skipped. */
function checkStatistics(aggregator, { values }) {
  const found = [];
  for (const [name, reference] of Object.entries(references)) {
    aggregator.setProps({ operations: [name, 'COUNT'] });
    aggregator.update();
    for (let bin = 0; bin < aggregator.binCount; bin++) {
      const { id, value, pointIndices } = aggregator.getBin(bin);
      const rest = pointIndices.map((i) => values[i]).filter((each) => !Number.isNaN(each));
      const right = Math.fround(reference(rest));
      if (!isNear(value[0], right)) found.push(`${name} of bin ${id} is ${value[0]}, not ${right}`);
      if (value[1] !== pointIndices.length) found.push(`${name}: a count of ${value[1]}, not ${pointIndices.length}`);
    }
  }
  aggregator.destroy();
  return found.slice(0, 5);
}

/** One pair of aggregators through changes of everything that a layer changes. */
function checkChanges(by, layer, { count, positions, values }) {
  const points = { count, positions: positions.slice(), values: values.slice() };
  const custom = (indices, getValue) => Math.max(...indices.map(getValue)) - indices.length;
  const updates = [];
  const props = { operations: ['SUM', 'MEAN'], binOptions: binOptions(layer, 900), onUpdate: ({ channel }) => updates.push(channel) };
  const both = [by, 'deck.gl'].map((each) => makeAggregator(each, layer, points, props));
  const steps = {
    first: () => {},
    'another size': (each) => each.setProps({ binOptions: binOptions(layer, 400) }),
    'another statistic': (each) => each.setProps({ operations: ['MAX', 'MEAN'] }),
    'one of their own': (each) => each.setProps({ customOperations: [custom, null] }),
    'the statistic again': (each) => each.setProps({ customOperations: [null, null] }),
    'other values': (each) => {
      points.values.fill(3);
      each.setNeedsUpdate(0);
      each.setNeedsUpdate(1);
    },
    'other positions': (each) => {
      points.positions.fill(centre[0], 0, 9000);
      each.setNeedsUpdate();
    },
    'fewer points': (each) => each.setProps({ pointCount: 5000 }),
    'no points': (each) => each.setProps({ pointCount: 0 }),
  };
  const found = [];
  for (const [step, change] of Object.entries(steps)) {
    const heard = both.map((each) => {
      updates.length = 0;
      change(each);
      each.update();
      return String(updates);
    });
    if (heard[0] !== heard[1]) found.push(`${step}: channels ${heard[0]}, not ${heard[1]}`);
    found.push(...differences(...both).map((each) => `${step}: ${each}`));
  }
  both[0].destroy();
  return found;
}
