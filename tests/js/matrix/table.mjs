// The cells of the matrix: each is one consumer, one entry of the package and one device, with the result.

import assert from 'node:assert/strict';
import { right } from './source.mjs';

const rows = [];

/** Runs one cell, and notes whether `run` resolves to what `use` of source.mjs makes of a package that works; throws where it does not. */
export async function cell(consumer, entry, device, run) {
  let result = 'ok';
  try {
    assert.equal(await run(), right(device));
  } catch (error) {
    result = 'FAILED';
    throw new Error(`${consumer}, ${entry.specifier}, ${device}: ${error.message}`, { cause: error });
  } finally {
    rows.push({ consumer, entry: entry.specifier, device, result });
  }
}

/** Runs functions that each run a cell, one after the other. All are tried before it throws an error with what failed. */
export async function all(cells) {
  const failures = [];
  for (const run of cells) await run().catch((error) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('\n'));
}

/**
 * Prints all cells so far, and a line for each device that `npm test` counts tests by. `adapter` is the name of the WebGPU adapter;
 * `skipped` says how many cells of WebGPU were left out, by reason.
 */
export function printTable(suite, adapter, skipped = {}) {
  rows.sort((a, b) => a.consumer.localeCompare(b.consumer) || a.entry.localeCompare(b.entry) || a.device.localeCompare(b.device));
  const wide = (key) => Math.max(...rows.map((row) => row[key].length), key.length);
  const line = (row) => `  ${row.consumer.padEnd(wide('consumer'))}  ${row.entry.padEnd(wide('entry'))}  ${row.device.padEnd(6)}  ${row.result}`;
  console.log([line({ consumer: 'consumer', entry: 'entry', device: 'device', result: 'result' }), ...rows.map(line)].join('\n'));
  for (const device of ['cpu', 'webgpu']) {
    const ran = rows.filter((row) => row.device === device);
    const passed = ran.filter(({ result }) => result === 'ok').length;
    const name = device === 'webgpu' ? adapter : '';
    const left = device === 'webgpu' ? Object.entries(skipped) : [];
    const count = left.reduce((sum, [, each]) => sum + each, 0);
    const reasons = count > 0 ? ` (${left.map(([reason, each]) => `${reason}: ${each}`).join(', ')})` : '';
    console.log(`scatterwise-tests: backend=${device} adapter="${name}" suite=${suite} ran=${ran.length} passed=${passed} skipped=${count}${reasons}`);
  }
}
