// `node tools/calls.mjs`: writes tests/rust/common/calls.json, random calls for the Rust tests. `tools/calls.test.mjs` compares the file with this.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { untyped } from '../tests/js/calls/elements.js';
import { nativeCall } from '../tests/js/calls/random.js';
import { Numbers } from '../src/js/verify/numbers.js';
import { root } from './shell.mjs';

const [SEED, CALLS] = [1, 2200];

/** An operand as the file has it: elements in base64, an index as a list, self by its name, a number as the vectors have it. */
function recorded(value, call, isIndex) {
  if (value === undefined || value === call.self) return value && 'self';
  const { dtype, shape, data, scalar } = value;
  if (shape) return { dtype, shape, data: isIndex ? Array.from(data, Number) : Buffer.from(untyped(data)).toString('base64') };
  if (typeof scalar === 'boolean') return { scalar: 'bool', value: scalar };
  const isWhole = typeof scalar === 'bigint' || (Number.isInteger(scalar) && !Object.is(scalar, -0));
  return { scalar: isWhole ? 'int' : 'float', value: isWhole ? Number(scalar) : Object.is(scalar, -0) ? '-0' : Number.isFinite(scalar) ? scalar : String(scalar) };
}

const sizeOf = ({ self, index, source }) => [self, index, source].reduce((size, operand) => size + (operand?.data?.length ?? 0), 0);

/** The text of the file. Small calls come first, so that the first one that fails is a simple one. */
export function callsText() {
  const calls = Array.from({ length: CALLS }, (_, n) => nativeCall(new Numbers(SEED, n))).sort((one, other) => sizeOf(one) - sizeOf(other));
  const rows = calls.map((call) => {
    const { op, form, how, dim, self, index, source } = call;
    return JSON.stringify({ op, form, how, dim, self: recorded(self, {}), index: recorded(index, call, true), src: recorded(source, call) });
  });
  return `[\n${rows.join(',\n')}\n]\n`;
}

export const callsFile = join(root, 'tests', 'rust', 'common', 'calls.json');

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(callsFile, callsText());
