import { byId, h } from '../../shared/dom.js';
import { formatNumber, t } from '../../shared/messages.js';
import { onTheme, theme } from '../../shared/theme.js';
import { palette } from '../histogram/colormap.js';
import { inTurn } from '../device.js';
import { Frames, canvasFor } from '../frames.js';
import { startBrush } from './brush.js';
import { GRID, HEIGHT, charts, edgeOf, everything, names } from './charts.js';
import { loadMillion } from './data.js';
import { Flights, forget } from './flights.js';
import { GpuCharts } from './gpu-charts.js';
import { PixelCharts } from './pixel-charts.js';

const LEADERS = 10;
const WINDOW = 12; // bins of departure that are shown while the day passes: two hours
const STEP = 90; // ms for each bin that the day passes
const KEPT = 30; // redraws whose times are kept

const clock = (minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const unitText = { minutes: clock, delays: (value) => t('linked.min', { value: formatNumber(value) }), miles: (value) => t('linked.mi', { value: formatNumber(value) }) };

/** A million flights in a map, three histograms and a list. A brush on one histogram filters everything else. */
export class LinkedPanel {
  #million; // none until it is loaded
  #flights; // on the device; none until they are loaded and the page has chosen a device
  #charts; // what paints on the device
  #device;
  #brushes = everything();
  #setBrush = {}; // of each histogram
  #column = 'delays';
  #day = 0; // when the day began to pass, in ms of the page; 0 while it does not
  #frames = new Frames((now) => this.#draw(now), () => this.#day > 0, (error) => this.#stop(error));
  #reading = false; // the leaders of a look are read
  #unlisted = false; // a look came meanwhile
  #times = []; // ms of the newest redraws

  constructor() {
    onTheme(() => this.#frames.request());
    for (const name of names) {
      this.#setBrush[name] = startBrush(name, (bins) => this.#brush({ [name]: bins }), (bin) => unitText[name](edgeOf(name, bin)));
    }
    byId('linked-column').addEventListener('change', ({ target }) => {
      this.#column = target.value;
      this.#frames.request();
    });
    byId('linked-clear').addEventListener('click', () => this.#brush(everything()));
    byId('linked-day').addEventListener('click', () => this.#setDay(!this.#day));
    byId('linked-compare').addEventListener('click', () => this.#compare());
  }

  /** Computes and draws on `device` from the next frame on. */
  async show(device) {
    this.#device = device;
    try {
      this.#million ??= await loadMillion();
    } catch (error) {
      throw new Error(t('density.missing', { why: error.message }));
    }
    await this.#frames.idle();
    if (device !== this.#device) return; // another one was chosen meanwhile
    this.#flights?.dispose();
    this.#charts?.dispose();
    this.#flights = await Flights.on(device, this.#million);
    this.#charts = chartsOn(device);
    this.#times = [];
    this.#frames.request();
  }

  /** Out of sight: nothing moves, nothing is drawn. */
  rest() {
    this.#frames.rest();
  }

  /** In sight again. */
  wake() {
    this.#frames.wake();
  }

  /** Sets these brushes, by hand: the day stops. */
  #brush(brushes) {
    if (this.#day) this.#setDay(false);
    Object.assign(this.#brushes, brushes);
    for (const name of Object.keys(brushes)) this.#setBrush[name](brushes[name]);
    byId('linked-same').textContent = '';
    this.#frames.request();
  }

  /** Lets the day pass, or stops it where it is. */
  #setDay(passes) {
    this.#day = passes ? performance.now() : 0;
    byId('linked-day').textContent = t(passes ? 'density.pause' : 'linked.day');
    byId('linked-same').textContent = '';
    if (passes) this.#frames.request();
  }

  #stop(error) {
    this.#setDay(false);
    byId('linked-status').textContent = t('demo.stopped', { why: error.message });
  }

  /** Counts and draws everything again. @param {number} now the time of the screen's frame, in ms */
  async #draw(now) {
    if (!this.#flights) return;
    this.#frames.begin();
    if (this.#day) this.#passTo(Math.max(0, Math.floor((now - this.#day) / STEP)));
    const started = performance.now();
    const look = this.#flights.look(this.#brushes, this.#column);
    await this.#charts.draw(look, { brushes: this.#brushes, column: this.#column, theme: theme() });
    this.#times.push(performance.now() - started);
    if (this.#times.length > KEPT) this.#times.shift();
    this.#report();
    this.#list(look);
  }

  /** Moves the brush of departures to where it is after `steps`; it begins at midnight again after the last. */
  #passTo(steps) {
    const first = steps % (charts.minutes.bins - WINDOW + 1);
    this.#brushes.minutes = [first, first + WINDOW];
    this.#setBrush.minutes(this.#brushes.minutes);
  }

  /** Says how long redraws take, what the colours mean, and which ranges are brushed. */
  #report() {
    const sorted = this.#times.toSorted((a, b) => a - b);
    const ms = formatNumber(sorted[sorted.length >> 1], { maximumFractionDigits: 1 });
    byId('linked-time').textContent = t('linked.redraw', { ms, count: sorted.length });
    byId('linked-status').textContent = '';
    const [low, high] = charts[this.#column].colours;
    byId('linked-low').textContent = unitText[this.#column](low);
    byId('linked-high').textContent = unitText[this.#column](high);
    byId('linked-ramp').getContext('2d').putImageData(new ImageData(palette(theme()), 256, 1), 0, 0);
    for (const name of names) {
      const [from, to] = this.#brushes[name].map((bin) => unitText[name](edgeOf(name, bin)));
      byId(`linked-${name}-text`).textContent = t('linked.range', { from, to });
    }
  }

  /** Lists the leaders of a look and says how many flights it has, then gives it back. While those of an earlier look are read, this one has no list. */
  async #list(look) {
    if (this.#reading) {
      forget(look);
      this.#unlisted = true;
      return;
    }
    this.#reading = true;
    try {
      const { kept, rows } = await this.#flights.leaders(look, LEADERS);
      byId('linked-kept').textContent = formatNumber(kept);
      byId('linked-list').replaceChildren(...rows.map(rowOf));
    } catch (error) {
      this.#stop(error);
    } finally {
      forget(look);
      this.#reading = false;
      if (this.#unlisted) this.#frames.request(); // the last look has its list
      this.#unlisted = false;
    }
  }

  /** Computes the same look on the CPU, and compares every bit of the map and every count. */
  async #compare() {
    const place = byId('linked-same');
    if (this.#device === 'cpu' || !this.#flights) {
      place.textContent = t('density.same.choose');
      return;
    }
    this.#setDay(false);
    await this.#frames.idle();
    await inTurn(async () => {
      const flights = await Flights.on('cpu', this.#million);
      const looks = [this.#flights, flights].map((each) => each.look(this.#brushes, this.#column));
      const [here, there] = await Promise.all(looks.map(wordsOf));
      const differ = here.reduce((sum, word, at) => sum + (word === there[at] ? 0 : 1), 0);
      place.textContent = differ === 0 ? t('linked.same', { count: formatNumber(here.length) }) : t('linked.differ', { count: formatNumber(differ) });
      for (const look of looks) forget(look);
      flights.dispose();
    }).catch((error) => this.#stop(error));
  }
}

/** What paints on this device, on the canvases for it; the others are hidden. */
function chartsOn(device) {
  const canvases = (kind) =>
    Object.fromEntries(
      ['map', ...names].map((name) => {
        const canvas = canvasFor(byId(`linked-${name}`), kind);
        [canvas.width, canvas.height] = name === 'map' ? [GRID.columns, GRID.rows] : [charts[name].bins, HEIGHT];
        return [name, canvas];
      }),
    );
  if (device === 'webgpu') {
    try {
      return new GpuCharts(canvases('webgpu'));
    } catch {
      // WebGPU that computes but cannot draw on a canvas: the counts are read, and painted below.
    }
  }
  return new PixelCharts(canvases('2d'));
}

/** The bits of the map and the counts of the histograms, as words. */
async function wordsOf({ means, counts }) {
  const parts = await Promise.all([means, ...names.map((name) => counts[name])].map((tensor) => tensor.data()));
  return parts.flatMap((part) => Array.from(new Uint32Array(part.buffer, part.byteOffset, part.length)));
}

/** A row of the list. */
function rowOf({ airport, flights, delay, minutes, to }) {
  const worst = t('linked.worst', { delay: formatNumber(delay), to: to.code, at: clock(minutes) });
  return h('tr', {}, h('th', { scope: 'row' }, h('abbr', { title: airport.city }, airport.code)), h('td', {}, formatNumber(flights)), h('td', {}, worst));
}
