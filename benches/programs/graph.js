// PageRank, and training steps of a graph layer: the mean of the neighbours' rows, a weight and a bias for each channel, relu.

import { floats, integers, random } from './random.js';

export const title = 'PageRank and the step of a graph layer';
export const sizes = { small: { nodes: 300, edges: 2000, channels: 5, rounds: 10, steps: 3 }, large: { nodes: 100_000, edges: 1_000_000, channels: 16, rounds: 20, steps: 3 } };
export const bounds = { rank: 1e-5, features: { absolute: 1e-5 }, weight: { absolute: 1e-5 }, bias: { absolute: 1e-5 } };

/** Links to some nodes are more frequent, and some nodes have none. */
export function make({ nodes, edges, channels, rounds, steps }, seed) {
  const next = random(seed);
  const from = integers(edges, () => nodes * 0.95 * next());
  const to = integers(edges, () => nodes * next() ** 2);
  const values = (length) => floats(length, () => 2 * next() - 1);
  return { nodes, channels, rounds, steps, from, to, features: values(nodes * channels), weight: values(channels), bias: values(channels), wanted: values(nodes * channels) };
}

export async function library({ activate, bincount, open_scope, scope, spmm, Tensor, vjp }, data) {
  const s = open_scope();
  const { nodes, channels } = data;
  const [from, to] = [new Tensor(data.from), new Tensor(data.to)];
  const how = { size: nodes };

  const degree = bincount(from, { length: nodes, dtype: 'int32' }).astype('float32');
  const dangling = degree.mul(-1).add(1).maximum(0); // 1 for a node without links, which gives to all
  const share = dangling.sub(1).mul(-0.85).div(degree.maximum(1));
  let rank = Tensor.full([nodes], 1 / nodes);
  for (let round = 0; round < data.rounds; round++) {
    rank = scope(() => spmm(to, from, undefined, rank.mul(share), how).add_(rank.mul(dangling).sum().mul(0.85 / nodes).add(0.15 / nodes)));
  }

  const shape = [nodes, channels];
  const [features, wanted] = [new Tensor(data.features, { shape }), new Tensor(data.wanted, { shape })];
  const [weight, bias] = [new Tensor(data.weight), new Tensor(data.bias)];
  const mean = { ...how, reduce: 'mean' };
  for (let step = 0; step < data.steps; step++) {
    scope(() => {
      const around = spmm(to, from, undefined, features, mean);
      const before = around.mul(weight).add_(bias);
      const slope = vjp('activate', activate(before, 'relu').sub_(wanted), before, 'relu').x; // of half the squared distance
      features.sub_(vjp('spmm', slope.mul(weight), to, from, undefined, features, mean).dense.mul_(0.1));
      weight.sub_(slope.mul(around).mean(0).mul_(0.1));
      bias.sub_(slope.mean(0).mul_(0.1));
    });
  }
  const results = {};
  for (const [name, tensor] of Object.entries({ rank, features, weight, bias })) results[name] = await tensor.data();
  s.dispose();
  return results;
}

export function plain(data) {
  const { nodes, channels, from, to, wanted } = data;
  const degree = new Int32Array(nodes);
  for (const node of from) degree[node]++;
  let rank = new Float32Array(nodes).fill(1 / nodes);
  for (let round = 0; round < data.rounds; round++) {
    let rest = 0;
    const share = new Float32Array(nodes);
    for (let node = 0; node < nodes; node++) {
      if (degree[node] > 0) share[node] = (0.85 * rank[node]) / degree[node];
      else rest += rank[node];
    }
    const next = new Float32Array(nodes).fill((0.85 * rest + 0.15) / nodes);
    for (let e = 0; e < from.length; e++) next[to[e]] += share[from[e]];
    rank = next;
  }

  const [features, weight, bias] = [data.features.slice(), data.weight.slice(), data.bias.slice()];
  const around = new Float32Array(features.length);
  const back = new Float32Array(features.length);
  const into = new Int32Array(nodes);
  for (const node of to) into[node]++;
  for (let step = 0; step < data.steps; step++) {
    around.fill(0);
    for (let e = 0; e < from.length; e++) {
      for (let c = 0, i = to[e] * channels, j = from[e] * channels; c < channels; c++) around[i + c] += features[j + c];
    }
    const ofWeight = new Float64Array(channels);
    const ofBias = new Float64Array(channels);
    for (let node = 0, k = 0; node < nodes; node++) {
      for (let c = 0; c < channels; c++, k++) {
        if (into[node] > 0) around[k] /= into[node];
        const before = around[k] * weight[c] + bias[c];
        const slope = before > 0 ? before - wanted[k] : 0;
        ofWeight[c] += slope * around[k];
        ofBias[c] += slope;
        back[k] = (slope * weight[c]) / Math.max(into[node], 1);
      }
    }
    for (let e = 0; e < from.length; e++) {
      for (let c = 0, i = to[e] * channels, j = from[e] * channels; c < channels; c++) features[j + c] -= 0.1 * back[i + c];
    }
    for (let c = 0; c < channels; c++) {
      weight[c] -= (0.1 * ofWeight[c]) / nodes;
      bias[c] -= (0.1 * ofBias[c]) / nodes;
    }
  }
  return { rank, features, weight, bias };
}
