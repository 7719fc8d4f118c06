/**
 * A sample of the flights as edges between airports: one entry a flight, evenly chosen.
 * @param {import('../routes/data.js').Routes} routes
 */
export function sampleEdges({ from, to, flights, total, airports }, count) {
  const [origins, destinations] = [new Int32Array(count), new Int32Array(count)];
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
