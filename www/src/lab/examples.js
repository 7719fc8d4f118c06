/**
 * The examples that labs start from. `code` is read by `parse.js`, so it keeps to the forms there. `printed` is the result as
 * the source prints it, kept as data; without a `source` it is what Scatterwise defines. An example that has to be refused names
 * the class of the error in `refused`. Where the source shows only the shape of the result, that is `printedShape`. One with `race` shows
 * what other orders would give, one with `sums` the sum by both definitions. `page` is the id of its page. Titles and notes are in the messages: `ui.example.<id>` and `note.<id>`.
 * Facts (numbers, signatures) come from the sources; words are ours.
 * @typedef {{ id: string, page: string, code: string, printed?: string, printedShape?: number[], refused?: string, race?: boolean, sums?: boolean, source?: Source }} Example
 * @typedef {{ name: string, url: string }} Source
 */

const mindspore = 'https://www.mindspore.cn/docs/en';
const scatterPage = {
  name: 'MindSpore 2.6, Tensor.scatter_',
  url: `${mindspore}/r2.6.0/api_python/mindspore/Tensor/mindspore.Tensor.scatter_.html`,
};
const scatterAddPage = {
  name: 'MindSpore 2.5, Tensor.scatter_add',
  url: `${mindspore}/r2.5.0/api_python/mindspore/Tensor/mindspore.Tensor.scatter_add.html`,
};
const scatterMulPage = {
  name: 'MindSpore 2.3, ops.scatter_mul',
  url: `${mindspore}/r2.3.1/api_python/ops/mindspore.ops.scatter_mul.html`,
};
const multiplyPage = {
  name: 'Paddle 1.8, fluid.layers.elementwise_mul',
  url: 'https://www.paddlepaddle.org.cn/documentation/docs/en/1.8/api/layers/elementwise_mul.html',
};
const gatherPage = {
  name: 'PyTorch, torch.gather',
  url: 'https://docs.pytorch.org/docs/stable/generated/torch.gather.html',
};

/** The page of an operator in PyTorch's documentation. */
const torch = (name) => ({ name: `PyTorch, ${name}`, url: `https://docs.pytorch.org/docs/stable/generated/torch.${name}.html` });
const onnxPage = { name: 'ONNX, ScatterND', url: 'https://onnx.ai/onnx/operators/onnx__ScatterND.html' };

/** Code that reduces the same source into a vector, whose values are given as code, by one of the words of `scatter_reduce`. */
const reduced = (values, word) => `const t = new Tensor([${values}]);
const index = new Tensor([0, 1, 0, 1, 2, 1], { dtype: 'int64' });
const src = new Tensor([1, 2, 3, 4, 5, 6]);
t.scatter_reduce(0, index, src, '${word}');`;
const square = `const this_tensor = new Tensor([[1, 2], [3, 4]]);
const index = new Tensor([[1, 0], [1, 0]], { dtype: 'int64' });
const src = new Tensor([[4, 3], [2, 1]]);`;
const column = `const this_tensor = new Tensor([[1, 2], [3, 4]]);
const index = new Tensor([[0], [1]], { dtype: 'int64' });`;

/** Code that multiplies rows of a parameter by the same updates, at indices that are given as code. */
const mulRows = (indices) => `const input_x = new Parameter([[1, 1, 1], [2, 2, 2]], { name: 'x' });
const indices = new Tensor(${indices}, { dtype: 'int32' });
const updates = new Tensor([[[1, 1, 1], [3, 3, 3]], [[7, 7, 7], [9, 9, 9]]]);
scatter_mul(input_x, indices, updates);`;

/** Code that adds the same source to a square of zeros along `dim`, at an index that is given as code. */
const addRows = (index, dim) => `const input = Tensor.zeros([5, 5]);
const index = new Tensor(${index}, { dtype: 'int64' });
const src = new Tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
input.scatter_add(${dim}, index, src);`;

/** @type {Example[]} */
export const examples = [
  {
    id: 'scatter-tensor',
    page: 'scatter_',
    source: scatterPage,
    printed: '[[3., 4.],\n [1., 2.]]',
    code: `${square}\nthis_tensor.scatter_(1, index, src);`,
  },
  {
    id: 'scatter-tensor-add',
    page: 'scatter_',
    source: scatterPage,
    printed: '[[4., 6.],\n [4., 6.]]',
    code: `${square}\nthis_tensor.scatter_(1, index, src, { reduce: 'add' });`,
  },
  {
    id: 'scatter-value',
    page: 'scatter_',
    source: scatterPage,
    printed: '[[10., 2.],\n [10., 4.]]',
    code: `${column}\nthis_tensor.scatter_(0, index, 10);`,
  },
  {
    id: 'scatter-value-multiply',
    page: 'scatter_',
    source: scatterPage,
    printed: '[[3., 2.],\n [9., 4.]]',
    code: `${column}\nthis_tensor.scatter_(0, index, 3, { reduce: 'multiply' });`,
  },
  {
    id: 'duplicates-replace',
    page: 'scatter_',
    race: true,
    printed: '[[1. 30. 3.]]',
    code: `const t = new Tensor([[1, 2, 3]]);\nconst index = [[1, 1, 1]];\nconst src = new Tensor([[10, 20, 30]]);\nt.scatter_(1, index, src);`,
  },
  {
    id: 'out-of-range',
    page: 'scatter_',
    refused: 'IndexError',
    code: `const t = new Tensor([[1, 2, 3], [4, 5, 6]]);\nconst index = [[0, 1, 2], [2, 3, 0]];\nconst src = new Tensor([[10, 20, 30], [40, 50, 60]]);\nt.scatter_(1, index, src);`,
  },
  {
    id: 'src-too-small',
    page: 'scatter_',
    refused: 'RuntimeError',
    code: `const t = new Tensor([[1, 2, 3], [4, 5, 6]]);\nconst index = [[0, 1, 2], [2, 1, 0]];\nconst src = new Tensor([[10, 20], [40, 50]]);\nt.scatter_(1, index, src);`,
  },
  {
    id: 'scatter-add-row',
    page: 'scatter_add',
    source: scatterAddPage,
    printed: '[[1. 2. 11. 4. 13.]]',
    code: `const input = new Tensor([[1, 2, 3, 4, 5]]);\nconst index = new Tensor([[2, 4]], { dtype: 'int64' });\nconst src = new Tensor([[8, 8]]);\ninput.scatter_add(1, index, src);`,
  },
  {
    id: 'scatter-add-rows',
    page: 'scatter_add',
    source: scatterAddPage,
    code: addRows('[[0, 0, 0], [2, 2, 2], [4, 4, 4]]', 0),
    printed: '[[1. 2. 3. 0. 0.]\n [0. 0. 0. 0. 0.]\n [4. 5. 6. 0. 0.]\n [0. 0. 0. 0. 0.]\n [7. 8. 9. 0. 0.]]',
  },
  {
    id: 'scatter-add-columns',
    page: 'scatter_add',
    source: scatterAddPage,
    code: addRows('[[0, 2, 4], [0, 2, 4], [0, 2, 4]]', 1),
    printed: '[[1. 0. 2. 0. 3.]\n [4. 0. 5. 0. 6.]\n [7. 0. 8. 0. 9.]\n [0. 0. 0. 0. 0.]\n [0. 0. 0. 0. 0.]]',
  },
  {
    id: 'scatter-add-tuples',
    page: 'scatter_add',
    source: scatterAddPage,
    printed: '[[ 3.1  0.3  3.6]\n [ 0.4  0.5 -3.2]]',
    code: `const input_x = new Tensor([[-0.1, 0.3, 3.6], [0.4, 0.5, -3.2]]);\nconst indices = new Tensor([[0, 0], [0, 0]], { dtype: 'int32' });\nconst updates = new Tensor([1, 2.2]);\ninput_x.scatter_add(indices, updates);`,
  },
  {
    id: 'duplicates-add',
    page: 'scatter_add',
    race: true,
    printed: '[[0. 1.]]',
    code: `const input = new Tensor([[0, 0]]);\nconst index = [[0, 0, 0, 1, 1, 1]];\nconst src = new Tensor([[1e8, 1, -1e8, 1e8, -1e8, 1]]);\ninput.scatter_add(1, index, src);`,
  },
  {
    id: 'sum-exact',
    page: 'sums',
    sums: true,
    printed: '[1.]',
    code: `const t = new Tensor([0]);\nt.scatter_add(0, [0, 0, 0], [1e8, 1, -1e8], { sum: 'exact' });`,
  },
  {
    id: 'reduce-sum',
    page: 'scatter_reduce',
    source: torch('Tensor.scatter_reduce'),
    printed: '[ 5., 14., 8., 4.]',
    code: reduced('1, 2, 3, 4', 'sum'),
  },
  {
    id: 'reduce-amax',
    page: 'scatter_reduce',
    source: torch('Tensor.scatter_reduce'),
    printed: '[5., 6., 5., 2.]',
    code: reduced('5, 4, 3, 2', 'amax'),
  },
  {
    id: 'nd-replace',
    page: 'scatter_nd',
    source: onnxPage,
    printed: '[1, 11, 3, 10, 9, 6, 7, 12]',
    code: `const t = new Tensor([1, 2, 3, 4, 5, 6, 7, 8]);\nconst indices = [[4], [3], [1], [7]];\nconst updates = new Tensor([9, 10, 11, 12]);\nt.scatter_nd(indices, updates);`,
  },
  {
    id: 'nd-divide',
    page: 'scatter_nd',
    race: true,
    printed: '[[8, 9], [-64, 1]]',
    code: `const t = new Tensor([[8, 9], [-128, 11]], { dtype: 'int8' });\nconst indices = [[1], [1]];\nconst updates = new Tensor([[-1, 2], [2, 5]], { dtype: 'int8' });\nt.scatter_nd(indices, updates, { reduce: 'div' });`,
  },
  {
    id: 'slices-add',
    page: 'index_add',
    source: torch('Tensor.index_add_'),
    printed: '[[ 2., 3., 4.],\n [ 1., 1., 1.],\n [ 8., 9., 10.],\n [ 1., 1., 1.],\n [ 5., 6., 7.]]',
    code: `const t = Tensor.ones([5, 3]);\nconst index = new Tensor([0, 4, 2], { dtype: 'int64' });\nconst src = new Tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]]);\nt.index_add_(0, index, src);`,
  },
  {
    id: 'slices-select',
    page: 'index_add',
    printed: '[[3, 1], [6, 4]]',
    code: `const t = new Tensor([[1, 2, 3], [4, 5, 6]]);\nconst index = [2, 0];\nt.index_select(1, index);`,
  },
  {
    id: 'scatter-mul-rows',
    page: 'scatter_mul',
    source: scatterMulPage,
    printed: '[[2. 2. 2.]\n [4. 4. 4.]]',
    code: `const input_x = new Parameter([[1, 1, 1], [2, 2, 2]], { name: 'x' });\nconst indices = new Tensor([0, 1], { dtype: 'int32' });\nconst updates = new Tensor([[2, 2, 2], [2, 2, 2]]);\nscatter_mul(input_x, indices, updates);`,
  },
  {
    id: 'scatter-mul-0111',
    page: 'scatter_mul',
    source: scatterMulPage,
    printed: '[[  1.   1.   1.]\n [378. 378. 378.]]',
    code: mulRows('[[0, 1], [1, 1]]'),
  },
  {
    id: 'scatter-mul-1011',
    page: 'scatter_mul',
    source: scatterMulPage,
    printed: '[[  3.   3.   3.]\n [126. 126. 126.]]',
    code: mulRows('[[1, 0], [1, 1]]'),
  },
  {
    id: 'scatter-mul-0101',
    page: 'scatter_mul',
    source: scatterMulPage,
    printed: '[[ 7.  7.  7.]\n [54. 54. 54.]]',
    code: mulRows('[[0, 1], [0, 1]]'),
  },
  {
    id: 'multiply-same',
    page: 'elementwise_mul',
    source: multiplyPage,
    printed: '[2., 15., 8.]',
    code: `const x = new Tensor([2, 3, 4]);\nconst y = new Tensor([1, 5, 2]);\nelementwise_mul(x, y);`,
  },
  {
    id: 'multiply-middle',
    page: 'elementwise_mul',
    source: multiplyPage,
    printedShape: [2, 3, 4, 5],
    code: `const x = Tensor.ones([2, 3, 4, 5]);\nconst y = Tensor.zeros([3, 4]);\nelementwise_mul(x, y, { axis: 1 });`,
  },
  {
    id: 'multiply-last',
    page: 'elementwise_mul',
    source: multiplyPage,
    printedShape: [2, 3, 4, 5],
    code: `const x = Tensor.arange(120).reshape([2, 3, 4, 5]);\nconst y = new Tensor([1, 2, 3, 4, 1]);\nelementwise_mul(x, y, { axis: 3 });`,
  },
  {
    id: 'multiply-clash',
    page: 'elementwise_mul',
    refused: 'ValueError',
    code: `const x = Tensor.arange(12).reshape([2, 3, 2]);\nconst y = new Tensor([1, 10, 100]);\nelementwise_mul(x, y);`,
  },
  {
    id: 'multiply-numpy',
    page: 'mul',
    printed: '[[10, 20], [20, 40], [30, 60]]',
    code: `const t = new Tensor([[1], [2], [3]]);\nconst other = new Tensor([[10, 20]]);\nt.mul(other);`,
  },
  {
    id: 'multiply-in-place',
    page: 'mul',
    refused: 'ValueError',
    code: `const t = new Tensor([[1], [2], [3]]);\nconst other = new Tensor([[10, 20]]);\nt.mul_(other);`,
  },
  {
    id: 'add-table',
    page: 'add',
    printed: '[[11, 21, 31], [12, 22, 32]]',
    code: `const t = new Tensor([[1], [2]]);\nconst other = new Tensor([10, 20, 30]);\nt.add(other);`,
  },
  {
    id: 'div-floor',
    page: 'add',
    printed: '[[3, -4], [-4, 3]]',
    code: `const t = new Tensor([[7, -7], [7, -7]], { dtype: 'int32' });\nconst other = new Tensor([[2, 2], [-2, -2]], { dtype: 'int32' });\nt.div(other, { rounding: 'floor' });`,
  },
  {
    id: 'maximum-row',
    page: 'add',
    printed: '[[4, 5, 3], [4, 2, 6]]',
    code: `const t = new Tensor([[1, 5, 3], [4, 2, 6]]);\nconst other = new Tensor([4, 2, 3]);\nt.maximum_(other);`,
  },
  {
    id: 'elementwise-sub',
    page: 'elementwise_add',
    printed: '[[0, 1, 2], [0, 0, 0]]',
    code: `const x = new Tensor([[1, 2, 3], [4, 5, 6]]);\nconst y = new Tensor([1, 10]);\nelementwise_sub(x, y, { axis: 0, act: 'relu' });`,
  },
  {
    id: 'elementwise-max-clash',
    page: 'elementwise_add',
    refused: 'ValueError',
    code: `const x = new Tensor([[1, 2, 3], [4, 5, 6]]);\nconst y = new Tensor([1, 10]);\nelementwise_max(x, y);`,
  },
  {
    id: 'gather-columns',
    page: 'gather',
    source: gatherPage,
    printed: '[[1, 1],\n [4, 3]]',
    code: `const t = new Tensor([[1, 2], [3, 4]]);\nconst index = new Tensor([[0, 0], [1, 0]], { dtype: 'int64' });\nt.gather(1, index);`,
  },
  {
    id: 'gather-tuples',
    page: 'gather',
    printed: '[3, 2]',
    code: `const t = new Tensor([[1, 2], [3, 4]]);\nconst indices = [[1, 0], [0, 1]];\nt.gather_nd(indices);`,
  },
  {
    id: 'sort-order',
    page: 'sort',
    printed: '[[10, 20, 30], [1, 5, 5]]',
    code: `const t = new Tensor([[30, 10, 20], [5, 5, 1]]);\nconst argsort = [[1, 2, 0], [2, 0, 1]];\nt.gather(1, argsort);`,
  },
  {
    id: 'softmax-sum',
    page: 'scatter_softmax',
    printed: '[1.25, 1, 1.5]',
    code: `const sums = new Tensor([0, 0, 0]);\nconst index = [0, 2, 0, 1, 2];\nconst powers = new Tensor([1, 0.5, 0.25, 1, 1]);\nsums.scatter_add(0, index, powers, { sum: 'exact' });`,
  },
  {
    id: 'spmm-products',
    page: 'spmm',
    printed: '[[10, 20], [0, 0], [301, 402]]',
    code: `const out = new Tensor([[0, 0], [0, 0], [0, 0]]);\nconst rows = [0, 2, 2];\nconst products = new Tensor([[10, 20], [300, 400], [1, 2]]);\nout.index_add(0, rows, products);`,
  },
  {
    id: 'binned-sum',
    page: 'binned_statistic',
    printed: '[3, 0, 12, 4]',
    code: `const sum = new Tensor([0, 0, 0, 0]);\nconst bins = [0, 2, 3, 0, 2];\nconst values = new Tensor([1, 5, 4, 2, 7]);\nsum.scatter_add(0, bins, values, { sum: 'exact' });`,
  },
  {
    id: 'trace-three',
    page: 'trace',
    printed: '[[3, 3], [5, 1]]',
    code: `const t = new Tensor([[0, 0], [0, 0]]);\nconst index = [[0, 0], [0, 1], [1, 0]];\nconst src = new Tensor([[1, 2], [2, 1], [5, 1]]);\nt.scatter_add(0, index, src);`,
  },
  {
    id: 'hero',
    page: 'index',
    printed: '[[1. 30. 3. 40.]\n [50. 6. 60. 8.]]',
    code: `const t = new Tensor([[1, 2, 3, 4], [5, 6, 7, 8]]);\nconst index = [[1, 1, 3], [0, 2, 2]];\nconst src = new Tensor([[10, 30, 40], [50, 20, 60]]);\nt.scatter_(1, index, src);`,
  },
  {
    id: 'why-shape',
    page: 'index',
    refused: 'RuntimeError',
    code: `const t = new Tensor([[1, 2, 3], [4, 5, 6]]);\nconst index = [[0, 1], [2, 0], [1, 1]];\nconst src = new Tensor([[10, 20], [30, 40], [50, 60]]);\nt.scatter_(1, index, src);`,
  },
];

/** The example with this id. @returns {Example} */
export const exampleOf = (id) => examples.find((example) => example.id === id);
