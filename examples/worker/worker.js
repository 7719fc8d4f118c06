import { init, Tensor } from 'scatterwise';

const starting = init();

// Counts the samples of each message, numbers from 0 to 9, and sends the ten counts back.
onmessage = async ({ data: samples }) => {
  await starting;
  const counts = Tensor.zeros([10], { dtype: 'int32' }).scatter_add_(0, samples, 1);
  const values = await counts.data();
  counts.dispose();
  postMessage(values, [values.buffer]);
};
