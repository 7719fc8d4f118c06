// Where an element is. By itself, because the entry `scatterwise/verify` has it too.

/** The coordinates of the element with a number, in row-major order, in a tensor of a shape. */
export function positionOf(shape, element) {
  const position = [];
  for (const size of [...shape].reverse()) {
    position.unshift(element % size);
    element = Math.floor(element / size);
  }
  return position;
}
