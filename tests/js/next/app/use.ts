// TypeScript, so that Next.js writes the tsconfig.json of a new project, without `strict`, and checks the package's types by it.
import { init, Tensor } from 'scatterwise';

/** A small scatter on the CPU, called by the server component, the route handler and the page. Resolves to device and result as text. */
export async function use() {
  const { device } = await init({ device: 'cpu' });
  const t: Tensor<'float32'> = Tensor.zeros([2, 3]);
  const result: Tensor = t.scatter_(1, [[0], [2]], 5);
  return `${device}: ${JSON.stringify(await result.tolist())}`;
}
