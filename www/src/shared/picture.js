/**
 * What the page shows of a tensor: plain data, so that it can come from a worker too.
 * @typedef {{ shape: number[], dtype: string, values: (number | bigint | boolean)[] }} Picture
 */

/** The picture of a tensor of the library, whose values are read. @returns {Promise<Picture>} */
export async function pictureOf(tensor) {
  return { shape: tensor.shape, dtype: tensor.dtype, values: [await tensor.tolist()].flat(Infinity) };
}

/** Values in row-major order as nested arrays; for rank 0 the one value. */
export function nest(values, shape) {
  if (shape.length === 0) return values[0];
  const [size, ...rest] = shape;
  const step = rest.reduce((product, each) => product * each, 1);
  return Array.from({ length: size }, (_, at) => nest(values.slice(at * step, (at + 1) * step), rest));
}

/** The offset of `position` in row-major order. */
export const offsetOf = (position, shape) => position.reduce((sum, at, axis) => sum * shape[axis] + at, 0);

/** Whether the result of an answer is a picture: of a call that failed it is null, without an answer undefined. */
export const isPicture = (result) => typeof result === 'object' && result !== null;

/** The picture of a nested array, as it came from a snippet or from a printed result. The shape is that of the first parts: others are not checked. */
export function pictureOfArray(nested, dtype) {
  const shape = [];
  for (let level = nested; Array.isArray(level); level = level[0]) shape.push(level.length);
  return { shape, dtype, values: [nested].flat(Infinity) };
}

/**
 * Whether shapes and values are equal; 0 equals −0, and NaN equals NaN. A printed result names no dtype: its decimals are rounded to
 * float32 where `a` is of that dtype.
 * @param {Picture} a a result @param {Picture} b as `parsePrinted` read it
 */
export function samePicture(a, b) {
  const read = a.dtype === 'float32' ? Math.fround : Number;
  const same = (value, other) => Object.is(value, other) || Number(value) === read(Number(other));
  return a.shape.join() === b.shape.join() && a.values.every((value, position) => same(value, b.values[position]));
}

/**
 * A value as text. A float32 is the shortest decimal that is rounded to it: 3.1, not 3.0999999046325684. Six zeros or more at the end
 * become an exponent.
 */
export function formatValue(value, dtype) {
  if (typeof value !== 'number' || !dtype.includes('float')) return String(value);
  if (Object.is(value, -0)) return '-0';
  const text = String(dtype === 'float32' ? shortest(value) : value);
  return text.replace(/0{6,}$/, (zeros) => `e${zeros.length}`).replace('e+', 'e');
}

/** The number with the fewest digits that is rounded to this float32; nine are always enough. */
function shortest(float32) {
  for (let digits = 1; digits < 9; digits += 1) {
    const short = Number(float32.toPrecision(digits));
    if (Math.fround(short) === float32) return short;
  }
  return Number(float32.toPrecision(9));
}

/** A shape as Python writes a tuple: `(3,)`. */
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

/** Reads a result as Python prints it, without its dtype: `[[3., 4.],\n [1., 2.]]`, with or without commas. @returns {Picture} of float32 */
export function parsePrinted(text) {
  const open = [[]]; // the arrays that are not closed yet, inside one that holds all
  for (const token of text.match(/\[|\]|[^[\]\s,]+/g)) {
    if (token === '[') open.push([]);
    else if (token === ']') {
      const done = open.pop();
      open.at(-1).push(done);
    } else open.at(-1).push(Number(token));
  }
  return pictureOfArray(open[0][0], 'float32');
}

/** Of more values than this, NumPy writes only the first and the last few of a dimension. */
const [MOST_PRINTED, PRINTED_ENDS] = [1000, 3];

/** A picture in NumPy's layout, but for its blank lines; numbers are written by `formatValue` and not aligned. @param {Picture} picture */
export function printPicture({ shape, dtype, values }) {
  const textOf = (value) => {
    const text = formatValue(value, dtype);
    return dtype.includes('float') && /^-?\d+$/.test(text) ? `${text}.` : text; // as in Python, a point marks a float
  };
  const isShort = values.length > MOST_PRINTED;
  /** The part with these sizes that begins at the offset `start`, inside `depth` brackets. */
  const print = (sizes, start, depth) => {
    if (sizes.length === 0) return textOf(values[start]);
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
