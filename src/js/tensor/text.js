// Tensors as text, as `str()` of NumPy 2.4 has them with its defaults; tests/js/npy compares them with NumPy's own.
//
// Numbers are turned into text by JavaScript as `d.ddde±d`: a sign if it is negative, a digit, a point and more digits if there are any,
// and an exponent. All numbers of a tensor are then written alike: in positional notation (`12.5`), or where they are very large, very
// small or very different in scientific notation (`1.25e+01`). The parts of a number are `{ whole, fraction, exponent }`: sign and digits
// before the point, digits behind it, and sign and digits of the exponent. A `type` says of a dtype of floats how many decimals tell a
// value from its neighbours: `bits` is the number of bits in the significand, the implicit one included, and `lowest` the exponent of the
// smallest normal number.

/** A tensor with more values is shown in part. */
const THRESHOLD = 1000;
/** How many places are shown at each end of a dimension then. */
const EDGE = 3;
/** The most digits behind the point. */
const PRECISION = 8;
const LINE_WIDTH = 75;

/** The dtypes that are not integers; of floats, with the type. */
const types = {
  bool: { kind: 'bool' },
  float16: { kind: 'float', bits: 11, lowest: -14 },
  bfloat16: { kind: 'float', bits: 8, lowest: -126 },
  float32: { kind: 'float', bits: 24, lowest: -126 },
  float64: { kind: 'float', bits: 53, lowest: -1022 },
};

/** The most values that a text shows: dimensions of up to 2 · EDGE places are shown whole, and of many such dimensions engines cannot hold it. */
const MAX_SHOWN = 2 ** 18;

/** Whether the text of a tensor of a shape can be held. */
export const isPrintable = (shape) => shape.reduce((shown, size) => shown * Math.min(size, 2 * EDGE), 1) <= MAX_SHOWN;

/** The text of a tensor of flat values in row-major order, whose shape is printable; `dtype` is a name. */
export function format(values, shape, dtype) {
  const rank = shape.length;
  const { kind, ...type } = types[dtype] ?? { kind: 'int' };
  if (rank === 0) return kind === 'float' ? scalarText(values[0], type) : (kind === 'bool' ? boolTexts : intTexts)(values)[0];
  if (values.length === 0) return '[]';
  /** Which coordinates of a dimension of `count` are shown; -1 stands for those that are left out. */
  const places = (count) =>
    values.length > THRESHOLD && count > 2 * EDGE ? [0, 1, 2, -1, count - 3, count - 2, count - 1] : [...Array(count).keys()];
  const shown = []; // the values that are shown, in row-major order
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
    // Blocks of more dimensions have more empty lines between them; each line is indented by the brackets that are open.
    return `[${parts.join('\n'.repeat(rank - 1 - depth) + ' '.repeat(depth + 1))}]`;
  };
  return build(0);
}

/** The largest of a list, which may be too long for the arguments of Math.max; -Infinity for an empty one. */
const largestOf = (values) => values.reduce((largest, value) => Math.max(largest, value), -Infinity);

/** The texts of one row of a tensor of `rank` dimensions, broken into lines that leave room for as many closing brackets. */
function wrap(parts, rank) {
  const indent = ' '.repeat(rank);
  let text = '';
  let line = '';
  for (const part of parts) {
    // The line is behind `rank` opening brackets or blanks.
    const breaks = line && rank + line.length + 1 + part.length > LINE_WIDTH - rank;
    if (breaks) text += `${line.trimEnd()}\n${indent}`;
    line = line && !breaks ? `${line} ${part}` : part;
  }
  return text + line;
}

/** The texts of bools, and those of integers. */
const boolTexts = (values) => Array.from(values, (value) => (value ? 'True' : 'False'));
const intTexts = (values) => Array.from(values, String);

/** The texts of floats. NaN and infinities are not padded; the points of all others are one below the other. */
function floatTexts(values, type) {
  const finite = values.filter(Number.isFinite);
  const magnitudes = finite.map(Math.abs).filter((magnitude) => magnitude > 0); // 0 does not count for the choice of a notation
  const [largest, smallest] = [largestOf(magnitudes), -largestOf(magnitudes.map((magnitude) => -magnitude))];
  // NumPy's rule: the largest has too many digits before the point, the smallest is below 0.0001, or they are more than 1000 times apart.
  const scientific = magnitudes.length > 0
    && (largest >= 10 ** Math.min(PRECISION, keptDigits(type)) || smallest < rounded(1e-4, type) || rounded(largest / smallest, type) > 1000);
  const fractionLength = scientific ? largestOf(finite.map((value) => scientificDecimals(value, type))) : 0;
  const numbers = finite.map((value) => (scientific ? scientificParts(value, fractionLength, type) : positionalParts(value, type)));
  // All texts get as many characters as the longest has, in each part.
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

/** The text of a tensor of one number without dimensions: every digit that tells it from its neighbours. */
function scalarText(value, type) {
  if (!Number.isFinite(value)) return specialText(value);
  const magnitude = Math.abs(value);
  const text = shortest(value, type);
  const isFloat64 = type.bits === 53;
  // Scientific notation, with digits as few as tell the value from its neighbours. NumPy prints float64 as Python does, up to 1e16.
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 10 ** (isFloat64 ? 16 : keptDigits(type)))) {
    return `${text.split('e')[0]}e${exponentOf(text)}`;
  }
  const { whole, fraction } = positional(text);
  return `${whole}.${fraction || '0'}`;
}

/**
 * How many decimal digits of any number a dtype keeps. A number with more digits before the point is in scientific notation. NumPy has no bfloat16,
 * which keeps 2 digits; it is shown with the 3 of float16.
 */
const keptDigits = ({ bits }) => Math.max(3, Math.floor((bits - 1) * Math.log10(2)));

/** The text of NaN and infinities. */
const specialText = (value) => (Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf');

/** The value of a type that is nearest to a number, of two as near the one whose last bit is 0. It never becomes infinite. */
function rounded(value, { bits, lowest }) {
  if (value === 0 || !Number.isFinite(value)) return value;
  const magnitude = Math.abs(value);
  const power = Math.floor(Math.log2(magnitude)); // may be one too much just below a power of two
  const step = 2 ** (Math.max(2 ** power > magnitude ? power - 1 : power, lowest) - bits + 1); // from one value of the type to the next
  const steps = value / step;
  const low = Math.floor(steps);
  const rest = steps - low;
  return (rest > 0.5 || (rest === 0.5 && low % 2 !== 0) ? low + 1 : low) * step;
}

/** A finite value as `d.ddde±d`, with the fewest digits that tell it from its neighbours in its dtype. */
function shortest(value, type) {
  if (value === 0) return Object.is(value, -0) ? '-0e+0' : '0e+0';
  for (let decimals = 0; decimals < 17; decimals++) {
    // Where two texts are as near, they differ: the first ends in an even digit. Beside a power of two only the second may be the value.
    for (const text of [exponential(value, decimals), value.toExponential(decimals)]) {
      if (rounded(Number(text), type) === value) return text;
    }
  }
  return value.toExponential(16); // 17 digits tell every float64 from its neighbours
}

/** Digits without the zeros at their end. */
const trimmed = (digits) => digits.replace(/0+$/, '');

/** The exponent of `d.ddde±d`: its sign and at least two digits. */
function exponentOf(text) {
  const [, power] = text.split('e');
  return power[0] + power.slice(1).padStart(2, '0');
}

/** The parts of `d.ddde±d` in positional notation: the point moves by the exponent, which is left empty. */
function positional(text) {
  const [mantissa, power] = text.split('e');
  const [, sign, digits] = mantissa.replace('.', '').match(/(-?)(\d+)/);
  const point = Number(power) + 1;
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const fraction = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  return { whole: sign + whole, fraction: trimmed(fraction), exponent: '' };
}

/** The parts of a finite value in positional notation, with PRECISION digits behind the point at most. */
function positionalParts(value, type) {
  const parts = positional(shortest(value, type));
  if (parts.fraction.length <= PRECISION) return parts;
  // It is rounded to PRECISION digits, and where two are as near (a tie) to the one that ends in an even digit; toFixed() takes the one farther
  // from zero. A tie is an odd multiple of half of 10 ** -PRECISION, which a float is only as an odd multiple of 2 ** -(PRECISION + 1).
  const isTie = Math.abs((value * 2 ** (PRECISION + 1)) % 2) === 1;
  const down = value.toFixed(PRECISION + 1).slice(0, -1);
  const text = isTie && Number(down.at(-1)) % 2 === 0 ? down : value.toFixed(PRECISION);
  const [whole, fraction] = text.split('.');
  return { whole, fraction: trimmed(fraction), exponent: '' };
}

/** The digits behind the point of `d.ddde±d`; an empty text where there are none. */
const fractionOf = (text) => /\.(\d+)/.exec(text)?.[1] ?? '';

/** How many digits behind the point a finite value needs in scientific notation: PRECISION at most. */
function scientificDecimals(value, type) {
  const { length } = fractionOf(shortest(value, type));
  return length <= PRECISION ? length : trimmed(fractionOf(exponential(value, PRECISION))).length;
}

/** As toExponential(), but where two texts are as near (a tie), the one that ends in an even digit, and not the one farther from zero. */
function exponential(value, decimals) {
  const exact = value.toExponential(60); // enough digits to tell a tie
  const start = exact.indexOf('.') + 1 + decimals; // of the digits that are cut off
  const isTie = /^50*e/.test(exact.slice(start));
  if (!isTie || Number(exact.slice(0, start).match(/\d(?=\.?$)/)[0]) % 2 !== 0) return value.toExponential(decimals);
  return exact.slice(0, start).replace(/\.$/, '') + exact.slice(exact.indexOf('e'));
}

/** The parts of a finite value in scientific notation, with `decimals` digits behind the point: beyond those that it needs, its exact digits. */
function scientificParts(value, decimals, type) {
  const enough = shortest(value, type);
  const text = fractionOf(enough).length === decimals ? enough : exponential(value, decimals);
  const sign = Object.is(value, -0) && !text.startsWith('-') ? '-' : '';
  return { whole: sign + text.match(/-?\d+/)[0], fraction: fractionOf(text), exponent: exponentOf(text) };
}
