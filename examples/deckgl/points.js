// Points around some places of a town, from a fixed seed: the same on each machine.

export const centre = [13.4, 52.52];

/** `count` points: positions as longitude, latitude and 0 in turn, and one value for each. With `missing`, every 33rd value is NaN. */
export function makePoints(count, missing) {
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const bell = () => random() + random() + random() - 1.5;
  const places = Array.from({ length: 12 }, () => [centre[0] + 0.3 * bell(), centre[1] + 0.2 * bell(), 0.02 + 0.1 * random()]);
  const positions = new Float64Array(3 * count);
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const [x, y, wide] = places[Math.floor(random() * places.length)];
    positions[3 * i] = x + wide * bell();
    positions[3 * i + 1] = y + 0.6 * wide * bell();
    values[i] = Math.round(80 * (random() + wide)) / 4;
    if (missing && i % 33 === 32) values[i] = NaN;
  }
  return { count, positions, values };
}
