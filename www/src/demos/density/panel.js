import { byId } from '../../shared/dom.js';
import { formatNumber, t } from '../../shared/messages.js';
import { onTheme, theme } from '../../shared/theme.js';
import { inTurn } from '../device.js';
import { loadRoutes } from '../routes/data.js';
import { startGestures } from './gestures.js';
import { GpuMap } from './gpu-map.js';
import { PixelMap } from './pixel-map.js';
import { Points } from './points.js';

const GRID = { columns: 960, rows: 600 };
/** From the map's units to the grid before zooming: the lower 48 states fill it. */
const HOME = { k: 1.02, x: 478, y: 318 };
const SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000, 2_000_000, 4_000_000, 7_000_000];
const SPEED = 1 / 40_000; // routes a millisecond
const INSIDE_EVERY = 400; // ms between two counts of the points on the map
const number = (value) => formatNumber(value);
const ms = (value) => formatNumber(value, { maximumFractionDigits: value < 100 ? 1 : 0 });

/** A density map of flights that moves, pans and zooms: everything is counted anew in every frame. */
export class DensityPanel {
  #points;
  #map; // none until the page has chosen a device: starting a GPU takes its time
  #device;
  #transform = { k: 1, x: 0, y: 0 };
  #visible = true;
  #moving = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  #time = 0;
  #frame = 0;
  #isDrawn = false; // the map has a frame
  #busy = false;
  #stale = false;
  #last = { at: 0, gaps: [] };
  #inside = { busy: false, stale: false, at: 0 };

  constructor() {
    onTheme(() => this.#ask());
    this.#controls();
    loadRoutes().then(
      (routes) => {
        this.#points = new Points(routes);
        this.#ask();
      },
      (error) => (byId('density-status').textContent = t('density.missing', { why: error.message })),
    );
  }

  /** Draws on `device` from the next frame on. */
  async show(device) {
    await this.#idle();
    this.#map?.dispose();
    this.#map = this.#mapOn(device);
    this.#isDrawn = false;
    this.#device = device;
    this.#last.gaps = [];
    this.#forgetComparison();
    this.#ask();
  }

  #mapOn(device) {
    const canvas = (kind) => {
      for (const each of byId('density').querySelectorAll('.map canvas')) each.hidden = each.dataset.kind !== kind;
      return byId('density').querySelector(`.map canvas[data-kind="${kind}"]`);
    };
    if (device === 'webgpu') {
      try {
        return new GpuMap(canvas('webgpu'), GRID);
      } catch {
        // WebGPU that computes but cannot draw: the counts come back.
      }
    }
    return new PixelMap(canvas('2d'), GRID, device);
  }

  /** Out of sight: nothing moves, nothing is drawn. */
  rest() {
    this.#visible = false;
  }

  wake() {
    this.#visible = true;
    if (this.#moving || this.#stale) this.#ask();
  }

  #controls() {
    const size = byId('density-size');
    size.max = String(SIZES.length - 1);
    size.addEventListener('input', () => {
      this.#forgetComparison();
      this.#last.gaps = [];
      this.#map?.rescale(true);
      this.#ask();
    });
    byId('density-move').addEventListener('click', () => {
      this.#setMoving(!this.#moving);
      this.#ask();
    });
    byId('density-compare').addEventListener('click', () => this.#compare());
    startGestures(byId('density-map'), (transform) => {
      this.#forgetComparison();
      this.#transform = transform;
      this.#map?.rescale(false);
      this.#ask();
    });
    this.#setMoving(this.#moving);
  }

  /** What was compared is not what is shown from now on. */
  #forgetComparison() {
    byId('density-same').textContent = '';
  }

  #setMoving(moving) {
    if (moving) this.#forgetComparison();
    this.#moving = moving;
    this.#last = { at: 0, gaps: [] };
    byId('density-move').textContent = t(moving ? 'density.pause' : 'density.move');
  }

  /** Draws a frame at the screen's next one. While one is computed, or the panel is off the screen, it notes that another is due. */
  #ask() {
    if (this.#busy || this.#frame || !this.#visible) {
      this.#stale = true;
      return;
    }
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      this.#busy = true;
      inTurn(() => this.#draw(now))
        .catch((error) => this.#stop(error))
        .finally(() => {
          this.#busy = false;
          if (this.#moving || this.#stale) this.#ask();
        });
    });
  }

  #stop(error) {
    this.#setMoving(false);
    byId('density-status').textContent = t('demo.stopped', { why: error.message });
  }

  /** Resolves when no frame is being computed. */
  async #idle() {
    while (this.#busy) await new Promise((next) => requestAnimationFrame(next));
  }

  #view() {
    const { k, x, y } = this.#transform;
    return { k: k * HOME.k, x: x + k * HOME.x, y: y + k * HOME.y };
  }

  async #draw(now) {
    if (!this.#points || !this.#map) return;
    this.#stale = false;
    const gap = this.#last.at ? now - this.#last.at : 0;
    this.#last.at = now;
    if (this.#moving && gap) {
      this.#time += Math.min(gap, 100) * SPEED;
      this.#last.gaps.push(gap);
      if (this.#last.gaps.length > 30) this.#last.gaps.shift();
    }
    const count = Math.min(SIZES[byId('density-size').valueAsNumber], this.#points.total);
    const steps = await this.#map.draw(this.#points, { count, time: this.#time, view: this.#view(), theme: theme() });
    this.#isDrawn = true;
    this.#report(count, steps);
    this.#tell(count);
  }

  #report(count, steps) {
    byId('density-size').setAttribute('aria-valuetext', t('density.points', { points: number(count) }));
    byId('density-count').textContent = number(count);
    const words =
      steps.length === 1
        ? [t('density.gpu'), t('density.together', { ms: ms(steps[0]) }), t('density.gpu')]
        : [t('density.js', { ms: ms(steps[0]) }), t('density.call', { ms: ms(steps[1]) }), t('density.js', { ms: ms(steps[2]) })];
    ['moving', 'counting', 'painting'].forEach((step, at) => (byId(`density-${step}`).textContent = words[at]));
    const gaps = this.#last.gaps.toSorted((a, b) => a - b);
    const rate = gaps.length > 5 ? 1000 / gaps[gaps.length >> 1] : NaN;
    byId('density-rate').textContent = Number.isNaN(rate)
      ? t('density.still')
      : t('density.rate', { frames: formatNumber(rate, { maximumFractionDigits: rate < 10 ? 1 : 0 }), points: formatNumber((count * rate) / 1e6, { maximumSignificantDigits: 2 }) });
    byId('density-status').textContent = '';
  }

  /** How many points are on the map: beside the frames, for it needs numbers of the GPU. */
  async #tell(count) {
    if (this.#inside.busy || (this.#moving && performance.now() - this.#inside.at < INSIDE_EVERY)) {
      this.#inside.stale = true;
      return;
    }
    this.#inside = { busy: true, stale: false, at: performance.now() };
    const map = this.#map;
    try {
      const { outside, rescaled } = await map.read();
      byId('density-inside').textContent = number(count - outside);
      if (rescaled) this.#ask();
    } catch (error) {
      if (map === this.#map) this.#stop(error);
    }
    this.#inside.busy = false;
    if (this.#inside.stale && !this.#moving) this.#ask();
  }

  /** The points on the screen counted on both devices, and every count compared. */
  async #compare() {
    const place = byId('density-same');
    if (!this.#points || !this.#map) return;
    if (this.#device === 'cpu') {
      place.textContent = t('density.same.choose');
      return;
    }
    this.#setMoving(false);
    await this.#idle();
    const map = this.#map;
    if (!this.#isDrawn) return; // its first frame is still to come, or the status says why there is none
    try {
      const [one, two] = await Promise.all([map.counts(), map.recount()]); // of one frame
      if (map !== this.#map) return;
      const differ = one.reduce((sum, count, at) => sum + (count === two[at] ? 0 : 1), 0);
      place.textContent = differ === 0 ? t('density.same') : t('density.differ', { bins: number(differ) });
    } catch (error) {
      if (map === this.#map) this.#stop(error);
    }
  }
}
