// The notices of what the package contains: tools/notices/LICENSE-THIRD-PARTY, which cargo-about makes, names the crates that Cargo.lock has now.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

test('the notices name every crate in the binaries, at its version', () => {
  const kinds = ['--edges', 'normal', '--target', 'wasm32-unknown-unknown', '--features', 'npm'];
  const tree = execFileSync('cargo', ['tree', '--locked', ...kinds, '--prefix', 'none', '--format', '{p}'], { cwd: root, encoding: 'utf8' });
  const crates = new Set(Array.from(tree.matchAll(/^(\S+) v(\S+)/gm), ([, name, version]) => `${name} ${version}`));
  for (const each of crates) if (each.startsWith('scatterwise ')) crates.delete(each);
  const text = readFileSync(`${root}/tools/notices/LICENSE-THIRD-PARTY`, 'utf8');
  const named = new Set(Array.from(text.matchAll(/^ {2}([\w-]+ \d+\.\d+\.\S+)$/gm), ([, crate]) => crate));
  assert.deepEqual([...named].sort(), [...crates].sort(), 'docs/RELEASING.md says how to make tools/notices/LICENSE-THIRD-PARTY again');
});
