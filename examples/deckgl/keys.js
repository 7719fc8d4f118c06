// Typed keys: the bin of each point as one integer. There is no library in this file, and most of the speed comes from it. Every number is
// the one that deck.gl's CPUAggregator computes, step by step, so the bins are the same; what is missing is the string and the arrays that it
// makes for each point.

import { WebMercatorViewport } from '@deck.gl/core';

/** In the place of a bin's first number: the point has no bin, because its position is NaN or infinite. */
const none = -(2 ** 31);

/** Where the numbers of an attribute of deck.gl are: `values[first + step * i]` is the first one of point i. */
export function place(attribute) {
  const values = attribute.value;
  if (attribute.isConstant) return { values, first: 0, step: 0 };
  const { offset = 0, stride, size } = attribute.getAccessor();
  return { values, first: offset / values.BYTES_PER_ELEMENT, step: stride ? stride / values.BYTES_PER_ELEMENT : size };
}

/** One number for each point, without a copy where they are neighbours. */
export function column(attribute, count) {
  const { values, first, step } = place(attribute);
  if (step === 1) return values.subarray(first, first + count);
  return Float32Array.from({ length: count }, (_, i) => values[first + step * i]);
}

/** x and y of each point in deck.gl's common space, in turn. They stay the same while only the size of the bins changes. */
export function project(attribute, count, viewport) {
  const { values, first, step } = place(attribute);
  const projected = new Float64Array(2 * count);
  const flat = viewport instanceof WebMercatorViewport;
  for (let i = 0, at = first; i < count; i++, at += step) {
    const x = values[at];
    const y = values[at + 1];
    if (flat) {
      projected[2 * i] = (512 * (x * (Math.PI / 180) + Math.PI)) / (2 * Math.PI);
      const north = (512 * (Math.PI + Math.log(Math.tan(Math.PI / 4 + y * (Math.PI / 180) * 0.5)))) / (2 * Math.PI);
      projected[2 * i + 1] = Math.min(Math.max(north, -318), 830);
    } else {
      [projected[2 * i], projected[2 * i + 1]] = viewport.projectPosition([x, y, 0]);
    }
  }
  return projected;
}

const width = 2 * Math.sin(Math.PI / 3);
const height = 1.5;

/** The column and the row of the hexagon of each point, by the rule of d3-hexbin: the row at hand, or a neighbour whose centre is nearer. */
function hexagons(projected, { radiusCommon: radius, hexOriginCommon: [x0, y0] }) {
  const count = projected.length / 2;
  const cols = new Int32Array(count);
  const rows = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const y = (projected[2 * i + 1] - y0) / radius / height;
    let row = Math.round(y);
    const x = (projected[2 * i] - x0) / radius / width - (row & 1) / 2;
    let col = Math.round(x);
    const up = y - row;
    if (Math.abs(up) * 3 > 1) {
      const right = x - col;
      const nextCol = col + (x < col ? -1 : 1) / 2;
      const nextRow = row + (y < row ? -1 : 1);
      const nextRight = x - nextCol;
      const nextUp = y - nextRow;
      if (right * right + up * up > nextRight * nextRight + nextUp * nextUp) {
        col = nextCol + (row & 1 ? 1 : -1) / 2;
        row = nextRow;
      }
    }
    cols[i] = Number.isFinite(x) && Number.isFinite(y) ? col : none;
    rows[i] = row;
  }
  return { cols, rows };
}

/** The column and the row of the cell of each point in a grid. */
function cells(projected, { cellSizeCommon: [w, h], cellOriginCommon: [x0, y0] }) {
  const count = projected.length / 2;
  const cols = new Int32Array(count);
  const rows = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const x = (projected[2 * i] - x0) / w;
    const y = (projected[2 * i + 1] - y0) / h;
    cols[i] = Number.isFinite(x) && Number.isFinite(y) ? Math.floor(x) : none;
    rows[i] = Math.floor(y);
  }
  return { cols, rows };
}

/**
 * A number from 0 to size - 1 for the bin of each point, -1 for none, and back: `id(code)` is [column, row]. The number is the bin's place in
 * the box around all bins. Where that box is much larger than the points are many, bins are numbered as they come.
 */
export function encode(projected, options) {
  const { cols, rows } = options.radiusCommon === undefined ? cells(projected, options) : hexagons(projected, options);
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < cols.length; i++) {
    if (cols[i] === none) continue;
    if (cols[i] < left) left = cols[i];
    if (cols[i] > right) right = cols[i];
    if (rows[i] < bottom) bottom = rows[i];
    if (rows[i] > top) top = rows[i];
  }
  const across = Math.max(right - left + 1, 0);
  const size = across * Math.max(top - bottom + 1, 0);
  if (size > 4 * cols.length + 65_536) return number(cols, rows, left, bottom, across);
  const codes = new Int32Array(cols.length);
  for (let i = 0; i < codes.length; i++) codes[i] = cols[i] === none ? -1 : (rows[i] - bottom) * across + cols[i] - left;
  return { codes, size, id: (code) => [left + (code % across), bottom + Math.floor(code / across)] };
}

/** The same for bins far apart: the first bin of a point is 0, the next new one 1. */
function number(cols, rows, left, bottom, across) {
  const seen = new Map();
  const ids = [];
  const codes = new Int32Array(cols.length).fill(-1);
  for (let i = 0; i < codes.length; i++) {
    if (cols[i] === none) continue;
    const key = (rows[i] - bottom) * across + cols[i] - left;
    let code = seen.get(key);
    if (code === undefined) {
      code = ids.push([cols[i], rows[i]]) - 1;
      seen.set(key, code);
    }
    codes[i] = code;
  }
  return { codes, size: ids.length, id: (code) => ids[code] };
}
