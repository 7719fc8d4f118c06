// The map of the home page, away from the page's own thread: it moves, counts and paints, and tells what counting took.
import init from 'scatterwise';
import { PixelMap } from '../demos/density/pixel-map.js';
import { Points } from '../demos/density/points.js';
import { readRoutes } from '../demos/routes/data.js';
import { GRID, HOME, SPEED } from '../demos/density/view.js';

const COUNT = 300_000; // points, an even sample of the flights; the words of the page say how many
const TELL_EVERY = 500; // ms between two reports

const map = {}; // `pixels` and `points`, once they are there
let [isMoving, theme, isDrawing] = [false, 'light', false];
let [time, last, told] = [0, 0, -Infinity]; // in routes flown; when the last frame of a movement began; when the last report was sent
let frames = 0; // that were drawn

/** Draws a frame, and the next one while the points move. A request that comes meanwhile is served by the frame after it. */
async function draw(now) {
  if (isDrawing || !map.points) return;
  isDrawing = true;
  const asked = `${theme} ${isMoving}`;
  if (isMoving && last) time += Math.min(now - last, 100) * SPEED; // after a pause points go on from where they were
  last = isMoving ? now : 0;
  const [, counting] = await map.pixels.draw(map.points, { count: COUNT, time, view: HOME, theme });
  frames += 1;
  const isFirst = frames === 1; // its time is that of code that never ran before
  if (isFirst || now - told > TELL_EVERY) {
    if (!isFirst) told = now;
    self.postMessage({ counting: isFirst ? null : counting });
  }
  isDrawing = false;
  if (isFirst || isMoving || asked !== `${theme} ${isMoving}`) requestAnimationFrame(draw);
}

/** Starts the library and loads the routes from this address. */
async function start(canvas, address) {
  const [response] = await Promise.all([fetch(address), init({ device: 'cpu' })]);
  map.pixels = new PixelMap(canvas, GRID, 'cpu');
  map.points = new Points(await readRoutes(response));
}

self.addEventListener('message', async ({ data }) => {
  ({ isMoving, theme } = data);
  if (data.canvas) await start(data.canvas, data.address);
  requestAnimationFrame(draw);
});
