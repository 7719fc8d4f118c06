// The position of an element. In a file of its own, because the entry `scatterwise/verify` also uses it.

/** The coordinates of element number `element`, in row-major order, in a tensor of this shape. */
export function positionOf(shape, element) {
  const position = [];
  for (const size of [...shape].reverse()) {
    position.unshift(element % size);
    element = Math.floor(element / size);
  }
  return position;
}
