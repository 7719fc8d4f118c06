/**
 * Turns learned places, and mirrors them if need be, so that they lie as close to the true ones as they can: what is learned from lengths
 * alone has no north. Without a change of size this is the orthogonal Procrustes problem.
 * @param {Float32Array} places the x and the y of each airport, one after the other, in any unit
 * @param {[number, number][]} truth where each airport is on the picture, in its units
 * @param {number[]} counted the numbers of the airports whose distances count
 * @param {number} scale units of the picture for each unit of `places`
 * @returns {[number, number][]} the learned places on the picture
 */
export function alignPlaces(places, truth, counted, scale) {
  const learned = truth.map((_place, at) => [places[2 * at], places[2 * at + 1]]);
  const [from, to] = [learned, truth].map((all) => centreOf(all, counted)); // the centres come to lie on each other
  // The best angle is that of the vector (Σ dot products, Σ cross products) of learned and true places. The longer this vector is, the
  // smaller are the distances that remain, which decides whether to mirror.
  const fits = [1, -1].map((mirror) => {
    let [along, across] = [0, 0];
    for (const at of counted) {
      const [x, y] = [mirror * (learned[at][0] - from[0]), learned[at][1] - from[1]];
      const [u, v] = [truth[at][0] - to[0], truth[at][1] - to[1]];
      along += x * u + y * v;
      across += x * v - y * u;
    }
    return { mirror, along, across, size: Math.hypot(along, across) };
  });
  // Where the vector has no length, no angle is better than another.
  const { mirror, along, across, size } = fits[0].size >= fits[1].size ? fits[0] : fits[1];
  const [cos, sin] = size === 0 ? [1, 0] : [along / size, across / size];
  return learned.map(([x, y]) => {
    const [u, v] = [mirror * (x - from[0]) * scale, (y - from[1]) * scale];
    return [to[0] + cos * u - sin * v, to[1] + sin * u + cos * v];
  });
}

/** The mean of the places that count, as [x, y]: `counted` are their numbers in `places`; at least one. */
function centreOf(places, counted) {
  const mean = (axis) => counted.reduce((total, at) => total + places[at][axis], 0) / counted.length;
  return [mean(0), mean(1)];
}
