// node merge.mjs FILE...: the sums of all parts, each rounded once.
import { readFile } from 'node:fs/promises';
import { ExactSum, init } from 'scatterwise';

await init({ device: 'cpu' });
const [first, ...others] = await Promise.all(process.argv.slice(2).map(async (name) => ExactSum.from_bytes(new Uint8Array(await readFile(name)))));
for (const other of others) first.merge(other);
console.log((await first.sum().data()).join(' '));
