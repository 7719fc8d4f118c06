import { select } from 'd3-selection';
import { zoom, zoomIdentity } from 'd3-zoom';
import { byId } from '../../shared/dom.js';
import { formatNumber, t } from '../../shared/messages.js';
import { onTheme, theme } from '../../shared/theme.js';
import { loadRoutes } from '../routes/data.js';
import { countPoints } from './counter.js';
import { Painter, crowded } from './paint.js';
import { Points } from './points.js';

const GRID = { columns: 960, rows: 600 };
const BINS = GRID.columns * GRID.rows + 1;
/** From the map's units to the grid before zooming: the lower 48 states fill it. */
const HOME = { k: 1.02, x: 478, y: 318 };
const SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000, 2_000_000, 4_000_000, 7_000_000];
const SPEED = 1 / 40_000; // routes a millisecond
const number = (value) => formatNumber(value);

/** A density map of flights that moves, pans and zooms: everything is counted anew in every frame. */
export class DensityPanel {
  #points;
  #painter = new Painter(byId('density-map'), GRID);
  #index = new Int32Array(0);
  #counts = new Int32Array(BINS);
  #most = 0;
  #device; // none until the page has chosen: starting a GPU takes its time
  #transform = zoomIdentity;
  #visible = true;
  #moving = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  #time = 0;
  #frame = 0;
  #busy = false;
  #stale = false;
  #last = { at: 0, gaps: [] };

  constructor() {
    this.#painter.setTheme(theme());
    onTheme(() => {
      this.#painter.setTheme(theme());
      this.#ask();
    });
    this.#controls();
    loadRoutes().then(
      (routes) => {
        this.#points = new Points(routes);
        this.#ask();
      },
      (error) => (byId('density-status').textContent = t('density.missing', { why: error.message })),
    );
  }

  show(device) {
    this.#device = device;
    this.#last.gaps = [];
    byId('density-same').textContent = '';
    this.#ask();
  }

  /** Out of sight: nothing moves. */
  rest() {
    this.#visible = false;
  }

  wake() {
    this.#visible = true;
    if (this.#moving) this.#ask();
  }

  #controls() {
    const size = byId('density-size');
    size.max = String(SIZES.length - 1);
    size.addEventListener('input', () => {
      this.#last.gaps = [];
      this.#most = 0;
      this.#ask();
    });
    byId('density-move').addEventListener('click', () => this.#setMoving(!this.#moving));
    byId('density-compare').addEventListener('click', () => this.#compare());
    const map = select(byId('density-map'));
    const behaviour = zoom()
      .scaleExtent([0.5, 40])
      .extent([[0, 0], [GRID.columns, GRID.rows]])
      .filter((event) => !event.button && (event.type !== 'wheel' || event.ctrlKey || document.activeElement === map.node()))
      .on('zoom', ({ transform }) => {
        this.#transform = transform;
        this.#most = 0;
        this.#ask();
      });
    map.call(behaviour);
    const act = {
      ArrowLeft: () => map.call(behaviour.translateBy, 40 / this.#transform.k, 0),
      ArrowRight: () => map.call(behaviour.translateBy, -40 / this.#transform.k, 0),
      ArrowUp: () => map.call(behaviour.translateBy, 0, 40 / this.#transform.k),
      ArrowDown: () => map.call(behaviour.translateBy, 0, -40 / this.#transform.k),
      '+': () => map.call(behaviour.scaleBy, 1.5),
      '=': () => map.call(behaviour.scaleBy, 1.5),
      '-': () => map.call(behaviour.scaleBy, 1 / 1.5),
      0: () => map.call(behaviour.transform, zoomIdentity),
    };
    map.on('keydown', (event) => {
      if (!act[event.key] || event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      act[event.key]();
    });
    for (const [id, key] of [['density-in', '+'], ['density-out', '-'], ['density-home', '0']]) {
      byId(id).addEventListener('click', () => act[key]());
    }
    this.#setMoving(this.#moving);
  }

  #setMoving(moving) {
    this.#moving = moving;
    this.#last = { at: 0, gaps: [] };
    byId('density-move').textContent = t(moving ? 'density.pause' : 'density.move');
    byId('density-move').setAttribute('aria-pressed', String(moving));
    if (moving) this.#ask();
  }

  /** One frame, at the screen's next; while one is computed, another is noted. */
  #ask() {
    if (this.#busy || this.#frame) {
      this.#stale = true;
      return;
    }
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      this.#busy = true;
      this.#draw(now)
        .catch((error) => {
          this.#moving = false;
          byId('density-status').textContent = t('density.stopped', { why: error.message });
        })
        .finally(() => {
          this.#busy = false;
          if ((this.#moving && this.#visible) || this.#stale) this.#ask();
        });
    });
  }

  #view() {
    const { k, x, y } = this.#transform;
    return { k: k * HOME.k, x: x + k * HOME.x, y: y + k * HOME.y };
  }

  #bins() {
    const count = Math.min(SIZES[byId('density-size').valueAsNumber], this.#points.total);
    this.#points.reach(count);
    if (this.#index.length !== count) this.#index = new Int32Array(count);
    this.#points.bin(this.#index, count, this.#time, GRID, this.#view());
    return this.#index;
  }

  async #draw(now) {
    if (!this.#points || !this.#device) return;
    this.#stale = false;
    const gap = this.#last.at ? now - this.#last.at : 0;
    this.#last.at = now;
    if (this.#moving && gap) {
      this.#time += Math.min(gap, 100) * SPEED;
      this.#last.gaps.push(gap);
      if (this.#last.gaps.length > 30) this.#last.gaps.shift();
    }
    const times = [performance.now()];
    const index = this.#bins();
    times.push(performance.now());
    const counts = await countPoints(index, this.#counts, this.#device);
    times.push(performance.now());
    this.#most ||= crowded(counts);
    this.#painter.draw(counts, this.#most);
    times.push(performance.now());
    this.#report(index.length, times.slice(1).map((end, at) => end - times[at]));
  }

  #report(count, [binning, counting, painting]) {
    const outside = this.#counts[BINS - 1];
    const ms = (value) => t('density.ms', { ms: formatNumber(value, { maximumFractionDigits: 1 }) });
    byId('density-size').setAttribute('aria-valuetext', t('density.points', { points: number(count) }));
    byId('density-count').textContent = number(count);
    byId('density-inside').textContent = number(count - outside);
    byId('density-binning').textContent = ms(binning);
    byId('density-counting').textContent = ms(counting);
    byId('density-painting').textContent = ms(painting);
    const gaps = [...this.#last.gaps].sort((a, b) => a - b);
    const rate = gaps.length > 5 ? 1000 / gaps[gaps.length >> 1] : NaN;
    byId('density-rate').textContent = Number.isNaN(rate)
      ? t('density.still')
      : t('density.rate', { frames: Math.round(rate), points: formatNumber((count * rate) / 1e6, { maximumFractionDigits: 0 }) });
    byId('density-status').textContent = '';
  }

  /** The same points counted on both devices, and every count compared. */
  async #compare() {
    const place = byId('density-same');
    if (!this.#points || !this.#device) return;
    const other = this.#device === 'cpu' ? 'webgpu' : 'cpu';
    if (this.#device === 'cpu') {
      place.textContent = t('density.same.choose');
      return;
    }
    this.#setMoving(false);
    const index = this.#bins().slice();
    const [one, two] = [await countPoints(index, new Int32Array(BINS), this.#device), await countPoints(index, new Int32Array(BINS), other)];
    const differ = one.reduce((sum, count, at) => sum + (count === two[at] ? 0 : 1), 0);
    place.textContent = differ === 0 ? t('density.same', { bins: number(BINS) }) : t('density.differ', { bins: number(differ) });
  }
}
