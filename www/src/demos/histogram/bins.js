/** @typedef {import('./views.js').Variable} Variable */

/**
 * The grid of one picture: how its bins lie and what they are called.
 * @typedef {{ x: Variable, y: Variable, columns: number, rows: number }} Grid
 */

/** Bin number of every flight inside the grid's range, and the delay in hours of the same flights. */
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

/** In words, what one bin of the grid covers along either axis. */
export function describeBin({ x, y, columns, rows }, column, row) {
  const edges = ({ low, high }, count, position) =>
    [0, 1].map((end) => low + ((position + end) * (high - low)) / count);
  return { x: x.range(...edges(x, columns, column)), y: y.range(...edges(y, rows, row)) };
}
