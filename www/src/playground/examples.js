import { attention } from './attention.js';

/**
 * What the playground offers to start from; titles are in the messages, under `ui.start.<id>`. One with a page in `more` has a note too, under
 * `ui.start.<id>.note`, which ends with a link to that page.
 * @type {{ id: string, code: string, more?: string }[]}
 */
export const starts = [
  {
    id: 'scatter',
    code: `const t = new Tensor([[1, 2, 3], [4, 5, 6]]);
t.scatter_(1, [[2, 0], [1, 1]], [[10, 20], [30, 40]], { reduce: 'add' });
t.gather(1, [[2], [1]]);`,
  },
  {
    id: 'histogram',
    code: `// 100,000 numbers that pile up in the middle, counted in 64 bins
let seed = 1;
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const bins = Int32Array.from({ length: 100000 }, () => {
  let sum = 0;
  for (let die = 0; die < 6; die += 1) sum += random();
  return Math.min(63, Math.floor((sum / 6) * 64));
});
Tensor.zeros([64], { dtype: 'int32' }).scatter_add_(0, bins, 1);`,
  },
  {
    id: 'density',
    code: `// half a million steps of Clifford's attractor, counted in a grid of 240 by 240
const [rows, columns, points] = [240, 240, 500000];
const places = new Int32Array(points);
let [x, y] = [0, 0];
for (let i = 0; i < points; i += 1) {
  [x, y] = [Math.sin(-1.4 * y) + Math.cos(-1.4 * x), Math.sin(1.6 * x) + 0.7 * Math.cos(1.6 * y)];
  const column = Math.floor(((x + 2.05) / 4.1) * columns);
  const row = Math.floor(((y + 1.75) / 3.5) * rows);
  places[i] = row * columns + column;
}
const counts = Tensor.zeros([rows * columns], { dtype: 'int32' });
counts.scatter_add_(0, places, 1);
const log = Float32Array.from(await counts.data(), (count) => Math.log1p(count));
new Tensor(log, { shape: [rows, columns] });`,
  },
  {
    id: 'image',
    code: `// a picture of 96 by 128 points in three channels, then a gain for each channel
const [height, width] = [96, 128];
const pixels = Float32Array.from({ length: height * width * 3 }, (_, i) => {
  const [row, column, channel] = [Math.floor(i / 3 / width), Math.floor(i / 3) % width, i % 3];
  return 0.5 + 0.5 * Math.sin(row / 9 + channel) * Math.cos(column / 13 - channel);
});
const picture = new Tensor(pixels, { shape: [height, width, 3] });
show(picture);
elementwise_mul(picture, [1, 0.6, 0.2], { axis: 2 });`,
  },
  {
    id: 'gradient',
    code: `// four words pull the rows of a table to where they should be; row 2 has two words, and ends up between them
const table = Tensor.zeros([4, 2]);
const rows = IndexPlan.select([4, 2], 0, [0, 2, 2, 3]);
const wanted = [1, 0, 0, 1, 0, 3, 1, 1];
for (let step = 0; step < 60; step += 1) {
  const seen = table.index_select(rows);
  const slopes = (await seen.data()).map((value, i) => 2 * (value - wanted[i])); // of the squared distances
  const { self } = vjp('index_select', new Tensor(slopes, { shape: [4, 2] }), table, rows);
  table.index_add_(0, [0, 1, 2, 3], self, { alpha: -0.1 });
}
table;`,
  },
  { id: 'attention', code: attention, more: 'numerics' },
  {
    id: 'segments',
    code: `// six words with two features each; sentences of two, three and one of them
const words = new Tensor([[1, 10], [3, 30], [2, 20], [4, 40], [6, 60], [5, 50]]);
segment_reduce(words, 'mean', { lengths: [2, 3, 1] });
segment_reduce(words, 'amax', { lengths: [2, 3, 1] });`,
  },
  {
    id: 'error',
    code: `const t = new Tensor([[1, 2], [3, 4]]);
try {
  t.scatter_(1, [[0, 1], [0, 2]], 9);
} catch (error) {
  console.log(error.name, error.code, error.position, error.value, error.allowed);
}
t; // nothing was written`,
  },
];
