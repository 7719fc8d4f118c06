import { readFile } from 'node:fs/promises';
import { dataFile, datasetPath } from './data-plugin.js';

/**
 * Every route of 2008 with its number of flights, and the airports at its ends, of vega-datasets: 7 million flights in
 * some 20 kB gzipped. `routes` has three numbers a route: origin, destination, flights.
 */
async function packRoutes() {
  const read = async (name) => {
    const text = await readFile(datasetPath(name), 'utf8');
    return text.trim().split(/\r?\n/).slice(1).map((line) => line.split(','));
  };
  const places = new Map(await read('airports.csv').then(knowPlaces));
  const flown = (await read('flights-airport.csv')).filter(([from, to]) => places.has(from) && places.has(to) && from !== to);
  const codes = [...new Set(flown.flatMap(([from, to]) => [from, to]))].sort();
  const number = new Map(codes.map((code, at) => [code, at]));
  const airports = codes.map((code) => [code, ...places.get(code)]);
  const routes = flown.flatMap(([from, to, flights]) => [number.get(from), number.get(to), Number(flights)]);
  return JSON.stringify({ airports, routes });
}

/** Names may hold commas in quotes; the last three columns never do. */
function knowPlaces(rows) {
  return rows.map((row) => {
    const [latitude, longitude] = row.slice(-2).map(Number);
    const city = row.length === 7 ? row[2] : row.slice(1, -4).join(',').replaceAll('"', '').trim();
    return [row[0], [city, longitude, latitude]];
  });
}

/** `data/routes.json`. */
export const flightRoutes = () => dataFile({ file: 'data/routes.json', type: 'application/json', make: packRoutes });
