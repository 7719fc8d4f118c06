// Chunks of a job, claimed by threads: the protocol between the caller's thread and its workers. Both import this.
//
// `control` is an Int32Array on shared memory of its own; the constants are places in it. `generation` is the number of a job.

/** The generation in the upper 24 bits, the number of the next chunk in the lower 8. */
const CLAIM = 0;
/** The number of the next chunk while a job is written: no job has so many. */
const CLOSED = 255;
/** Counts jobs: a worker waits for a change. */
const SIGNAL = 1;
/** How many chunks are complete. */
const DONE = 2;
/** How many workers sleep. */
const ASLEEP = 3;
/** Whether workers stay awake. */
const AWAKE = 4;
/** Whether a chunk has trapped. */
const TRAPPED = 5;
/** The job: what `share` of src/engine/cpu/threads.rs gives. */
const [ENTRY, JOB, RESULTS, ITEMS, CHUNKS] = [6, 7, 8, 9, 10];
/** The length of `control`. */
export const WORDS = 16;

/** Bytes of a check result: see src/engine/cpu/kernels/job.rs. */
const RESULT = 32;
/** Times that a worker looks for the next job before it sleeps: some 20 µs. */
const LOOKS = 2000;
/** Times that the caller looks for the end of the last chunks between two looks at the clock. */
const PATIENCE = 1 << 16;
/** After so many ms without an answer a worker counts as dead. */
const MOST_TIME = 60_000;

/** Claims a chunk of a job. Returns its number, or -1 if none is left. */
function claim(control, generation) {
  for (;;) {
    const seen = Atomics.load(control, CLAIM);
    const at = seen & 255;
    if (seen >>> 8 !== generation || at >= Atomics.load(control, CHUNKS)) return -1;
    // CHUNKS may be that of a later job by now. Then CLAIM has changed before it, and this fails.
    if (Atomics.compareExchange(control, CLAIM, seen, seen + 1) === seen) return at;
  }
}

/** Runs chunks until none is left. `runChunk` is an export of the thread's instance, `thread` its number; the caller's is 0. */
function runChunks(control, generation, runChunk, thread) {
  for (let at = claim(control, generation); at >= 0; at = claim(control, generation)) {
    // The job cannot change before this chunk is complete.
    const [entry, job, results, items, chunks] = control.subarray(ENTRY, ENTRY + 5);
    try {
      runChunk(entry, job, results + thread * RESULT, items, chunks, at);
    } catch {
      Atomics.store(control, TRAPPED, 1);
    }
    Atomics.add(control, DONE, 1);
  }
}

/** What the caller's thread has: a function that runs a job on all threads, and one that keeps them awake. */
export function makeCaller(control, runChunk) {
  let generation = 0;
  return {
    /** Runs a job. Throws, as a trap does, if a chunk has trapped, or a worker does not answer. */
    share(entry, job, results, items, chunks) {
      generation = (generation + 1) & 0xffffff;
      Atomics.store(control, CLAIM, (generation << 8) | CLOSED);
      [entry, job, results, items, chunks].forEach((word, at) => Atomics.store(control, ENTRY + at, word));
      Atomics.store(control, DONE, 0);
      Atomics.store(control, CLAIM, generation << 8);
      wake(control);
      runChunks(control, generation, runChunk, 0);
      waitFor(control, chunks);
      if (Atomics.load(control, TRAPPED) !== 0) throw new WebAssembly.RuntimeError('a thread failed');
    },
    setAwake(isAwake) {
      Atomics.store(control, AWAKE, isAwake ? 1 : 0);
      wake(control);
    },
  };
}

/** Tells the workers that there is something new. */
function wake(control) {
  Atomics.add(control, SIGNAL, 1);
  if (Atomics.load(control, ASLEEP) > 0) Atomics.notify(control, SIGNAL);
}

/** Waits for the chunks that others have claimed. A page's thread must not sleep, so it looks again and again. */
function waitFor(control, chunks) {
  let start;
  for (let looks = 1; Atomics.load(control, DONE) < chunks; looks++) {
    if (looks % PATIENCE !== 0) continue;
    start ??= performance.now();
    if (performance.now() - start > MOST_TIME) throw new WebAssembly.RuntimeError('a thread has not answered');
  }
}

/** What a worker does from its start on: it runs chunks of each job, and sleeps in between. It never returns. */
export function serve(control, runChunk, thread) {
  for (let seen = Atomics.load(control, SIGNAL); ; seen = nextSignal(control, seen)) {
    runChunks(control, Atomics.load(control, CLAIM) >>> 8, runChunk, thread);
  }
}

/** Waits until the signal is no longer `seen`, and returns it. */
function nextSignal(control, seen) {
  for (let looks = 0; looks < LOOKS || Atomics.load(control, AWAKE) !== 0; looks++) {
    const now = Atomics.load(control, SIGNAL);
    if (now !== seen) return now;
  }
  Atomics.add(control, ASLEEP, 1);
  Atomics.wait(control, SIGNAL, seen); // returns at once if it has changed meanwhile
  Atomics.sub(control, ASLEEP, 1);
  return Atomics.load(control, SIGNAL);
}
