import { IndexPlan, Tensor, sync } from 'scatterwise';

const DAMPING = 0.85;
export const ROUNDS = 20;

/**
 * PageRank in float32. In each round every edge takes its share of its origin's rank to its destination; a node begins the round with
 * (1 − DAMPING) / nodes, and what arrives counts DAMPING times. The rank of a node that no edge leaves goes nowhere.
 * @param {ReturnType<import('./graph.js').sampleEdges>} graph
 * @param {'cpu' | 'webgpu'} device
 * @param {{ isPlanned: boolean }} options whether the two indices are prepared beforehand, as an IndexPlan
 * @returns {Promise<{ ranks: Float32Array, ms: number, prepared: number }>} `ms` is the time of a round, and
 *   `prepared` the ms to make the plans
 */
export async function rankNodes({ origins, destinations, shareOfNode, nodes }, device, { isPlanned }) {
  const made = [];
  /** Notes a tensor for disposal at the end. */
  const keep = (tensor) => (made.push(tensor), tensor);
  try {
    const share = keep(new Tensor(shareOfNode, { device }));
    // A plan made from an index on the CPU is checked at once, and serves both devices.
    const [from, to] = [origins, destinations].map((index) => keep(new Tensor(index, { device: isPlanned ? 'cpu' : device })));
    const begun = performance.now();
    const plans = isPlanned && [from, to].map((index) => keep(IndexPlan.along([nodes], 0, index)));
    const prepared = performance.now() - begun;
    /** One round, from ranks that it disposes of. */
    const round = (ranks) => {
      const shared = keep(ranks.mul(share));
      const flow = keep(isPlanned ? shared.gather(plans[0]) : shared.gather(0, from));
      // The multiplication at the end makes (1 − DAMPING) / nodes of this.
      const next = keep(Tensor.full([nodes], (1 - DAMPING) / (DAMPING * nodes), { dtype: 'float32', device }));
      if (isPlanned) next.scatter_add_(plans[1], flow);
      else next.scatter_add_(0, to, flow);
      for (const used of [ranks, shared, flow]) used.dispose();
      return next.mul_(DAMPING);
    };
    const start = () => keep(Tensor.full([nodes], 1 / nodes, { dtype: 'float32', device }));
    round(start()).dispose(); // uploads and compiles, which is not to be timed
    await sync();
    const started = performance.now();
    let ranks = start();
    for (let at = 0; at < ROUNDS; at += 1) ranks = round(ranks);
    await sync();
    const ms = (performance.now() - started) / ROUNDS;
    return { ranks: await ranks.data(), ms, prepared };
  } finally {
    for (const each of made) each.dispose();
  }
}
