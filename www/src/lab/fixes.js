import { offsetOf } from '../shared/picture.js';
import { formOf } from './forms.js';
import { dtypeOf, withShape, withValue } from './operand.js';

/** @typedef {import('./code.js').Model} Model */
/** @typedef {{ key: string, words: Record<string, unknown>, model: Model }} Fix a button's words, and what it makes of the call */

/** The changes that make the call valid, for each kind of error with an obvious fix. @returns {Fix[]} */
export function fixesFor(model, { facts }) {
  return fixers[facts.code]?.(model, facts) ?? [];
}

const roleOf = (model, argument) =>
  Object.entries(formOf(model).names).find(([role, name]) => name === argument || role === argument)?.[0];
const placeOf = (model, role, position) => {
  const name = model[role].name ?? formOf(model).names[role];
  return position?.length > 0 ? `${name}[${position.join(', ')}]` : name;
};

/** The operand with a value that does not fit. The data of any tensor is called `data`, so the value at the position decides. */
function holderOf(model, { argument, position = [], value }) {
  const named = roleOf(model, argument);
  return (named ? [named] : ['self', 'index', 'src']).find((role) => {
    const operand = model[role];
    const isThere = operand?.shape.length === position.length && !dtypeOf(operand).includes('float'); // floats take any number
    return isThere && Number(operand.values[offsetOf(position, operand.shape)]) === Number(value);
  });
}

const nearest = (value, [low, high]) => Math.min(high, Math.max(low, Number(value)));

const fixers = {
  'index-out-of-range'(model, { position, value, allowed }) {
    const [low, high] = allowed;
    if (!position || low > high) return [];
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
    return [{ key: 'fix.axis', words: { value: -1 }, model: { ...model, axis: null } }];
  },
  'unknown-reduce': (model) =>
    formOf(model).words.map((reduce) => ({ key: 'fix.reduce', words: { value: reduce }, model: { ...model, reduce } })),
  'unknown-act': (model) => [{ key: 'fix.act', words: {}, model: { ...model, act: null } }],
  'index-dtype': (model) => [
    {
      key: 'fix.dtype',
      words: { name: 'index', dtype: 'int32' },
      // An array without a dtype of its own would still hold what is no whole number.
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

const shapeFixers = {
  axis(model) {
    const { self, index, src, dim, op } = model;
    const along = dim < 0 ? dim + self.shape.length : dim;
    const isFree = (d) => d === along && (/^scatter_(add|reduce)/.test(op) || op === 'gather');
    const inSelf = index.shape.map((size, d) => (isFree(d) ? size : Math.min(size, self.shape[d])));
    const inBoth = src && src.kind !== 'scalar' ? inSelf.map((size, d) => Math.min(size, src.shape[d])) : inSelf;
    const fixes = resized(model, [['index', inBoth]], 'fix.crop');
    if (src && src.kind !== 'scalar' && inSelf.join() === index.shape.join()) {
      fixes.push(...resized(model, [['src', src.shape.map((size, d) => Math.max(size, index.shape[d]))]], 'fix.grow'));
    }
    if (op === 'scatter_' && model.reduce === 'add' && index.shape[along] > self.shape[along]) {
      fixes.push({ key: 'fix.op', words: { op: 'scatter_add_' }, model: { ...model, op: 'scatter_add_' } });
    }
    return fixes;
  },
  tuples({ self, index, src, ...rest }) {
    const depth = index.shape.at(-1);
    if (depth > self.shape.length || !src) return [];
    return resized(
      { self, index, src, ...rest },
      [['src', [...index.shape.slice(0, -1), ...self.shape.slice(depth)]]],
      'fix.resize',
    );
  },
  slices({ self, index, src, dim, ...rest }) {
    if (index.shape.length !== 1 || !src) return [];
    const along = dim < 0 ? dim + self.shape.length : dim;
    return resized({ self, index, src, dim, ...rest }, [['src', self.shape.with(along, index.shape[0])]], 'fix.resize');
  },
  rows: (model) => resized(model, [['src', [...model.index.shape, ...model.self.shape.slice(1)]]], 'fix.resize'),
  numpy: () => [],
  paddle(model) {
    const { self, src } = model;
    const y = [...src.shape];
    while (y.at(-1) === 1) y.pop();
    const starts = self.shape
      .map((_, d) => d)
      .filter((d) => d + y.length <= self.shape.length && y.every((size, at) => size === self.shape[d + at]));
    const fixes = starts.map((axis) => ({ key: 'fix.axis', words: { value: axis }, model: { ...model, axis } }));
    const isNumpy = src.shape.every(
      (size, at) =>
        [1, self.shape.at(at - src.shape.length)].includes(size) || self.shape.at(at - src.shape.length) === 1,
    );
    if (isNumpy) fixes.push({ key: 'fix.op', words: { op: 'x.mul(y)' }, model: { op: 'mul', self, src } });
    return fixes;
  },
};

function resized(model, changes, key) {
  const { names } = formOf(model);
  const next = { ...model };
  for (const [role, shape] of changes) {
    const isNumber = role === 'index' && model.index.kind === 'scalar'; // a tensor of it would be float32
    next[role] = { ...withShape(model[role], shape), ...(isNumber && { dtype: 'int32' }) };
  }
  const words = {
    name: changes.map(([role]) => names[role]).join(', '),
    shape: changes.map(([, shape]) => `(${shape.join(', ')})`).join(', '),
  };
  return [{ key, words, model: next }];
}
