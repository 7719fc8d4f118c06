import { html, svg } from 'lit-html';
import { formatNumber, t } from '../shared/messages.js';

/** The ids of all implementations, in the order of columns and lines. */
export const WAYS = ['loop', 'cpu', 'webgpu', 'tfjs-wasm', 'tfjs-cpu', 'onnx', 'jax'];

/** The picture and its margins, in units of its view box. */
const [WIDTH, HEIGHT] = [560, 260];
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 16, 12, 30];

/**
 * Nanoseconds per element over the size, both logarithmic: a line for each implementation, each with its own mark. Empty where
 * nothing was timed.
 * @param {string} name of the workload @param {number[]} sizes in elements, the smallest first
 * @param {Record<number, Record<string, import('./measure.js').Outcome>>} results by size, then by implementation
 */
export function chartView(name, sizes, results) {
  const points = sizes.flatMap((size) =>
    Object.entries(results[size]).filter(([, { median }]) => median).map(([way, { median }]) => ({ way, size, ns: (median * 1e6) / size })),
  );
  if (points.length === 0) return '';
  // The axis goes from a power of ten to another.
  const low = 10 ** Math.floor(Math.log10(Math.min(...points.map(({ ns }) => ns))));
  const high = Math.max(10 * low, 10 ** Math.ceil(Math.log10(Math.max(...points.map(({ ns }) => ns)))));
  const span = Math.log(sizes.at(-1) / sizes[0]) || 1; // 1 while there is one size: a division by 0 would follow
  const x = (size) => LEFT + ((WIDTH - LEFT - RIGHT) * Math.log(size / sizes[0])) / span;
  const y = (ns) => TOP + ((HEIGHT - BOTTOM - TOP) * Math.log(high / ns)) / Math.log(high / low);
  const decades = Array.from({ length: Math.round(Math.log10(high / low)) + 1 }, (_each, at) => low * 10 ** at);
  const line = (way) => {
    const own = points.filter((point) => point.way === way);
    return svg`<g class=${`line ${way}`}>
      <polyline points=${own.map(({ size, ns }) => `${x(size).toFixed(1)},${y(ns).toFixed(1)}`).join(' ')}></polyline>
      ${own.map((point) => mark(way, x(point.size), y(point.ns)))}
    </g>`;
  };
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${t('bench.chart', { name: t(`bench.${name}`) })}>
    ${decades.map((ns) => svg`<g class="grid"><line x1=${LEFT} x2=${WIDTH - RIGHT} y1=${y(ns)} y2=${y(ns)}></line>
      <text x=${LEFT - 8} y=${y(ns) + 4} text-anchor="end">${formatNumber(ns, { maximumSignificantDigits: 1 })}</text></g>`)}
    ${sizes.map((size, at) => svg`<text class="tick" x=${x(size)} y=${HEIGHT - 8} text-anchor=${at > 0 && at === sizes.length - 1 ? 'end' : 'middle'}>${shortSize(size)}</text>`)}
    ${[...new Set(points.map(({ way }) => way))].map(line)}
  </svg>`;
}

/** A size in words: 262144 is `256 Ki`. */
export const shortSize = (size) => (size >= 2 ** 20 ? `${size / 2 ** 20} Mi` : size >= 1024 ? `${size / 1024} Ki` : String(size));

/** The mark of an implementation, a shape of its own that is centred on a point: they differ without colour too. */
function mark(way, x, y) {
  if (way === 'loop') return svg`<rect x=${x - 4} y=${y - 4} width="8" height="8"></rect>`;
  if (way === 'cpu') return svg`<circle cx=${x} cy=${y} r="4.5"></circle>`;
  return svg`<path class=${way in strokes ? 'stroke' : ''} d=${`M${x} ${y}${fills[way] ?? strokes[way]}`}></path>`;
}

/** Paths of the other marks, from their centre: those that are filled, and those that are drawn as lines. */
const fills = { webgpu: 'm0 -5.5l5.5 9.5h-11z', 'tfjs-wasm': 'm0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z' };
const strokes = {
  'tfjs-cpu': 'm0 -5l5 5l-5 5l-5 -5z',
  onnx: 'm-4 -4l8 8m0 -8l-8 8',
  jax: 'm-5 0h10m-5 -5v10',
};

/** The key to the lines of these implementations: the same marks, and names. @param {string[]} ways */
export const legendView = (ways) => html`<ul class="key">
  ${ways.map((way) => html`<li><svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><g class=${`line ${way}`}>${mark(way, 7, 7.5)}</g></svg>${t(`bench.way.${way}`)}</li>`)}
</ul>`;
