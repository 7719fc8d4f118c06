// What only `strict` can tell: without it undefined, and the elements of [], are of any type.

import { Tensor, vjp } from 'scatterwise';

const told = new Tensor([1], { dtype: undefined });
told satisfies Tensor<'float32'>;
const empty = new Tensor([]);
empty satisfies Tensor<'float32'>;

// Without values there is no gradient of values.
const ofDense = vjp('spmm', told, [1, 0], [0, 1], undefined, told);
('dense' as keyof typeof ofDense) satisfies 'dense';
