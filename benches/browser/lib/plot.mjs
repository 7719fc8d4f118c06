// A dot for each rival and workload: its time as a multiple of ours, on a logarithmic scale.

import { median } from './report.mjs';

const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8c6bb1', '#7f7f7f', '#a6761d', '#1b9e77', '#e7298a'];
const marks = [
  (x, y) => `<circle cx="${x}" cy="${y}" r="5"/>`,
  (x, y) => `<rect x="${x - 4.5}" y="${y - 4.5}" width="9" height="9"/>`,
  (x, y) => `<path d="M${x} ${y - 6}l6 10h-12z"/>`,
  (x, y) => `<path d="M${x} ${y - 6}l6 6l-6 6l-6 -6z"/>`,
];

/** The plot, as SVG, of `cases` of one dtype and size in one mode: a line for each case, a mark for each rival. Wrong results are left out. */
export function drawPlot(cases, rivals, { mode, title }) {
  const shown = rivals.filter((rival) => !rival.ours);
  // A rival's time as a multiple of ours, in the line of its case.
  const points = cases.flatMap((one, line) => {
    const ours = one.rows.find((row) => row.rival === 'scatterwise' && row.mode === mode && row.times?.length > 0);
    const right = one.rows.filter((row) => row.mode === mode && row.times?.length > 0 && ['exact', 'rounded'].includes(row.verdict));
    return ours ? right.filter((row) => row !== ours).map((row) => ({ line, rival: row.rival, value: median(row.times) / median(ours.times) })) : [];
  });
  // In pixels: where the plot begins, its width, and the distance between its lines. The axis goes from `low` to `high`.
  const [left, top, width, step] = [230, 74, 560, 30];
  const low = Math.min(0.5, ...points.map(({ value }) => value)) / 1.1;
  const high = Math.max(10, ...points.map(({ value }) => value)) * 1.1;
  // Where a multiple is, from left to right. Tenths of a pixel keep the file small.
  const at = (value) => Math.round(10 * (left + (width * Math.log(value / low)) / Math.log(high / low))) / 10;
  const bottom = top + step * cases.length;
  const ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].filter((value) => value >= low && value <= high);
  const grid = ticks.map((value) => {
    const x = at(value);
    return `<line class="${value === 1 ? 'one' : 'grid'}" x1="${x}" x2="${x}" y1="${top}" y2="${bottom}"/>
<text class="tick" x="${x}" y="${bottom + 18}">×${value}</text>`;
  });
  const names = cases.map((one, line) => `<text class="name" x="${left - 14}" y="${top + step * (line + 0.5) + 4}">${one.title}</text>`);
  // The mark of a rival, by its number among those that are shown.
  const mark = (index, x, y) => `<g fill="${colours[index % colours.length]}" fill-opacity="0.85">${marks[index % marks.length](x, y)}</g>`;
  const numberOf = (rival) => shown.findIndex(({ id }) => id === rival);
  const dots = points.map(({ line, rival, value }) => mark(numberOf(rival), at(value), top + step * (line + 0.5)));
  const columns = 3;
  const legend = shown.map(({ name }, i) => {
    const [x, y] = [24 + (i % columns) * 260, bottom + 48 + Math.floor(i / columns) * 20];
    return `${mark(i, x, y - 4)}<text x="${x + 12}" y="${y}">${name}</text>`;
  });
  const height = bottom + 60 + Math.ceil(shown.length / columns) * 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 40} ${height}" role="img" aria-label="${title}">
<style>
  svg { font: 13px system-ui, sans-serif; fill: #222; background: #fff }
  .name { text-anchor: end } .tick { text-anchor: middle; font-size: 11px } .title { font-size: 16px; font-weight: 600 }
  .grid { stroke: #ddd } .one { stroke: #222; stroke-width: 2 }
  @media (prefers-color-scheme: dark) { svg { fill: #ddd; background: #161616 } .grid { stroke: #333 } .one { stroke: #ddd } }
</style>
<text class="title" x="16" y="26">${title}</text>
<text x="16" y="48">Time as a multiple of scatterwise's, which is the line at ×1; to the right is slower. Medians; wrong results are left out.</text>
${[...grid, ...names, ...dots, ...legend].join('\n')}
</svg>
`;
}

/**
 * The plot, as SVG, of how many times as fast each case runs with more threads: a line for each case of `series`, `{ title, points: [threads,
 * times as fast] }`, beside the line of a perfect division. `cores` is how many processors the machine has.
 */
export function drawScaling(series, { title, cores }) {
  const counts = [...new Set(series.flatMap(({ points }) => points.map(([threads]) => threads)))].sort((a, b) => a - b);
  const [left, top, width, height, most] = [60, 74, 360, 300, counts.at(-1)];
  const across = (threads) => left + (width * (threads - 1)) / Math.max(most - 1, 1);
  const up = (times) => Math.round(10 * (top + height - (height * times) / (1.1 * most))) / 10;
  const path = (points) => points.map(([threads, times], at) => `${at ? 'L' : 'M'}${across(threads)},${up(times)}`).join('');
  const grid = [...Array(most).keys()].map((at) => at + 1).map((times) => `<line class="grid" x1="${left}" x2="${left + width}" y1="${up(times)}" y2="${up(times)}"/>
<text class="name" x="${left - 10}" y="${up(times) + 4}">×${times}</text>`);
  const ticks = counts.map((threads) => `<text class="tick" x="${across(threads)}" y="${top + height + 20}">${threads}</text>`);
  const lines = series.map(({ points }, at) => {
    const colour = colours[at % colours.length];
    const dots = points.map(([threads, times]) => marks[at % marks.length](across(threads), up(times))).join('');
    return `<path d="${path(points)}" fill="none" stroke="${colour}" stroke-width="2"/><g fill="${colour}">${dots}</g>`;
  });
  const legend = series.map(({ title }, at) => `<g fill="${colours[at % colours.length]}">${marks[at % marks.length](left + width + 40, top + 22 * at)}</g><text x="${left + width + 54}" y="${top + 22 * at + 4}">${title}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${Math.max(top + height + 50, top + 22 * series.length + 20)}" role="img" aria-label="${title}">
<style>
  svg { font: 13px system-ui, sans-serif; fill: #222; background: #fff }
  .name { text-anchor: end } .tick { text-anchor: middle } .title { font-size: 16px; font-weight: 600 }
  .grid { stroke: #ddd } .one { stroke: #888; stroke-dasharray: 4 4 }
  @media (prefers-color-scheme: dark) { svg { fill: #ddd; background: #161616 } .grid { stroke: #333 } }
</style>
<text class="title" x="16" y="26">${title}</text>
<text x="16" y="48">How many times as fast as one thread, by the number of threads, on ${cores} cores. Dashed: a perfect division.</text>
${grid.join('\n')}
<line class="one" x1="${across(1)}" y1="${up(1)}" x2="${across(most)}" y2="${up(most)}"/>
${[...ticks, ...lines, ...legend].join('\n')}
</svg>
`;
}
