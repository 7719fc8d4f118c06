import { byId, h } from '../../shared/dom.js';
import { formatNumber, t } from '../../shared/messages.js';
import { onTheme, theme } from '../../shared/theme.js';
import { inTurn } from '../device.js';
import { accumulate, measure, sameResult } from './accumulate.js';
import { binFlights, describeBin } from './bins.js';
import { loadFlights } from './data.js';
import { Plot } from './plot.js';
import { FEWEST, countScale, meanScale } from './scale.js';
import { drawTable } from './table.js';
import { RESOLUTIONS, views } from './views.js';

const TABLE = { columns: 6, rows: 6 }; // bins of the table, which is coarser than the picture
const flightsText = (count) => t('histogram.flights', { count, flights: formatNumber(count) });
const gridText = ({ columns, rows }) => t('histogram.grid', { columns, rows });

/** Mean delay of the flights in a bin, in minutes; NaN without flights. Sums are in hours. */
const mean = ({ counts, sums }, bin) => (60 * sums[bin]) / counts[bin];
const minutesText = (minutes) => formatNumber(minutes, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).replace('-', '−');

/** The demonstration: flights binned by `scatter_add_`, drawn, counted, timed, and compared between the devices. */
export class HistogramPanel {
  #device; // none until the page has chosen: nothing is counted before
  #view = views[0];
  #level = Math.floor(RESOLUTIONS / 2); // of the slider: which number of bins of each variable is taken
  #latest = 0; // number of the newest run; older ones must not draw over it
  #running = Promise.resolve(); // ends with the newest run
  #shown = null; // the last counts, and their view and grid
  #plot = new Plot((column, row) => this.#describe(column, row));

  constructor() {
    byId('histogram-plot').replaceChildren(this.#plot.element);
    const select = byId('histogram-view');
    select.replaceChildren(...views.map(({ id, title }) => h('option', { value: id }, title)));
    select.addEventListener('change', () => {
      this.#view = views.find(({ id }) => id === select.value);
      this.#describeSlider();
      this.#refresh();
    });
    const slider = byId('histogram-bins');
    slider.max = String(RESOLUTIONS - 1);
    slider.value = String(this.#level);
    slider.addEventListener('input', () => {
      this.#level = Number(slider.value);
      this.#describeSlider();
      this.#refresh();
    });
    this.#describeSlider();
    onTheme(() => this.#paint());
  }

  /** The grid of the view and the level that are chosen now. */
  get #grid() {
    const { x, y } = this.#view;
    return { x, y, columns: x.bins[this.#level], rows: y.bins[this.#level] };
  }

  /** Tells screen readers how many bins the slider stands for. */
  #describeSlider() {
    byId('histogram-bins').setAttribute('aria-valuetext', gridText(this.#grid));
  }

  /** Runs everything again on `device`. */
  show(device) {
    this.#device = device;
    this.#refresh();
  }

  /** Runs for the newest settings. Runs follow one another, so that their times are their own. */
  #refresh() {
    if (!this.#device) return;
    const ticket = (this.#latest += 1);
    const isLatest = () => ticket === this.#latest;
    byId('histogram').setAttribute('aria-busy', 'true');
    this.#running = this.#running
      .then(loadFlights) // not in turn: others need not wait for the network
      .then(() => inTurn(() => isLatest() && this.#run(isLatest)))
      .catch((error) => (byId('histogram-readout').textContent = t('demo.stopped', { why: error.message })))
      .then(() => byId('histogram').setAttribute('aria-busy', String(!isLatest())));
  }

  /**
   * Counts, times and shows the view that is chosen; on a GPU counts on the CPU too, to compare.
   * @param {() => boolean} isLatest false as soon as a newer run was asked for: then nothing is shown
   */
  async #run(isLatest) {
    const view = this.#view;
    const device = this.#device;
    const grid = this.#grid;
    const flights = await loadFlights();
    const work = prepare(flights, grid, view);
    const result = await measure({ ...work, device });
    const same = device === 'webgpu' ? sameResult(result, await accumulate({ ...work, device: 'cpu' })) : null;
    const coarse = { ...grid, ...TABLE };
    const overview = await accumulate({ ...prepare(flights, coarse, view), device });
    if (!isLatest()) return;
    this.#shown = { view, grid, result };
    this.#paint();
    report({ device, grid, records: work.index.length, total: flights.count, same, result });
    const what = t(`histogram.cells.${view.shows}`);
    const cell = (bin) => (view.shows === 'mean' ? minutesText(mean(overview, bin)) : formatNumber(overview.counts[bin]));
    byId('histogram-table').replaceChildren(drawTable(coarse, what, cell));
  }

  /** Draws the last counts in the colours of the theme, and says which bin has the most flights. */
  #paint() {
    if (!this.#shown) return;
    const { view, grid, result } = this.#shown;
    const { counts } = result;
    const isMean = view.shows === 'mean';
    const fewest = isMean ? FEWEST : 1; // a bin with fewer flights stays empty
    const values = Float64Array.from(counts, (count, bin) =>
      count < fewest ? NaN : isMean ? mean(result, bin) : count,
    );
    const fullest = counts.reduce((best, count, bin) => (count > counts[best] ? bin : best), 0);
    const place = describeBin(grid, fullest % grid.columns, Math.floor(fullest / grid.columns));
    const remark = t('histogram.fullest', { bin: t('histogram.bin', { ...place, flights: flightsText(counts[fullest]) }) });
    const summary = t('histogram.summary', { title: view.title, grid: gridText(grid), remark });
    this.#plot.draw({ grid, values, scale: isMean ? meanScale() : countScale(counts) }, summary, theme());
    byId('histogram-readout').textContent = remark;
  }

  /** Says what the bin under the cursor covers and has. The plot has a cursor only when something is shown. */
  #describe(column, row) {
    const { view, grid, result } = this.#shown;
    const bin = row * grid.columns + column;
    const count = result.counts[bin];
    const values = { ...describeBin(grid, column, row), flights: flightsText(count) };
    const words =
      view.shows === 'mean' && count > 0
        ? t('histogram.bin.delay', { ...values, mean: minutesText(mean(result, bin)) })
        : t('histogram.bin', values);
    byId('histogram-readout').textContent = words[0].toUpperCase() + words.slice(1);
  }
}

/** What `accumulate` needs for this view of the flights, apart from the device: hours only where means are shown. */
function prepare(flights, grid, { shows }) {
  const { index, hours } = binFlights(flights, grid);
  return { index, hours: shows === 'mean' ? hours : undefined, bins: grid.columns * grid.rows };
}

/**
 * Fills in the numbers beside the picture. `records` are the flights in range, `total` all of them; `same` is whether the CPU gave the
 * same bits, or null where the CPU is the device.
 */
function report({ device, grid, records, total, same, result: { counts, sums, ms, repeats } }) {
  const sum = counts.reduce((a, b) => a + b, 0);
  const updates = records * (sums ? 2 : 1); // of one repetition
  const verdict = same ? t('histogram.same', { bins: formatNumber(counts.length) }) : t('ranks.differ');
  const say = (name, words) => (byId(`histogram-${name}`).textContent = words);
  say('records', t('histogram.in-range', { records: formatNumber(records), total: formatNumber(total) }));
  say('count', `${grid.columns} × ${grid.rows} = ${formatNumber(counts.length)}`);
  say('sum', `${formatNumber(sum)} ${sum === records ? '✓' : '✗'}`);
  say('time', t('histogram.took', { ms: formatNumber(ms, { maximumFractionDigits: ms < 10 ? 2 : 0 }), device: t(`device.${device}`) }));
  say('rate', t('histogram.millions', { updates: formatNumber(updates / ms / 1000, { maximumSignificantDigits: 3 }) }));
  say('bits', same === null ? t('density.same.choose') : verdict);
  say('method', t('histogram.method', { count: repeats }));
}
