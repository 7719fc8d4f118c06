// Particles to a periodic grid and back: each gives its mass to the eight cells around it, and the slope of the density pushes it.

import { floats, random } from './random.js';

export const title = 'Particles to a grid and back';
export const sizes = { small: { particles: 500, side: 8, steps: 2 }, large: { particles: 200_000, side: 128, steps: 10 } };
/** A cell has a mass of about 1. */
export const bounds = { density: { absolute: 1e-4 }, place: { absolute: 1e-4 }, speed: { absolute: 1e-4 } };

const push = 0.05;
const corners = [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]];

/** Particles that stand, more of them around the middle. A particle that leaves the grid is in the next copy of it. */
export function make({ particles, side, steps }, seed) {
  const next = random(seed);
  return { place: floats(3 * particles, () => (side * (next() + next())) / 2), speed: new Float32Array(3 * particles), side, steps };
}

export async function library({ activate, open_scope, scope, Tensor }, data) {
  const s = open_scope();
  const { side } = data;
  const shape = [data.place.length / 3, 3];
  const [place, speed] = [new Tensor(data.place, { shape }), new Tensor(data.speed, { shape })];
  const axis = Tensor.arange(0, side, 1, { dtype: 'int32' });
  const [before, after] = [axis.sub(1), axis.add(1)]; // of each cell along an axis
  const density = Tensor.zeros([side, side, side]);
  for (let step = 0; step < data.steps; step++) {
    scope(() => {
      const corner = activate(place, 'floor');
      const [cell, beyond] = [corner.astype('int32'), place.sub(corner)];
      /** Along each axis, the parts of a particle that the cell of its corner and the next cell get. */
      const parts = [0, 1, 2].map((axis) => {
        const part = beyond.index_select(1, [axis]).reshape([-1]);
        return [part.mul(-1).add_(1), part];
      });
      const shares = corners.map(([i, j, l]) => ({ cells: cell.add([i, j, l]), weights: parts[0][i].mul(parts[1][j]).mul_(parts[2][l]) }));
      density.mul_(0);
      for (const { cells, weights } of shares) density.scatter_add_(cells, weights, { mode: 'wrap' });
      [0, 1, 2].forEach((dim) => {
        const slope = density.index_select(dim, before, { mode: 'wrap' }).sub_(density.index_select(dim, after, { mode: 'wrap' }));
        const force = Tensor.zeros([shape[0]]);
        for (const { cells, weights } of shares) force.add_(slope.gather_nd(cells, { mode: 'wrap' }).mul_(weights));
        speed.add_(force.reshape([-1, 1]).mul([0, 1, 2].map((axis) => (axis === dim ? push : 0))));
      });
      place.add_(speed);
    });
  }
  const results = { density: await density.data(), place: await place.data(), speed: await speed.data() };
  s.dispose();
  return results;
}

export function plain({ place: initial, speed: still, side, steps }) {
  const [place, speed] = [initial.slice(), still.slice()];
  const density = new Float32Array(side ** 3);
  const slope = new Float32Array(3 * side ** 3);
  const wrap = (i) => ((i % side) + side) % side;
  const cells = new Int32Array(8);
  const weights = new Float64Array(8);
  const share = (k) => {
    const i = Math.floor(place[k]) | 0; // `%` of integers is faster than that of floats
    const j = Math.floor(place[k + 1]) | 0;
    const l = Math.floor(place[k + 2]) | 0;
    const x = place[k] - i;
    const y = place[k + 1] - j;
    const z = place[k + 2] - l;
    const i0 = wrap(i) * side * side;
    const i1 = wrap(i + 1) * side * side;
    const j0 = wrap(j) * side;
    const j1 = wrap(j + 1) * side;
    const l0 = wrap(l);
    const l1 = wrap(l + 1);
    for (let corner = 0; corner < 8; corner++) {
      cells[corner] = (corner & 4 ? i1 : i0) + (corner & 2 ? j1 : j0) + (corner & 1 ? l1 : l0);
      weights[corner] = (corner & 4 ? x : 1 - x) * (corner & 2 ? y : 1 - y) * (corner & 1 ? z : 1 - z);
    }
  };
  for (let step = 0; step < steps; step++) {
    density.fill(0);
    for (let k = 0; k < place.length; k += 3) {
      share(k);
      for (let corner = 0; corner < 8; corner++) density[cells[corner]] += weights[corner];
    }
    const last = side - 1;
    const [row, plane] = [side, side * side];
    for (let i = 0, cell = 0; i < side; i++) {
      const above = i === 0 ? last * plane : -plane;
      const below = i === last ? -last * plane : plane;
      for (let j = 0; j < side; j++) {
        const left = j === 0 ? last * row : -row;
        const right = j === last ? -last * row : row;
        for (let l = 0; l < side; l++, cell++) {
          slope[3 * cell] = density[cell + above] - density[cell + below];
          slope[3 * cell + 1] = density[cell + left] - density[cell + right];
          slope[3 * cell + 2] = density[cell + (l === 0 ? last : -1)] - density[cell + (l === last ? -last : 1)];
        }
      }
    }
    for (let k = 0; k < place.length; k += 3) {
      share(k);
      let ofX = 0;
      let ofY = 0;
      let ofZ = 0;
      for (let corner = 0; corner < 8; corner++) {
        const cell = 3 * cells[corner];
        ofX += weights[corner] * slope[cell];
        ofY += weights[corner] * slope[cell + 1];
        ofZ += weights[corner] * slope[cell + 2];
      }
      place[k] += speed[k] += push * ofX;
      place[k + 1] += speed[k + 1] += push * ofY;
      place[k + 2] += speed[k + 2] += push * ofZ;
    }
  }
  return { density, place, speed };
}
