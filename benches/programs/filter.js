// The points that are in a box and of two given categories: how many, the mean of their values, and their rows.

import { floats, integers, random } from './random.js';

export const title = 'Filter by a box and two categories';
export const sizes = { small: { points: 5000 }, large: { points: 1_000_000 } };
/** The library rounds the mean once; a sum in float64 may round it to a neighbour. */
export const bounds = { mean: 1e-7 };

const box = [[0.2, 0.7], [0.1, 0.8]];
const [wantedKind, wantedZone] = [2, 1];

export function make({ points }, seed) {
  const next = random(seed);
  return { places: floats(2 * points, next), kind: integers(points, () => 4 * next()), zone: integers(points, () => 3 * next()), value: floats(points, () => 100 * next()) };
}

export async function library({ flatnonzero, open_scope, Tensor }, data) {
  const s = open_scope();
  const count = data.value.length;
  const [kind, zone, value] = [new Tensor(data.kind), new Tensor(data.zone), new Tensor(data.value)];
  const places = new Tensor(data.places, { shape: [count, 2] });
  let mask = kind.eq(wantedKind).logical_and(zone.eq(wantedZone));
  box.forEach(([low, high], axis) => {
    const column = places.index_select(1, [axis]).reshape([count]);
    mask = mask.logical_and(column.ge(low)).logical_and(column.lt(high));
  });

  const rows = await flatnonzero(mask, { dtype: 'int32' });
  const [left, values] = [places.index_select(0, rows), value.index_select(0, rows)];
  const results = { count: [rows.size], mean: [await values.mean().item()], rows: await rows.data(), left: await left.data() };
  s.dispose();
  return results;
}

export function plain({ places, kind, zone, value }) {
  const [[left, right], [low, high]] = box.map((edges) => edges.map(Math.fround));
  const rows = new Int32Array(value.length);
  let [count, sum] = [0, 0];
  for (let k = 0; k < value.length; k++) {
    const x = places[2 * k];
    const y = places[2 * k + 1];
    if (x < left || x >= right || y < low || y >= high || kind[k] !== wantedKind || zone[k] !== wantedZone) continue;
    rows[count++] = k;
    sum += value[k];
  }
  const kept = new Float32Array(2 * count);
  for (let k = 0; k < count; k++) {
    kept[2 * k] = places[2 * rows[k]];
    kept[2 * k + 1] = places[2 * rows[k] + 1];
  }
  return { count: [count], mean: [sum / count], rows: rows.slice(0, count), left: kept };
}
