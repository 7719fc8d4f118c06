import { assetAddress } from '../../shared/address.js';
import { fetched, once } from '../../shared/load.js';

/**
 * A million flights as columns, in the order of their routes.
 * @typedef {{ routes: import('../routes/data.js').Routes & { miles: Uint16Array }, minutes: Int16Array, delays: Int16Array, count: number }}
 *   Million `miles` has one entry a route; `minutes` is the departure after midnight, `delays` that of the arrival
 */

/** Loads the file that million-plugin.js packs, once. @returns {Promise<Million>} */
export const loadMillion = once(async () => {
  const response = await fetched(assetAddress('data/million.bin'));
  const bytes = await new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  const length = new DataView(bytes).getUint32(0, true);
  const { airports, routes } = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  const columns = new Int16Array(bytes, 4 + length);
  const count = columns.length / 2;
  /** One of the four numbers of each route, as a typed array. */
  const column = (offset, Kind) => Kind.from({ length: routes.length / 4 }, (_each, at) => routes[4 * at + offset]);
  return {
    routes: {
      airports: airports.map(([code, city, longitude, latitude]) => ({ code, city, place: [longitude, latitude] })),
      from: column(0, Uint16Array),
      to: column(1, Uint16Array),
      flights: column(2, Uint32Array),
      miles: column(3, Uint16Array),
      total: count,
    },
    minutes: columns.subarray(0, count),
    delays: columns.subarray(count),
    count,
  };
});
