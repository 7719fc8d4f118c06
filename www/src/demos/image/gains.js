/** The three ways in which a gain meets a picture of shape [3, height, width], and the axis that says so. */
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

/** From one gain to the other, in even steps. */
function ramp(first, last, count) {
  return Float32Array.from({ length: count }, (_each, at) => first + ((last - first) * at) / Math.max(1, count - 1));
}
