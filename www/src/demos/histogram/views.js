import { formatNumber, t } from '../../shared/messages.js';

/**
 * A variable of the flights. All are whole numbers, so the numbers of bins on offer divide the range evenly: each bin
 * then covers equally many possible values, and no stripes appear that are not in the data. `bins` are these numbers of bins; `format`
 * writes a value for a tick, and `range` says in words what lies between two values.
 * @typedef {{ column: 'time' | 'delay' | 'distance', label: string, low: number, high: number, ticks: number[],
 *   bins: number[], format(value: number): string, range(low: number, high: number): string }} Variable
 */

/** Minutes after midnight as hours and minutes. */
const clock = (minutes) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
/** Minutes of delay with their sign, also where it is a plus. */
const signed = (minutes) => `${minutes > 0 ? '+' : ''}${minutes}`.replace('-', '−');
/** The numbers from `low` to `high`, `step` apart. */
const steps = (low, high, step) =>
  Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => low + i * step);

/** @type {Variable} */
const time = {
  column: 'time',
  label: t('histogram.axis.time'),
  low: 0,
  high: 1440,
  ticks: steps(0, 1440, 360),
  bins: [24, 48, 72, 96, 144, 288],
  format: clock,
  range: (low, high) => t('histogram.range.time', { low: clock(low), high: clock(high) }),
};

/** @type {Variable} */
const delay = {
  column: 'delay',
  label: t('histogram.axis.delay'),
  low: -60,
  high: 180,
  ticks: steps(-60, 180, 60),
  bins: [24, 40, 60, 80, 120, 240],
  format: signed,
  range: (low, high) => {
    if (high <= 0) return t('histogram.range.delay.early', { low: -high, high: -low });
    if (low >= 0) return t('histogram.range.delay.late', { low, high });
    return t('histogram.range.delay.both', { low: -low, high });
  },
};

/** @type {Variable} */
const distance = {
  column: 'distance',
  label: t('histogram.axis.distance'),
  low: 0,
  high: 3000,
  ticks: steps(0, 3000, 500),
  bins: [25, 40, 60, 100, 150, 300],
  format: formatNumber,
  range: (low, high) => t('histogram.range.distance', { low: formatNumber(low), high: formatNumber(high) }),
};

/** How many settings the resolution slider has; `bins` of each variable has one entry for each. */
export const RESOLUTIONS = time.bins.length;

/**
 * What the visitor can look at. `shows` is 'count', or 'mean' for the mean delay of the flights in a bin.
 * @typedef {{ id: string, title: string, x: Variable, y: Variable, shows: 'count' | 'mean' }} View
 * @type {View[]}
 */
export const views = [
  { id: 'time-delay', title: t('histogram.view.time-delay'), x: time, y: delay, shows: 'count' },
  { id: 'distance-delay', title: t('histogram.view.distance-delay'), x: distance, y: delay, shows: 'count' },
  { id: 'time-distance', title: t('histogram.view.time-distance'), x: time, y: distance, shows: 'count' },
  { id: 'mean-delay', title: t('histogram.view.mean-delay'), x: time, y: distance, shows: 'mean' },
];
