import { init, Tensor } from 'scatterwise/cpu';
import wasm from './scatterwise_cpu_simd.wasm?module'; // copied here by next.test.mjs: the edge runtime compiles nothing itself

export const runtime = 'edge';

/** The scatter of `use.ts` by the entry without GPU code, with the compiled binary. */
export async function GET() {
  const { device } = await init({ wasm });
  return new Response(`${device}: ${JSON.stringify(await Tensor.zeros([2, 3]).scatter_(1, [[0], [2]], 5).tolist())}`);
}
