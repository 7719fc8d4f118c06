// Filter by a box and two categories, by Arquero. A table has a column for each coordinate.

import { op, table } from 'arquero';

export const library = 'arquero';

export function peer({ places, kind, zone, value }) {
  const axis = (first) => {
    const column = new Float32Array(value.length);
    for (let k = 0; k < column.length; k++) column[k] = places[2 * k + first];
    return column;
  };
  const found = table({ x: axis(0), y: axis(1), kind, zone, value })
    .params({ left: Math.fround(0.2), right: Math.fround(0.7), low: Math.fround(0.1), high: Math.fround(0.8) })
    .filter((row, $) => row.x >= $.left && row.x < $.right && row.y >= $.low && row.y < $.high && row.kind === 2 && row.zone === 1);
  const [x, y] = [found.array('x', Float32Array), found.array('y', Float32Array)];
  const left = new Float32Array(2 * x.length);
  for (let k = 0; k < x.length; k++) left.set([x[k], y[k]], 2 * k);
  return { count: [found.numRows()], mean: [found.rollup({ mean: op.mean('value') }).get('mean')], rows: new Int32Array(found.indices()), left };
}
