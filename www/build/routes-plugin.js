import { readFile } from 'node:fs/promises';
import { dataFile, datasetPath } from './data-plugin.js';

/**
 * Every route of 2008 with its number of flights, and the airports at its ends, of vega-datasets: 7 million flights in
 * some 20 kB gzipped. The JSON has `airports`, each as [code, city, longitude, latitude] in degrees, and `routes` with three numbers a
 * route: the numbers of origin and destination in `airports`, and how many flights. Routes from an airport to itself, and those
 * with an airport whose place is not known, are left out.
 */
async function packRoutes() {
  const places = await readPlaces();
  const flown = (await readRows('flights-airport.csv')).filter(([from, to]) => places.has(from) && places.has(to) && from !== to);
  const codes = [...new Set(flown.flatMap(([from, to]) => [from, to]))].sort();
  const numberOf = new Map(codes.map((code, at) => [code, at]));
  const airports = codes.map((code) => [code, ...places.get(code)]);
  const routes = flown.flatMap(([from, to, flights]) => [numberOf.get(from), numberOf.get(to), Number(flights)]);
  return JSON.stringify({ airports, routes });
}

/** The cells of each row of a file of comma-separated values, without the header. */
async function readRows(name) {
  const text = await readFile(datasetPath(name), 'utf8');
  return text.trim().split(/\r?\n/).slice(1).map((line) => line.split(','));
}

/** The city, longitude and latitude of each airport by its code. @returns {Promise<Map<string, [string, number, number]>>} */
export const readPlaces = async () => new Map(placesOf(await readRows('airports.csv')));

/**
 * The city, longitude and latitude of each airport, as entries by its code. The columns are code, name, city, state, country, latitude
 * and longitude. Name and city may hold commas in quotes, at which the row was split too.
 * @param {string[][]} rows
 */
function placesOf(rows) {
  return rows.map((row) => {
    const [latitude, longitude] = row.slice(-2).map(Number);
    const [, code, , city] = /^([^,]*),("[^"]*"|[^,]*),("[^"]*"|[^,]*),/.exec(row.join(','));
    return [code, [city.replaceAll('"', ''), longitude, latitude]];
  });
}

/** The Vite plugin that serves and emits `data/routes.json`. */
export const flightRoutes = () => dataFile({ file: 'data/routes.json', type: 'application/json', make: packRoutes });
