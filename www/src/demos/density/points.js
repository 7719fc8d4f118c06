import { geoAlbers, geoInterpolate } from 'd3-geo';

/** Steps that visit every flight once and spread any number of them evenly: the golden section of the total, made coprime. */
function strideOf(total) {
  const gcd = (a, b) => (b === 0 ? a : gcd(b, a % b));
  let stride = Math.round(total * 0.6180339887);
  while (gcd(stride, total) !== 1) stride += 1;
  return stride;
}

/**
 * One point for each flight, somewhere between its two airports. Where it is at time 0 is spread evenly over the
 * route; the data does not say when a flight was where.
 */
export class Points {
  /** @param {import('../routes/data.js').Routes} routes */
  constructor(routes) {
    this.total = routes.total;
    this.curves = curvesOf(routes);
    this.route = new Uint16Array(0);
    this.phase = new Float32Array(0);
    this.ends = new Uint32Array(routes.flights.length);
    let end = 0;
    routes.flights.forEach((flights, at) => (this.ends[at] = end += flights));
    this.stride = strideOf(this.total);
  }

  /** Makes at least the first `count`; fewer of them are an even sample of more. */
  reach(count) {
    const have = this.route.length;
    if (count <= have) return;
    const [route, phase] = [new Uint16Array(count), new Float32Array(count)];
    route.set(this.route);
    phase.set(this.phase);
    for (let i = have; i < count; i += 1) {
      route[i] = this.#routeOf((i * this.stride) % this.total); // below 2⁵³ for these data
      phase[i] = (i * 0.7548776662466927) % 1;
    }
    [this.route, this.phase] = [route, phase];
  }

  #routeOf(flight) {
    let [low, high] = [0, this.ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle] > flight) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /**
   * The bin of each of the first `count` points at `time`, in routes flown: row-major on a grid of `columns` × `rows`,
   * and one bin more at the end for what is outside.
   * @param {{ k: number, x: number, y: number }} view scale and shift from the map to the grid
   */
  bin(into, count, time, { columns, rows }, { k, x, y }) {
    const { route, phase, curves } = this;
    const outside = columns * rows;
    for (let i = 0; i < count; i += 1) {
      const c = route[i] * 6;
      let f = phase[i] + time;
      f -= Math.floor(f);
      const column = Math.floor(x + k * (curves[c] + f * (curves[c + 1] + f * curves[c + 2])));
      const row = Math.floor(y + k * (curves[c + 3] + f * (curves[c + 4] + f * curves[c + 5])));
      const inside = column >= 0 && column < columns && row >= 0 && row < rows;
      into[i] = inside ? row * columns + column : outside;
    }
  }
}

/** Each route on the map as a parabola through its ends and the middle of its great circle: x and y as a + f·(b + f·c). */
function curvesOf({ airports, from, to }) {
  const project = geoAlbers().scale(1000).translate([0, 0]);
  const curves = new Float32Array(from.length * 6);
  from.forEach((origin, at) => {
    const ends = [airports[origin].place, airports[to[at]].place];
    const [start, middle, end] = [ends[0], geoInterpolate(...ends)(0.5), ends[1]].map((place) => project(place));
    [0, 1].forEach((axis) => {
      const c = 2 * (start[axis] + end[axis] - 2 * middle[axis]);
      curves.set([start[axis], end[axis] - start[axis] - c, c], at * 6 + axis * 3);
    });
  });
  return curves;
}
