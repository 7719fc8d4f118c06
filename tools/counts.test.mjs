import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBackends, readCargo, readNode } from './counts.mjs';

test('cargo: sums the test binaries, and says what was ignored and what failed', () => {
  const native = `
running 3 tests
test plan::wraps ... ok
test plan::slow ... ignored, takes minutes
test plan::fails ... FAILED

successes:

---- plan::wraps stdout ----
12 shapes

failures:

---- plan::fails stdout ----
thread 'plan::fails' panicked at tests/plan.rs:3:5:
one step is missing

failures:
    plan::fails

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
test result: \x1b[32mok\x1b[0m. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
`;
  const failures = "---- plan::fails stdout ----\nthread 'plan::fails' panicked at tests/plan.rs:3:5:\none step is missing";
  assert.deepEqual(readCargo(native), { passed: 5, failed: 1, skipped: 1, reasons: ['plan::slow: takes minutes'], failures });
});

test('cargo: reads the runner for browsers', () => {
  const browser = `
test b ... ignored
test a ... ok

test result: ok. 1 passed; 0 failed; 1 ignored; 0 filtered out; finished in 0.02s
`;
  assert.deepEqual(readCargo(browser), { passed: 1, failed: 0, skipped: 1, reasons: ['b: marked #[ignore]'], failures: '' });
});

test('node: takes the closing counts, the reasons of skips and what failed', () => {
  const output = `
✔ starts (12.5ms)
﹣ plays on a GPU (0.1ms) # there is none
﹣ waits (0.1ms) # SKIP
✖ stops (3ms)
ℹ tests 5
ℹ pass 1
ℹ fail 1
ℹ cancelled 1
ℹ skipped 2
ℹ todo 0

✖ failing tests:

test at tests/js/web/stop.test.mjs:4:1
✖ stops (3ms)
  Error: it went on
`;
  assert.deepEqual(readNode(output), {
    passed: 1,
    failed: 2,
    skipped: 2,
    reasons: ['plays on a GPU: there is none', 'waits: SKIP'],
    failures: 'test at tests/js/web/stop.test.mjs:4:1\n✖ stops (3ms)\n  Error: it went on',
  });
});

test('nothing that looks like a test is nothing that passed', () => {
  assert.equal(readCargo('error: could not compile').passed, 0);
  assert.equal(readNode('SyntaxError').passed, 0);
  assert.deepEqual(readBackends('scatterwise'), []);
});

test('backends: sums the suites of each adapter and the reasons for skips', () => {
  const output = `
scatterwise-tests: backend=cpu adapter="" suite=gather ran=7 passed=7 skipped=0 ()
scatterwise-tests: backend=webgpu adapter="llvmpipe (LLVM 15.0.6, 256 bits)" suite=gather ran=3 passed=3 skipped=2 (no float64: 2)
prefix scatterwise-tests: backend=webgpu adapter="llvmpipe (LLVM 15.0.6, 256 bits)" suite=errors ran=1 passed=0 skipped=3 (no float64: 1, an int8, computed: 2)
`;
  assert.deepEqual(readBackends(output), [
    { backend: 'cpu', adapter: '', ran: 7, skipped: 0, reasons: {} },
    {
      backend: 'webgpu',
      adapter: 'llvmpipe (LLVM 15.0.6, 256 bits)',
      ran: 4,
      skipped: 5,
      reasons: { 'no float64': 3, 'an int8, computed': 2 },
    },
  ]);
});
