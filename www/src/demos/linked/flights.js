import { Tensor, bincount, binned_statistic, scope, searchsorted, unique } from 'scatterwise';
import { Points } from '../density/points.js';
import { GRID as SCREEN, HOME } from '../density/view.js';
import { GRID, charts, edgeOf, names } from './charts.js';

/**
 * What the charts show of the flights that are brushed.
 * @typedef {{ counts: Record<string, Tensor>, means: Tensor, flown: { values: Tensor, indices: Tensor },
 *   latest: { values: Tensor, indices: Tensor } }} Look `counts` of each histogram; `means` of the cells of the map; the flights from each
 *   airport, the most first; the longest delay from each airport, and whose it is
 */

/** The part of the map that is shown, for y and for x, in the map's units. */
const RANGE = [
  [-HOME.y / HOME.k, (SCREEN.rows - HOME.y) / HOME.k],
  [-HOME.x / HOME.k, (SCREEN.columns - HOME.x) / HOME.k],
];
const NOBODY = -1; // the airport of a flight that is not brushed
const EARLIEST = -32768; // earlier than any flight arrived

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
    const { values, inverse } = await unique(new Tensor(Int16Array.from(points.route, (at) => routes.from[at]), { device: 'cpu' }));
    this.million = million;
    this.route = points.route;
    this.airports = await values.data(); // the numbers of those that somebody left from
    this.origin = Int16Array.from(await inverse.data(), Number); // of each flight, as a place in `airports`
    this.bins = {}; // of each flight in each histogram
    for (const name of names) {
      const edges = Float32Array.from({ length: charts[name].bins - 1 }, (_each, bin) => edgeOf(name, bin + 1));
      const bins = searchsorted(new Tensor(edges, { device: 'cpu' }), new Tensor(Float32Array.from(columns[name]), { device: 'cpu' }), { right: true });
      this.bins[name] = await bins.astype('uint8').data();
    }
    this.keeps = Object.fromEntries([...names, 'all'].map((name) => [name, new Uint8Array(count)]));
    this.groups = new Int32Array(count);
    this.device = device;
    const put = (data, shape = [count]) => new Tensor(data, { shape, device });
    this.tensors = {
      places: put(places, [count, 2]),
      origin: put(this.origin),
      delays: put(million.delays),
      bins: Object.fromEntries(names.map((name) => [name, put(this.bins[name])])),
      values: Object.fromEntries(names.map((name) => [name, put(Float32Array.from(columns[name]))])),
    };
  }

  /**
   * Which flights are brushed. A histogram shows those that the two other brushes keep, so that one sees what its own brush would change;
   * `all` are those that all three keep.
   * @param {import('./charts.js').Brushes} brushes
   * @returns {number} how many all three keep
   */
  #select(brushes) {
    const { bins, keeps, groups, origin } = this;
    const [a, b, c] = names.map((name) => bins[name]);
    const [forA, forB, forC] = names.map((name) => keeps[name]);
    const [inA, inB, inC] = names.map((name) => Uint8Array.from({ length: charts[name].bins }, (_each, bin) => Number(bin >= brushes[name][0] && bin < brushes[name][1])));
    let kept = 0;
    for (let i = 0; i < groups.length; i += 1) {
      const [x, y, z] = [inA[a[i]], inB[b[i]], inC[c[i]]];
      const all = x & y & z;
      forA[i] = y & z;
      forB[i] = x & z;
      forC[i] = x & y;
      keeps.all[i] = all;
      groups[i] = all ? origin[i] : NOBODY;
      kept += all;
    }
    return kept;
  }

  /**
   * Counts everything again.
   * @param {import('./charts.js').Brushes} brushes @param {string} column what the map shows the mean of
   * @returns {Look & { kept: number }}
   */
  look(brushes, column) {
    const kept = this.#select(brushes);
    const { tensors, device } = this;
    return scope(() => {
      const mask = (name) => new Tensor(this.keeps[name], { dtype: 'bool', device });
      const all = mask('all');
      const counts = Object.fromEntries(
        names.map((name) => [name, bincount(tensors.bins[name], { length: charts[name].bins, mask: mask(name), dtype: 'int32' })]),
      );
      const { statistic: means } = binned_statistic(tensors.places, tensors.values[column], 'mean', {
        bins: [GRID.rows, GRID.columns],
        range: RANGE,
        mask: all,
      });
      const airports = [this.airports.length];
      const flown = bincount(tensors.origin, { length: airports[0], mask: all, dtype: 'int32' }).sort(0, { descending: true });
      const latest = Tensor.full(airports, EARLIEST, { dtype: 'int16', device }).scatter_reduce(0, new Tensor(this.groups, { device }), tensors.delays, 'amax', {
        ignore_index: NOBODY,
        return_indices: true,
      });
      return { kept, counts, means, flown, latest };
    });
  }

  /**
   * The airports with the most flights of a look, each with its most delayed flight. On WebGPU this reads back; the charts do not wait for it.
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
      return { airport, flights: counts[rank], delay: delays[group], minutes: minutes[flight], to: routes.airports[routes.to[this.route[flight]]] };
    });
    return rows.filter(({ flights }) => flights > 0);
  }

  dispose() {
    const { bins, values, ...single } = this.tensors;
    for (const tensor of [...Object.values(single), ...Object.values(bins), ...Object.values(values)]) tensor.dispose();
  }
}

/** Gives back the tensors of a look. @param {Look} look */
export function forget({ counts, means, flown, latest }) {
  for (const tensor of [...Object.values(counts), means, flown.values, flown.indices, latest.values, latest.indices]) tensor.dispose();
}
