import { formOf } from './forms.js';

/**
 * The rules of shapes, dimension by dimension, also for shapes that are refused. What decides is the library; this draws why.
 *
 * A chart is a table with a row for each operand, and for some rules the result. `heads` are the headings of its columns, `rules` the keys
 * of the messages that say the rule, and `fits` is whether no cell is bad, and self no scalar where the rule takes none. A cell is a size
 * with its state: `ok` fits, `bad` does not, `free` may be anything here, `stretch` is repeated, `ignored` is a trailing 1 that the rule
 * drops, and `none` is an empty cell. Where a dimension is missing, `size` is null.
 * @typedef {{ size: number | null, state: 'ok' | 'bad' | 'free' | 'stretch' | 'ignored' | 'none' }} Cell
 * @typedef {{ heads: string[], rows: { role: string, cells: Cell[] }[], rules: string[], fits: boolean }} Chart
 */

/** An empty cell. */
const none = { size: null, state: 'none' };
const cell = (size, state) => ({ size, state });

/** The chart of a call, by the rule of its operator. @param {import('./code.js').Model} model @returns {Chart} */
export function chartOf(model) {
  const { rule } = formOf(model);
  const chart = charts[rule](model);
  // A scalar has no column in which the chart could mark it.
  const mayBeScalar = ['slices', 'numpy', 'paddle'].includes(rule);
  const fits = (mayBeScalar || model.self.shape.length > 0) && chart.rows.every(({ cells }) => cells.every(({ state }) => state !== 'bad'));
  return { ...chart, fits };
}

/** The chart of each rule (`Form` in forms.js), without `fits`. */
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
  const stateOf = (d, fits) => (fits ? (free(d) ? 'free' : 'ok') : 'bad');
  /** A row whose size in dimension d is bad unless `fits(d)`; a dimension that is missing is bad too. */
  const row = (role, shape, fits) => ({
    role,
    cells: dims.map((d) => (d < shape.length ? cell(shape[d], stateOf(d, fits(d))) : cell(null, 'bad'))),
  });
  const rows = [row('self', self.shape, inSelf), row('index', index.shape, (d) => inSelf(d) && inSrc(d))];
  if (hasSrc) rows.push(row('src', src.shape, inSrc));
  const rules = [mayBeLonger ? 'shapes.axis.free' : 'shapes.axis.all', ...(hasSrc ? ['shapes.axis.src'] : [])];
  return { heads: dims.map((d) => (d === axis ? `dim ${d} ←` : `dim ${d}`)), rows, rules };
}

/** updates.shape = indices.shape[:-1] + self.shape[K:]. Columns: the dimensions before the tuples, those of self, and K, the size of a tuple. */
function atTuples({ op, self, index, src }) {
  const depth = index.shape.at(-1) ?? 0; // K
  const lead = index.shape.slice(0, -1);
  const wanted = [...lead, ...self.shape.slice(depth)];
  // scatter_add needs indices of rank 2 or more.
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

/** updates.shape = indices.shape + self.shape[1:]. Columns: the dimensions of index, of which the first also has self's rows, then those of a row. */
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
  while (heads.length < width) heads.push('+'); // dimensions of src that should not be there
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
  while (heads.length < rows.at(-1).cells.length) heads.push('+'); // dimensions of src that should not be there
  return { heads, rows, rules: [src ? 'shapes.slices' : 'shapes.slices.read'] };
}

/**
 * The cells of a row: a shape, each size ok if it is the one that is wanted. What is beyond the columns shares the last one.
 * @param {number[]} shape @param {number[]} wanted @param {(at: number) => number} columnOf the column of the dimension `at` of the shape
 * @param {number} width how many columns there are
 */
function spread(shape, wanted, columnOf, width) {
  const cells = Array(width).fill(none);
  for (let at = 0; at < Math.max(shape.length, wanted.length); at += 1) {
    const place = Math.min(columnOf(at), width - 1);
    cells[place] = cell(shape[at] ?? null, shape[at] === wanted[at] ? 'ok' : 'bad');
  }
  return cells;
}

/** Aligned at the right; sizes are equal, or one of them is 1 or missing and is repeated. A call in place does not repeat self, whose shape the result has. */
function byNumpy({ op, self, src }) {
  const isInPlace = formOf({ op }).writes;
  const other = src.shape;
  const rank = Math.max(self.shape.length, other.length);
  const sizeAt = (shape, d) => shape[d - (rank - shape.length)]; // undefined where the shape is shorter
  const dims = Array.from({ length: rank }, (_, d) => d);
  const cellsOf = (mine, theirs, { mayStretch }) =>
    dims.map((d) => {
      const [size, against] = [sizeAt(mine, d), sizeAt(theirs, d)];
      const fits = size === undefined || against === undefined || size === against || size === 1 || against === 1;
      const grows = (size === undefined || size === 1) && against !== undefined && against !== 1;
      if (!fits || (!mayStretch && (grows || size === undefined))) return cell(size ?? null, 'bad');
      return cell(size ?? null, grows ? 'stretch' : 'ok');
    });
  const rows = [
    { role: 'self', cells: cellsOf(self.shape, other, { mayStretch: !isInPlace }) },
    { role: 'src', cells: cellsOf(other, self.shape, { mayStretch: true }) },
  ];
  const result = dims.map((d) => {
    const [size, against] = [sizeAt(self.shape, d) ?? 1, sizeAt(other, d) ?? 1];
    return size === 1 ? against : size;
  });
  const isFine = rows.every(({ cells }) => cells.every(({ state }) => state !== 'bad'));
  if (isFine) rows.push({ role: 'result', cells: result.map((size) => cell(size, 'ok')) });
  return {
    heads: dims.map((d) => `${d - rank}`),
    rows,
    rules: [isInPlace ? 'shapes.numpy.place' : 'shapes.numpy'],
  };
}

/** y, without trailing 1s, is a run of x's dimensions from `axis` on. The chart marks the dimension where it begins with an anchor. */
function byPaddle({ self, src, axis }) {
  const [x, y] = [self.shape, src.shape];
  const heads = x.map((_, d) => `dim ${d}`);
  // Without an axis, y ends where x does, its trailing 1s counted. Equal shapes and a y of one element need no axis.
  const start = axis === null || axis === undefined || axis === -1 ? x.length - y.length : axis;
  const isSame = x.join() === y.join();
  const anchor = isSame ? 0 : start;
  // How many dimensions of y there are without trailing 1s, and how many count.
  const kept = y.findLastIndex((size) => size !== 1) + 1;
  const used = isSame ? y.length : kept;
  const cells = x.map((size, d) => {
    const own = y[d - anchor];
    if (d < anchor || own === undefined) return cell(null, 'stretch');
    if (d - anchor >= used) return cell(own, 'ignored');
    return cell(own, own === size ? 'ok' : 'bad');
  });
  // Sizes of y that meet no dimension of x. They get columns of their own, headed '?'.
  const beyond = y.filter((_, at) => (at + anchor >= x.length || at + anchor < 0) && at < used);
  if (heads[anchor] && y.length > 0) heads[anchor] += ' ⚓';
  const xRow = x.map((size, d) => cell(size, cells[d].state === 'bad' ? 'bad' : 'ok'));
  const rows = [
    { role: 'self', cells: [...xRow, ...beyond.map(() => none)] },
    { role: 'src', cells: [...cells, ...beyond.map((size) => cell(size, 'bad'))] },
  ];
  return { heads: [...heads, ...beyond.map(() => '?')], rows, rules: ['shapes.paddle'] };
}
