// JavaScript values in and out: nested arrays, typed arrays, and text.
//
// Rust imports two modules of ours and no more: each is a file that a browser fetches before a test can start, and the
// server of the test runner hangs when it is asked for more at once than it has threads.

// ---------------------------------------------------------------- arrays
// Where a dtype is a number, it is the dtype's place in DType::ALL.

export const arrays = [
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
  ...Object.fromEntries(arrays.map(({ name }, dtype) => [name, dtype])),
  Uint8ClampedArray: 2,
  Uint16Array: 4, // not bfloat16
  Float16Array: 9,
};

// The platform's own getters: a class of the caller's may say anything of itself.
const getter = (name) => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name).get;
const tagOf = getter(Symbol.toStringTag);
const lengthOf = getter('length');

/** The dtype of a typed array's elements; -1 for anything else. */
export function typed_dtype(value) {
  return dtypes[tagOf.call(value)] ?? -1;
}

/** Whether a value is bytes whose dtype nothing says. */
export function is_raw(value) {
  return /^(Shared)?ArrayBuffer$|^DataView$/.test(value?.[Symbol.toStringTag]);
}

/** The bytes under a typed array, a DataView or a buffer, not copied. */
export function bytes_of(array) {
  return new Uint8Array(array.buffer ?? array, array.byteOffset, array.byteLength);
}

/** What `use` makes of options that have these names and no others; undefined for what has to be looked at more closely. */
export function plain_options(options, names, use) {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return undefined;
  try {
    for (const key in options) if (!names.includes(key)) return undefined;
    return use(options);
  } catch {
    return undefined; // thrown again then
  }
}

const outOptions = ['out'];

/**
 * Copies bytes into `options.out` and returns that, where it is the only option and the typed array that one thinks of
 * first. Anything else is undefined, and looked at more closely.
 */
export function copy_out(options, dtype, bytes) {
  return plain_options(options, outOptions, ({ out }) => {
    if (typed_dtype(out) !== dtype || out.byteLength !== bytes.length) return undefined;
    bytes_of(out).set(bytes);
    return out;
  });
}

/** Bytes as the elements of a dtype, not copied. */
const elements_of = ({ buffer, byteOffset, length }, dtype) =>
  new arrays[dtype](buffer, byteOffset, length / arrays[dtype].BYTES_PER_ELEMENT);

/**
 * Copies the elements of a typed array to memory, where it has as many. As elements: an engine moves a small array out of its heap
 * before it shows the bytes.
 */
export function copy_in(data, dtype, bytes) {
  const target = elements_of(bytes, dtype);
  if (lengthOf.call(data) !== target.length) return false;
  target.set(data);
  return true;
}

/** A new typed array of a dtype with these bytes. By slice(): engines keep a small one in their heap, without a buffer of its own. */
export function new_array(bytes, dtype) {
  return elements_of(bytes, dtype).slice();
}

const NUMBER = 0;
const BOOLEAN = 1;
const BIGINT = 2;
const UNSIGNED = 3;
const RAGGED = 4;
const WRONG = 5;
const TOO_DEEP = 6;
const flat = [Float64Array, Uint8Array, BigInt64Array, BigUint64Array];
const MAX_RANK = 32;

/**
 * Nested arrays, or one scalar, as a shape and flat values: `[[kind, ...shape], values]`, the values in the typed array of
 * their kind. What cannot be flattened is `[[kind, ...path], text]`.
 */
export function flatten(data) {
  const shape = [];
  for (let level = data; Array.isArray(level); level = level[0]) {
    if (shape.push(level.length) > MAX_RANK) return [Uint32Array.of(TOO_DEEP)];
  }
  const rank = shape.length;
  const path = [];
  let wrong; // what is at that path
  const walk = (level, depth, put) => {
    if (depth === rank) {
      if (put(level)) return true;
    } else if (Array.isArray(level) && level.length === shape[depth]) {
      for (let i = 0; i < shape[depth]; i++) {
        path[depth] = i;
        if (!walk(level[i], depth + 1, put)) return false;
      }
      return true;
    }
    wrong = level;
    path.length = depth;
    return false;
  };

  // Numbers alone, as nearly always, need no list of all values: that would take several times as long.
  let numbers = new Float64Array(8);
  let count = 0;
  const putNumber = (value) => {
    if (typeof value !== 'number') return false;
    if (count === numbers.length) {
      // Grown by and by: how many there are is known only when all lengths have been looked at.
      const more = new Float64Array(2 * count);
      more.set(numbers);
      numbers = more;
    }
    numbers[count++] = value;
    return true;
  };
  if (walk(data, 0, putNumber)) return [Uint32Array.of(NUMBER, ...shape), numbers.subarray(0, count)];

  const values = [];
  const seen = { number: false, boolean: false, bigint: false };
  const put = (value) => {
    const type = typeof value;
    if (!(type in seen)) return false;
    seen[type] = true;
    values.push(value);
    return true;
  };
  if (walk(data, 0, put)) return pack(values, shape, seen);
  const depth = path.length;
  if (depth === rank && !Array.isArray(wrong)) return [Uint32Array.of(WRONG, ...path), describe(wrong)];
  const found = Array.isArray(wrong) ? `an array of ${wrong.length}` : describe(wrong);
  const others = depth === rank ? 'a number' : `${Array.isArray(wrong) ? 'one' : 'an array'} of ${shape[depth]}`;
  return [Uint32Array.of(RAGGED, ...path), `${found}, where others have ${others}`];
}

function pack(values, shape, seen) {
  let kind = seen.boolean && !seen.number ? BOOLEAN : NUMBER;
  if (seen.bigint) {
    kind = BIGINT;
    // Beside bigints, other numbers count as integers too; a fraction among them is refused.
    for (const value of values) {
      if (typeof value === 'number' && !Number.isInteger(value)) return [Uint32Array.of(WRONG), `${value} beside bigints`];
      const big = BigInt(value);
      if (big < -(2n ** 63n) || big >= 2n ** 64n) return [Uint32Array.of(WRONG), `${big}n, beyond 64 bits`];
      if (big >= 2n ** 63n) kind = UNSIGNED;
    }
    if (kind === UNSIGNED && values.some((value) => value < 0)) {
      return [Uint32Array.of(WRONG), 'bigints that no 64-bit dtype holds together'];
    }
  }
  return [Uint32Array.of(kind, ...shape), kind < BIGINT ? new flat[kind](values) : flat[kind].from(values, BigInt)];
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

/** The values of the known options, in their order; the name of the first other one if there is one. */
export function option_values(options, known) {
  const names = known.split(', ');
  return Object.keys(options).find((key) => !names.includes(key)) ?? names.map((name) => options[name]);
}

const plainOptions = ['shape', 'device'];
const isSize = (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32;

function putSizes(shape, facts) {
  const { length } = shape;
  if (length + 2 > facts.length) return undefined;
  for (let i = 0; i < length; i++) {
    const size = shape[i];
    if (!isSize(size)) return undefined;
    facts[2 + i] = size;
  }
  return length;
}

/**
 * Puts dtype, length and sizes in `facts`, where the data is a typed array, and a shape and the CPU are all that is asked for; returns
 * how many sizes.
 */
export function plain_array(data, options, facts) {
  const dtype = typed_dtype(data);
  if (dtype < 0) return -1;
  const read = ({ shape, device = 'cpu' }) => (device === 'cpu' && Array.isArray(shape) ? putSizes(shape, facts) : undefined);
  const rank = options === undefined ? 1 : (plain_options(options, plainOptions, read) ?? -1);
  const length = lengthOf.call(data); // last: reading the options may have changed it
  if (!(length > 0 && isSize(length))) return -1; // 0 may be one that was detached
  facts[0] = dtype;
  facts[1] = length;
  if (options === undefined) facts[2] = length;
  return rank;
}

const tensorOptions = ['dtype', 'shape', 'device', 'name', 'lod'];

/** The same for the options of whatever makes a tensor: names that cross as strings cost more than a small tensor. */
export const tensor_options = (options) => plain_options(options, tensorOptions, ({ dtype, shape, device, name, lod }) => [dtype, shape, device, name, lod]);

/** Flat values as nested arrays; a scalar for an empty shape. */
export function nest(values, shape, is_bool) {
  let next = 0;
  const build = (depth) => {
    if (depth === shape.length) return is_bool ? values[next++] !== 0 : values[next++];
    const level = new Array(shape[depth]);
    for (let i = 0; i < level.length; i++) level[i] = build(depth + 1);
    return level;
  };
  return build(0);
}

// ---------------------------------------------------------------- text
// Tensors as text, as `str()` of NumPy 2.4 has them with its defaults; tests/npy compares them with NumPy's own.

const EDGE = 3; // as many at each end
const THRESHOLD = 1000;
const PRECISION = 8;
const LINE_WIDTH = 75;

/**
 * The text of flat values in row-major order. `kind` is 'bool', 'int' or 'float'; for floats, `digits` is the number of
 * bits in the significand and `lowest` the exponent of the smallest normal number: they say how many decimals tell a value
 * from its neighbours.
 */
export function format_values(values, shape, kind, digits, lowest) {
  const rank = shape.length;
  const type = { digits, lowest };
  if (rank === 0) return kind === 'float' ? scalarText(values[0], type) : (kind === 'bool' ? boolTexts : intTexts)(values)[0];
  if (values.length === 0) return '[]';
  /** Which of so many are shown; -1 stands for those that are not. */
  const places = (count) =>
    values.length > THRESHOLD && count > 2 * EDGE ? [0, 1, 2, -1, count - 3, count - 2, count - 1] : [...Array(count).keys()];
  const shown = [];
  const visit = (depth, base) => {
    if (depth === rank) return shown.push(values[base]);
    for (const i of places(shape[depth])) if (i >= 0) visit(depth + 1, base * shape[depth] + i);
  };
  visit(0, 0);
  const texts = { bool: boolTexts, int: intTexts, float: floatTexts }[kind](shown, type);
  const width = Math.max(...texts.map((text) => text.length));
  let next = 0;
  const build = (depth) => {
    if (depth === rank) return texts[next++].padStart(width);
    const parts = places(shape[depth]).map((i) => (i < 0 ? '...' : build(depth + 1)));
    if (depth === rank - 1) return `[${wrap(parts, rank)}]`;
    return `[${parts.join('\n'.repeat(rank - 1 - depth) + ' '.repeat(depth + 1))}]`;
  };
  return build(0);
}

/** One row, broken into lines that leave room for the closing brackets. */
function wrap(parts, rank) {
  const indent = ' '.repeat(rank);
  let text = '';
  let line = '';
  for (const part of parts) {
    const breaks = line && rank + line.length + 1 + part.length > LINE_WIDTH - rank;
    if (breaks) text += `${line.trimEnd()}\n${indent}`;
    line = line && !breaks ? `${line} ${part}` : part;
  }
  return text + line;
}

const boolTexts = (values) => Array.from(values, (value) => (value ? 'True' : 'False'));
const intTexts = (values) => Array.from(values, String);

function floatTexts(values, type) {
  const finite = values.filter(Number.isFinite);
  const sizes = finite.map(Math.abs).filter((size) => size > 0);
  const [largest, smallest] = [Math.max(...sizes), Math.min(...sizes)];
  const scientific = sizes.length > 0
    && (largest >= 10 ** Math.min(PRECISION, keptDigits(type)) || smallest < rounded(1e-4, type) || rounded(largest / smallest, type) > 1000);
  const places = scientific ? Math.max(...finite.map((value) => scientificDecimals(value, type))) : 0;
  const numbers = finite.map((value) => (scientific ? scientificParts(value, places, type) : positionalParts(value, type)));
  const longest = (part) => Math.max(0, ...numbers.map((number) => number[part].length));
  const [wholes, decimals, exponents] = [longest('whole'), longest('fraction'), longest('exponent')];
  let next = 0;
  return values.map((value) => {
    if (!Number.isFinite(value)) return specialText(value);
    const { whole, fraction, exponent } = numbers[next++];
    const start = `${whole.padStart(wholes)}.${fraction.padEnd(decimals)}`;
    return scientific ? `${start}e${exponent[0]}${exponent.slice(1).padStart(exponents - 1, '0')}` : start;
  });
}

/** One number by itself: every digit that tells it from its neighbours. */
function scalarText(value, type) {
  if (!Number.isFinite(value)) return specialText(value);
  const size = Math.abs(value);
  const text = shortest(value, type);
  if (size !== 0 && (size < 1e-4 || size >= 10 ** (type.digits === 53 ? 16 : keptDigits(type)))) {
    return `${text.split('e')[0]}e${exponentOf(text)}`;
  }
  const { whole, fraction } = positional(text);
  return `${whole}.${fraction || '0'}`;
}

/** The decimal digits that a dtype always keeps: larger numbers are shown by their exponent. NumPy has no bfloat16. */
const keptDigits = ({ digits }) => Math.max(3, Math.floor((digits - 1) * Math.log10(2)));

const specialText = (value) => (Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf');

/** A value to the nearest of a type with so many significant bits, ties to even. */
function rounded(value, { digits, lowest }) {
  if (value === 0 || !Number.isFinite(value)) return value;
  const size = Math.abs(value);
  const power = Math.floor(Math.log2(size)); // one too much just below a power of two
  const step = 2 ** (Math.max(2 ** power > size ? power - 1 : power, lowest) - digits + 1);
  const steps = value / step;
  const low = Math.floor(steps);
  const rest = steps - low;
  return (rest > 0.5 || (rest === 0.5 && low % 2 !== 0) ? low + 1 : low) * step;
}

/** The fewest digits that tell a value from its neighbours in its dtype, as `d.ddde±d`. */
function shortest(value, type) {
  if (value === 0) return Object.is(value, -0) ? '-0e+0' : '0e+0';
  for (let digits = 0; digits < 17; digits++) {
    // Of two that are as near, the even one; beside a power of two only the other may do.
    for (const text of [exponential(value, digits), value.toExponential(digits)]) {
      if (rounded(Number(text), type) === value) return text;
    }
  }
  return value.toExponential(16);
}

const trimmed = (digits) => digits.replace(/0+$/, '');

/** Its sign and at least two digits. */
function exponentOf(text) {
  const [, power] = text.split('e');
  return power[0] + power.slice(1).padStart(2, '0');
}

/** The digits of `d.ddde±d` around the point. */
function positional(text) {
  const [mantissa, power] = text.split('e');
  const [, sign, digits] = mantissa.replace('.', '').match(/(-?)(\d+)/);
  const point = Number(power) + 1;
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const fraction = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  return { whole: sign + whole, fraction: trimmed(fraction), exponent: '' };
}

function positionalParts(value, type) {
  const parts = positional(shortest(value, type));
  if (parts.fraction.length <= PRECISION) return parts;
  // Cut off and rounded, a tie to the even digit; toFixed() takes it away from zero. Ties at that place are odd
  // multiples of 2 ** -(PRECISION + 1).
  const isTie = Math.abs((value * 2 ** (PRECISION + 1)) % 2) === 1;
  const down = value.toFixed(PRECISION + 1).slice(0, -1);
  const text = isTie && Number(down.at(-1)) % 2 === 0 ? down : value.toFixed(PRECISION);
  const [whole, fraction] = text.split('.');
  return { whole, fraction: trimmed(fraction), exponent: '' };
}

const fractionOf = (text) => /\.(\d+)/.exec(text)?.[1] ?? '';

/** The decimals of `d.ddde±d` that a value needs, up to the precision. */
function scientificDecimals(value, type) {
  const { length } = fractionOf(shortest(value, type));
  return length <= PRECISION ? length : trimmed(fractionOf(exponential(value, PRECISION))).length;
}

/** As toExponential(), but a tie goes to the even digit, not away from zero. */
function exponential(value, decimals) {
  const exact = value.toExponential(60);
  const start = exact.indexOf('.') + 1 + decimals;
  const isTie = /^50*e/.test(exact.slice(start));
  if (!isTie || Number(exact.slice(0, start).match(/\d(?=\.?$)/)[0]) % 2 !== 0) return value.toExponential(decimals);
  return exact.slice(0, start).replace(/\.$/, '') + exact.slice(exact.indexOf('e'));
}

/** The digits of `d.ddde±d`, exact beyond those that are needed. */
function scientificParts(value, decimals, type) {
  const enough = shortest(value, type);
  const text = fractionOf(enough).length === decimals ? enough : exponential(value, decimals);
  const sign = Object.is(value, -0) && !text.startsWith('-') ? '-' : '';
  return { whole: sign + text.match(/-?\d+/)[0], fraction: fractionOf(text), exponent: exponentOf(text) };
}
