import { IndexPlan, Tensor, bincount, binned_statistic, scope, searchsorted, unique } from 'scatterwise';
import { Points } from '../density/points.js';
import { GRID as SCREEN, HOME } from '../density/view.js';
import { GRID, charts, edgeOf, names } from './charts.js';

/**
 * What the charts show of the flights that are brushed.
 * @typedef {{ counts: Record<string, Tensor>, means: Tensor, flown: { values: Tensor, indices: Tensor },
 *   latest: { values: Tensor, indices: Tensor } }} Look `counts` of each histogram; `means` of the cells of the map; the flights from each
 *   airport, the most first; the longest delay from each airport as in `late`, and whose it is
 */

/** The part of the map that is shown, for y and for x, in the map's units. */
const RANGE = [
  [-HOME.y / HOME.k, (SCREEN.rows - HOME.y) / HOME.k],
  [-HOME.x / HOME.k, (SCREEN.columns - HOME.x) / HOME.k],
];
const EARLY = 10_000; // minutes: no flight arrives so much before its time

/** The flights as tensors on a device, and everything that is counted when a brush has moved. */
export class Flights {
  /** @param {import('./data.js').Million} million @param {'cpu' | 'webgpu'} device */
  static async on(device, million) {
    const flights = new Flights();
    await flights.#load(device, million);
    return flights;
  }

  /** What never changes: where each flight is, in which bin of each histogram, and from which airport. */
  async #load(device, million) {
    const { routes, count } = million;
    const points = new Points(routes);
    const places = new Float32Array(2 * count);
    points.take(count); // a point for each flight, in the order of the routes
    points.move(places, 0);
    const columns = { minutes: million.minutes, delays: million.delays, miles: Int16Array.from(points.route, (at) => routes.miles[at]) };
    const here = (data) => new Tensor(data, { device: 'cpu' });
    const origins = await unique(here(Int16Array.from(points.route, (at) => routes.from[at])));
    this.million = million;
    this.device = device;
    this.route = points.route;
    this.airports = await origins.values.data(); // the numbers of those that somebody left from
    this.tensors = {
      places: new Tensor(places, { shape: [count, 2], device }),
      origin: await origins.inverse.astype('uint16').to(device), // of each flight, as a place in `airports`
      late: new Tensor(Uint16Array.from(million.delays, (delay) => delay + EARLY), { device }),
    };
    this.plans = { origin: IndexPlan.along([this.airports.length], 0, origins.inverse) };
    [this.bins, this.values] = [{}, {}]; // of each flight in each histogram
    for (const name of names) {
      const values = here(Float32Array.from(columns[name]));
      const edges = Float32Array.from({ length: charts[name].bins - 1 }, (_each, bin) => edgeOf(name, bin + 1));
      const bins = searchsorted(here(edges), values, { right: true });
      this.bins[name] = await bins.astype('uint8').to(device);
      this.plans[name] = IndexPlan.select([charts[name].bins], 0, bins);
      this.values[name] = await values.to(device);
    }
    this.brushes = {}; // of the last look; what follows belongs to them
    this.inside = {}; // of each brush, whether it keeps a flight
    this.counts = {}; // of each histogram
  }

  /**
   * Finds which flights are brushed, and counts them in the histograms. A histogram shows the flights that the two other brushes keep, so that
   * one sees what its own brush would change. So its counts stay as they are while only its own brush moves.
   * @param {import('./charts.js').Brushes} brushes @param {(tensor: Tensor) => Tensor} keep that of the scope
   */
  #follow(brushes, keep) {
    const { device, plans, bins, inside, counts } = this;
    const replace = (tensors, name, tensor) => {
      tensors[name]?.dispose();
      tensors[name] = keep(tensor);
    };
    const moved = names.filter((name) => String(brushes[name]) !== String(this.brushes[name]));
    this.brushes = {}; // if a call below fails, the next look counts everything
    for (const name of moved) {
      const [from, to] = brushes[name];
      const isIn = Array.from({ length: charts[name].bins }, (_each, bin) => bin >= from && bin < to); // of each bin
      replace(inside, name, new Tensor(isIn, { dtype: 'bool', device }).index_select(plans[name]));
    }
    for (const name of names) {
      const [one, two] = names.filter((each) => each !== name);
      if (!moved.includes(one) && !moved.includes(two)) continue;
      replace(counts, name, bincount(bins[name], { length: charts[name].bins, mask: inside[one].mul(inside[two]), dtype: 'int32' }));
    }
    this.brushes = { ...brushes };
  }

  /**
   * Counts again what the brushes have changed.
   * @param {import('./charts.js').Brushes} brushes @param {string} column what the map shows the mean of
   * @returns {Look}
   */
  look(brushes, column) {
    return scope((keep) => {
      this.#follow(brushes, keep);
      const { places, origin, late } = this.tensors;
      const [one, two, three] = names.map((name) => this.inside[name]);
      const mask = one.mul(two).mul(three); // of bool: and
      const { statistic: means } = binned_statistic(places, this.values[column], 'mean', { bins: [GRID.rows, GRID.columns], range: RANGE, mask });
      const flown = bincount(origin, { length: this.airports.length, mask, dtype: 'int32' }).sort(0, { descending: true });
      // A flight that is not brushed has 0 here, which is earlier than all that are.
      const brushed = late.mul(mask.astype('uint16'));
      const none = Tensor.zeros([this.airports.length], { dtype: 'uint16', device: this.device });
      const latest = none.scatter_reduce(this.plans.origin, brushed, 'amax', { return_indices: true });
      const counts = Object.fromEntries(names.map((name) => [name, this.counts[name].clone()]));
      return { counts, means, flown, latest };
    });
  }

  /**
   * How many flights are brushed, and the airports with the most of them, each with its most delayed flight. On WebGPU this reads back; the
   * charts do not wait for it.
   * @param {Look} look @param {number} most how many airports
   */
  async leaders({ flown, latest }, most) {
    const tensors = [flown.values, flown.indices, latest.values, latest.indices];
    const [counts, order, delays, flights] = await Promise.all(tensors.map((tensor) => tensor.data()));
    const { routes, minutes } = this.million;
    const rows = Array.from({ length: most }, (_each, rank) => {
      const group = Number(order[rank]);
      const flight = Number(flights[group]);
      const airport = routes.airports[this.airports[group]];
      return { airport, flights: counts[rank], delay: delays[group] - EARLY, minutes: minutes[flight], to: routes.airports[routes.to[this.route[flight]]] };
    });
    const kept = counts.reduce((sum, count) => sum + count, 0); // each flight left from one airport
    return { kept, rows: rows.filter(({ flights }) => flights > 0) };
  }

  dispose() {
    for (const resources of [this.tensors, this.plans, this.bins, this.values, this.inside, this.counts]) {
      for (const each of Object.values(resources)) each.dispose();
    }
  }
}

/** Gives back the tensors of a look. @param {Look} look */
export function forget({ counts, means, flown, latest }) {
  for (const tensor of [...Object.values(counts), means, flown.values, flown.indices, latest.values, latest.indices]) tensor.dispose();
}
