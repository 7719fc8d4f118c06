// What ran in `npm test`: a heading before each run; at the end a table, and why something failed.

import { readBackends } from './counts.mjs';
import { show, together, Trouble, watch } from './shell.mjs';

/** Whether what cannot run is a failure, as on CI; elsewhere it is skipped, and the table says why. */
const strict = Boolean(process.env.SCATTERWISE_REQUIRE_ALL) || !['', 'false', undefined].includes(process.env.CI);

/** What `npm test` ran. */
export class Report {
  #stages = [];
  #parallel;

  /** With `parallel`, stages run beside each other: the output of each part then appears as a whole when the part ends. */
  constructor({ parallel = false } = {}) {
    this.#parallel = parallel;
  }

  /** Runs `body(stage)`, the work of a stage. Resolves to whether it came to its end; one that throws counts as one failure. */
  async stage(name, body) {
    const stage = new Stage(name, this.#parallel);
    this.#stages.push(stage);
    try {
      await body(stage);
      return true;
    } catch (error) {
      console.error(error instanceof Trouble ? error.message : error);
      stage.add({ run: 'stopped', failed: 1, notes: [error.message] });
      return false;
    }
  }

  /**
   * Prints the table, the messages of the failed parts (their first copy is far above, or cut out of a log) and the closing line; returns
   * how many failed.
   */
  finish() {
    const numbers = ['passed', 'failed', 'skipped'];
    const all = this.#stages.flatMap(({ name, rows }) => rows.map((row) => ({ stage: name, ...row })));
    const total = Object.fromEntries(numbers.map((name) => [name, all.reduce((sum, row) => sum + row[name], 0)]));
    const line = (label, cells) => console.log(label.padEnd(32) + cells.map((cell) => String(cell).padStart(9)).join(''));
    console.log();
    line('', ['ran', ...numbers, 'seconds']);
    for (const { stage, run, passed, failed, skipped, seconds, notes } of all) {
      line(`${stage}: ${run}`, [passed + failed, passed, failed, skipped, seconds.toFixed(1)]);
      for (const note of notes) console.log(`    ${note}`);
    }
    for (const { stage, run, failures } of all.filter(({ failures }) => failures)) console.log(`\n${stage}: ${run} failed:\n${shorten(failures)}`);
    const beside = this.#parallel ? `, in ${performance.now() / 1000 | 0} s: stages ran beside each other` : '';
    console.log(`\n${numbers.map((name) => `${total[name]} ${name}`).join(', ')}${beside}`);
    return total.failed;
  }
}

/** One stage: the parts of it that ran, each a row of the table. */
class Stage {
  #parallel;
  /**
   * `{ run, passed, failed, skipped, seconds, notes, failures }`: the name of a part, its counts, how long it took, lines to print below it,
   * and its messages of failures.
   */
  rows = [];

  constructor(name, parallel) {
    this.name = name;
    this.#parallel = parallel;
  }

  /** Runs a part of the stage, called `run`, under its own heading. `body` resolves to the counts of its row, and so does this. */
  async part(run, body) {
    const start = performance.now();
    /** Shows the heading, then runs the part. */
    const headed = () => {
      show(`\n── ${this.name}: ${run} ${'─'.repeat(Math.max(0, 72 - this.name.length - run.length))}\n`);
      return body();
    };
    if (this.#parallel) console.log(`\n… ${this.name}: ${run} begins`);
    const counts = await (this.#parallel ? together(headed) : headed());
    this.add({ run, ...counts, seconds: (performance.now() - start) / 1000 });
    return counts;
  }

  /** Runs a command that passes or fails as a whole; it also fails where its output has a `complaint`. Resolves to whether it passed. */
  async check(run, program, args, { env, complaint } = {}) {
    const { passed } = await this.part(run, async () => {
      const { code, output } = await watch(program, args, { env });
      const passed = code === 0 && !complaint?.test(output);
      return { passed: Number(passed), failed: Number(!passed), failures: passed ? '' : output };
    });
    return passed === 1;
  }

  /**
   * Runs a command that runs tests. `read` takes the counts from its output (see counts.mjs). It fails also where no test ran, where the
   * program fails without a test that does, and where the tests did not say themselves that they ran on each of `backends`.
   */
  async tests(run, program, args, { env, read, backends = [] }) {
    await this.part(run, async () => {
      const { code, output } = await watch(program, args, { env });
      const { passed, failed, skipped, reasons, failures } = read(output);
      const reported = readBackends(output);
      const wrongs = [];
      if (code === 0) {
        if (passed === 0) wrongs.push('no test ran');
        const ranOn = (name) => reported.some(({ backend, ran }) => backend === name && ran > 0);
        wrongs.push(...backends.filter((name) => !ranOn(name)).map((name) => `no test reported that it ran on ${name}`));
      } else if (failed === 0) {
        wrongs.push(`the test program stopped with exit code ${code}`);
      }
      const notes = [...wrongs, ...reported.map(describe), ...reasons.map((reason) => `skipped ${reason}`)];
      return { passed, failed: failed + wrongs.length, skipped, notes, failures: failures || (code === 0 ? '' : output) };
    });
  }

  /** Adds a row for a part that cannot run on this machine, and why. */
  unavailable(run, why) {
    this.add({ run, [strict ? 'failed' : 'skipped']: 1, notes: [`not run: ${why}`] });
  }

  /** Adds a row; missing fields are 0, or no notes. */
  add(counts) {
    this.rows.push({ passed: 0, failed: 0, skipped: 0, seconds: 0, notes: [], failures: '', ...counts });
  }
}

/** The last lines of a text: a program explains a failure at its end. */
const shorten = (text) => text.trimEnd().split('\n').slice(-40).map((line) => line.slice(0, 300)).join('\n');

/** What ran on a backend, as text. */
function describe({ backend, adapter, ran, skipped, reasons }) {
  const on = adapter ? `${backend} (${adapter})` : backend;
  const why = Object.entries(reasons).map(([reason, count]) => `\n        ${count} × ${reason}`);
  return `${on}: ${ran} rows ran, ${skipped} skipped${why.join('')}`;
}
