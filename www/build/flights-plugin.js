import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const FILE = 'data/flights.bin';

/**
 * The flights of vega-datasets as three columns of little-endian Int16 (departure in minutes after midnight, arrival
 * delay in minutes, distance in miles), one column after the other, gzipped: 0.5 MB instead of the 10 MB of JSON.
 * The page unpacks it itself, so the host need not know about compression.
 */
async function packFlights() {
  const library = createRequire(import.meta.url).resolve('vega-datasets'); // build/index.js; the data has no export
  const json = await readFile(join(dirname(library), '../data/flights-200k.json'), 'utf8');
  const flights = JSON.parse(json);
  const columns = [
    flights.map((flight) => Math.round(flight.time * 60)), // published in hours, as whole minutes
    flights.map((flight) => flight.delay),
    flights.map((flight) => flight.distance),
  ].flat();
  const bytes = Buffer.alloc(columns.length * Int16Array.BYTES_PER_ELEMENT);
  columns.forEach((value, position) => bytes.writeInt16LE(value, position * Int16Array.BYTES_PER_ELEMENT));
  return gzipSync(bytes, { level: 9 });
}

/** A Vite plugin that serves `data/flights.bin` in development and emits it into the build. */
export function flightColumns() {
  let packed;
  const flights = () => (packed ??= packFlights());
  return {
    name: 'scatterwise-flights',
    configureServer(server) {
      server.middlewares.use(`/${FILE}`, async (_request, response, next) => {
        try {
          response.setHeader('content-type', 'application/octet-stream');
          response.end(await flights());
        } catch (error) {
          next(error);
        }
      });
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: FILE, source: await flights() });
    },
  };
}
