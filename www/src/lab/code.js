import { nest } from '../shared/picture.js';
import { formOf } from './forms.js';
import { sizeOf } from './operand.js';

/** @typedef {import('./operand.js').Operand} Operand */
/**
 * A call as plain data: what a lab shows, and what its code says.
 * @typedef {{ op: string, self: Operand, index?: Operand, src?: Operand, dim?: number, reduce?: string | null,
 *   alpha?: number | null, axis?: number | null, act?: string | null, sum?: 'exact' | string | null, rounding?: string | null }} Model
 */

/** A value as code. Long rows of zeros at the end become an exponent: 1000000 is `1e6`. */
function writeValue(value) {
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  return String(value).replace(/0{6,}$/, (zeros) => `e${zeros.length}`);
}

/** A nested array, or a value, as code on one line. */
function writeArray(value) {
  return Array.isArray(value) ? `[${value.map(writeArray).join(', ')}]` : writeValue(value);
}

const writeShape = (shape) => `[${shape.join(', ')}]`;

/**
 * Code for a tensor whose numbers follow a rule: `Tensor.zeros([5, 5])`, or `Tensor.arange(12).reshape([3, 4])` from rank 2 on. Null where
 * they follow none, are fewer than 10, or are bigints or booleans: then they are written one by one.
 * @param {Operand} operand
 */
function shortForm({ values, shape, dtype }) {
  if (sizeOf(shape) < 10 || typeof values[0] !== 'number') return null;
  const options = dtype ? `, { dtype: '${dtype}' }` : '';
  const [first] = values;
  if (values.every((value) => Object.is(value, first))) {
    if (Object.is(first, 0)) return `Tensor.zeros(${writeShape(shape)}${options})`;
    return first === 1
      ? `Tensor.ones(${writeShape(shape)}${options})`
      : `Tensor.full(${writeShape(shape)}, ${writeValue(first)}${options})`;
  }
  if (shape.length < 2 || !Number.isInteger(first) || !values.every((value, at) => value === first + at)) return null;
  const stop = first + values.length;
  // Options come behind the step, so with a dtype the step has to be there.
  const range = dtype ? `${first}, ${stop}, 1${options}` : first === 0 ? stop : `${first}, ${stop}`;
  return `Tensor.arange(${range}).reshape(${writeShape(shape)})`;
}

/** The expression that makes an operand. @param {Operand} operand */
function writeOperand(operand) {
  const { kind, shape, dtype, values, parameter } = operand;
  if (kind === 'scalar') return writeValue(values[0]);
  const array = writeArray(nest(values, shape));
  if (kind === 'array') return array;
  const isParameter = parameter !== undefined;
  const short = !isParameter && shortForm(operand);
  if (short) return short;
  const given = [
    shape.includes(0) && `shape: ${writeShape(shape)}`,
    dtype && `dtype: '${dtype}'`,
    parameter && `name: '${parameter}'`,
  ];
  const options = given.filter(Boolean).join(', ');
  return `new ${isParameter ? 'Parameter' : 'Tensor'}(${array}${options && `, { ${options} }`})`;
}

/** The code of a call: a line for each operand that has a name, then the call. @param {Model} model */
export function writeCode(model) {
  const form = formOf(model);
  const roles = ['self', ...form.args.filter((role) => role !== 'dim')];
  const named = roles.map((role) => model[role]).filter(({ name }) => name);
  // `x.mul(x)`: a name is declared once, for the first operand that has it. Another one of that name is written out.
  const declared = new Map(named.toReversed().map((operand) => [operand.name, operand]));
  const lines = [...new Set(named.map(({ name }) => name))].map((name) => `const ${name} = ${writeOperand(declared.get(name))};`);
  const expressionOf = (operand) => (declared.get(operand.name) === operand ? operand.name : writeOperand(operand));
  const argument = (role) => (role === 'dim' ? String(model.dim) : expressionOf(model[role]));
  const options = form.options
    .filter((name) => model[name] !== null && model[name] !== undefined)
    .map((name) => `${name}: ${typeof model[name] === 'string' ? `'${model[name]}'` : model[name]}`);
  const reduction = form.isWord ? [`'${model.reduce}'`] : [];
  const args = [...form.args.map(argument), ...reduction, ...(options.length > 0 ? [`{ ${options.join(', ')} }`] : [])];
  const call =
    form.call === 'method'
      ? `${argument('self')}.${model.op}(${args.join(', ')})`
      : `${model.op}(${[argument('self'), ...args].join(', ')})`;
  return [...lines, `${call};`].join('\n');
}
