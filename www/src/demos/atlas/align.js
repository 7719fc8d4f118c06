/**
 * Lengths say nothing of where north is: turns learned places, and mirrors them if need be, to lie as close to the true ones as they
 * can (Procrustes).
 * @param {Float32Array} places x, y, x, y …
 * @param {[number, number][]} truth on the picture
 * @param {number[]} counted the airports to go by
 * @param {number} scale from places to the picture
 * @returns {[number, number][]} on the picture
 */
export function alignPlaces(places, truth, counted, scale) {
  const learned = truth.map((_place, at) => [places[2 * at], places[2 * at + 1]]);
  const [from, to] = [learned, truth].map((all) => centreOf(all, counted));
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
  const { mirror, along, across, size } = fits[0].size >= fits[1].size ? fits[0] : fits[1];
  const [cos, sin] = size === 0 ? [1, 0] : [along / size, across / size];
  return learned.map(([x, y]) => {
    const [u, v] = [mirror * (x - from[0]) * scale, (y - from[1]) * scale];
    return [to[0] + cos * u - sin * v, to[1] + sin * u + cos * v];
  });
}

function centreOf(all, counted) {
  const sum = (axis) => counted.reduce((total, at) => total + all[at][axis], 0) / counted.length;
  return [sum(0), sum(1)];
}
