import { init, Tensor } from 'scatterwise';

const size = 256;
const count = 1_000_000;

const { device } = await init();
const cells = new Tensor(points(), { shape: [count, 2] });
const grid = Tensor.zeros([size, size], { dtype: 'int32' }).scatter_add_(cells, 1);
draw(await grid.data());

/** Row and column of each point, one behind the other: two round clouds, of which every other point belongs to the same. */
function points() {
  const at = new Int32Array(2 * count);
  for (let i = 0; i < count; i++) {
    // A normal distribution in two dimensions, by the method of Box and Muller, with a standard deviation of 40 cells.
    const radius = 40 * Math.sqrt(-2 * Math.log(1 - Math.random()));
    const angle = 2 * Math.PI * Math.random();
    const middle = i % 2 ? 96 : 160;
    at[2 * i] = clamp(middle + radius * Math.sin(angle));
    at[2 * i + 1] = clamp(middle + radius * Math.cos(angle));
  }
  return at;
}

/** The cell that a coordinate is in, or the one at the edge next to it. */
function clamp(value) {
  return Math.min(size - 1, Math.max(0, Math.round(value)));
}

/** A grey pixel for each cell: black where no point is, white where most are. */
function draw(counts) {
  const most = counts.reduce((larger, each) => Math.max(larger, each), 1);
  const image = new ImageData(size, size);
  counts.forEach((each, i) => {
    const grey = (255 * each) / most;
    image.data.set([grey, grey, grey, 255], 4 * i);
  });
  document.querySelector('canvas').getContext('2d').putImageData(image, 0, 0);
  const total = counts.reduce((sum, each) => sum + each, 0);
  document.querySelector('output').textContent = `${total} points counted on ${device}`;
}
