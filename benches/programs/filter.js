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

export async function library({ open_scope, searchsorted, Tensor }, data) {
  const s = open_scope();
  const count = data.value.length;
  const [kind, zone, value] = [new Tensor(data.kind), new Tensor(data.zone), new Tensor(data.value)];
  const places = new Tensor(data.places, { shape: [count, 2] });
  /** 1 where low <= t < high, else 0. */
  const between = (t, low, high) => {
    const edges = searchsorted([low, high], t, { right: true, dtype: 'int32' }); // how many of both are not above: 0, 1 or 2
    return edges.sub(2).mul(edges).mul(-1);
  };
  const is = (t, wanted) => between(t, wanted, wanted + 1);
  const column = (c) => places.index_select(1, [c]).reshape([count]);
  const mask = is(kind, wantedKind).mul_(is(zone, wantedZone));
  box.forEach(([low, high], c) => mask.mul_(between(column(c), low, high)));

  const found = Number(await mask.sum().item());
  const rows = mask.argsort(0, { descending: true, dtype: 'int32' }).index_select(0, Tensor.arange(0, found, 1, { dtype: 'int32' })); // the sort is stable
  const [left, mean] = [places.index_select(0, rows), value.index_select(0, rows).mean()];
  const results = { count: [found], mean: [await mean.item()], rows: await rows.data(), left: await left.data() };
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
