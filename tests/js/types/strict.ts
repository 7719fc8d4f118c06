// What only `strict` can tell: without it undefined, and the elements of [], are of any type.

import { Tensor } from 'scatterwise';

const told = new Tensor([1], { dtype: undefined });
told satisfies Tensor<'float32'>;
const empty = new Tensor([]);
empty satisfies Tensor<'float32'>;
