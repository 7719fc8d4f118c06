// Tensors as text, like `str()` of NumPy 2.4 with its defaults. tests/js/npy compares them with NumPy's own.
//
// JavaScript turns numbers into text as `d.ddde±d`: a sign if negative, a digit, a point and more digits if any, and an exponent. Then
// all numbers of a tensor get the same notation: positional (`12.5`), or scientific (`1.25e+01`) if they are very large, very small or
// very different. The parts of a number are `{ whole, fraction, exponent }`: sign and digits before the point, digits after it, and sign
// and digits of the exponent. A `type` says how many decimals distinguish a float from its neighbours: `bits` is the number of bits in
// the significand, including the implicit one, and `lowest` is the exponent of the smallest normal number.

/** A tensor with more values is abbreviated. */
const THRESHOLD = 1000;
const EDGE = 3;
const PRECISION = 8;
const LINE_WIDTH = 75;

/** The dtypes that are not integers; floats with their type. */
const types = {
  bool: { kind: 'bool' },
  float16: { kind: 'float', bits: 11, lowest: -14 },
  bfloat16: { kind: 'float', bits: 8, lowest: -126 },
  float32: { kind: 'float', bits: 24, lowest: -126 },
  float64: { kind: 'float', bits: 53, lowest: -1022 },
};

/**
 * The most values that a text shows. Dimensions of up to 2 · EDGE places are shown whole, and many such dimensions would be too much for
 * an engine.
 */
const MAX_SHOWN = 2 ** 18;

/** Whether an engine can hold the text of a tensor of this shape. */
export const isPrintable = (shape) => shape.reduce((shown, size) => shown * Math.min(size, 2 * EDGE), 1) <= MAX_SHOWN;

/** The text of a tensor with a printable shape and flat values in row-major order. `dtype` is a name. */
export function format(values, shape, dtype) {
  const rank = shape.length;
  const { kind, ...type } = types[dtype] ?? { kind: 'int' };
  if (rank === 0) return kind === 'float' ? scalarText(values[0], type) : (kind === 'bool' ? boolTexts : intTexts)(values)[0];
  if (values.length === 0) return '[]';
  /** The shown coordinates of a dimension of `count`; -1 stands for the omitted ones. */
  const places = (count) =>
    values.length > THRESHOLD && count > 2 * EDGE ? [0, 1, 2, -1, count - 3, count - 2, count - 1] : [...Array(count).keys()];
  const shown = []; // the shown values, in row-major order
  const visit = (depth, flat) => {
    if (depth === rank) return shown.push(values[flat]);
    for (const at of places(shape[depth])) if (at >= 0) visit(depth + 1, flat * shape[depth] + at);
  };
  visit(0, 0);
  const texts = { bool: boolTexts, int: intTexts, float: floatTexts }[kind](shown, type);
  const width = largestOf(texts.map((text) => text.length));
  let next = 0; // the text of the next value
  const build = (depth) => {
    if (depth === rank) return texts[next++].padStart(width);
    const parts = places(shape[depth]).map((at) => (at < 0 ? '...' : build(depth + 1)));
    if (depth === rank - 1) return `[${wrap(parts, rank)}]`;
    // Blocks of more dimensions have more empty lines between them. Each line is indented by the number of open brackets.
    return `[${parts.join('\n'.repeat(rank - 1 - depth) + ' '.repeat(depth + 1))}]`;
  };
  return build(0);
}

/** The largest of a list, which may be too long for the arguments of Math.max; -Infinity for an empty list. */
const largestOf = (values) => values.reduce((largest, value) => Math.max(largest, value), -Infinity);

/** The texts of one row of a tensor of `rank` dimensions, broken into lines. Each line leaves room for as many closing brackets. */
function wrap(parts, rank) {
  const indent = ' '.repeat(rank);
  let text = '';
  let line = '';
  for (const part of parts) {
    // The line comes after `rank` opening brackets or blanks.
    const breaks = line && rank + line.length + 1 + part.length > LINE_WIDTH - rank;
    if (breaks) text += `${line.trimEnd()}\n${indent}`;
    line = line && !breaks ? `${line} ${part}` : part;
  }
  return text + line;
}

const boolTexts = (values) => Array.from(values, (value) => (value ? 'True' : 'False'));
const intTexts = (values) => Array.from(values, String);

/** The texts of floats. NaN and infinities are not padded; the points of all others are aligned. */
function floatTexts(values, type) {
  const finite = values.filter(Number.isFinite);
  const magnitudes = finite.map(Math.abs).filter((magnitude) => magnitude > 0); // 0 does not influence the notation
  const [largest, smallest] = [largestOf(magnitudes), -largestOf(magnitudes.map((magnitude) => -magnitude))];
  // NumPy's rule: the largest has too many digits before the point, the smallest is below 0.0001, or their ratio is above 1000.
  const scientific = magnitudes.length > 0
    && (largest >= 10 ** Math.min(PRECISION, keptDigits(type)) || smallest < rounded(1e-4, type) || rounded(largest / smallest, type) > 1000);
  const fractionLength = scientific ? largestOf(finite.map((value) => scientificDecimals(value, type))) : 0;
  const numbers = finite.map((value) => (scientific ? scientificParts(value, fractionLength, type) : positionalParts(value, type)));
  // Each part of every text gets as many characters as the longest has.
  const longest = (part) => Math.max(0, largestOf(numbers.map((number) => number[part].length)));
  const [wholes, decimals, exponents] = [longest('whole'), longest('fraction'), longest('exponent')];
  let next = 0; // the parts of the next finite value
  return values.map((value) => {
    if (!Number.isFinite(value)) return specialText(value);
    const { whole, fraction, exponent } = numbers[next++];
    const start = `${whole.padStart(wholes)}.${fraction.padEnd(decimals)}`;
    return scientific ? `${start}e${exponent[0]}${exponent.slice(1).padStart(exponents - 1, '0')}` : start;
  });
}

/** The text of a tensor of one number without dimensions: every digit that distinguishes it from its neighbours. */
function scalarText(value, type) {
  if (!Number.isFinite(value)) return specialText(value);
  const magnitude = Math.abs(value);
  const text = shortest(value, type);
  const isFloat64 = type.bits === 53;
  // Scientific notation, with the fewest digits that distinguish the value from its neighbours. NumPy prints float64 as Python does, up
  // to 1e16.
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 10 ** (isFloat64 ? 16 : keptDigits(type)))) {
    return `${text.split('e')[0]}e${exponentOf(text)}`;
  }
  const { whole, fraction } = positional(text);
  return `${whole}.${fraction || '0'}`;
}

/**
 * The number of decimal digits of any number that a dtype keeps. A number with more digits before the point is in scientific notation.
 * NumPy has no bfloat16, which keeps 2 digits; it is shown with the 3 digits of float16.
 */
const keptDigits = ({ bits }) => Math.max(3, Math.floor((bits - 1) * Math.log10(2)));

const specialText = (value) => (Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf');

/** The value of a type nearest to a number; for a tie, the one whose last bit is 0. Never infinite. */
function rounded(value, { bits, lowest }) {
  if (value === 0 || !Number.isFinite(value)) return value;
  const magnitude = Math.abs(value);
  const power = Math.floor(Math.log2(magnitude)); // may be one too much just below a power of two
  const step = 2 ** (Math.max(2 ** power > magnitude ? power - 1 : power, lowest) - bits + 1); // the distance of two values of the type
  const steps = value / step;
  const low = Math.floor(steps);
  const rest = steps - low;
  return (rest > 0.5 || (rest === 0.5 && low % 2 !== 0) ? low + 1 : low) * step;
}

/** A finite value as `d.ddde±d`, with the fewest digits that distinguish it from its neighbours in its dtype. */
function shortest(value, type) {
  if (value === 0) return Object.is(value, -0) ? '-0e+0' : '0e+0';
  for (let decimals = 0; decimals < 17; decimals++) {
    // For a tie the two texts differ: the first ends in an even digit. Next to a power of two, only the second may be the value.
    for (const text of [exponential(value, decimals), value.toExponential(decimals)]) {
      if (rounded(Number(text), type) === value) return text;
    }
  }
  return value.toExponential(16); // 17 digits distinguish every float64 from its neighbours
}

const trimmed = (digits) => digits.replace(/0+$/, '');

/** The exponent of `d.ddde±d`: its sign and at least two digits. */
function exponentOf(text) {
  const [, power] = text.split('e');
  return power[0] + power.slice(1).padStart(2, '0');
}

/** The parts of `d.ddde±d` in positional notation: moves the point by the exponent, which becomes empty. */
function positional(text) {
  const [mantissa, power] = text.split('e');
  const [, sign, digits] = mantissa.replace('.', '').match(/(-?)(\d+)/);
  const point = Number(power) + 1;
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const fraction = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  return { whole: sign + whole, fraction: trimmed(fraction), exponent: '' };
}

/** The parts of a finite value in positional notation, with at most PRECISION digits after the point. */
function positionalParts(value, type) {
  const parts = positional(shortest(value, type));
  if (parts.fraction.length <= PRECISION) return parts;
  // A tie is rounded to the text with an even last digit; toFixed() rounds it away from zero. A tie is an odd multiple of half of 10 **
  // -PRECISION. A float can be that only as an odd multiple of 2 ** -(PRECISION + 1).
  const isTie = Math.abs((value * 2 ** (PRECISION + 1)) % 2) === 1;
  const down = value.toFixed(PRECISION + 1).slice(0, -1);
  const text = isTie && Number(down.at(-1)) % 2 === 0 ? down : value.toFixed(PRECISION);
  const [whole, fraction] = text.split('.');
  return { whole, fraction: trimmed(fraction), exponent: '' };
}

/** The digits after the point of `d.ddde±d`; empty if there are none. */
const fractionOf = (text) => /\.(\d+)/.exec(text)?.[1] ?? '';

/** The number of digits after the point that a finite value needs in scientific notation, at most PRECISION. */
function scientificDecimals(value, type) {
  const { length } = fractionOf(shortest(value, type));
  return length <= PRECISION ? length : trimmed(fractionOf(exponential(value, PRECISION))).length;
}

/** As toExponential(), but a tie becomes the text with an even last digit, and not the one farther from zero. */
function exponential(value, decimals) {
  const exact = value.toExponential(60); // enough digits to tell a tie
  const start = exact.indexOf('.') + 1 + decimals; // where the omitted digits start
  const isTie = /^50*e/.test(exact.slice(start));
  if (!isTie || Number(exact.slice(0, start).match(/\d(?=\.?$)/)[0]) % 2 !== 0) return value.toExponential(decimals);
  return exact.slice(0, start).replace(/\.$/, '') + exact.slice(exact.indexOf('e'));
}

/**
 * The parts of a finite value in scientific notation, with `decimals` digits after the point: its exact digits, if these are more than it
 * needs.
 */
function scientificParts(value, decimals, type) {
  const enough = shortest(value, type);
  const text = fractionOf(enough).length === decimals ? enough : exponential(value, decimals);
  const sign = Object.is(value, -0) && !text.startsWith('-') ? '-' : '';
  return { whole: sign + text.match(/-?\d+/)[0], fraction: fractionOf(text), exponent: exponentOf(text) };
}
