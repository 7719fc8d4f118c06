/**
 * The puzzles, from easy to hard. There are no answers here: the library gives them. `code` is a call that `lab/parse.js` reads; or, with
 * `shape`, which is that of the result, it is any code whose last line is the result. Titles are in the messages, under `puzzle.<id>`, and
 * those with a shape have the reason there too, under `ui.puzzle.why.<id>`: they have no steps. `page` is the operator's page, to read on.
 * @type {{ id: string, page: string, code: string, shape?: number[] }[]}
 */
export const puzzles = [
  { id: 'first', page: 'scatter_', code: `const t = new Tensor([0, 0, 0, 0]);\nt.scatter_(0, [2, 0], [5, 7]);` },
  { id: 'twice', page: 'scatter_', code: `const t = new Tensor([1, 2, 3]);\nt.scatter_(0, [1, 1, 0], [10, 20, 30]);` },
  {
    id: 'negative',
    page: 'scatter_',
    code: `const t = new Tensor([1, 1, 1]);\nt.scatter_(0, [2, -1, -3], [1, 2, 3], { reduce: 'add' });`,
  },
  {
    id: 'dim',
    page: 'scatter_',
    code: `const t = new Tensor([[1, 2], [3, 4]]);\nt.scatter_(0, [[1, 0]], [[9, 8]]);`,
  },
  {
    id: 'histogram',
    page: 'scatter_add',
    code: `const t = Tensor.zeros([3], { dtype: 'int32' });\nt.scatter_add(0, [0, 2, 2, 2], 1);`,
  },
  { id: 'outside', page: 'scatter_', code: `const t = new Tensor([1, 2, 3]);\nt.scatter_(0, [0, 3], [7, 8]);` },
  {
    id: 'tuples',
    page: 'scatter_add',
    code: `const t = new Tensor([[0, 0], [0, 0]]);\nt.scatter_add([[0, 1], [1, 0], [0, 1]], [2, 3, 4]);`,
  },
  {
    id: 'rows',
    page: 'scatter_mul',
    code: `const x = new Parameter([[1, 2], [3, 4]], { name: 'x' });\nscatter_mul(x, [1, 1], [[2, 2], [3, 1]]);`,
  },
  { id: 'read', page: 'gather', code: `const t = new Tensor([[1, 2], [3, 4]]);\nt.gather(1, [[1, 1], [0, -1]]);` },
  {
    id: 'axis',
    page: 'elementwise_mul',
    code: `const x = new Tensor([[1, 2, 3], [4, 5, 6]]);\nelementwise_mul(x, [10, 100], { axis: 0 });`,
  },
  {
    id: 'ends',
    page: 'elementwise_mul',
    code: `const x = new Tensor([[1, 2, 3], [4, 5, 6]]);\nelementwise_mul(x, [10, 100]);`,
  },
  {
    id: 'largest',
    page: 'scatter_reduce',
    code: `const t = new Tensor([4, 0, 9]);\nt.scatter_reduce(0, [0, 1, 0, 1], [3, 2, 5, -8], 'amax');`,
  },
  {
    id: 'winners',
    page: 'scatter_reduce',
    code: `const t = new Tensor([5, 0, 0]);\nconst { indices } = t.scatter_reduce(0, [1, 0, 1, 0], [7, 4, 7, 5], 'amax', { return_indices: true });\nindices;`,
    shape: [3],
  },
  {
    id: 'softmax',
    page: 'scatter_softmax',
    code: `scatter_softmax([8, 100, 8, 9], [0, 1, 0, 2]);`,
    shape: [4],
  },
  {
    id: 'slices',
    page: 'index_add',
    code: `const t = new Tensor([[1, 2], [3, 4]]);\nt.index_add(1, [1, 1], [[10, 100], [1, 1]]);`,
  },
  {
    id: 'divide',
    page: 'scatter_nd',
    code: `const t = new Tensor([7, -7], { dtype: 'int32' });\nt.scatter_nd([[0], [1], [1]], [2, 2, 2], { reduce: 'div' });`,
  },
  {
    id: 'counts',
    page: 'sort',
    code: `const { values } = new Tensor([7, 3, 7, 7, 3]).sort();\nconst keys = [3, 5, 7];\nsearchsorted(values, keys, { right: true }).sub(searchsorted(values, keys));`,
    shape: [3],
  },
  { id: 'ranks', page: 'sort', code: `new Tensor([30, 10, 40, 10]).argsort().argsort();`, shape: [4] },
  { id: 'order', page: 'scatter_add', code: `const t = new Tensor([0]);\nt.scatter_add(0, [0, 0, 0], [1e8, 1, -1e8]);` },
];
