import { geoDistance } from 'd3-geo';

/** The radius of the Earth in thousands of kilometres. */
export const RADIUS = 6.371;

/**
 * What the map is learned from: each pair of airports with a route, and how far apart they are.
 * @param {import('../routes/data.js').Routes} routes
 * @returns {{ nodes: number, from: Int32Array, to: Int32Array, lengths: Float64Array }} how many airports there are, and for each pair the
 *   numbers of its airports and their distance in thousands of kilometres
 */
export function lengthsOf({ airports, from, to }) {
  const nodes = airports.length;
  const pairs = new Set(); // each as one number, the same for both directions
  from.forEach((origin, route) => {
    const ends = [origin, to[route]];
    if (ends[0] !== ends[1]) pairs.add(Math.min(...ends) * nodes + Math.max(...ends));
  });
  const all = [...pairs];
  const first = Int32Array.from(all, (pair) => Math.floor(pair / nodes));
  const second = Int32Array.from(all, (pair) => pair % nodes);
  const lengths = Float64Array.from(all, (_pair, at) => RADIUS * geoDistance(airports[first[at]].place, airports[second[at]].place));
  return { nodes, from: first, to: second, lengths };
}
