// A table's rows by their group, with missing values: count, mean, standard deviation, least, largest and median of each group.

import { floats, integers, random } from './random.js';

export const title = 'Group-by with missing values';
export const sizes = { small: { rows: 3000, groups: 20 }, large: { rows: 1_000_000, groups: 50 } };
/** The largest differences, in parts of the value; results that are not named are equal. */
export const bounds = { mean: 1e-6, deviation: 1e-6 };

/** A group of -1 and a price of NaN are missing. Every group has a price. */
export function make({ rows, groups }, seed) {
  const next = random(seed);
  const group = integers(rows, (k) => (k < groups ? k : next() < 0.05 ? -1 : groups * next() ** 2));
  const price = floats(rows, (k) => (k >= groups && next() < 0.05 ? NaN : Math.round(1e4 * (next() + next())) / 100));
  return { group, price, groups };
}

export async function library({ activate, group_by, open_scope, Tensor }, data) {
  const s = open_scope();
  const [price, group] = [new Tensor(data.price), new Tensor(data.group)];
  const skip = { ignore_index: -1 };
  const groups = group_by(group, data.groups, skip);
  const { count, mean, min, max } = groups.agg(price, ['count', 'mean', 'min', 'max'], { skip_nan: true });
  const apart = price.sub(mean.index_select(0, group, skip));
  const deviation = activate(groups.reduce(apart.mul(apart), 'mean', { skip_nan: true }), 'sqrt');

  const { values, indices } = price.sort(0, { dtype: 'int32' }); // NaN comes last
  const sorted = group_by(group.index_select(0, indices), data.groups, skip); // stable: each group keeps the order of its prices
  const begins = sorted.offsets.index_select(0, Tensor.arange(0, data.groups, 1, { dtype: 'int32' }));
  const middle = (less) => values.index_select(0, sorted.order.index_select(0, begins.add(count.sub(less).div(2, { rounding: 'floor' }))));
  const median = middle(1).add(middle(0)).div(2);

  const results = {};
  for (const [name, tensor] of Object.entries({ count, mean, deviation, least: min, largest: max, median })) results[name] = await tensor.data();
  s.dispose();
  return results;
}

export function plain({ group, price, groups }) {
  const count = new Int32Array(groups);
  const mean = new Float64Array(groups);
  const least = new Float32Array(groups).fill(Infinity);
  const largest = new Float32Array(groups).fill(-Infinity);
  for (let k = 0; k < group.length; k++) {
    const g = group[k];
    const value = price[k];
    if (g < 0 || value !== value) continue;
    count[g]++;
    mean[g] += value;
    if (value < least[g]) least[g] = value;
    if (value > largest[g]) largest[g] = value;
  }
  const lists = Array.from(count, (length) => new Float32Array(length));
  const filled = new Int32Array(groups);
  const deviation = new Float64Array(groups);
  for (let g = 0; g < groups; g++) mean[g] /= count[g];
  for (let k = 0; k < group.length; k++) {
    const g = group[k];
    const value = price[k];
    if (g < 0 || value !== value) continue;
    lists[g][filled[g]++] = value;
    deviation[g] += (value - mean[g]) ** 2;
  }
  const median = new Float32Array(groups);
  for (let g = 0; g < groups; g++) {
    deviation[g] = Math.sqrt(deviation[g] / count[g]);
    const sorted = lists[g].sort();
    median[g] = Math.fround(sorted[(count[g] - 1) >> 1] + sorted[count[g] >> 1]) / 2;
  }
  return { count, mean, deviation, least, largest, median };
}
