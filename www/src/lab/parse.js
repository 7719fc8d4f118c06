import { parser } from '@lezer/javascript';
import { pictureOfArray } from '../shared/picture.js';
import { formOf, operators } from './forms.js';
import { sizeOf } from './operand.js';

/** @typedef {import('./code.js').Model} Model */
/** @typedef {import('@lezer/common').SyntaxNode} SyntaxNode */

/** Code that a lab cannot show as a call. `reason` is a key of the messages, `words` its values, and `at` the offset in the code. */
export class Unreadable extends Error {
  constructor(reason, at, words = {}) {
    super(reason);
    this.reason = reason;
    this.at = at;
    this.words = words;
  }
}

/**
 * Reads the forms of code that `writeCode` writes and what people write like them: tensors from literals, then one call
 * of an operator. Nothing is run: the text is read by the grammar that the editor colours it with.
 * @param {string} code @returns {Model} @throws {Unreadable} and nothing else
 */
export function readCode(code) {
  try {
    return new Reader(code).read();
  } catch (error) {
    // JavaScript has more forms than are looked for here: `new Tensor;` has no arguments, `t[0](1)` no name of a method.
    throw error instanceof Unreadable ? error : new Unreadable('expression', 0);
  }
}

const MOST_ELEMENTS = 1_000_000; // of a tensor that is read: `Tensor.zeros([1e9])` would take all of the page's memory

/** Names that stand for values. */
const constants = { Infinity, NaN, true: true, false: false, null: null, undefined: undefined };

/** Reads one text. Its functions take nodes of the syntax tree; `at`, here and below, is an offset in the text, for errors. */
class Reader {
  #code;
  #names = new Map(); // the values of the variables that are declared so far
  #model = null; // the call, once it was read

  constructor(code) {
    this.#code = code;
  }

  /** The call that the text makes. @returns {Model} */
  read() {
    const tree = parser.parse(this.#code);
    tree.iterate({
      enter: ({ type, from }) => {
        if (type.isError) throw new Unreadable('syntax', from);
      },
    });
    for (const statement of children(tree.topNode)) this.#statement(statement);
    if (!this.#model) throw new Unreadable('no-call', this.#code.length);
    return this.#model;
  }

  /** The text of a node. */
  #text = (node) => this.#code.slice(node.from, node.to);

  /** Reads a statement: notes the variables that it declares, or the call that it makes. */
  #statement(node) {
    switch (node.name) {
      case 'LineComment':
      case 'BlockComment':
        return;
      case 'VariableDeclaration': {
        const names = node.getChildren('VariableDefinition'); // a pattern, as in `const [a, b] = …`, has none
        if (names.length === 0) throw new Unreadable('statement', node.from);
        for (const name of names) {
          const value = this.#value(name.nextSibling?.name === 'Equals' ? name.nextSibling.nextSibling : null);
          this.#names.set(this.#text(name), named(value, this.#text(name), node.from));
        }
        return;
      }
      case 'ReturnStatement':
      case 'ExpressionStatement':
        this.#value(children(node).find(({ name }) => name !== 'return'));
        return;
      default:
        throw new Unreadable('statement', node.from);
    }
  }

  /** A number, string, array, object, operand, or the result of the call. */
  #value(node) {
    if (!node) throw new Unreadable('syntax', this.#code.length);
    switch (node.name) {
      case 'Number':
        return readNumber(this.#text(node));
      case 'String':
        return this.#text(node).slice(1, -1);
      case 'BooleanLiteral':
        return this.#text(node) === 'true';
      case 'null':
        return null;
      case 'UnaryExpression': {
        const value = this.#value(last(node));
        const sign = this.#text(node)[0];
        if (sign !== '-' || !['number', 'bigint'].includes(typeof value)) throw new Unreadable('expression', node.from);
        return -value;
      }
      case 'ArrayExpression':
        return children(node).map((child) => this.#value(child));
      case 'ObjectExpression':
        return Object.fromEntries(node.getChildren('Property').map((property) => this.#property(property)));
      case 'ParenthesizedExpression':
      case 'AwaitExpression':
        return this.#value(last(node));
      case 'VariableName':
        return this.#named(node);
      case 'NewExpression':
        return this.#construct(node);
      case 'CallExpression':
        return this.#call(node);
      default:
        throw new Unreadable('expression', node.from);
    }
  }

  /** The name and the value of a property: `name: value`, `'name': value`, or `name` alone. */
  #property(node) {
    const [name, value] = children(node);
    const text = this.#text(name);
    return [text.replace(/^(['"])(.*)\1$/, '$2'), value ? this.#value(value) : this.#named(name)];
  }

  /** The value of a variable or a constant. */
  #named(node) {
    const name = this.#text(node);
    if (this.#names.has(name)) return this.#names.get(name);
    if (Object.hasOwn(constants, name)) return constants[name];
    throw new Unreadable('unknown-name', node.from, { name });
  }

  /** The values of the arguments of a call. */
  #args = (node) => children(node.getChild('ArgList')).map((child) => this.#value(child));

  /** The operand that `new Tensor` or `new Parameter` makes. */
  #construct(node) {
    const name = this.#text(node.firstChild.nextSibling); // behind `new`
    if (name !== 'Tensor' && name !== 'Parameter') throw new Unreadable('unknown-name', node.from, { name });
    const [data, options = {}] = this.#args(node);
    const made = tensor(data, options, node.from);
    return name === 'Parameter' ? { ...made, parameter: options.name ?? '' } : made;
  }

  /** The operand that `Tensor.zeros`, say, or `reshape` makes; or null after the call of an operator, which is recorded. */
  #call(node) {
    const callee = node.firstChild;
    const args = this.#args(node);
    if (callee.name === 'VariableName') {
      const op = this.#text(callee);
      const isFunction = operators.includes(op) && formOf({ op, dim: 0 }).call === 'function'; // a function scatter_add is another operator
      if (!isFunction) throw new Unreadable('unknown-name', callee.from, { name: op });
      return this.#operate(op, args[0], args.slice(1), node.from);
    }
    if (callee.name !== 'MemberExpression') throw new Unreadable('expression', node.from);
    const method = this.#text(callee.getChild('PropertyName'));
    const owner = callee.firstChild;
    if (this.#text(owner) === 'Tensor') return factory(method, args, node.from);
    const self = this.#value(owner);
    if (method === 'reshape') return reshaped(self, args[0], node.from);
    if (!self?.kind) throw new Unreadable('expression', owner.from);
    if (!operators.includes(method)) throw new Unreadable('unknown-name', callee.from, { name: method });
    return this.#operate(method, self, args, node.from);
  }

  /**
   * Records the call of an operator. A text has one, and its result is null: nothing can be done with it here.
   * @param {string} op @param {unknown} self @param {unknown[]} args those after self @param {number} at
   */
  #operate(op, self, args, at) {
    if (this.#model) throw new Unreadable('two-calls', at);
    const model = { op, self: operand(self, at) };
    // `scatter_add` without a dim takes index tuples. With any dim `formOf` gives the form that has one.
    const isTuples = op.startsWith('scatter_add') && typeof args[0] !== 'number';
    if (!isTuples && formOf({ op, dim: 0 }).args[0] === 'dim') {
      [model.dim] = args;
      if (typeof model.dim !== 'number') throw new Unreadable('dim', at);
    }
    const form = formOf(model);
    form.args.forEach((role, i) => {
      if (role === 'dim') return;
      if (args[i] === undefined) throw new Unreadable('missing', at, { name: form.names[role] });
      model[role] = operand(args[i], at);
    });
    const rest = args.slice(form.args.length);
    if (form.isWord) model.reduce = readWord(rest.shift(), at);
    readOptions(model, form, rest, at);
    this.#model = model;
    return null;
  }
}

/** The reduction that is an argument. No lab shows 'mean': see forms.js. A word that is unknown is for the library to refuse. */
function readWord(word, at) {
  if (typeof word !== 'string') throw new Unreadable('missing', at, { name: 'reduce' });
  if (word === 'mean') throw new Unreadable('option', at, { name: word });
  return word;
}

/**
 * Puts the options of the form into the model, null where they are not given. They are one object, or one by one in the form's order.
 * `name` is an option of elementwise_mul without an effect on the numbers, and is passed over.
 * @param {unknown[]} rest the arguments behind those of the form
 */
function readOptions(model, form, rest, at) {
  if (rest.length === 0) {
    for (const name of form.options) model[name] = null;
    return;
  }
  const isPositional = rest[0] === null || typeof rest[0] !== 'object';
  const given = isPositional ? Object.fromEntries(form.options.map((name, i) => [name, rest[i] ?? null])) : rest[0];
  for (const name of form.options) model[name] = given[name] ?? null;
  const unknown = Object.keys(given).find((name) => !form.options.includes(name) && name !== 'name');
  if (unknown) throw new Unreadable('option', at, { name: unknown });
}

/** Whether a tensor can hold this value. */
const isElement = (value) => ['number', 'bigint', 'boolean'].includes(typeof value);

/** Whether this is a shape of a tensor that is not too large to be read. */
const isShape = (shape) =>
  Array.isArray(shape) && shape.every((size) => Number.isInteger(size) && size >= 0) && sizeOf(shape) <= MOST_ELEMENTS;

/** The value of a variable: an operand, which an array of numbers is too, with the variable's name; any other value as it is. */
function named(value, name, at) {
  if (Array.isArray(value)) return { ...array(value, at), name };
  return value?.kind ? { ...value, name } : value;
}

/** A value as an operand: a tensor, an array, or a number. */
function operand(value, at) {
  if (value?.kind) return value;
  if (Array.isArray(value)) return array(value, at);
  if (isElement(value)) {
    return { kind: 'scalar', name: null, shape: [], dtype: null, values: [value] };
  }
  throw new Unreadable('expression', at);
}

/** Whether a value is nested arrays of exactly this shape. */
const hasShape = (value, [size, ...rest]) =>
  size === undefined
    ? !Array.isArray(value)
    : Array.isArray(value) && value.length === size && value.every((each) => hasShape(each, rest));

/** The operand that a nested array is. All its rows have to be equally long. */
function array(value, at) {
  const { shape, values } = pictureOfArray(value, '');
  if (!values.every(isElement)) throw new Unreadable('expression', at);
  if (!hasShape(value, shape)) throw new Unreadable('ragged', at);
  return { kind: 'array', name: null, shape, dtype: null, values };
}

/** The operand that a constructor makes of its data and options. */
function tensor(data, { dtype = null, shape }, at) {
  const plain = operand(data, at);
  const made = { ...plain, kind: 'tensor', name: null, dtype };
  return shape ? reshaped(made, shape, at) : made;
}

/** An operand in another shape of as many elements. It has no name until it is declared. */
function reshaped(value, shape, at) {
  if (!value?.kind || !isShape(shape) || sizeOf(shape) !== value.values.length)
    throw new Unreadable('reshape', at);
  return { ...value, name: null, shape };
}

/** The operand that `Tensor.zeros`, `ones`, `full` or `arange` makes. */
function factory(method, args, at) {
  const filled = (shape, value, { dtype = null } = {}) => {
    if (!isShape(shape) || !isElement(value)) throw new Unreadable('expression', at);
    return { kind: 'tensor', name: null, shape, dtype, values: Array(sizeOf(shape)).fill(value) };
  };
  if (method === 'zeros') return filled(args[0], 0, args[1]);
  if (method === 'ones') return filled(args[0], 1, args[1]);
  if (method === 'full') return filled(args[0], args[1], args[2]);
  if (method !== 'arange') throw new Unreadable('unknown-name', at, { name: `Tensor.${method}` });
  // arange(stop), arange(start, stop) or arange(start, stop, step), then options.
  const options = typeof args.at(-1) === 'object' ? args.at(-1) : {};
  const [first, second, step = 1] = args.filter((value) => typeof value === 'number');
  const [start, stop] = second === undefined ? [0, first] : [first, second];
  const length = Math.max(0, Math.ceil((stop - start) / step));
  if (!isShape([length])) throw new Unreadable('expression', at); // also where a bound is missing or no number
  const values = Array.from({ length }, (_, i) => start + i * step);
  return { kind: 'tensor', name: null, shape: [values.length], dtype: options.dtype ?? null, values };
}

/** A number as JavaScript writes it, or a bigint. */
function readNumber(text) {
  const digits = text.replaceAll('_', '');
  return digits.endsWith('n') ? BigInt(digits.slice(0, -1)) : Number(digits);
}

/** Nodes of the grammar that are no parts with a meaning of their own. */
const SIGNS = new Set([
  ...['[', ']', '{', '}', '(', ')', ',', ';', ':', '.', '=', 'ArithOp', 'Equals'],
  ...['const', 'let', 'var', 'new', 'await', 'return'],
]);

/** The children that carry meaning, without brackets and commas, and without comments but for those between statements. @param {SyntaxNode} node */
function children(node) {
  const found = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    const isComment = child.name.endsWith('Comment') && node.name !== 'Script';
    if (!SIGNS.has(child.name) && !isComment) found.push(child);
  }
  return found;
}

/** The last of these children: the operand of a minus or of `await`, or the content of brackets. */
const last = (node) => children(node).at(-1);
