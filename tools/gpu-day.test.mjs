import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adapterOf, pageOf, rowOf, slug, testsOf, withRow, wrongOf } from '../benches/gpu-day/page.mjs';
import { executable, stepsOf } from '../benches/gpu-day/steps.mjs';

const constants = `Adapter: NVIDIA X1 (), a hardware adapter.
float32 products of multiplies: Guarded. 3 rounds, interleaved; medians.

## Quads of a thread

Text.

| quads | median |
| ----- | ------:|
| 1     | 9 µs   |

## Chosen against best

No row.
`;
const day = {
  format: 1, date: '2026-11-29', commit: 'abcdef01', quick: false, machine: { cpu: 'a CPU', cores: 4, system: 'linux 6' },
  steps: {
    constants: { title: 'Constants, each forced', state: 'done', seconds: 9, output: constants },
    'suite-dims': { title: 'Tests, dims', state: 'done', seconds: 3, output: 'test suites::dims::one ... ok\ntest result: ok. 8 passed; 0 failed; 0 ignored\n' },
    'suite-sort': { title: 'Tests, sort', state: 'cut', seconds: 60, output: 'test suites::sort::one ... ok\ntest suites::sort::two ... FAILED\n' },
    browser: { title: 'In Chromium, beside tfjs', state: 'left out', why: 'there is no Chromium or Chrome' },
  },
};

test('a day: the adapter, the tests of whole suites and of one that was cut off', () => {
  assert.deepEqual(adapterOf(day), { name: 'NVIDIA X1', isSoftware: false, float32: 'guarded' });
  assert.equal(slug('NVIDIA X1 (LLVM 15.0, 256 bits)'), 'nvidia-x1-llvm-15-0-256-bits');
  assert.deepEqual(testsOf(day), { passed: 9, failed: 1, names: ['suites::sort::two'], unfinished: ['sort (cut)'] });
  assert.equal(wrongOf(day), 0);
  assert.equal(wrongOf({ steps: { forced: { output: '| chosen | WRONG |\n| keys | WRONG |' } } }), 2);
  assert.equal(adapterOf({ steps: {} }), undefined);
});

test('a day becomes a page: a failed test is named in it, tables keep their headings, a step that could not run says why', () => {
  const page = pageOf(day);
  for (const part of ['# NVIDIA X1\n', '`suites::sort::two`', '### Quads of a thread\n\n| quads', '| In Chromium, beside tfjs | left out: there is no Chromium or Chrome | – |']) {
    assert.ok(page.includes(part), `${part} is not in\n${page}`);
  }
  assert.ok(!page.includes('all bits the CPU\'s'));
  assert.ok(!page.includes('Chosen against best'), 'a heading without a table');
});

test('a row goes below those of the table, once', () => {
  const text = '# Adapters\n\n## Natively\n\n| adapter |\n| --- |\n| one |\n\nText.\n\n| other |\n';
  const row = rowOf({ ...day, steps: { constants: day.steps.constants, 'suite-dims': day.steps['suite-dims'] } });
  assert.equal(row, '| NVIDIA X1 | linux 6 | `benches/gpu-day`: 8 of 8 tests, all bits the CPU\'s | guarded | abcdef01 | 2026-11-29 |');
  const written = withRow(text, row);
  assert.equal(written, text.replace('| one |\n', `| one |\n${row}\n`));
  assert.equal(withRow(written, row), written);
});

test('steps: every one has a program or says what it lacks; a quick day has fewer', () => {
  const [full, quick] = [false, true].map((quick) => stepsOf({ quick }));
  for (const step of [...full, ...quick]) assert.ok(step.program || step.lacks, step.id);
  assert.equal(new Set(full.map(({ id }) => id)).size, full.length);
  assert.ok(quick.length < full.length);
  assert.equal(executable('text\n{"executable":null}\n{"executable":"a"}\n{"reason":"x"}\n'), 'a');
});
