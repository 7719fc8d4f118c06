// Group-by with missing values, by Arquero. Its statistics skip NaN.

import { op, table } from 'arquero';

export const library = 'arquero';

export function peer({ group, price }) {
  const rows = table({ group, price })
    .filter((row) => row.group >= 0)
    .groupby('group')
    .rollup({
      count: op.valid('price'),
      mean: op.mean('price'),
      deviation: op.stdevp('price'),
      least: op.min('price'),
      largest: op.max('price'),
      median: op.median('price'),
    })
    .orderby('group');
  const results = { count: rows.array('count', Int32Array) };
  for (const name of ['mean', 'deviation', 'least', 'largest', 'median']) results[name] = rows.array(name, Float32Array);
  return results;
}
