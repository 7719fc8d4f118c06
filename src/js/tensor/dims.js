// Reductions along dimensions: the methods sum, amax, argmax and their siblings. types.d.ts describes them.

import { addRows } from './tensor.js';
import { runMethod } from './own.js';

// warm_up.js imports this file in builds without the family.
if (HAS.dims) {
  addRows('dims', (op, row) => ({
    method(dim, options) {
      return runMethod(op, row, this, dim, options)[0];
    },
  }));
}
