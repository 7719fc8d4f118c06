/**
 * A sample of the flights as edges between airports, evenly chosen: an entry for each flight.
 * @param {import('../routes/data.js').Routes} routes @param {number} count how many flights
 * @returns {{ origins: Int32Array, destinations: Int32Array, shareOfNode: Float32Array, nodes: number }} the airports of each edge by number;
 *   for each airport 1 divided by the number of edges that leave it, or 0; how many airports there are
 */
export function sampleEdges({ from, to, flights, total, airports }, count) {
  const [origins, destinations] = [new Int32Array(count), new Int32Array(count)];
  // Flights are numbered route by route; `end` is the first that belongs to no route up to `route`.
  let [route, end] = [0, flights[0]];
  for (let edge = 0; edge < count; edge += 1) {
    const flight = Math.floor(((edge + 0.5) * total) / count);
    while (flight >= end) end += flights[(route += 1)];
    origins[edge] = from[route];
    destinations[edge] = to[route];
  }
  const departures = new Float32Array(airports.length);
  for (const origin of origins) departures[origin] += 1;
  // Nothing leaves an airport without departures, so its share does not matter.
  const shareOfNode = departures.map((each) => (each === 0 ? 0 : 1 / each));
  return { origins, destinations, shareOfNode, nodes: airports.length };
}
