// Weighted points spread over the four cells around each, as a density and as a picture of it.

import { floats, random } from './random.js';

export const title = 'Bilinear density';
export const sizes = { small: { points: 2000, side: 32 }, large: { points: 1_000_000, side: 512 } };
/** A level of the picture may differ by one, and a colour by the two that a level makes of it. */
export const bounds = { density: 1e-5, picture: { absolute: 3 } };

/** Points around the middle of the grid, some of them outside; a palette of 256 colours. */
export function make({ points, side }, seed) {
  const next = random(seed);
  const around = () => side * ((next() + next() + next()) * 0.5 - 0.25);
  const palette = new Uint8Array(1024);
  for (let level = 0; level < 256; level++) palette.set([level, (level * level) / 255, 80, 255], 4 * level);
  return { points: floats(2 * points, around), weights: floats(points, () => 0.5 + next()), palette, side };
}

export async function library({ activate, open_scope, Tensor }, data) {
  const s = open_scope();
  const { side } = data;
  const points = new Tensor(data.points, { shape: [data.weights.length, 2] });
  const weights = new Tensor(data.weights);
  const corner = activate(points, 'floor');
  const [cell, beyond] = [corner.astype('int32'), points.sub(corner)];
  /** Along each axis, the parts of a point that the cell of its corner and the next cell get. */
  const parts = [0, 1].map((axis) => {
    const part = beyond.index_select(1, [axis]).reshape([-1]);
    return [part.mul(-1).add_(1), part];
  });
  const density = Tensor.zeros([side, side]);
  for (const [i, j] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
    density.scatter_add_(cell.add([i, j]), parts[0][i].mul(parts[1][j]).mul_(weights), { mode: 'inside' });
  }
  const light = activate(density.div(density.amax()), 'sqrt');
  const level = light.mul(255).astype('int32').reshape([-1]);
  const picture = new Tensor(data.palette, { shape: [256, 4] }).index_select(0, level).reshape([side, side, 4]);
  const results = { density: await density.data(), picture: (await picture.to_image()).data };
  s.dispose();
  return results;
}

export function plain({ points, weights, palette, side }) {
  const density = new Float32Array(side * side);
  const add = (i, j, weight) => {
    if (i >= 0 && i < side && j >= 0 && j < side) density[i * side + j] += weight;
  };
  for (let k = 0; k < weights.length; k++) {
    const weight = weights[k];
    const i = Math.floor(points[2 * k]) | 0;
    const j = Math.floor(points[2 * k + 1]) | 0;
    const u = points[2 * k] - i;
    const v = points[2 * k + 1] - j;
    add(i, j, weight * (1 - u) * (1 - v));
    add(i, j + 1, weight * (1 - u) * v);
    add(i + 1, j, weight * u * (1 - v));
    add(i + 1, j + 1, weight * u * v);
  }
  let most = 0;
  for (const value of density) if (value > most) most = value;
  const picture = new Uint8ClampedArray(4 * density.length);
  for (let k = 0; k < density.length; k++) {
    const level = 4 * Math.trunc(255 * Math.sqrt(density[k] / most));
    for (let c = 0; c < 4; c++) picture[4 * k + c] = palette[level + c];
  }
  return { density, picture };
}
