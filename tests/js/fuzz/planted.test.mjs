// The fuzzer finds faults: each of those in planted.mjs, in a short run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setPatience } from './outcome.js';
import { catchAll, load, platform } from './package.mjs';
import { find, plants } from './planted.mjs';

catchAll();
setPatience(500);

for (const name of Object.keys(plants)) {
  test(`finds it: ${name}`, async () => {
    assert.ok(await find(name, { load, platform }), 'not found');
  });
}
