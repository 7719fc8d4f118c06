import { assetAddress } from '../../shared/address.js';
import { fetched, once } from '../../shared/load.js';

/**
 * The routes of 2008, one entry a route: the numbers of the airports at its ends, and its flights.
 * @typedef {{ airports: { code: string, city: string, place: [number, number] }[], from: Uint16Array, to: Uint16Array,
 *   flights: Uint32Array, total: number }} Routes `place` is longitude and latitude in degrees.
 */

/** Loads the file that routes-plugin.js packs, once. @returns {Promise<Routes>} */
export const loadRoutes = once(async () => readRoutes(await fetched(assetAddress('data/routes.json'))));

/** The routes in the response to a request for that file. @returns {Promise<Routes>} */
export async function readRoutes(response) {
  const { airports, routes } = await response.json();
  /** One of the three numbers of each route, as a typed array. */
  const column = (offset, Kind) => Kind.from({ length: routes.length / 3 }, (_each, at) => routes[3 * at + offset]);
  const flights = column(2, Uint32Array);
  return {
    airports: airports.map(([code, city, longitude, latitude]) => ({ code, city, place: [longitude, latitude] })),
    from: column(0, Uint16Array),
    to: column(1, Uint16Array),
    flights,
    total: flights.reduce((sum, each) => sum + each, 0),
  };
}
