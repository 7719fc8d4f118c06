// Derived files agree with their sources: docs/ADAPTERS.md with the reports, and the page's ways to scatter with the library's. `verify()`
// has a recorded call of each operation on two tensors and each reduction of dimensions.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { operators, rowOf } from '../src/js/arguments/operators.js';
import { thresholds } from '../www/src/verify/thresholds.js';
import { browserOf, crossing, presentThresholds, readDocument, readReport, readReports, reportsFolder, sectionOf, withSection } from './adapters.mjs';
import { recordedCases } from './cases.mjs';
import { root } from './shell.mjs';

const text = (...path) => readFileSync(join(root, ...path), 'utf8');

test('docs/ADAPTERS.md is up to date', () => {
  const reports = readReports(reportsFolder);
  assert.ok(reports.length >= 2);
  assert.equal(withSection(readDocument(), reports), readDocument(), 'node tools/adapters.mjs --write');
});

test('every operation on two tensors and every reduction of dimensions has a recorded call', () => {
  const recorded = new Set(recordedCases().map(({ op }) => op));
  const wanted = operators().filter((op) => ['pair', 'dims'].includes(rowOf(op).run) && op !== 'Tensor.mul'); // elementwise_mul is recorded
  assert.ok(wanted.length > 15);
  assert.deepEqual(wanted.filter((op) => !recorded.has(op)), []);
});

test('the page names the ways to scatter in the order of the library', () => {
  const kebab = (name) => name.replace(/\B[A-Z]/g, '-$&').toLowerCase();
  const [, all] = /pub const ALL: &'static \[Self\] = &\[([^\]]*)\]/.exec(text('src', 'scatter', 'gpu', 'strategy.rs'));
  const library = [...all.matchAll(/Self::(\w+)/g)].map(([, name]) => kebab(name));
  const [, names] = /export const WAYS = \[([^\]]*)\]/.exec(text('www', 'src', 'verify', 'ladders.js'));
  const page = [...names.matchAll(/'([\w-]+)'/g)].map(([, name]) => name);
  assert.deepEqual(page, library);
  for (const { below, above } of Object.values(thresholds)) assert.ok(page.includes(below) && page.includes(above));
  assert.ok(Object.values(presentThresholds()).every((value) => value > 0));
});

/** A size with the times of two ways, as `crossing` takes it; a way whose time is 0 was not timed. */
const step = (x, small, run) => ({ x, ms: { ...(small && { small }), ...(run && { run }) } });
const ways = { below: 'small', above: 'run' };

test('a threshold is where one way overtakes the other for good', () => {
  assert.equal(crossing([step(1, 1, 5), step(4, 2, 5), step(16, 9, 5)], ways), 16);
  assert.equal(crossing([step(16, 9, 5), step(1, 1, 5)], ways), 16, 'in any order');
  assert.equal(crossing([step(1, 9, 5), step(4, 2, 5), step(16, 9, 5)], ways), 16, 'not where it is ahead once');
  assert.equal(crossing([step(1, 9, 5), step(4, 9, 5)], ways), 1);
  assert.equal(crossing([step(1, 1, 5), step(4, 2, 5)], ways), Infinity);
  assert.equal(crossing([step(1, 1, 5), step(4, 0, 5)], ways), 4, 'what was too slow to be timed has lost');
  assert.equal(crossing([], ways), undefined);
  assert.equal(crossing(undefined, ways), undefined);
});

/** A report of an adapter that does not exist. Its way 'small' is the faster one below the size `small`; `more` are other fields. */
function madeUp({ software = false, small = 4, ...more } = {}) {
  const counts = { of: 10, same: 9, different: 0, not_supported: 1 };
  const steps = [256, 1024, 4096].map((x) => ({ x, ms: { small: x < small ? 1 : 3, 'run-per-thread': 2 }, chosen: 'small', wrong: [] }));
  return {
    format: 1, outcome: 'same', complete: true, version: '9.9.9', date: '2030-01-02T03:04:05.678Z', recorded: { webgpu: counts }, random: counts,
    backend: { webgpu: { vendor: 'acme', architecture: 'a|b', description: '', software }, numerics: { float32: 'native' } },
    platform: { user_agent: 'Mozilla/5.0 (X11) Gecko/20100101 Firefox/190.0', system: 'Plan 9' },
    times: { complete: true, ladders: { small: steps } },
    ...more,
  };
}

test('a report becomes a line, and its times become thresholds', () => {
  const section = sectionOf([madeUp({ software: true, small: 9999 }), madeUp({ small: 1024 })]);
  assert.match(section, /^\| acme a\\\|b \(software\) \| Firefox 190 \| Plan 9 \| same bits: 18 of 18, 2 not supported \| native \| 9\.9\.9 \| 2030-01-02 \|$/m);
  assert.match(section, /^\| acme a\\\|b \(software\) \| Firefox 190 \| above 4096 \| – \| – \| – \|$/m);
  assert.match(section, /^\| in the middle of 1 physical adapters \|  \| 1024 \| – \| – \| – \|$/m, 'software adapters decide nothing');
  assert.match(sectionOf([madeUp({ complete: false })]), /same bits: 18 of 18, 2 not supported; its time was too short/);
  assert.match(sectionOf([madeUp({ outcome: 'different', random: { of: 10, same: 7, different: 3, not_supported: 0 } })]), /\*\*3 of 20 differ\*\*/);
});

test('what is no report is refused by name', () => {
  /** Asserts that a report, or another text, is refused in these words. */
  const refused = (report, words) => assert.throws(() => readReport(typeof report === 'string' ? report : JSON.stringify(report), 'mine.json'), words);
  assert.deepEqual(readReport(JSON.stringify(madeUp()), 'mine.json'), madeUp());
  refused('{', /mine\.json is no JSON/);
  refused('null', /mine\.json lacks format 1/);
  refused(madeUp({ outcome: 'not-compared' }), /lacks an outcome/);
  refused(madeUp({ backend: { webgpu: null } }), /lacks an adapter/);
  refused(madeUp({ recorded: {} }), /lacks the counts/);
  refused(madeUp({ date: 'today' }), /lacks a date/);
});

test('browsers are known by name', () => {
  const agents = {
    'Chromium, headless, 156': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36',
    'Edge 156': 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0',
    'Chrome 156': 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    'Safari 26.1': 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
  };
  for (const [name, user_agent] of Object.entries(agents)) assert.equal(browserOf({ user_agent }), name);
});
