// The entry `scatterwise/verify`: compares recorded and random calls on a device and on the CPU, by bits, through the public API alone.
// The importer passes the library, so that it is the instance that the page runs. verify.d.ts describes the options and a report.
//
// An outcome of a call is `{ results }` or `{ error }`: see calls.js. Counts are `{ of, same, different, not_supported }`. Times are in
// milliseconds, except the option `seconds`.

import { cases } from '#cases';
import { difference } from './bits.js';
import { decode, describe, outcomeOf, shortName } from './calls.js';
import { randomCall } from './random.js';
import { platform, verdict } from './report.js';

/** The number of random calls, if there is time. */
const RANDOM = 600;
/** The most calls in flight. Their reads overlap, but each call may have to compile first. */
const TOGETHER = 4;
/**
 * After a group of calls that takes less than SHORT ms the next one is larger, after more than LONG ms smaller: a first call may compile
 * for a second.
 */
const [SHORT, LONG] = [200, 800];
/** The share of the allowed time that recorded calls may take if random ones follow. */
const RECORDED = 0.7;
/** The longest wait for an answer after the end of the run's time, in ms. */
const GRACE = 8000;
/** The most failures that a report describes. */
const SHOWN = 20;
/** The most retries of a call after the library replaced one of its pipelines, which computed other bits than the CPU. */
const RETRIES = 3;

/** Codes of errors for a missing feature of a device. */
const LACKS = ['unsupported-on-device', 'wrong-device'];

/** Makes `verify` for an instance of the library, given by its exports. */
export function verifier(library) {
  return async function verify(options) {
    const wanted = readOptions(options);
    await ensureStarted(library);
    return new Run(library, wanted, await reach(library, wanted.device)).report();
  };
}

function refuse(Type, argument, text, code = 'invalid-argument') {
  throw Object.assign(new Type(`verify: ${argument} ${text}`), { code, op: 'verify', argument });
}

function readOptions(options = {}) {
  if (typeof options !== 'object' || options === null) refuse(TypeError, 'options', 'must be an object');
  const { device = 'webgpu', seconds = 10, seed = Math.floor(Math.random() * 2 ** 31), on_progress, ...others } = options;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuse(TypeError, 'options', `has '${unknown}', which is no option; there is device, seconds, seed, on_progress`, 'unknown-option');
  if (!['cpu', 'webgpu'].includes(device)) refuse(TypeError, 'device', "must be 'cpu' or 'webgpu'");
  if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= 3600)) refuse(TypeError, 'seconds', 'must be a number from 0, exclusive, to 3600');
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 31) refuse(TypeError, 'seed', 'must be an integer from 0 to 2^31 - 1');
  if (on_progress !== undefined && typeof on_progress !== 'function') refuse(TypeError, 'on_progress', 'must be a function');
  return { device, seconds, seed, on_progress };
}

async function ensureStarted({ backend, init }) {
  try {
    backend();
  } catch (error) {
    if (error.code !== 'not-initialized') throw error;
    await init();
  }
}

/**
 * Starts the wanted device if possible, and returns `{ device, why }`: the device whose calls are compared, and the reason if it is the
 * CPU. New tensors go where they went before.
 */
async function reach({ backend, set_device }, wanted) {
  const before = backend().device;
  if (wanted === 'cpu') return { device: 'cpu', why: 'the CPU was asked for' };
  if (before === 'webgpu') return { device: 'webgpu' };
  try {
    await set_device('webgpu');
    return { device: 'webgpu' };
  } catch (error) {
    return { device: 'cpu', why: error.message.replace(/^set_device: /, '') };
  } finally {
    if (backend().device !== before) await set_device(before);
  }
}

const noCounts = () => ({ of: 0, same: 0, different: 0, not_supported: 0 });
const pause = () => new Promise((next) => setTimeout(next));

class Run {
  #library;
  #wanted;
  #begun = performance.now();
  /** Whether `on_progress` has asked to stop. */
  #stopped = false;
  /** Whether the device did not answer in time. */
  #silent = false;
  #failures = [];
  /** The features that the device lacks: `{ code, count }` by operator and dtype. */
  #lacking = new Map();
  #done = 0;
  /** Why the device is the CPU; else null. */
  #why;
  #device;

  constructor(library, wanted, { device, why }) {
    this.#library = library;
    this.#wanted = wanted;
    this.#device = device;
    this.#why = why ?? null;
  }

  /** Makes the calls, the recorded ones first, and returns the report. */
  async report() {
    const { seed, seconds } = this.#wanted;
    const isCompared = this.#device !== 'cpu';
    const recorded = { cpu: noCounts(), ...(isCompared && { webgpu: noCounts() }) };
    const random = isCompared ? noCounts() : null;
    const drawn = isCompared ? Array.from({ length: RANDOM }, (_, n) => n) : [];
    const total = cases.length + drawn.length;
    const time = seconds * 1000;
    await this.#runInGroups(cases, total, isCompared ? RECORDED * time : time, (recordedCall) => this.#compareRecorded(recordedCall, recorded));
    const complete = this.#done === cases.length;
    await this.#runInGroups(drawn, total, time, (n) => this.#compareRandom(n, random));
    const report = {
      format: 1,
      outcome: '', // both are set below
      verdict: '',
      version: this.#library.backend().version,
      date: new Date().toISOString(),
      device: this.#device,
      reason: this.#why,
      seed,
      seconds_allowed: seconds,
      seconds: Math.round(performance.now() - this.#begun) / 1000,
      complete,
      answered: !this.#silent,
      // Copies: a silent device may answer calls later, which are still counted.
      recorded: Object.fromEntries(Object.entries(recorded).map(([device, counts]) => [device, { ...counts }])),
      random: random && { ...random },
      failures: [...this.#failures],
      not_supported: [...this.#lacking].map(([call, { code, count }]) => ({ call, code, count })),
      backend: this.#library.backend(),
      platform: platform(),
    };
    return Object.assign(report, verdict(report, cases.length));
  }

  /**
   * Runs `run(item)` for items in groups. The calls of a group are made together. Stops `time` after the start of the run, if
   * `on_progress` asks to, or if the device does not answer. The first group always runs, so that a report has some calls of each kind.
   * After each group the page gets its turn. `total` is the number of calls of the whole run, for `on_progress`.
   */
  async #runInGroups(items, total, time, run) {
    const end = this.#begun + time;
    let together = 1;
    for (let at = 0; at < items.length; ) {
      const start = performance.now();
      if (this.#stopped || this.#silent || (at > 0 && start > end)) return;
      const group = items.slice(at, at + together);
      const work = Promise.all(group.map(run)).then(() => true);
      if (!(await answered(work, Math.max(end - start, 0) + GRACE))) {
        this.#silent = true;
        return;
      }
      at += group.length;
      this.#done += group.length;
      if (this.#wanted.on_progress?.(this.#done, total) === false) this.#stopped = true;
      await pause();
      const took = performance.now() - start;
      if (took < SHORT) together = Math.min(2 * together, TOGETHER);
      else if (took > LONG) together = Math.max(together >> 1, 1);
    }
  }

  /** Makes a recorded call on every device in `counts`, which has the counts by device, and compares the results with the recorded ones. */
  async #compareRecorded(recordedCall, counts) {
    const results = recordedCall.results.map(({ data, ...result }) => ({ ...result, bytes: decode(data) }));
    for (const device of Object.keys(counts)) {
      const outcome = await this.#outcome(recordedCall, device);
      this.#judge({ call: recordedCall, id: recordedCall.id, kind: 'recorded', device }, outcome, { results }, counts[device]);
    }
  }

  /** Makes random call `n` on the device and on the CPU, and compares. */
  async #compareRandom(n, counts) {
    const { seed } = this.#wanted;
    const call = randomCall(seed, n);
    const [expected, outcome] = [await this.#outcome(call, 'cpu'), await this.#outcome(call, this.#device)];
    this.#judge({ call, id: `${seed}/${n}`, kind: 'random', device: this.#device }, outcome, expected, counts);
  }

  /** The outcome of a call on a device. Repeats a call after the library found its pipeline wrong and replaced it. */
  async #outcome(call, device) {
    for (let attempt = 0; ; attempt++) {
      const outcome = await outcomeOf(this.#library, call, device);
      if (outcome.error?.code !== 'unreliable-arithmetic' || attempt === RETRIES) return outcome;
    }
  }

  /** Compares the outcome `got` of a call with the outcome `expected`, and counts it. A failure has the properties of `what`. */
  #judge({ call, ...what }, got, expected, counts) {
    counts.of++;
    if (got.error && expected.error && got.error.code === expected.error.code) {
      counts.same++; // both refused it
      return;
    }
    if (LACKS.includes(got.error?.code) && !expected.error) {
      counts.not_supported++;
      this.#lacks(`${shortName(call.op)} ${call.self.dtype}`, got.error.code);
      return;
    }
    const found = problem(got, expected);
    if (!found) {
      counts.same++;
      return;
    }
    counts.different++;
    if (this.#failures.length < SHOWN) this.#failures.push({ ...what, call: describe(call), ...found });
  }

  /** Counts one more call that the device does not support. `call` is its operator and dtype, `code` the code of the error. */
  #lacks(call, code) {
    const entry = this.#lacking.get(call) ?? { code, count: 0 };
    entry.count++;
    this.#lacking.set(call, entry);
  }
}

/** The difference between the outcomes `got` and `expected`, as the properties of a failure; null if they are equal. */
function problem(got, expected) {
  if (got.error || expected.error) {
    const { name, code = null, message } = got.error ?? expected.error;
    return { error: { name, code, message, from: got.error ? 'the device' : 'the CPU alone' } };
  }
  for (const [at, one] of got.results.entries()) {
    const found = difference(one, expected.results[at]);
    if (found) return { dtype: expected.results[at].dtype, result: at, ...found };
  }
  return null;
}

/**
 * A promise of whether `work`, a promise of true, finishes within `ms` milliseconds. Rejects if the work does; a failed call does not
 * reject the work.
 */
async function answered(work, ms) {
  let timer;
  const late = new Promise((done) => {
    timer = setTimeout(() => done(false), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
