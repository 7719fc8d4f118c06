import { formOf } from './forms.js';

/**
 * The rules of shapes, dimension by dimension, also for shapes that are refused. What decides is the library; this draws why.
 * @typedef {{ size: number | null, state: 'ok' | 'bad' | 'free' | 'stretch' | 'ignored' | 'none' }} Cell
 * @typedef {{ heads: string[], rows: { role: string, cells: Cell[] }[], rules: string[], fits: boolean }} Chart
 */

const none = { size: null, state: 'none' };
const cell = (size, state) => ({ size, state });

/** @param {import('./code.js').Model} model @returns {Chart} */
export function chartOf(model) {
  const { rule } = formOf(model);
  const chart = charts[rule](model);
  // A scalar has no column in which the chart could mark it.
  const mayBeScalar = ['slices', 'numpy', 'paddle'].includes(rule);
  const fits = (mayBeScalar || model.self.shape.length > 0) && chart.rows.every(({ cells }) => cells.every(({ state }) => state !== 'bad'));
  return { ...chart, fits };
}

const charts = { axis: alongAxis, tuples: atTuples, rows: byRows, slices: bySlices, numpy: byNumpy, paddle: byPaddle };

/** `index[d] ≤ self[d]` (not along dim for those that may be longer there) and `index[d] ≤ src[d]`. */
function alongAxis({ op, self, index, src, dim }) {
  const rank = Math.max(self.shape.length, index.shape.length, src?.kind === 'scalar' ? 0 : (src?.shape.length ?? 0));
  const axis = dim < 0 ? dim + self.shape.length : dim;
  const mayBeLonger = !op.startsWith('scatter') || /^scatter_(add|reduce)/.test(op);
  const free = (d) => mayBeLonger && d === axis;
  const hasSrc = src && src.kind !== 'scalar';
  const dims = Array.from({ length: rank }, (_, d) => d);
  const inSelf = (d) => free(d) || index.shape[d] <= self.shape[d];
  const inSrc = (d) => !hasSrc || index.shape[d] <= src.shape[d];
  const state = (d, fine) => (fine ? (free(d) ? 'free' : 'ok') : 'bad');
  const row = (role, shape, fine) => ({
    role,
    cells: dims.map((d) => (d < shape.length ? cell(shape[d], state(d, fine(d))) : cell(null, 'bad'))),
  });
  const rows = [row('self', self.shape, inSelf), row('index', index.shape, (d) => inSelf(d) && inSrc(d))];
  if (hasSrc) rows.push(row('src', src.shape, inSrc));
  const rules = [mayBeLonger ? 'shapes.axis.free' : 'shapes.axis.all', ...(hasSrc ? ['shapes.axis.src'] : [])];
  return { heads: dims.map((d) => (d === axis ? `dim ${d} ←` : `dim ${d}`)), rows, rules };
}

/** updates.shape = indices.shape[:-1] + self.shape[K:]. */
function atTuples({ op, self, index, src }) {
  const depth = index.shape.at(-1) ?? 0;
  const lead = index.shape.slice(0, -1);
  const wanted = [...lead, ...self.shape.slice(depth)];
  const fitsDepth = depth <= self.shape.length && index.shape.length >= (op.startsWith('scatter_add') ? 2 : 1);
  const heads = [...lead.map(() => '…'), ...self.shape.map((_, d) => (d < depth ? `K ${d}` : `dim ${d}`)), 'K'];
  const gap = (count) => Array(count).fill(none);
  const rows = [
    {
      role: 'self',
      cells: [...gap(lead.length), ...self.shape.map((size, d) => cell(size, d < depth ? 'free' : 'ok')), none],
    },
    {
      role: 'index',
      cells: [
        ...lead.map((size) => cell(size, 'ok')),
        ...gap(self.shape.length),
        cell(depth, fitsDepth ? 'ok' : 'bad'),
      ],
    },
  ];
  if (src && src.kind !== 'scalar')
    rows.push({
      role: 'src',
      cells: spread(src.shape, wanted, (at) => (at < lead.length ? at : at + depth), heads.length),
    });
  return { heads, rows, rules: ['shapes.tuples.depth', ...(src ? ['shapes.tuples.updates'] : [])] };
}

/** updates.shape = indices.shape + self.shape[1:]. */
function byRows({ self, index, src }) {
  const wanted = [...index.shape, ...self.shape.slice(1)];
  const heads = [...index.shape.map((_, d) => `[${d}]`), ...self.shape.slice(1).map((_, d) => `dim ${d + 1}`)];
  const rows = [
    {
      role: 'self',
      cells: [
        ...index.shape.map((_, d) => (d === 0 ? cell(self.shape[0], 'free') : none)),
        ...self.shape.slice(1).map((size) => cell(size, 'ok')),
      ],
    },
    { role: 'index', cells: [...index.shape.map((size) => cell(size, 'ok')), ...self.shape.slice(1).map(() => none)] },
  ];
  if (src.kind !== 'scalar')
    rows.push({ role: 'src', cells: spread(src.shape, wanted, (at) => at, Math.max(heads.length, src.shape.length)) });
  const width = rows.at(-1).cells.length;
  while (heads.length < width) heads.push('+');
  return { heads, rows, rules: ['shapes.rows'] };
}

/** index has one dimension; src has self's shape with the length of index along dim. */
function bySlices({ self, index, src, dim }) {
  const axis = dim < 0 ? dim + self.shape.length : dim;
  const isFlat = index.shape.length === 1;
  const dims = self.shape.map((_, d) => d);
  const wanted = self.shape.map((size, d) => (d === axis ? index.shape[0] : size));
  const rows = [
    { role: 'self', cells: self.shape.map((size, d) => cell(size, d === axis ? 'free' : 'ok')) },
    { role: 'index', cells: dims.map((d) => (d === axis ? cell(index.shape[0] ?? null, isFlat ? 'ok' : 'bad') : none)) },
  ];
  if (src) rows.push({ role: 'src', cells: spread(src.shape, wanted, (at) => at, Math.max(dims.length, src.shape.length)) });
  const heads = dims.map((d) => (d === axis ? `dim ${d} ←` : `dim ${d}`));
  while (heads.length < rows.at(-1).cells.length) heads.push('+');
  return { heads, rows, rules: [src ? 'shapes.slices' : 'shapes.slices.read'] };
}

/** A shape beside the one that it must be, each size in its column. */
function spread(shape, wanted, column, width) {
  const cells = Array(width).fill(none);
  for (let at = 0; at < Math.max(shape.length, wanted.length); at += 1) {
    const place = Math.min(column(at), width - 1);
    cells[place] = cell(shape[at] ?? null, shape[at] === wanted[at] ? 'ok' : 'bad');
  }
  return cells;
}

/** Aligned at the right; sizes are equal, or one of them is 1 or missing and repeats. */
function byNumpy({ op, self, src }) {
  const other = src.shape;
  const rank = Math.max(self.shape.length, other.length);
  const at = (shape, d) => shape[d - (rank - shape.length)];
  const result = [];
  const make = (mine, theirs, mayStretch) => (_, d) => {
    const [size, against] = [at(mine, d), at(theirs, d)];
    const fine = size === undefined || against === undefined || size === against || size === 1 || against === 1;
    const grows = (size === undefined || size === 1) && against !== undefined && against !== 1;
    if (!fine || (!mayStretch && (grows || size === undefined))) return cell(size ?? null, 'bad');
    return cell(size ?? null, grows ? 'stretch' : 'ok');
  };
  const dims = Array.from({ length: rank });
  const rows = [
    { role: 'self', cells: dims.map(make(self.shape, other, op !== 'mul_')) },
    { role: 'src', cells: dims.map(make(other, self.shape, true)) },
  ];
  dims.forEach((_, d) => result.push(Math.max(at(self.shape, d) ?? 1, at(other, d) ?? 1)));
  const isFine = rows.every(({ cells }) => cells.every(({ state }) => state !== 'bad'));
  if (isFine) rows.push({ role: 'result', cells: result.map((size) => cell(size, 'ok')) });
  return {
    heads: dims.map((_, d) => `${d - rank}`),
    rows,
    rules: [op === 'mul_' ? 'shapes.numpy.place' : 'shapes.numpy'],
  };
}

/** y, without trailing 1s, is a run of x's dimensions from `axis` on. */
function byPaddle({ self, src, axis }) {
  const [x, y] = [self.shape, src.shape];
  const heads = x.map((_, d) => `dim ${d}`);
  const start = axis === null || axis === undefined || axis === -1 ? x.length - y.length : axis;
  const isSame = x.join() === y.join();
  const anchor = isSame ? 0 : start;
  const kept = y.length - [...y].reverse().findIndex((size) => size !== 1);
  const used = isSame ? y.length : y.every((size) => size === 1) ? 0 : kept;
  const cells = x.map((size, d) => {
    const own = y[d - anchor];
    if (d < anchor || own === undefined) return cell(null, 'stretch');
    if (d - anchor >= used) return cell(own, 'ignored');
    return cell(own, own === size ? 'ok' : 'bad');
  });
  const beyond = y.filter((_, at) => (at + anchor >= x.length || at + anchor < 0) && at < used);
  if (heads[anchor] && y.length > 0) heads[anchor] += ' ⚓';
  const xRow = x.map((size, d) => cell(size, cells[d].state === 'bad' ? 'bad' : 'ok'));
  const rows = [
    { role: 'self', cells: [...xRow, ...beyond.map(() => none)] },
    { role: 'src', cells: [...cells, ...beyond.map((size) => cell(size, 'bad'))] },
  ];
  return { heads: [...heads, ...beyond.map(() => '?')], rows, rules: ['shapes.paddle'] };
}
