// Tensors as text, as `str()` of NumPy 2.4 has them with its defaults; tests/npy compares them with NumPy's own.

const EDGE = 3; // as many at each end
const THRESHOLD = 1000;
const PRECISION = 8;
const LINE_WIDTH = 75;

/**
 * Of floats, `digits` is the number of bits in the significand and `lowest` the exponent of the smallest normal number: they say how
 * many decimals tell a value from its neighbours.
 */
const types = {
  bool: { kind: 'bool' },
  float16: { kind: 'float', digits: 11, lowest: -14 },
  bfloat16: { kind: 'float', digits: 8, lowest: -126 },
  float32: { kind: 'float', digits: 24, lowest: -126 },
  float64: { kind: 'float', digits: 53, lowest: -1022 },
};

/** The text of flat values in row-major order. */
export function format(values, shape, dtype) {
  const rank = shape.length;
  const { kind, ...type } = types[dtype] ?? { kind: 'int' };
  if (rank === 0) return kind === 'float' ? scalarText(values[0], type) : (kind === 'bool' ? boolTexts : intTexts)(values)[0];
  if (values.length === 0) return '[]';
  /** Which places of a dimension of `count` values are shown; -1 stands for those between. */
  const places = (count) =>
    values.length > THRESHOLD && count > 2 * EDGE ? [0, 1, 2, -1, count - 3, count - 2, count - 1] : [...Array(count).keys()];
  const shown = [];
  const visit = (depth, base) => {
    if (depth === rank) return shown.push(values[base]);
    for (const i of places(shape[depth])) if (i >= 0) visit(depth + 1, base * shape[depth] + i);
  };
  visit(0, 0);
  const texts = { bool: boolTexts, int: intTexts, float: floatTexts }[kind](shown, type);
  const width = most(texts.map((text) => text.length));
  let next = 0;
  const build = (depth) => {
    if (depth === rank) return texts[next++].padStart(width);
    const parts = places(shape[depth]).map((i) => (i < 0 ? '...' : build(depth + 1)));
    if (depth === rank - 1) return `[${wrap(parts, rank)}]`;
    return `[${parts.join('\n'.repeat(rank - 1 - depth) + ' '.repeat(depth + 1))}]`;
  };
  return build(0);
}

/** The largest of many: too many for the arguments of Math.max. */
const most = (values) => values.reduce((largest, value) => Math.max(largest, value), -Infinity);

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
  const [largest, smallest] = [most(sizes), -most(sizes.map((size) => -size))];
  const scientific = sizes.length > 0
    && (largest >= 10 ** Math.min(PRECISION, keptDigits(type)) || smallest < rounded(1e-4, type) || rounded(largest / smallest, type) > 1000);
  const places = scientific ? most(finite.map((value) => scientificDecimals(value, type))) : 0;
  const numbers = finite.map((value) => (scientific ? scientificParts(value, places, type) : positionalParts(value, type)));
  const longest = (part) => Math.max(0, most(numbers.map((number) => number[part].length)));
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

/** The nearest value of a float type with `digits` significant bits and the lowest exponent `lowest`; ties to even. */
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
