// In a file of its own: an engine without `using` cannot parse it.

import { memory, Tensor } from '../../../target/npm/scatterwise/index.js';

export function tensorsLeftBehind() {
  const before = memory().tensors;
  {
    using t = Tensor.zeros([4]);
    t.scatter_(0, [1], 1);
  }
  return memory().tensors - before;
}
