import { init, Tensor } from 'scatterwise';

/** A small scatter on the CPU, called by the server component, the route handler and the page. Resolves to device and result as text. */
export async function use() {
  const { device } = await init({ device: 'cpu' });
  return `${device}: ${JSON.stringify(await Tensor.zeros([2, 3]).scatter_(1, [[0], [2]], 5).tolist())}`;
}
