// The recorded calls of the Rust tests are those that the generator draws.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { callsFile, callsText } from './calls.mjs';

test('tests/rust/common/calls.json is what tools/calls.mjs writes', () => {
  assert.ok(readFileSync(callsFile, 'utf8') === callsText(), 'node tools/calls.mjs');
});
