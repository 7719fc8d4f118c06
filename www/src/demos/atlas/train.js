import { IndexPlan, Tensor, vjp } from 'scatterwise';

export const STEPS = 400;

/** The same random numbers on every machine. */
function* randomNumbers(seed) {
  for (let state = seed; ; ) yield (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** An embedding table: a place in the plane for each airport, learned from the lengths of routes by gradient descent. */
export class Atlas {
  #lengths;
  #device;
  #table;
  /** The rows of both ends of each route, one index for gather and gradient. */
  #ends;
  #every;
  #cotangent;
  #adam;
  #step = 0;

  /** @param {ReturnType<import('./lengths.js').lengthsOf>} graph @param {'cpu' | 'webgpu'} device */
  constructor({ nodes, from, to, lengths }, seed, device) {
    const random = randomNumbers(seed);
    this.#lengths = lengths;
    this.#device = device;
    this.#table = new Tensor(Float32Array.from({ length: 2 * nodes }, () => 4 * random.next().value - 2), { shape: [nodes, 2], device });
    this.#ends = IndexPlan.select([nodes, 2], 0, Int32Array.of(...from, ...to));
    this.#every = IndexPlan.select([nodes, 2], 0, Int32Array.from({ length: nodes }, (_each, at) => at));
    this.#cotangent = new Float32Array(4 * lengths.length);
    this.#adam = new Adam(2 * nodes);
  }

  /** One step. @returns {Promise<{ places: Float32Array, error: number }>} where it began, and how far off the lengths were */
  async step() {
    this.#step += 1;
    const [table, device] = [this.#table, this.#device];
    const ends = table.index_select(this.#ends);
    const error = this.#slope(await ends.data());
    const cotangent = new Tensor(this.#cotangent, { shape: ends.shape, device });
    const { self: gradient } = vjp('index_select', cotangent, table, this.#ends);
    const places = await table.data();
    const move = new Tensor(this.#adam.move(await gradient.data(), this.#step), { shape: table.shape, device });
    table.index_add_(this.#every, move, { alpha: -0.15 * (1 - this.#step / STEPS) - 0.002 });
    for (const used of [ends, cotangent, gradient, move]) used.dispose();
    return { places, error };
  }

  /** The derivative of the sum of squared errors by each end of each route. @returns the root of the mean square */
  #slope(ends) {
    const count = this.#lengths.length;
    let squares = 0;
    for (let route = 0; route < count; route += 1) {
      const [a, b] = [2 * route, 2 * (count + route)];
      const [x, y] = [ends[a] - ends[b], ends[a + 1] - ends[b + 1]];
      const length = Math.sqrt(x * x + y * y) || 1e-9;
      const off = length - this.#lengths[route];
      squares += off * off;
      const slope = (2 * off) / length;
      this.#cotangent.set([x * slope, y * slope], a);
      this.#cotangent.set([-x * slope, -y * slope], b);
    }
    return Math.sqrt(squares / count);
  }

  dispose() {
    for (const each of [this.#table, this.#ends, this.#every]) each.dispose();
  }
}

/** Adam (Kingma and Ba, 2015): steps in the direction of the mean gradient, each coordinate by its own scale. */
class Adam {
  #mean;
  #square;

  constructor(size) {
    this.#mean = new Float64Array(size);
    this.#square = new Float64Array(size);
  }

  move(gradient, step) {
    const [keepMean, keepSquare] = [0.9, 0.99];
    return Float32Array.from(gradient, (slope, at) => {
      this.#mean[at] = keepMean * this.#mean[at] + (1 - keepMean) * slope;
      this.#square[at] = keepSquare * this.#square[at] + (1 - keepSquare) * slope * slope;
      return this.#mean[at] / (1 - keepMean ** step) / (Math.sqrt(this.#square[at] / (1 - keepSquare ** step)) + 1e-8);
    });
  }
}
