// Runs in the page of examples/deckgl, for benches/browser/deckgl.mjs: times of its aggregators and of deck.gl's own.

import { encode, project } from './keys.js';
import { binOptions, differences, makeAggregator } from './deckgl.js';
import { Bins } from './groups.js';
import { PlainBins } from './plain.js';
import { makePoints } from './points.js';

export const contenders = ['deck.gl', 'scatterwise', 'plain'];
const operations = ['SUM', 'MEAN'];

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

/** The points of the last row, which are the same in the next one. */
let points;

/** The size of bins, in metres, that gives about so many of them. */
function sizeFor(layer, wanted) {
  let [low, high] = [1, 20_000];
  for (let k = 0; k < 14; k++) {
    const middle = Math.sqrt(low * high);
    const aggregator = makeAggregator('plain', layer, points, { operations: ['COUNT', 'COUNT'], binOptions: binOptions(layer, middle) });
    aggregator.update();
    if (aggregator.binCount > wanted) low = middle;
    else high = middle;
  }
  return high;
}

/** The time of `run` in milliseconds. */
function timeOf(run) {
  const begun = performance.now();
  run();
  return performance.now() - begun;
}

/** Medians of the times of each contender, by turns: the first update, one with a new size of bins, and the members of a bin after it. */
export function measure({ layer, count, wanted, rounds }) {
  if (points?.count !== count) points = makePoints(count, false);
  const metres = sizeFor(layer, wanted);
  const times = Object.fromEntries(contenders.map((by) => [by, { first: [], resized: [], members: [] }]));
  const last = {};
  // One round before the measured ones, in which the engine compiles.
  for (let round = -1; round < rounds; round++) {
    for (const by of contenders) {
      last[by]?.destroy();
      last[by] = undefined;
      const aggregator = makeAggregator(by, layer, points, { operations, binOptions: binOptions(layer, 1.02 * metres) });
      const first = timeOf(() => aggregator.update());
      aggregator.setProps({ binOptions: binOptions(layer, metres) });
      const resized = timeOf(() => aggregator.update());
      const members = timeOf(() => aggregator.getBin(aggregator.binCount >> 1).pointIndices);
      if (round >= 0) Object.entries({ first, resized, members }).forEach(([step, time]) => times[by][step].push(time));
      last[by] = aggregator;
    }
  }
  const different = contenders.slice(1).flatMap((by) => differences(last[by], last['deck.gl']));
  const bins = last['deck.gl'].binCount;
  for (const by of contenders) last[by].destroy();
  const medians = Object.fromEntries(contenders.map((by) => [by, Object.fromEntries(Object.entries(times[by]).map(([step, all]) => [step, median(all)]))]));
  return { layer, count, bins, different, ...medians };
}

/** Medians of the steps of a typed aggregator. */
export function measureSteps({ layer, count, wanted, rounds }) {
  if (points?.count !== count) points = makePoints(count, false);
  const options = binOptions(layer, sizeFor(layer, wanted));
  const { props } = makeAggregator('plain', layer, points, {});
  const rows = [['scatterwise', Bins], ['plain', PlainBins]].map(([by, Groups]) => ({ by, Groups, times: {} }));
  for (let round = -1; round < rounds; round++) {
    for (const { Groups, times } of rows) {
      const step = (name, run) => {
        let result;
        const time = timeOf(() => (result = run()));
        if (round >= 0) (times[name] ??= []).push(time);
        return result;
      };
      const projected = step('project', () => project(props.attributes.positions, count, props.viewport()));
      const { codes, size } = step('keys', () => encode(projected, options));
      const groups = step('group', () => new Groups(codes, size));
      for (const how of ['sum', 'mean', 'min', 'max', 'median', 'std', 'mode', 'nunique']) step(how, () => groups.reduce(points.values, how));
      step('members', () => groups.members(groups.count >> 1));
      groups.dispose();
    }
  }
  return rows.map(({ by, times }) => ({ by, count, ...Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)])) }));
}
