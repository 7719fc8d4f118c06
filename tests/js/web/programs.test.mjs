// Whole programs in a page: the results of a plain loop, with the same bits on both devices.

import assert from 'node:assert/strict';
import { programs } from '../../../benches/programs/index.js';
import { rowsInPages } from './web.mjs';

const row = rowsInPages('programs', { device: 'webgpu' });

for (const [name, { title }] of Object.entries(programs)) {
  // As text, because a page's function sees nothing of this file.
  const body = `async (library) => {
    const { differences, programs: { ${name}: program } } = await import('/benches/programs/index.js');
    const data = () => program.make(program.sizes.small, 1);
    const results = {};
    const held = library.memory().tensors;
    for (const device of ['cpu', 'webgpu']) {
      await library.set_device(device);
      results[device] = await program.library(library, data());
    }
    const bits = (list) => String(Array.isArray(list) ? list : new Uint8Array(list.buffer, list.byteOffset, list.byteLength));
    return {
      wrong: differences(program, results.webgpu, program.plain(data())),
      others: Object.keys(results.cpu).filter((name) => bits(results.cpu[name]) !== bits(results.webgpu[name])),
      left: library.memory().tensors - held,
    };
  }`;
  row(title, body, (found) => assert.deepEqual(found, { wrong: [], others: [], left: 0 }));
}
