import { gzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { dataFile, datasetPath } from './data-plugin.js';
import { readPlaces } from './routes-plugin.js';

const ROWS = 1_000_000; // the first of the file, which is in the order of departure: from 1 January 2001 to 2 March

/**
 * A million flights of vega-datasets, gzipped: some 2 MB. The file has the length of a JSON text as a Uint32; that text, with spaces behind
 * it up to whole words; then the columns `minutes` (departure after midnight) and `delays` (arrival, in minutes) as Int16. All numbers are
 * little-endian. The text has `airports` and `routes` as in routes.json, with a fourth number a route: its miles. Flights are in the order
 * of the routes, and on a route in that of their minutes: so they need no columns for the route, and the minutes compress well.
 */
async function packMillion() {
  const file = await asyncBufferFromFile(datasetPath('flights-3m.parquet'));
  const [places, rows] = await Promise.all([readPlaces(), parquetReadObjects({ file, compressors, rowEnd: ROWS })]);
  const routes = groupByRoute(rows.filter(({ origin, destination }) => places.has(origin) && places.has(destination)));
  const codes = [...new Set(routes.flatMap(({ origin, destination }) => [origin, destination]))].sort();
  const numberOf = new Map(codes.map((code, at) => [code, at]));
  const text = JSON.stringify({
    airports: codes.map((code) => [code, ...places.get(code)]),
    routes: routes.flatMap(({ origin, destination, miles, flights }) => [numberOf.get(origin), numberOf.get(destination), flights.length, miles]),
  });
  const head = Buffer.from(text + ' '.repeat((4 - (Buffer.byteLength(text) % 4)) % 4));
  const flights = routes.flatMap((route) => route.flights);
  return gzipSync(Buffer.concat([Uint32Array.of(head.length), head, ...['minutes', 'delay'].map((name) => column(flights, name))].map(bytesOf)), { level: 9 });
}

/** The flights of each route, which ends at two airports and has one distance. */
function groupByRoute(rows) {
  const routes = new Map();
  for (const { date, delay, distance, origin, destination } of rows) {
    const key = `${origin} ${destination} ${distance}`;
    if (!routes.has(key)) routes.set(key, { key, origin, destination, miles: Number(distance), flights: [] });
    routes.get(key).flights.push({ minutes: date.getUTCHours() * 60 + date.getUTCMinutes(), delay: Number(delay) });
  }
  for (const { flights } of routes.values()) flights.sort((a, b) => a.minutes - b.minutes || a.delay - b.delay);
  return [...routes.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

const column = (flights, name) => Int16Array.from(flights, (flight) => flight[name]);

const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);

/** The Vite plugin that serves and emits `data/million.bin`. */
export const millionFlights = () => dataFile({ file: 'data/million.bin', type: 'application/octet-stream', make: packMillion });
