import { IndexPlan, Tensor, sync } from 'scatterwise';

const DAMPING = 0.85;
export const ROUNDS = 20;

/**
 * PageRank in float32: in each round every edge hands on its origin's rank, times `shareOfNode`, which is 1 by the number of edges that
 * leave that node. The rank of a node that none leaves is lost.
 * @param {ReturnType<import('./graph.js').sampleEdges>} graph
 * @param {boolean} planned whether the two indices are prepared beforehand
 * @param {'cpu' | 'webgpu'} device
 * @returns {Promise<{ ranks: Float32Array, ms: number, prepared: number }>} `ms` for each round, and `prepared` ms to make the plans
 */
export async function rankNodes({ origins, destinations, shareOfNode, nodes }, planned, device) {
  const made = [];
  const keep = (tensor) => (made.push(tensor), tensor);
  try {
    const share = keep(new Tensor(shareOfNode, { device }));
    // A plan made from an index on the CPU is checked at once, and serves both devices.
    const [from, to] = [origins, destinations].map((index) => keep(new Tensor(index, { device: planned ? 'cpu' : device })));
    const begun = performance.now();
    const plans = planned && [from, to].map((index) => keep(IndexPlan.along([nodes], 0, index)));
    const prepared = performance.now() - begun;
    const round = (ranks) => {
      const shared = keep(ranks.mul(share));
      const flow = keep(planned ? shared.gather(plans[0]) : shared.gather(0, from));
      // The multiplication at the end makes (1 - DAMPING) / nodes of this.
      const next = keep(Tensor.full([nodes], (1 - DAMPING) / (DAMPING * nodes), { dtype: 'float32', device }));
      if (planned) next.scatter_add_(plans[1], flow);
      else next.scatter_add_(0, to, flow);
      for (const used of [ranks, shared, flow]) used.dispose();
      return next.mul_(DAMPING);
    };
    const start = () => keep(Tensor.full([nodes], 1 / nodes, { dtype: 'float32', device }));
    round(start()).dispose(); // uploads and compiles
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
