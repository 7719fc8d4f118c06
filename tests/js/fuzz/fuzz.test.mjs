// A short run of the fuzzer, the same every time: nothing that JavaScript does may break the package. `npm run fuzz` runs it for longer.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { entry } from './package.mjs';

const CALLS = Number(process.env.SCATTERWISE_FUZZ_CALLS ?? 1_000_000);
const SEED = 1;

test(`${CALLS} adversarial, random, nested and interrupted calls`, (t) => {
  const program = fileURLToPath(new URL('fuzz.mjs', import.meta.url));
  const args = [program, '--calls', CALLS, '--seed', SEED, '--entry', entry].map(String);
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const [summary] = stdout.match(/^seed .*$/m) ?? [`the fuzzer ended with ${signal ?? status}: ${stderr.slice(-2000)}`];
  for (const line of stdout.split('\n').filter((line) => /^\w+: \d+ calls|^ended|^seed/.test(line))) t.diagnostic(line);
  assert.equal(status, 0, `${stdout.slice(0, 20_000)}\n${summary}`);
});
