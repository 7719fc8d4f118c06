// node make.mjs FILE: a million numbers to try the others with, of many sizes and of both signs.
import { writeFileSync } from 'node:fs';

const numbers = Float32Array.from({ length: 1_000_000 }, (_, i) => (i % 2 ? -1 : 1) * 2 ** ((i * 7919) % 60) * (1 + (i % 4093) / 4096));
writeFileSync(process.argv[2], numbers);
