import { ExactSum, init } from 'scatterwise';

const starting = init({ device: 'cpu' });

// Adds the terms of a message, and sends the bytes of their exact sums.
onmessage = async ({ data: { index, src } }) => {
  await starting;
  const sums = new ExactSum([3]).add(0, index, src);
  const bytes = await sums.to_bytes();
  sums.dispose();
  postMessage(bytes, [bytes.buffer]);
};
