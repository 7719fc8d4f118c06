// The objects that `trace` returns.

export function make_step(k, index, source, destination, before, operand, after) {
  return { k, index, source, destination, before, operand, after };
}

export function make_trace(steps, result) {
  return { steps, result };
}
