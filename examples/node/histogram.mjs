import { readFile, writeFile } from 'node:fs/promises';
import { init, Tensor } from 'scatterwise';

const [from, to] = process.argv.slice(2);
await init();
const points = Tensor.from_npy(await readFile(from));
const counts = Tensor.zeros([10], { dtype: 'int32' }).scatter_add_(0, points, 1);
console.log(String(counts));
await writeFile(to, await counts.to_npy());
