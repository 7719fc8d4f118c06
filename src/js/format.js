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
