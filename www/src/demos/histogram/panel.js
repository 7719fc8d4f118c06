import { byId, h } from '../../shared/dom.js';
import { onTheme, theme } from '../../shared/theme.js';
import { accumulate, measure, sameBits } from './accumulate.js';
import { binFlights, describeBin } from './bins.js';
import { loadFlights } from './data.js';
import { Plot } from './plot.js';
import { FEWEST, countScale, meanScale } from './scale.js';
import { drawTable } from './table.js';
import { RESOLUTIONS, views } from './views.js';

const TABLE = { columns: 6, rows: 6 };
const names = { cpu: 'CPU', webgpu: 'WebGPU' };
const number = (value) => value.toLocaleString('en');
const flightsIn = (count) => (count === 1 ? '1 flight' : `${number(count)} flights`);

/** Mean delay of the flights in a bin, in minutes; NaN where there is none. */
const mean = ({ counts, sums }, bin) => (60 * sums[bin]) / counts[bin];
const inMinutes = (minutes) => minutes.toFixed(1).replace('-', '−');

/** The demonstration: flights binned by `scatter_add_`, drawn, counted, timed, and compared between the devices. */
export class HistogramPanel {
  #flights = loadFlights();
  #device = 'cpu';
  #view = views[0];
  #level = Math.floor(RESOLUTIONS / 2);
  #latest = 0; // number of the newest run; older ones must not draw over it
  #running = Promise.resolve();
  #shown = null;
  #plot = new Plot((column, row) => this.#describe(column, row));

  constructor() {
    byId('histogram-plot').replaceChildren(this.#plot.element);
    const select = byId('histogram-view');
    select.replaceChildren(...views.map(({ id, title }) => h('option', { value: id }, title)));
    select.addEventListener('change', () => {
      this.#view = views.find(({ id }) => id === select.value);
      this.#refresh();
    });
    const slider = byId('histogram-bins');
    slider.max = String(RESOLUTIONS - 1);
    slider.value = String(this.#level);
    slider.addEventListener('input', () => {
      this.#level = Number(slider.value);
      this.#refresh();
    });
    onTheme(() => this.#paint());
  }

  /** Runs everything again on `device`. */
  show(device) {
    this.#device = device;
    this.#refresh();
  }

  /** Runs for the newest settings. Runs follow one another, so that their times are their own. */
  #refresh() {
    const ticket = (this.#latest += 1);
    const current = () => ticket === this.#latest;
    byId('histogram').setAttribute('aria-busy', 'true');
    this.#running = this.#running
      .then(() => current() && this.#run(current))
      .catch((error) => (byId('histogram-readout').textContent = `This demonstration stopped: ${error.message}.`))
      .then(() => byId('histogram').setAttribute('aria-busy', String(!current())));
  }

  async #run(current) {
    const view = this.#view;
    const device = this.#device;
    const flights = await this.#flights;
    const grid = { x: view.x, y: view.y, columns: view.x.bins[this.#level], rows: view.y.bins[this.#level] };
    const work = prepare(flights, grid, view);
    const result = await measure({ ...work, device });
    const same = device === 'webgpu' ? sameBits(result, await accumulate({ ...work, device: 'cpu' })) : null;
    const coarse = { ...grid, ...TABLE };
    const overview = await accumulate({ ...prepare(flights, coarse, view), device });
    if (!current()) return;
    this.#shown = { view, grid, result };
    this.#paint();
    report({ device, grid, records: work.index.length, total: flights.count, same, result });
    const what = view.shows === 'mean' ? 'Mean arrival delay in minutes' : 'Flights';
    const cell = (bin) => (view.shows === 'mean' ? inMinutes(mean(overview, bin)) : number(overview.counts[bin]));
    byId('histogram-table').replaceChildren(drawTable(coarse, what, cell));
  }

  #paint() {
    if (!this.#shown) return;
    const { view, grid, result } = this.#shown;
    const { counts } = result;
    const means = view.shows === 'mean';
    const fewest = means ? FEWEST : 1;
    const values = Float64Array.from(counts, (count, bin) =>
      count < fewest ? NaN : means ? mean(result, bin) : count,
    );
    const fullest = counts.reduce((best, count, bin) => (count > counts[best] ? bin : best), 0);
    const place = describeBin(grid, fullest % grid.columns, Math.floor(fullest / grid.columns));
    const remark = `Fullest bin. ${place}: ${flightsIn(counts[fullest])}.`;
    const summary = `${view.title}, ${grid.columns} by ${grid.rows} bins. ${remark}`;
    this.#plot.draw({ grid, values, scale: means ? meanScale() : countScale(counts) }, summary, theme());
    byId('histogram-bins').setAttribute('aria-valuetext', `${grid.columns} by ${grid.rows} bins`);
    byId('histogram-readout').textContent = remark;
  }

  #describe(column, row) {
    const { view, grid, result } = this.#shown;
    const bin = row * grid.columns + column;
    const count = result.counts[bin];
    const delay = view.shows === 'mean' && count > 0 ? `, mean delay ${inMinutes(mean(result, bin))} min` : '';
    byId('histogram-readout').textContent = `${describeBin(grid, column, row)}: ${flightsIn(count)}${delay}.`;
  }
}

/** What `accumulate` needs for this view of the flights. */
function prepare(flights, grid, { shows }) {
  const { index, hours } = binFlights(flights, grid);
  return { index, hours: shows === 'mean' ? hours : undefined, bins: grid.columns * grid.rows };
}

function report({ device, grid, records, total, same, result: { counts, sums, ms, repeats } }) {
  const sum = counts.reduce((a, b) => a + b, 0);
  const updates = records * (sums ? 2 : 1);
  const verdict = same ? `✓ in all ${number(counts.length)} bins` : '✗ they differ';
  byId('fact-records').textContent = `${number(records)} of ${number(total)}`;
  byId('fact-bins').textContent = `${grid.columns} × ${grid.rows} = ${number(counts.length)}`;
  byId('fact-sum').textContent = `${number(sum)} ${sum === records ? '✓' : '✗'}`;
  byId('fact-time').textContent = `${ms.toFixed(ms < 10 ? 2 : 0)} ms on ${names[device]}`;
  byId('fact-rate').textContent = `${number(Number((updates / ms / 1000).toPrecision(3)))} million`;
  byId('fact-bits').textContent = same === null ? 'switch to WebGPU to see' : verdict;
  const runs = repeats === 1 ? 'One run' : `Mean of ${repeats} runs in a row`;
  byId('histogram-method').textContent = `${runs}, after one that warms up; the index is on the device beforehand.`;
}
