import { IndexPlan, Tensor, vjp } from 'scatterwise';

/** How many steps the learning takes; the size of a step follows from it. */
export const STEPS = 400;

/** Numbers in [0, 1), the same for each seed: a linear congruential generator, with the constants of Numerical Recipes. */
function* randomNumbers(seed) {
  for (let state = seed; ; ) yield (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** An embedding table: a place in the plane for each airport, learned from the lengths of routes by gradient descent. */
export class Atlas {
  #lengths; // of the routes, in thousands of kilometres
  #device;
  #table; // x and y of each airport, in thousands of kilometres
  /** The rows of one end of each route, then of the other end of each: one index for gather and gradient. */
  #ends;
  #everyRow; // each row once: the index by which a step moves all of the table
  #cotangent; // the derivative of the sum of squared errors by x and y of each end, in the order of `#ends`
  #adam;
  #step = 0; // how many were made

  /**
   * Begins with random places, in a square of 4,000 km that the seed decides.
   * @param {ReturnType<import('./lengths.js').lengthsOf>} graph @param {number} seed @param {'cpu' | 'webgpu'} device
   */
  constructor({ nodes, from, to, lengths }, seed, device) {
    const random = randomNumbers(seed);
    this.#lengths = lengths;
    this.#device = device;
    this.#table = new Tensor(Float32Array.from({ length: 2 * nodes }, () => 4 * random.next().value - 2), { shape: [nodes, 2], device });
    this.#ends = IndexPlan.select([nodes, 2], 0, Int32Array.of(...from, ...to));
    this.#everyRow = IndexPlan.select([nodes, 2], 0, Int32Array.from({ length: nodes }, (_each, at) => at));
    this.#cotangent = new Float32Array(4 * lengths.length);
    this.#adam = new Adam(2 * nodes);
  }

  /**
   * One step of gradient descent.
   * @returns {Promise<{ places: Float32Array, error: number }>} the places before the step, and how far off the lengths were there: the root of
   *   the mean square, in thousands of kilometres
   */
  async step() {
    this.#step += 1;
    const [table, device] = [this.#table, this.#device];
    const ends = table.index_select(this.#ends);
    const error = this.#differentiate(await ends.data());
    const cotangent = new Tensor(this.#cotangent, { shape: ends.shape, device });
    const { self: gradient } = vjp('index_select', cotangent, table, this.#ends);
    const places = await table.data();
    const move = new Tensor(this.#adam.move(await gradient.data(), this.#step), { shape: table.shape, device });
    // Adam's moves are about 1 long. The factor falls from 0.15 to 0.002, so that places settle.
    table.index_add_(this.#everyRow, move, { alpha: -0.15 * (1 - this.#step / STEPS) - 0.002 });
    for (const used of [ends, cotangent, gradient, move]) used.dispose();
    return { places, error };
  }

  /**
   * Puts the derivative of the sum of squared errors by each end of each route into `#cotangent`.
   * @param {Float32Array} ends x and y of each end, in the order of `#ends` @returns {number} the root of the mean square error
   */
  #differentiate(ends) {
    const count = this.#lengths.length;
    let squares = 0;
    for (let route = 0; route < count; route += 1) {
      const [a, b] = [2 * route, 2 * (count + route)]; // where the x of either end is
      const [x, y] = [ends[a] - ends[b], ends[a + 1] - ends[b + 1]];
      const length = Math.sqrt(x * x + y * y) || 1e-9; // no division by 0 where the ends coincide
      const off = length - this.#lengths[route];
      squares += off * off;
      const slope = (2 * off) / length;
      this.#cotangent.set([x * slope, y * slope], a);
      this.#cotangent.set([-x * slope, -y * slope], b);
    }
    return Math.sqrt(squares / count);
  }

  dispose() {
    for (const each of [this.#table, this.#ends, this.#everyRow]) each.dispose();
  }
}

/** Adam (Kingma and Ba, 2015): steps in the direction of the mean gradient, each coordinate by its own scale. */
class Adam {
  #mean; // moving average of each coordinate's gradient
  #square; // moving average of its square

  /** @param {number} size how many coordinates there are */
  constructor(size) {
    this.#mean = new Float64Array(size);
    this.#square = new Float64Array(size);
  }

  /**
   * The moves that a gradient leads to, to be multiplied by a negative step size. The moving averages begin at 0, which the division by
   * 1 − 0.9^step and 1 − 0.99^step makes good.
   * @param {Float32Array} gradient @param {number} step the number of this step, from 1
   */
  move(gradient, step) {
    const [keepMean, keepSquare] = [0.9, 0.99];
    return Float32Array.from(gradient, (slope, at) => {
      this.#mean[at] = keepMean * this.#mean[at] + (1 - keepMean) * slope;
      this.#square[at] = keepSquare * this.#square[at] + (1 - keepSquare) * slope * slope;
      return this.#mean[at] / (1 - keepMean ** step) / (Math.sqrt(this.#square[at] / (1 - keepSquare ** step)) + 1e-8); // no division by 0
    });
  }
}
