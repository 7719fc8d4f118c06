/**
 * The examples on the page, in order. To add one, add an entry: code, and the result to compare with.
 *
 * `printed` is the result as the source prints it; without a `source` it is what Scatterwise defines. An example that
 * has to fail names the error class in `refused` instead. Facts (numbers, signatures) come from the sources; words are
 * ours.
 * @typedef {{
 *   id: string, title: string, signature: string, formula: string, note: string, code: string,
 *   printed?: string, refused?: string, source?: Source,
 * }} Example
 * @typedef {{ name: string, url: string }} Source
 * @typedef {{ id: string, title: string, lead: string, examples: Example[] }} Group
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
const gatherPage = {
  name: 'PyTorch, torch.gather',
  url: 'https://docs.pytorch.org/docs/stable/generated/torch.gather.html',
};

/** @type {Group[]} */
export const groups = [
  {
    id: 'scatter_',
    title: 'Write where the index points',
    lead: '`scatter_` changes the tensor in place and returns that same tensor. Its four forms: a tensor or one number as the source, with or without arithmetic.',
    examples: [
      {
        id: 'scatter-tensor',
        title: 'Replace',
        signature: 'scatter_(dim, index, src)',
        formula: 'self[i][index[i][j]] = src[i][j]',
        note: 'Along dim 1 each row keeps its row, and the index picks the column. Here every row is written back to front.',
        code: `const this_tensor = new Tensor([[1, 2], [3, 4]]);
const index = new Tensor([[1, 0], [1, 0]], { dtype: 'int64' });
const src = new Tensor([[4, 3], [2, 1]]);
this_tensor.scatter_(1, index, src);
return this_tensor;`,
        printed: '[[3., 4.],\n [1., 2.]]',
        source: scatterPage,
      },
      {
        id: 'scatter-tensor-add',
        title: 'Add',
        signature: 'scatter_(dim, index, src, { reduce })',
        formula: 'self[i][index[i][j]] += src[i][j]',
        note: 'The same targets, but what was there stays and the source is added to it. The other choice is `multiply`.',
        code: `const this_tensor = new Tensor([[1, 2], [3, 4]]);
const index = new Tensor([[1, 0], [1, 0]], { dtype: 'int64' });
const src = new Tensor([[4, 3], [2, 1]]);
this_tensor.scatter_(1, index, src, { reduce: 'add' });
return this_tensor;`,
        printed: '[[4., 6.],\n [4., 6.]]',
        source: scatterPage,
      },
      {
        id: 'scatter-value',
        title: 'Replace with one number',
        signature: 'scatter_(dim, index, value)',
        formula: 'self[index[i][j]][j] = value',
        note: 'Along dim 0 the index picks the row. It has one column, so only the first column is written.',
        code: `const this_tensor = new Tensor([[1, 2], [3, 4]]);
const index = new Tensor([[0], [1]], { dtype: 'int64' });
this_tensor.scatter_(0, index, 10);
return this_tensor;`,
        printed: '[[10., 2.],\n [10., 4.]]',
        source: scatterPage,
      },
      {
        id: 'scatter-value-multiply',
        title: 'Multiply by one number',
        signature: 'scatter_(dim, index, value, { reduce })',
        formula: 'self[index[i][j]][j] *= value',
        note: 'The multiplying form is the one that most libraries for JavaScript lack.',
        code: `const this_tensor = new Tensor([[1, 2], [3, 4]]);
const index = new Tensor([[0], [1]], { dtype: 'int64' });
this_tensor.scatter_(0, index, 3, { reduce: 'multiply' });
return this_tensor;`,
        printed: '[[3., 2.],\n [9., 4.]]',
        source: scatterPage,
      },
    ],
  },
  {
    id: 'scatter_add',
    title: 'Add up along an axis',
    lead: '`scatter_add` returns a new tensor and leaves `self` alone; `scatter_add_` is its in-place twin. The index may be longer than the axis: that is how the histogram above counts.',
    examples: [
      {
        id: 'scatter-add-row',
        title: 'Into one row',
        signature: 'scatter_add(dim, index, src)',
        formula: 'self[i][index[i][j]] += src[i][j]',
        note: 'Two places of the row receive eight each.',
        code: `const input = new Tensor([[1, 2, 3, 4, 5]]);
const src = new Tensor([[8, 8]]);
const index = new Tensor([[2, 4]], { dtype: 'int64' });
return input.scatter_add(1, index, src);`,
        printed: '[[1. 2. 11. 4. 13.]]',
        source: scatterAddPage,
      },
      {
        id: 'scatter-add-rows',
        title: 'Into chosen rows',
        signature: 'scatter_add(dim, index, src)',
        formula: 'self[index[i][j]][j] += src[i][j]',
        note: 'Along dim 0 each source row lands in the row that its index names: 0, 2 and 4.',
        code: `const input = Tensor.zeros([5, 5]);
const src = new Tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
const index = new Tensor([[0, 0, 0], [2, 2, 2], [4, 4, 4]], { dtype: 'int64' });
return input.scatter_add(0, index, src);`,
        printed: '[[1. 2. 3. 0. 0.]\n [0. 0. 0. 0. 0.]\n [4. 5. 6. 0. 0.]\n [0. 0. 0. 0. 0.]\n [7. 8. 9. 0. 0.]]',
        source: scatterAddPage,
      },
      {
        id: 'scatter-add-columns',
        title: 'Into chosen columns',
        signature: 'scatter_add(dim, index, src)',
        formula: 'self[i][index[i][j]] += src[i][j]',
        note: 'The same source along dim 1: now the index names columns, and the rows stay.',
        code: `const input = Tensor.zeros([5, 5]);
const src = new Tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
const index = new Tensor([[0, 2, 4], [0, 2, 4], [0, 2, 4]], { dtype: 'int64' });
return input.scatter_add(1, index, src);`,
        printed: '[[1. 0. 2. 0. 3.]\n [4. 0. 5. 0. 6.]\n [7. 0. 8. 0. 9.]\n [0. 0. 0. 0. 0.]\n [0. 0. 0. 0. 0.]]',
        source: scatterAddPage,
      },
    ],
  },
  {
    id: 'gather',
    title: 'Read where the index points',
    lead: '`gather` is scatter turned round: the index says where to read, and the result has the shape of the index.',
    examples: [
      {
        id: 'gather-columns',
        title: 'Pick columns',
        signature: 'gather(dim, index)',
        formula: 'out[i][j] = self[i][index[i][j]]',
        note: 'Reading one place twice is fine.',
        code: `const t = new Tensor([[1, 2], [3, 4]]);
const index = new Tensor([[0, 0], [1, 0]], { dtype: 'int64' });
return t.gather(1, index);`,
        printed: '[[1, 1],\n [4, 3]]',
        source: gatherPage,
      },
    ],
  },
  {
    id: 'contract',
    title: 'Where other libraries leave you guessing',
    lead: 'Two entries that hit one place, sums that depend on their order, an index that points outside: the answers are part of the contract here, and the same on every device.',
    examples: [
      {
        id: 'duplicates-replace',
        title: 'Three writes, one place',
        signature: 'scatter_(dim, index, src)',
        formula: 'self[i][index[i][j]] = src[i][j]',
        note: 'The last entry in row-major order wins. Always, also when a thousand GPU threads race for the place.',
        code: `const t = new Tensor([[1, 2, 3]]);
t.scatter_(1, [[1, 1, 1]], new Tensor([[10, 20, 30]]));
return t;`,
        printed: '[[1. 30. 3.]]',
      },
      {
        id: 'duplicates-add',
        title: 'The same three numbers, in two orders',
        signature: 'scatter_add(dim, index, src)',
        formula: 'self[i][index[i][j]] += src[i][j]',
        note: '`float32` forgets the 1 when it is added to 100 million. The order of additions therefore shows in the result, and it is the order of the index: left to right here.',
        code: `const input = Tensor.zeros([1, 2]);
const index = [[0, 0, 0, 1, 1, 1]];
const src = new Tensor([[1e8, 1, -1e8, 1e8, -1e8, 1]]);
return input.scatter_add(1, index, src);`,
        printed: '[[0. 1.]]',
      },
      {
        id: 'out-of-range',
        title: 'An index that points outside',
        signature: 'scatter_(dim, index, src)',
        formula: 'self[i][index[i][j]] = src[i][j]',
        note: 'Every index is checked before the first write. One bad entry, and nothing at all is written. Change the 3 to a 2 to let it through.',
        code: `const t = new Tensor([[1, 2, 3], [4, 5, 6]]);
const index = [[0, 1, 2], [2, 3, 0]];
const src = new Tensor([[10, 20, 30], [40, 50, 60]]);
return t.scatter_(1, index, src);`,
        refused: 'IndexError',
      },
    ],
  },
];
