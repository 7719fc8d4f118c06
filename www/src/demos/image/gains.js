/**
 * The ways to multiply a picture of shape [3, height, width] by gains: the axis at which they are aligned, their shape, and how they are
 * made of three levers. Rows and columns use the first and the last lever only, and go evenly from one to the other.
 */
export const modes = {
  channel: {
    axis: 0,
    shape: () => [3],
    gains: ([red, green, blue]) => Float32Array.of(red, green, blue),
  },
  row: {
    axis: 1,
    shape: ({ height }) => [height],
    gains: ([top, , bottom], { height }) => ramp(top, bottom, height),
  },
  column: {
    axis: 2,
    shape: ({ width }) => [width],
    gains: ([left, , right], { width }) => ramp(left, right, width),
  },
};

/** So many gains from the first to the last, in even steps. */
function ramp(first, last, count) {
  return Float32Array.from({ length: count }, (_each, at) => first + ((last - first) * at) / Math.max(1, count - 1));
}
