import { offsetOf } from '../shared/picture.js';
import { formOf } from './forms.js';
import { dtypeOf, withShape, withValue } from './operand.js';

/** @typedef {import('./code.js').Model} Model */
/** @typedef {{ key: string, words: Record<string, unknown>, model: Model }} Fix the words of a button, as a key of the messages with its values; and the call after it */

/**
 * The changes that make a refused call valid; none where the kind of the error has no obvious one.
 * @param {Model} model @param {import('../engine/client.js').Failure} failure @returns {Fix[]}
 */
export function fixesFor(model, { facts }) {
  return fixers[facts.code]?.(model, facts) ?? [];
}

/** The role of an argument that an error names, by the operator's name for it or by the role itself; undefined for others. */
const roleOf = (model, argument) =>
  Object.entries(formOf(model).names).find(([role, name]) => name === argument || role === argument)?.[0];

/** An element of an operand in words: `index[0, 1]`. */
const placeOf = (model, role, position) => {
  const name = model[role].name ?? formOf(model).names[role];
  return position?.length > 0 ? `${name}[${position.join(', ')}]` : name;
};

/**
 * The role of the operand with a value that does not fit; undefined where none has it. An error about the data of a tensor calls it `data`,
 * whichever operand it is: then it is the one that has this value at the position.
 */
function holderOf(model, { argument, position = [], value }) {
  const named = roleOf(model, argument);
  return (named ? [named] : ['self', 'index', 'src']).find((role) => {
    const operand = model[role];
    const isThere = operand?.shape.length === position.length && !dtypeOf(operand).includes('float'); // floats take any number
    return isThere && Number(operand.values[offsetOf(position, operand.shape)]) === Number(value);
  });
}

/** The allowed number that is nearest to a value. */
const nearest = (value, [low, high]) => Math.min(high, Math.max(low, Number(value)));

/** Functions that make the fixes for an error, by its code. @type {Record<string, (model: Model, facts: Record<string, any>) => Fix[]>} */
const fixers = {
  'index-out-of-range'(model, { position, value, allowed }) {
    const [low, high] = allowed;
    if (!position || low > high) return []; // of an empty dimension no index is allowed
    const to = nearest(value, allowed);
    const index = withValue(model.index, offsetOf(position, model.index.shape), to);
    return [
      {
        key: 'fix.index',
        words: { place: placeOf(model, 'index', position), value: to },
        model: { ...model, index },
      },
    ];
  },
  'dim-out-of-range'(model, { value, allowed }) {
    const dim = nearest(value, allowed);
    return [{ key: 'fix.dim', words: { value: dim }, model: { ...model, dim } }];
  },
  'axis-out-of-range'(model) {
    return [{ key: 'fix.axis', words: { value: -1 }, model: { ...model, axis: null } }]; // not written: -1 is the default
  },
  'unknown-reduce': (model) =>
    formOf(model).words.map((reduce) => ({ key: 'fix.reduce', words: { value: reduce }, model: { ...model, reduce } })),
  'unknown-act': (model) => [{ key: 'fix.act', words: {}, model: { ...model, act: null } }],
  'index-dtype': (model) => [
    {
      key: 'fix.dtype',
      words: { name: 'index', dtype: 'int32' },
      // An array without a dtype of its own would still hold fractions.
      model: { ...model, index: { ...model.index, kind: 'tensor', dtype: 'int32' } },
    },
  ],
  'dtype-mismatch'(model) {
    const dtype = dtypeOf(model.self);
    return [
      {
        key: 'fix.dtype',
        words: { name: formOf(model).names.src, dtype },
        model: { ...model, src: { ...model.src, dtype } },
      },
    ];
  },
  'value-overflow'(model, facts) {
    const { position = [], value, allowed } = facts;
    const role = holderOf(model, facts);
    const to = typeof allowed?.[0] === 'number' ? nearest(value, allowed) : NaN;
    if (!role || !Number.isSafeInteger(to)) return []; // the ends of 64 bits are no exact numbers here
    return [
      {
        key: 'fix.index',
        words: { place: placeOf(model, role, position), value: to },
        model: { ...model, [role]: withValue(model[role], offsetOf(position, model[role].shape), to) },
      },
    ];
  },
  'rank-mismatch'(model) {
    const { self, index, src } = model;
    const rank = self.shape.length;
    if (formOf(model).rule !== 'axis' || rank === 0) return [];
    /** The shape with self's rank: 1s come before it, or its first sizes go. */
    const padded = (shape) => [...Array(Math.max(0, rank - shape.length)).fill(1), ...shape].slice(-rank);
    const indexShape = padded(index.shape).map((size, d) => Math.min(size, self.shape[d]));
    const changes = [['index', indexShape]];
    if (src && src.kind !== 'scalar')
      changes.push(['src', padded(src.shape).map((size, d) => Math.max(size, indexShape[d]))]);
    return resized(model, changes, 'fix.rank');
  },
  'shape-mismatch'(model) {
    return shapeFixers[formOf(model).rule](model);
  },
};

/** The fixes for shapes that do not fit, by the rule of the operator (`Form` in forms.js). @type {Record<string, (model: Model) => Fix[]>} */
const shapeFixers = {
  /** index and src, dimension by dimension: `index ≤ self` and `index ≤ src`. */
  axis(model) {
    const { self, index, src, dim, op } = model;
    const along = dim < 0 ? dim + self.shape.length : dim;
    // These operators let index be longer than self along dim.
    const isFree = (d) => d === along && (/^scatter_(add|reduce)/.test(op) || op === 'gather');
    // The shape of index cut to self, and to src as well.
    const inSelf = index.shape.map((size, d) => (isFree(d) ? size : Math.min(size, self.shape[d])));
    const inBoth = src && src.kind !== 'scalar' ? inSelf.map((size, d) => Math.min(size, src.shape[d])) : inSelf;
    // To make index smaller always helps. Where it fits self already, src may be made larger instead.
    const fixes = resized(model, [['index', inBoth]], 'fix.crop');
    if (src && src.kind !== 'scalar' && inSelf.join() === index.shape.join()) {
      fixes.push(...resized(model, [['src', src.shape.map((size, d) => Math.max(size, index.shape[d]))]], 'fix.grow'));
    }
    // Unlike `scatter_`, `scatter_add_` takes an index that is longer than self along dim.
    if (op === 'scatter_' && model.reduce === 'add' && index.shape[along] > self.shape[along]) {
      fixes.push({ key: 'fix.op', words: { op: 'scatter_add_' }, model: { ...model, op: 'scatter_add_' } });
    }
    return fixes;
  },
  /** updates.shape = indices.shape[:-1] + self.shape[K:], where K is the size of a tuple. */
  tuples({ self, index, src, ...rest }) {
    const depth = index.shape.at(-1);
    if (depth > self.shape.length || !src) return []; // no src would fit such tuples
    return resized(
      { self, index, src, ...rest },
      [['src', [...index.shape.slice(0, -1), ...self.shape.slice(depth)]]],
      'fix.resize',
    );
  },
  /** src has self's shape with the length of index along dim. */
  slices({ self, index, src, dim, ...rest }) {
    if (index.shape.length !== 1 || !src) return [];
    const along = dim < 0 ? dim + self.shape.length : dim;
    return resized({ self, index, src, dim, ...rest }, [['src', self.shape.with(along, index.shape[0])]], 'fix.resize');
  },
  /** updates.shape = indices.shape + self.shape[1:]. */
  rows: (model) => resized(model, [['src', [...model.index.shape, ...model.self.shape.slice(1)]]], 'fix.resize'),
  numpy: () => [], // no change is the obvious one
  /** Every axis from which y, without trailing 1s, is a run of x's dimensions; and the method, if that takes the operands. */
  paddle(model) {
    const { self, src } = model;
    const y = [...src.shape];
    while (y.at(-1) === 1) y.pop(); // trailing 1s are dropped by the rule
    const starts = self.shape
      .map((_, d) => d)
      .filter((d) => d + y.length <= self.shape.length && y.every((size, at) => size === self.shape[d + at]));
    const fixes = starts.map((axis) => ({ key: 'fix.axis', words: { value: axis }, model: { ...model, axis } }));
    // Where NumPy's rule would do, the method takes the same operands. A src of more dimensions than self, apart from 1s, gets no such fix.
    const isNumpy = src.shape.every((size, at) => {
      const against = self.shape.at(at - src.shape.length); // shapes are aligned at the right
      return size === 1 || against === 1 || size === against;
    });
    const name = model.op.replace('elementwise_', '');
    const op = { max: 'maximum', min: 'minimum' }[name] ?? name;
    if (isNumpy) fixes.push({ key: 'fix.op', words: { op: `x.${op}(y)` }, model: { op, self, src } });
    return fixes;
  },
};

/**
 * One fix: the call with operands in other shapes.
 * @param {Model} model @param {[role: string, shape: number[]][]} changes @param {string} key of the button's words @returns {Fix[]}
 */
function resized(model, changes, key) {
  const { names } = formOf(model);
  const next = { ...model };
  for (const [role, shape] of changes) {
    const isNumber = role === 'index' && model.index.kind === 'scalar'; // the library would make a float32 tensor of it, which is no index
    next[role] = { ...withShape(model[role], shape), ...(isNumber && { dtype: 'int32' }) };
  }
  const words = {
    name: changes.map(([role]) => names[role]).join(', '),
    shape: changes.map(([, shape]) => `(${shape.join(', ')})`).join(', '),
  };
  return [{ key, words, model: next }];
}
