import { formatNumber, t } from '../../shared/messages.js';

/**
 * How values become colours. `shade` is 0 for the first colour of the palette and 1 for the last; ticks are `at` from 0 to 1 of the legend.
 * @typedef {{ shade(value: number): number, ticks: { at: number, text: string }[], title: string }} Scale
 */

/** Counts from 1 on, on a logarithmic scale: one flight and a thousand flights both show. @returns {Scale} */
export function countScale(counts) {
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  const shade = (count) => Math.log(count) / Math.log(Math.max(most, 2)); // the logarithm of 1 would divide by 0
  const powers = [1, 10, 100, 1000, 10000].filter((power) => power * 1.5 < most); // their texts do not meet that of `most`
  const ticks = [...powers, most].map((count) => ({ at: shade(count), text: formatNumber(count) }));
  return { shade, ticks, title: t('histogram.scale.count') };
}

/** The mean of fewer flights than these says little: such bins stay empty in the picture. */
export const FEWEST = 5;

const MEAN_LOW = -15; // minutes, as MEAN_HIGH
const MEAN_HIGH = 45;

/** Mean delays in minutes on a linear scale; rare extremes take the colours of its ends. @returns {Scale} */
export function meanScale() {
  const shade = (minutes) => Math.min(1, Math.max(0, (minutes - MEAN_LOW) / (MEAN_HIGH - MEAN_LOW)));
  const ticks = [
    { at: 0, text: `≤ −${-MEAN_LOW}` },
    { at: shade(0), text: '0' },
    { at: shade(15), text: '+15' },
    { at: shade(30), text: '+30' },
    { at: 1, text: `≥ +${MEAN_HIGH}` },
  ];
  return { shade, ticks, title: t('histogram.scale.mean', { fewest: FEWEST }) };
}
