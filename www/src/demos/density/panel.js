import { byId } from '../../shared/dom.js';
import { formatNumber, t } from '../../shared/messages.js';
import { onTheme, theme } from '../../shared/theme.js';
import { Frames, canvasFor } from '../frames.js';
import { loadRoutes } from '../routes/data.js';
import { startGestures } from './gestures.js';
import { GpuMap } from './gpu-map.js';
import { PixelMap } from './pixel-map.js';
import { Points } from './points.js';
import { GRID, HOME, SPEED } from './view.js';

const SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000, 2_000_000, 4_000_000, 7_000_000];
const INSIDE_EVERY = 400; // ms between two counts of the points on the map
/** A time in ms as text, without its unit. */
const msText = (value) => formatNumber(value, { maximumFractionDigits: value < 100 ? 1 : 0 });

/** A density map of flights that moves, pans and zooms: every frame counts everything again. */
export class DensityPanel {
  #points; // none until the routes are loaded
  #map; // none until the page has chosen a device: starting a GPU takes its time
  #device;
  #transform = { k: 1, x: 0, y: 0 }; // the visitor's, as in gestures.js
  #moving = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  #time = 0; // in routes flown
  #isDrawn = false; // the map has a frame
  #frames = new Frames((now) => this.#draw(now), () => this.#moving, (error) => this.#stop(error));
  #last = { at: 0, gaps: [] }; // when the last frame began, 0 for never, and the ms between the newest ones
  #inside = { busy: false, stale: false, at: 0 }; // the count of the points on the map: running, outdated, and when the last one began

  constructor() {
    onTheme(() => this.#frames.request());
    this.#connectControls();
    loadRoutes().then(
      (routes) => {
        this.#points = new Points(routes);
        this.#frames.request();
      },
      (error) => (byId('density-status').textContent = t('density.missing', { why: error.message })),
    );
  }

  /** Draws on `device` from the next frame on. */
  async show(device) {
    await this.#frames.idle();
    this.#map?.dispose();
    this.#map = this.#mapOn(device);
    this.#isDrawn = false;
    this.#device = device;
    this.#last.gaps = [];
    this.#forgetComparison();
    this.#frames.request();
  }

  /** The map for a device, on the canvas for it; the other canvas is hidden. */
  #mapOn(device) {
    const canvas = (kind) => canvasFor(byId('density'), kind);
    if (device === 'webgpu') {
      try {
        return new GpuMap(canvas('webgpu'), GRID);
      } catch {
        // WebGPU that computes but cannot draw on a canvas: the counts are read, and painted below.
      }
    }
    return new PixelMap(canvas('2d'), GRID, device);
  }

  /** Out of sight: nothing moves, nothing is drawn. */
  rest() {
    this.#frames.rest();
  }

  /** In sight again. */
  wake() {
    this.#frames.wake();
  }

  /** Connects the slider, the buttons and the gestures. */
  #connectControls() {
    const size = byId('density-size');
    size.max = String(SIZES.length - 1);
    size.addEventListener('input', () => {
      this.#forgetComparison();
      this.#last.gaps = [];
      this.#map?.rescale({ isAtOnce: true });
      this.#frames.request();
    });
    byId('density-move').addEventListener('click', () => {
      this.#setMoving(!this.#moving);
      this.#frames.request();
    });
    byId('density-compare').addEventListener('click', () => this.#compare());
    startGestures(byId('density-map'), (transform) => {
      this.#forgetComparison();
      this.#transform = transform;
      this.#map?.rescale({ isAtOnce: false });
      this.#frames.request();
    });
    this.#setMoving(this.#moving);
  }

  /** Takes away the result of a comparison: from now on other counts are shown than were compared. */
  #forgetComparison() {
    byId('density-same').textContent = '';
  }

  /** Starts or stops the points. The rate is measured again. */
  #setMoving(moving) {
    if (moving) this.#forgetComparison();
    this.#moving = moving;
    this.#last = { at: 0, gaps: [] };
    byId('density-move').textContent = t(moving ? 'density.pause' : 'density.move');
  }

  /** Ends the movement, and says why. */
  #stop(error) {
    this.#setMoving(false);
    byId('density-status').textContent = t('demo.stopped', { why: error.message });
  }

  /** From the map's units to the grid: first HOME, then the visitor's transform. */
  #view() {
    const { k, x, y } = this.#transform;
    return { k: k * HOME.k, x: x + k * HOME.x, y: y + k * HOME.y };
  }

  /** Computes and draws a frame. @param {number} now the time of the screen's frame, in ms */
  async #draw(now) {
    if (!this.#points || !this.#map) return;
    this.#frames.begin();
    const gap = this.#last.at ? now - this.#last.at : 0;
    this.#last.at = now;
    if (this.#moving && gap) {
      this.#time += Math.min(gap, 100) * SPEED; // after a pause points go on from where they were
      this.#last.gaps.push(gap);
      if (this.#last.gaps.length > 30) this.#last.gaps.shift();
    }
    const count = Math.min(SIZES[byId('density-size').valueAsNumber], this.#points.total);
    const steps = await this.#map.draw(this.#points, { count, time: this.#time, view: this.#view(), theme: theme() });
    this.#isDrawn = true;
    this.#report(count, steps);
    this.#countInside(count);
  }

  /**
   * Says what the frame took: ms to move, count and paint, or on a GPU ms of it all; and the median rate of the newest frames.
   * @param {number} count of points @param {number[]} steps as `draw` of the map returns them
   */
  #report(count, steps) {
    byId('density-size').setAttribute('aria-valuetext', t('density.points', { points: formatNumber(count) }));
    byId('density-count').textContent = formatNumber(count);
    const words =
      steps.length === 1
        ? [t('density.gpu'), t('density.together', { ms: msText(steps[0]) }), t('density.gpu')]
        : [t('density.js', { ms: msText(steps[0]) }), t('density.call', { ms: msText(steps[1]) }), t('density.js', { ms: msText(steps[2]) })];
    ['moving', 'counting', 'painting'].forEach((step, at) => (byId(`density-${step}`).textContent = words[at]));
    const gaps = this.#last.gaps.toSorted((a, b) => a - b);
    const rate = gaps.length > 5 ? 1000 / gaps[gaps.length >> 1] : NaN;
    byId('density-rate').textContent = Number.isNaN(rate)
      ? t('density.still')
      : t('density.rate', { frames: formatNumber(rate, { maximumFractionDigits: rate < 10 ? 1 : 0 }), points: formatNumber((count * rate) / 1e6, { maximumSignificantDigits: 2 }) });
    byId('density-status').textContent = '';
  }

  /**
   * Says how many of `count` points are on the map. Frames do not wait for it, since on a GPU it has to read back; while points move, it is
   * done from time to time only.
   */
  async #countInside(count) {
    if (this.#inside.busy || (this.#moving && performance.now() - this.#inside.at < INSIDE_EVERY)) {
      this.#inside.stale = true;
      return;
    }
    this.#inside = { busy: true, stale: false, at: performance.now() };
    const map = this.#map;
    try {
      const { outside, rescaled } = await map.read();
      byId('density-inside').textContent = formatNumber(count - outside);
      if (rescaled) this.#frames.request();
    } catch (error) {
      if (map === this.#map) this.#stop(error);
    }
    this.#inside.busy = false;
    if (this.#inside.stale && !this.#moving) this.#frames.request();
  }

  /** Counts the points of the newest frame on the CPU too, and compares every count. */
  async #compare() {
    const place = byId('density-same');
    if (!this.#points || !this.#map) return;
    if (this.#device === 'cpu') {
      place.textContent = t('density.same.choose');
      return;
    }
    this.#setMoving(false);
    await this.#frames.idle();
    const map = this.#map;
    if (!this.#isDrawn) return; // its first frame has not come yet, or the status says why not
    try {
      const [counts, onCpu] = await Promise.all([map.counts(), map.recount()]); // of the same frame
      if (map !== this.#map) return;
      const differ = counts.reduce((sum, count, at) => sum + (count === onCpu[at] ? 0 : 1), 0);
      place.textContent = differ === 0 ? t('density.same') : t('density.differ', { bins: formatNumber(differ) });
    } catch (error) {
      if (map === this.#map) this.#stop(error);
    }
  }
}
