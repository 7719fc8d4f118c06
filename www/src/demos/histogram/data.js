import { assetAddress } from '../../shared/address.js';
import { t } from '../../shared/messages.js';
import { fetched, once } from '../../shared/load.js';

/**
 * The flights as columns, one value per flight: departure in minutes after midnight, delay of arrival in minutes, distance in miles.
 * @typedef {{ time: Int16Array, delay: Int16Array, distance: Int16Array, count: number }} Flights
 */

/** Loads the file that flights-plugin.js packs, once: three columns, one after the other. @returns {Promise<Flights>} */
export const loadFlights = once(async () => {
  const response = await fetched(assetAddress('data/flights.bin')).catch((error) => {
    throw new Error(t('histogram.missing', { why: error.message }));
  });
  const unpacked = response.body.pipeThrough(new DecompressionStream('gzip'));
  const values = new Int16Array(await new Response(unpacked).arrayBuffer());
  const count = values.length / 3;
  const [time, delay, distance] = [0, 1, 2].map((column) => values.subarray(column * count, (column + 1) * count));
  return { time, delay, distance, count };
});
