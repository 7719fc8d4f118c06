/** @typedef {import('./views.js').Variable} Variable */

/**
 * The grid of one picture: its axes, and in how many bins each is divided.
 * @typedef {{ x: Variable, y: Variable, columns: number, rows: number }} Grid
 */

/**
 * The bin of every flight inside the grid's range, and the delay in hours of the same flights. Bins are numbered row by row; row 0 has the
 * lowest values of y.
 * @param {import('./data.js').Flights} flights @param {Grid} grid @returns {{ index: Int32Array, hours: Float32Array }}
 */
export function binFlights(flights, { x, y, columns, rows }) {
  const xs = flights[x.column];
  const ys = flights[y.column];
  const width = (x.high - x.low) / columns;
  const height = (y.high - y.low) / rows;
  const index = new Int32Array(flights.count);
  const hours = new Float32Array(flights.count);
  let records = 0;
  for (let i = 0; i < flights.count; i += 1) {
    if (xs[i] < x.low || xs[i] >= x.high || ys[i] < y.low || ys[i] >= y.high) continue;
    const column = Math.floor((xs[i] - x.low) / width);
    const row = Math.floor((ys[i] - y.low) / height);
    index[records] = row * columns + column;
    hours[records] = flights.delay[i] / 60;
    records += 1;
  }
  return { index: index.subarray(0, records), hours: hours.subarray(0, records) };
}

/** In words, what a bin of the grid covers along either axis. @param {Grid} grid @returns {{ x: string, y: string }} */
export function describeBin({ x, y, columns, rows }, column, row) {
  /** The lower and the upper edge of a bin along an axis that is divided in `count` bins. */
  const edges = ({ low, high }, count, position) =>
    [0, 1].map((end) => low + ((position + end) * (high - low)) / count);
  return { x: x.range(...edges(x, columns, column)), y: y.range(...edges(y, rows, row)) };
}
