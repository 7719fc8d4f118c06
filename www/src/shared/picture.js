/**
 * What the page shows of a tensor: plain data, so that it can come from a worker too.
 * @typedef {{ shape: number[], dtype: string, values: (number | bigint | boolean)[] }} Picture
 */

/** @returns {Promise<Picture>} */
export async function pictureOf(tensor) {
  return { shape: tensor.shape, dtype: tensor.dtype, values: [await tensor.tolist()].flat(Infinity) };
}

/** Values in row-major order as nested arrays. */
export function nest(values, shape) {
  if (shape.length === 0) return values[0];
  const [size, ...rest] = shape;
  const step = rest.reduce((product, each) => product * each, 1);
  return Array.from({ length: size }, (_, at) => nest(values.slice(at * step, (at + 1) * step), rest));
}

/** The place of `position` in row-major order. */
export const offsetOf = (position, shape) => position.reduce((sum, at, axis) => sum * shape[axis] + at, 0);

export const isPicture = (value) => typeof value === 'object' && value !== null;

/** The picture of a nested array, as it came from a snippet or from a printed result. */
export function pictureOfArray(nested, dtype) {
  const shape = [];
  for (let level = nested; Array.isArray(level); level = level[0]) shape.push(level.length);
  return { shape, dtype, values: [nested].flat(Infinity) };
}

/** Equal shapes and equal values. A printed result names no dtype: its decimals are read in that of `a`. */
export function samePicture(a, b) {
  const read = a.dtype === 'float32' ? Math.fround : Number;
  const same = (value, other) => Object.is(value, other) || Number(value) === read(Number(other));
  return a.shape.join() === b.shape.join() && a.values.every((value, position) => same(value, b.values[position]));
}

/** The shortest decimal that names this value in its dtype: 3.1, not 3.0999999046325684. */
export function formatValue(value, dtype) {
  if (typeof value !== 'number' || !dtype.includes('float')) return String(value);
  if (Object.is(value, -0)) return '-0';
  const text = String(dtype === 'float32' ? shortest(value) : value);
  return text.replace(/0{6,}$/, (zeros) => `e${zeros.length}`).replace('e+', 'e');
}

function shortest(float32) {
  for (let digits = 1; digits < 9; digits += 1) {
    const short = Number(float32.toPrecision(digits));
    if (Math.fround(short) === float32) return short;
  }
  return Number(float32.toPrecision(9));
}

export const formatShape = (shape) => `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;

/** Coordinates of the element at `offset` in row-major order. */
export function coordinates(offset, shape) {
  const position = [];
  for (const size of shape.toReversed()) {
    position.unshift(offset % size);
    offset = Math.floor(offset / size);
  }
  return position;
}

/** Reads a result as Python prints it: `[[3., 4.],\n [1., 2.]]`, with or without commas. */
export function parsePrinted(text) {
  const open = [[]];
  for (const token of text.match(/\[|\]|[^[\]\s,]+/g)) {
    if (token === '[') open.push([]);
    else if (token === ']') {
      const done = open.pop();
      open.at(-1).push(done);
    } else open.at(-1).push(Number(token));
  }
  return pictureOfArray(open[0][0], 'float32');
}

/** Of an array with more values than this, NumPy writes the first and the last few of a dimension. */
const [MOST_PRINTED, PRINTED_ENDS] = [1000, 3];

/** NumPy's way of writing an array. */
export function printPicture({ shape, dtype, values }) {
  const wordOf = (value) => {
    const text = formatValue(value, dtype);
    return dtype.includes('float') && /^-?\d+$/.test(text) ? `${text}.` : text;
  };
  const isShort = values.length > MOST_PRINTED;
  const print = (sizes, start, depth) => {
    if (sizes.length === 0) return wordOf(values[start]);
    const [size, ...inner] = sizes;
    const step = inner.reduce((product, each) => product * each, 1);
    const part = (i) => print(inner, start + i * step, depth + 1);
    const ends = Array.from({ length: PRINTED_ENDS }, (_, i) => i);
    const parts = isShort && size > 2 * PRINTED_ENDS
      ? [...ends.map(part), '...', ...ends.map((i) => part(size - PRINTED_ENDS + i))]
      : Array.from({ length: size }, (_, i) => part(i));
    return `[${parts.join(sizes.length === 1 ? ' ' : `\n${' '.repeat(depth + 1)}`)}]`;
  };
  return print(shape, 0, 0);
}
