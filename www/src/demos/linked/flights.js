import { Tensor, bincount, binned_statistic, group_by, scope, searchsorted, unique, where } from 'scatterwise';
import { Points } from '../density/points.js';
import { GRID as SCREEN, HOME } from '../density/view.js';
import { GRID, charts, edgeOf, names } from './charts.js';

/**
 * What the charts show of the flights that are brushed.
 * @typedef {{ counts: Record<string, Tensor>, means: Tensor, flown: { values: Tensor, indices: Tensor },
 *   latest: { delay: Tensor, flight: Tensor } }} Look `counts` of each histogram; `means` of the cells of the map; the flights from each
 *   airport, the most first; the longest delay from each airport, and whose it is
 */

/** The part of the map that is shown, for y and for x, in the map's units. */
const RANGE = [
  [-HOME.y / HOME.k, (SCREEN.rows - HOME.y) / HOME.k],
  [-HOME.x / HOME.k, (SCREEN.columns - HOME.x) / HOME.k],
];
const NEVER = -32768; // minutes: less than the delay of any flight

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
    const origin = await origins.inverse.astype('uint16').to(device); // of each flight, as a place in `airports`
    this.tensors = { places: new Tensor(places, { shape: [count, 2], device }), origin, delays: new Tensor(million.delays, { device }) };
    this.groups = group_by(origin, this.airports.length); // the flights of each airport
    [this.bins, this.values] = [{}, {}]; // of each flight in each histogram
    for (const name of names) {
      const values = here(Float32Array.from(columns[name]));
      const edges = Float32Array.from({ length: charts[name].bins - 1 }, (_each, bin) => edgeOf(name, bin + 1));
      this.bins[name] = await searchsorted(here(edges), values, { right: true, dtype: 'int32' }).astype('uint8').to(device);
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
    const { bins, inside, counts } = this;
    const replace = (tensors, name, tensor) => {
      tensors[name]?.dispose();
      tensors[name] = keep(tensor);
    };
    const moved = names.filter((name) => String(brushes[name]) !== String(this.brushes[name]));
    this.brushes = {}; // if a call below fails, the next look counts everything
    for (const name of moved) {
      const [from, to] = brushes[name];
      replace(inside, name, bins[name].ge(from).logical_and(bins[name].lt(to)));
    }
    for (const name of names) {
      const [one, two] = names.filter((each) => each !== name);
      if (!moved.includes(one) && !moved.includes(two)) continue;
      replace(counts, name, bincount(bins[name], { length: charts[name].bins, mask: inside[one].logical_and(inside[two]), dtype: 'int32' }));
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
      const { places, origin, delays } = this.tensors;
      const [one, two, three] = names.map((name) => this.inside[name]);
      const mask = one.logical_and(two).logical_and(three);
      const { statistic: means } = binned_statistic(places, this.values[column], 'mean', { bins: [GRID.rows, GRID.columns], range: RANGE, mask });
      const flown = bincount(origin, { length: this.airports.length, mask, dtype: 'int32' }).sort(0, { descending: true });
      const { max, argmax } = this.groups.agg(where(mask, delays, NEVER), ['max', 'argmax']);
      const counts = Object.fromEntries(names.map((name) => [name, this.counts[name].clone()]));
      return { counts, means, flown, latest: { delay: max, flight: argmax } };
    });
  }

  /**
   * How many flights are brushed, and the airports with the most of them, each with its most delayed flight. On WebGPU this reads back; the
   * charts do not wait for it.
   * @param {Look} look @param {number} most how many airports
   */
  async leaders({ flown, latest }, most) {
    const tensors = [flown.values, flown.indices, latest.delay, latest.flight];
    const [counts, order, delays, flights] = await Promise.all(tensors.map((tensor) => tensor.data()));
    const { routes, minutes } = this.million;
    const rows = Array.from({ length: most }, (_each, rank) => {
      const group = Number(order[rank]);
      const flight = flights[group];
      const airport = routes.airports[this.airports[group]];
      return { airport, flights: counts[rank], delay: delays[group], minutes: minutes[flight], to: routes.airports[routes.to[this.route[flight]]] };
    });
    const kept = counts.reduce((sum, count) => sum + count, 0); // each flight left from one airport
    return { kept, rows: rows.filter(({ flights }) => flights > 0) };
  }

  dispose() {
    this.groups?.dispose();
    for (const resources of [this.tensors, this.bins, this.values, this.inside, this.counts]) {
      for (const each of Object.values(resources)) each.dispose();
    }
  }
}

/** Gives back the tensors of a look. @param {Look} look */
export function forget({ counts, means, flown, latest }) {
  for (const tensor of [...Object.values(counts), means, flown.values, flown.indices, latest.delay, latest.flight]) tensor.dispose();
}
