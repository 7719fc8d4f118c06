// node chunks.mjs FILE OUT [FIRST END]: the exact sums of float32 numbers by group, of the whole file or of numbers FIRST to END - 1.
import { open, writeFile } from 'node:fs/promises';
import { ExactSum, init } from 'scatterwise';

const GROUPS = 16;
const CHUNK = 1 << 16;
const [from, to, first = 0, end = Infinity] = process.argv.slice(2);

await init({ device: 'cpu' });
const sums = new ExactSum([GROUPS]);
const file = await open(from);
const numbers = new Float32Array(CHUNK);
for (let at = Number(first); at < end; ) {
  const wanted = Math.min(CHUNK, end - at);
  const { bytesRead } = await file.read(numbers, 0, 4 * wanted, 4 * at);
  const count = Math.floor(bytesRead / 4);
  if (count === 0) break;
  const groups = Int32Array.from({ length: count }, (_, k) => (at + k) % GROUPS);
  sums.add(0, groups, numbers.subarray(0, count));
  at += count;
}
await file.close();
await writeFile(to, await sums.to_bytes());
