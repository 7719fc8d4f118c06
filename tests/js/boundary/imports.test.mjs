// The modules in src/js: no circle of imports, no import of a higher room, and each says in its first line what it is for.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';

const folder = new URL('../../../src/js/', import.meta.url);

/** The folders of src/js, from the bottom up: a module imports modules of its own folder and of those before it. `verify` has no class of ours. */
const rooms = ['engine', 'arguments', 'start', 'files', 'tensor', 'entries', 'verify'];
const roomOf = (name) => name.split('/')[0];

const files = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll('\\', '/')).filter((name) => name.endsWith('.js'));
const read = (name) => readFileSync(new URL(name, folder), 'utf8');

/** What the flavours import by a name with #: see tools/package.mjs. */
const flavours = {
  full: { '#binary': 'start/binary.js', '#gpu': 'engine/gpu.js' },
  cpu: { '#binary': 'start/binary.js', '#gpu': 'engine/gpu.none.js' },
};

/** The modules of src/js, by their paths there, that a module imports or exports from. Those of Node and generated ones are left out. */
function importsOf(name, aliases) {
  const from = [...read(name).matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'/gm)].map(([, target]) => target);
  return from.map((target) => aliases[target] ?? (target.startsWith('.') ? posix.join(posix.dirname(name), target) : undefined)).filter(Boolean);
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

  test(`no module imports one of a higher room, ${flavour}`, () => {
    for (const name of files) {
      assert.ok(rooms.includes(roomOf(name)), `${name} is in no room`);
      for (const next of importsOf(name, aliases)) assert.ok(rooms.indexOf(roomOf(next)) <= rooms.indexOf(roomOf(name)), `${name} imports ${next}`);
    }
  });
}

test('each module says what it is for', () => {
  // wire.js is generated.
  for (const name of files) if (name !== 'engine/wire.js') assert.match(read(name), /^\/\/ [A-Z].{20,}/, name);
});
