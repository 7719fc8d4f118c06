// Reads from a test program's output how many tests ran, on what, and why some failed.

/**
 * The counts of Cargo's tests, native and in a browser, `{ passed, failed, skipped, reasons, failures }`: the sums over all test binaries.
 * `failures` is what it says of the tests that failed.
 */
export function readCargo(output) {
  const text = plain(output);
  const failures = [...text.matchAll(/^failures:\n\n(----.*?)^failures:$/gms)];
  const results = [...text.matchAll(/^test result: .*? (\d+) passed; (\d+) failed; (\d+) ignored;/gm)];
  const sum = (column) => results.reduce((total, result) => total + Number(result[column]), 0);
  const ignored = [...text.matchAll(/^test (\S+) .*?\.\.\. ignored(?:, (.*))?$/gm)];
  return {
    passed: sum(1),
    failed: sum(2),
    skipped: sum(3),
    reasons: ignored.map(([, test, reason = 'marked #[ignore]']) => `${test}: ${reason}`),
    failures: failures.map(([, failure]) => failure.trim()).join('\n\n'),
  };
}

/** The same of `node --test` with the spec reporter. A test that was cancelled has failed. */
export function readNode(output) {
  const text = plain(output);
  const count = (name) => Number(text.match(new RegExp(`^ℹ ${name} (\\d+)$`, 'm'))?.[1] ?? 0);
  const skips = [...text.matchAll(/^\s*﹣ (.+?) \([\d.]+m?s\)(?: # (.*))?$/gm)];
  return {
    passed: count('pass'),
    failed: count('fail') + count('cancelled'),
    skipped: count('skipped') + count('todo'),
    reasons: skips.map(([, test, reason = 'no reason given']) => `${test}: ${reason}`),
    failures: text.split(/^✖ failing tests:$/m)[1]?.trim() ?? '',
  };
}

/**
 * What the tests themselves say they ran on, summed for each backend and adapter. They print lines such as
 * `scatterwise-tests: backend=webgpu adapter="llvmpipe" suite=gather ran=12 skipped=3 (no float64: 2, no int64: 1)`.
 */
export function readBackends(output) {
  const backends = new Map();
  for (const [, line] of plain(output).matchAll(/scatterwise-tests: (.*)$/gm)) {
    const facts = Object.fromEntries([...line.matchAll(/(\w+)=(?:"(.*?)"|(\S+))/g)].map(([, key, quoted, bare]) => [key, quoted ?? bare]));
    const { backend, adapter = '', ran = 0, skipped = 0 } = facts;
    const key = `${backend} ${adapter}`;
    const sum = backends.get(key) ?? { backend, adapter, ran: 0, skipped: 0, reasons: {} };
    sum.ran += Number(ran);
    sum.skipped += Number(skipped);
    const [, reasons = ''] = line.match(/ skipped=\d+ \((.+)\)$/) ?? [];
    for (const [, reason, count] of reasons.matchAll(/(.+?): (\d+)(?:, |$)/g)) {
      sum.reasons[reason] = (sum.reasons[reason] ?? 0) + Number(count);
    }
    backends.set(key, sum);
  }
  return [...backends.values()];
}

/** An output without colours, and with the line ends of Unix. */
const plain = (output) => output.replace(/\x1b\[[\d;]*m/g, '').replaceAll('\r\n', '\n');
