// Whole programs in Node: the library gives the results of a plain loop. tests/js/web runs them on both devices.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as scatterwise from 'scatterwise';
import { differences, programs } from '../../../benches/programs/index.js';

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
