// JavaScript values in and out: nested arrays, typed arrays, and text.
//
// Rust imports two modules of ours and no more: each is a file that a browser fetches before a test can start, and the
// server of the test runner hangs when it is asked for more at once than it has threads.

// ---------------------------------------------------------------- arrays
// Where a dtype is a number, it is the dtype's place in DType::ALL.

const arrays = [
  Uint8Array, // bool
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
  globalThis.Float16Array ?? Uint16Array, // float16: its bits where the engine has no array for it
  Uint16Array, // bfloat16: its bits
  Float32Array,
  Float64Array,
];

const dtypes = {
  Int8Array: 1,
  Uint8Array: 2,
  Uint8ClampedArray: 2,
  Int16Array: 3,
  Uint16Array: 4,
  Int32Array: 5,
  Uint32Array: 6,
  BigInt64Array: 7,
  BigUint64Array: 8,
  Float16Array: 9,
  Float32Array: 11,
  Float64Array: 12,
};

/** The dtype of a typed array's elements; -1 for anything else. */
export function typed_dtype(value) {
  return ArrayBuffer.isView(value) ? (dtypes[value[Symbol.toStringTag]] ?? -1) : -1;
}

/** The bytes under a typed array, not copied. */
export function bytes_of(array) {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** A new typed array for elements of a dtype. */
export function typed_array(dtype, length) {
  return new arrays[dtype](length);
}

const NUMBER = 0;
const BOOLEAN = 1;
const BIGINT = 2;
const RAGGED = 3;
const WRONG = 4;
const TOO_DEEP = 5;
const MAX_RANK = 32;

/**
 * Nested arrays, or one scalar, as a shape and flat values: `{ kind, shape, values }`. Numbers and booleans become a
 * Float64Array, bigints a BigInt64Array, with `unsigned` set when one of them needs a BigUint64Array instead. What
 * cannot be flattened is `{ kind, path, text }`.
 */
export function flatten(data) {
  const shape = [];
  for (let level = data; Array.isArray(level); level = level[0]) {
    if (shape.push(level.length) > MAX_RANK) return { kind: TOO_DEEP, path: [], text: '' };
  }
  const values = [];
  const path = [];
  const seen = { number: false, boolean: false, bigint: false };
  const refuse = (kind, text) => ({ kind, path: [...path], text });

  const walk = (level, depth) => {
    if (depth === shape.length) {
      const type = typeof level;
      if (Array.isArray(level)) return refuse(RAGGED, `an array of ${level.length}, where others have a number`);
      if (!(type in seen)) return refuse(WRONG, describe(level));
      seen[type] = true;
      values.push(level);
      return undefined;
    }
    if (!Array.isArray(level)) return refuse(RAGGED, `${describe(level)}, where others have an array of ${shape[depth]}`);
    if (level.length !== shape[depth]) {
      return refuse(RAGGED, `an array of ${level.length}, where others have one of ${shape[depth]}`);
    }
    for (let i = 0; i < level.length; i++) {
      path[depth] = i;
      const problem = walk(level[i], depth + 1);
      if (problem) return problem;
    }
    path.length = depth;
    return undefined;
  };
  return walk(data, 0) ?? pack(values, shape, seen);
}

function pack(values, shape, seen) {
  if (!seen.bigint) {
    const kind = seen.boolean && !seen.number ? BOOLEAN : NUMBER;
    return { kind, shape, values: Float64Array.from(values, Number) };
  }
  // Beside bigints, other numbers count as integers too; a fraction among them is refused below.
  let unsigned = false;
  for (const value of values) {
    if (typeof value === 'number' && !Number.isInteger(value)) {
      return { kind: WRONG, path: [], text: `${value} beside bigints` };
    }
    const big = BigInt(value);
    if (big < -(2n ** 63n) || big >= 2n ** 64n) return { kind: WRONG, path: [], text: `${big}n, beyond 64 bits` };
    unsigned ||= big >= 2n ** 63n;
  }
  if (unsigned && values.some((value) => value < 0)) {
    return { kind: WRONG, path: [], text: 'bigints that no 64-bit dtype holds together' };
  }
  return { kind: BIGINT, shape, values: BigInt64Array.from(values, BigInt), unsigned };
}

/** What a value is, in a word or two, for an error. */
export function describe(value) {
  try {
    return words(value);
  } catch {
    return 'an object that cannot be read';
  }
}

function words(value) {
  if (value === null) return 'null';
  if (value === undefined) return 'undefined';
  if (typeof value === 'string') return `the string '${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
  if (typeof value === 'object') return named(value.constructor?.name ?? 'object');
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol') return 'a symbol';
  return `${typeof value === 'bigint' ? `${value}n` : value}`;
}

const named = (name) => `${/^[AEIOU]/i.test(name) && !/^Ui/.test(name) ? 'an' : 'a'} ${name}`;

/** The first option that is not among the known ones, or undefined. */
export function unknown_option(options, known) {
  return Object.keys(options).find((key) => !known.includes(key));
}

/** Flat values as nested arrays; a scalar for an empty shape. */
export function nest(values, shape, is_bool) {
  let next = 0;
  const build = (depth) =>
    depth === shape.length
      ? is_bool ? values[next++] !== 0 : values[next++]
      : Array.from({ length: shape[depth] }, () => build(depth + 1));
  return build(0);
}

// ---------------------------------------------------------------- text
// Tensors as text, in NumPy's layout and with its defaults: at most 8 digits after the point, the middle of more than
// 1,000 elements left out, columns aligned.

const EDGE = 3;
const THRESHOLD = 1000;
const PRECISION = 8;
const LINE_WIDTH = 75;

/**
 * The text of flat values in row-major order. `kind` is 'bool', 'int' or 'float'; for floats, `digits` is the number of
 * bits in the significand and `lowest` the exponent of the smallest normal number: they say how many decimals tell a value
 * from its neighbours.
 */
export function format_values(values, shape, kind, digits, lowest) {
  if (values.length === 0) return '[]';
  const summarised = values.length > THRESHOLD;
  const shown = [];
  visit(shape, summarised, (flat) => shown.push(values[flat]));
  const texts = { bool: boolTexts, int: intTexts, float: floatTexts }[kind](shown, { digits, lowest });
  const width = Math.max(0, ...texts.map((text) => text.length));
  let next = 0;
  const build = (depth) => {
    if (depth === shape.length) return texts[next++].padStart(shape.length ? width : 0);
    const count = shape[depth];
    const parts = [];
    for (let i = 0; i < count; i++) {
      if (summarised && count > 2 * EDGE && i === EDGE) {
        parts.push('...');
        i = count - EDGE;
      }
      parts.push(build(depth + 1));
    }
    if (depth === shape.length - 1) return `[${wrap(parts, depth)}]`;
    return `[${parts.join('\n'.repeat(shape.length - 1 - depth) + ' '.repeat(depth + 1))}]`;
  };
  return build(0);
}

/** Calls `use` with the flat position of every element that is shown. */
function visit(shape, summarised, use) {
  const walk = (depth, base) => {
    if (depth === shape.length) return use(base);
    const count = shape[depth];
    for (let i = 0; i < count; i++) {
      if (summarised && count > 2 * EDGE && i === EDGE) i = count - EDGE;
      walk(depth + 1, base * count + i);
    }
  };
  walk(0, 0);
}

/** One row, broken into lines. */
function wrap(parts, depth) {
  const indent = `\n${' '.repeat(depth + 1)}`;
  let line = depth + 1;
  let text = '';
  parts.forEach((part, i) => {
    if (i > 0) {
      const breaks = line + 1 + part.length > LINE_WIDTH;
      text += breaks ? indent : ' ';
      line = breaks ? depth + 1 : line + 1;
    }
    text += part;
    line += part.length;
  });
  return text;
}

const boolTexts = (values) => values.map((value) => (value ? 'True' : 'False'));
const intTexts = (values) => values.map(String);

function floatTexts(values, type) {
  const finite = values.filter(Number.isFinite);
  const sizes = finite.map(Math.abs).filter((size) => size > 0);
  const largest = Math.max(0, ...sizes);
  const smallest = Math.min(Infinity, ...sizes);
  const scientific = sizes.length > 0 && (largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1000);
  const numbers = finite.map((value) => split(shortest(value, type, scientific), scientific));
  const decimals = Math.max(0, ...numbers.map(({ fraction }) => fraction.length));
  const wholes = Math.max(0, ...numbers.map(({ whole }) => whole.length));
  // Positional numbers align at their points, filled with blanks; scientific ones are filled with zeros.
  let next = 0;
  return values.map((value) => {
    if (Number.isNaN(value)) return 'nan';
    if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
    const { whole, fraction, exponent } = numbers[next++];
    const filled = scientific ? fraction.padEnd(decimals, '0') : fraction;
    const text = `${whole.padStart(wholes)}.${filled}${exponent}`;
    return scientific || values.length === 1 ? text : text.padEnd(wholes + 1 + decimals);
  });
}

/** The fewest decimals that tell a value from its neighbours in its dtype, up to the precision. */
function shortest(value, { digits, lowest }, scientific) {
  if (value === 0) return scientific ? (Object.is(value, -0) ? '-0e+0' : '0e+0') : Object.is(value, -0) ? '-0' : '0';
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), lowest);
  const halfStep = 2 ** (exponent - digits);
  let text = '';
  for (let precision = 1; precision <= 17; precision++) {
    text = value.toExponential(precision - 1);
    if (Math.abs(Number(text) - value) < halfStep || Number(text) === value) break;
  }
  if (scientific) return text.replace(/^(-?\d)(\.\d*)?e/, (all, whole, fraction = '') => `${whole}${fraction.slice(0, PRECISION + 1)}e`);
  const [mantissa, power] = text.split('e');
  const decimals = Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(power));
  return Number(text).toFixed(Math.min(decimals, PRECISION));
}

function split(text, scientific) {
  const [mantissa, power] = text.split('e');
  const [whole, fraction = ''] = mantissa.split('.');
  const kept = scientific ? fraction : fraction.replace(/0+$/, '');
  const exponent = scientific ? `e${power[0]}${power.slice(1).padStart(2, '0')}` : '';
  return { whole, fraction: kept, exponent };
}
