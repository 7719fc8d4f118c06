import { geoAlbers, geoInterpolate } from 'd3-geo';

/**
 * One point for each flight, or an even sample of them, somewhere between its two airports. Where it is at time 0 is spread evenly over
 * the route; the data does not say when a flight was where. Points of one route are side by side, and so near each other on the map.
 */
export class Points {
  /** @param {import('../routes/data.js').Routes} routes */
  constructor(routes) {
    this.total = routes.total; // flights
    this.curves = curvesOf(routes);
    // Of the sample: the route of each point, the part of it that is flown at time 0, and the first point of each route.
    this.route = new Uint16Array(0);
    this.phase = new Float32Array(0);
    this.starts = new Uint32Array(routes.flights.length + 1);
    this.flightsUpTo = new Float64Array(routes.flights.length); // how many flights a route and those before it have
    let sum = 0;
    routes.flights.forEach((flights, at) => (this.flightsUpTo[at] = sum += flights));
  }

  /** Makes a sample of `count` points, unless it has that many. Each route has as large a part of them as of the flights. */
  take(count) {
    if (this.route.length === count) return;
    [this.route, this.phase] = [new Uint16Array(count), new Float32Array(count)];
    this.flightsUpTo.forEach((flights, at) => {
      this.starts[at + 1] = Math.round((flights * count) / this.total);
      this.route.fill(at, this.starts[at], this.starts[at + 1]);
    });
    // The fractional parts of multiples of this number (1 divided by the plastic ratio) are evenly spread, however many there are.
    for (let i = 0; i < count; i += 1) this.phase[i] = (i * 0.7548776662466927) % 1;
  }

  /**
   * Writes where the points of the sample are at `time`, in routes flown. At the end of its route a point starts again.
   * @param {Float32Array} into y and x of each point, in the map's units
   * @param {number} time
   */
  move(into, time) {
    const { phase, curves, starts } = this;
    const flown = time % 1;
    for (let at = 0; at + 1 < starts.length; at += 1) {
      const [xa, xb, xc, ya, yb, yc] = curves.subarray(6 * at, 6 * at + 6);
      const end = starts[at + 1];
      for (let i = starts[at]; i < end; i += 1) {
        let f = phase[i] + flown;
        if (f >= 1) f -= 1;
        into[2 * i] = ya + f * (yb + f * yc);
        into[2 * i + 1] = xa + f * (xb + f * xc);
      }
    }
  }
}

/**
 * Each route on the map as a parabola through its ends and the middle of its great circle: x and y as a + f·(b + f·c), where f is the part
 * of the route that is flown.
 * @returns {Float32Array} six numbers a route: a, b, c for x, then for y
 */
function curvesOf({ airports, from, to }) {
  const project = geoAlbers().scale(1000).translate([0, 0]);
  const curves = new Float32Array(from.length * 6);
  from.forEach((origin, at) => {
    const ends = [airports[origin].place, airports[to[at]].place];
    const [start, middle, end] = [ends[0], geoInterpolate(...ends)(0.5), ends[1]].map((place) => project(place));
    [0, 1].forEach((axis) => {
      // From the values at f = 0, 1/2 and 1.
      const c = 2 * (start[axis] + end[axis] - 2 * middle[axis]);
      curves.set([start[axis], end[axis] - start[axis] - c, c], at * 6 + axis * 3);
    });
  });
  return curves;
}
