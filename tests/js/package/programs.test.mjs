// Whole programs in Node: the library gives the results of a plain loop, and so does the peer of its benchmark. tests/js/web runs
// the library's on both devices.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { before, test } from 'node:test';
import * as scatterwise from 'scatterwise';
import { differences, programs } from '../../../benches/programs/index.js';
import { lacks, load } from '../../../benches/programs/peers/index.js';

before(() => scatterwise.init({ device: 'cpu' }));

for (const program of Object.values(programs)) {
  test(program.title, async () => {
    for (const seed of [1, 2, 3]) {
      const held = scatterwise.memory().tensors;
      const results = await program.library(scatterwise, program.make(program.sizes.small, seed));
      assert.deepEqual(differences(program, results, program.plain(program.make(program.sizes.small, seed))), [], `seed ${seed}`);
      assert.equal(scatterwise.memory().tensors, held, 'tensors that its scope left behind');
    }
  });
}

const installed = existsSync(new URL('../../../benches/programs/node_modules', import.meta.url));
for (const [name, program] of Object.entries(programs).filter(([name]) => !lacks[name])) {
  test(`${program.title}, by its peer`, { skip: !installed && 'npm ci --prefix benches/programs' }, async () => {
    const { peer } = await load(name);
    const data = () => program.make(program.sizes.small, 1);
    assert.deepEqual(differences(program, await peer(data()), program.plain(data())), []);
  });
}
