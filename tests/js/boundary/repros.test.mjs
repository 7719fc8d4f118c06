// Calls that once broke the package (reproductions.mjs), each in a process of its own.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { reproductions } from './reproductions.mjs';

const program = fileURLToPath(new URL('reproductions.mjs', import.meta.url));
const LIMIT = 300_000; // ms

/**
 * Runs a case by its place in the list. Resolves to its output, and to its exit code or the name of the signal that ended it:
 * after `LIMIT`, SIGTERM. The heap may have 8,000 MB, because some cases make arrays of gigabytes.
 */
const run = (number) =>
  new Promise((done) => {
    const child = spawn(process.execPath, ['--max-old-space-size=8000', program, String(number)], { stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.on('close', (code, signal) => done({ code: code ?? signal, output }));
  });

for (const [number, { name, isBig }] of reproductions.entries()) {
  const skip = isBig && process.env.BIG !== '1' && 'takes up to 10 GB of memory: BIG=1';
  test(`${number}: ${name}`, { skip }, async () => {
    const { code, output } = await run(number);
    assert.equal(code, 0, output.slice(0, 3000));
  });
}
