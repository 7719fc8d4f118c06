// The modules in src/js, without its folders: no circle of imports, and each says in its first line what it is for.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const folder = new URL('../../../src/js/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
const read = (name) => readFileSync(new URL(name, folder), 'utf8');

/** What the flavours import by a name with #: see tools/package.mjs. */
const flavours = { full: { '#binary': 'binary.js', '#gpu': 'gpu.js' }, cpu: { '#binary': 'binary.cpu.js', '#gpu': 'gpu.none.js' } };

/** The modules of src/js, by their names there, that a module imports or exports from. Those of Node and generated ones are left out. */
function importsOf(name, aliases) {
  const from = [...read(name).matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'/gm)].map(([, target]) => target);
  return from.map((target) => aliases[target] ?? target).filter((target) => /^\.\/|\.js$/.test(target)).map((target) => target.replace('./', ''));
}

for (const [flavour, aliases] of Object.entries(flavours)) {
  test(`no module imports itself by way of others, ${flavour}`, () => {
    const done = new Set();
    const visit = (name, path) => {
      assert.ok(!path.includes(name), `a circle: ${[...path, name].join(' → ')}`);
      if (done.has(name)) return;
      for (const next of importsOf(name, aliases)) visit(next, [...path, name]);
      done.add(name);
    };
    for (const name of files) visit(name, []);
  });
}

test('each module says what it is for', () => {
  // wire.js is generated.
  for (const name of files) if (name !== 'wire.js') assert.match(read(name), /^\/\/ [A-Z].{20,}/, name);
});
