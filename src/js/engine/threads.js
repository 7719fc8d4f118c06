// The seam between the library and its threads, which only the entry `scatterwise/threads` has. Rust imports `share`.

/** The shared memory for the instance; undefined for an instance with a memory of its own. */
let sharedMemory;
let runner;
/** What `backend()` says of threads, `{ count, reason }`; undefined in the other entries. */
let facts;

/** Has the next instance take this memory, or one of its own if it is undefined. */
export function useMemory(memory) {
  sharedMemory = memory;
}

/** The imports of an instance, with its memory if it takes one. tools/package.mjs puts calls of it into wasm-bindgen's glue. */
export const withMemory = (imports) => (sharedMemory === undefined ? imports : { ...imports, env: { memory: sharedMemory } });

/** Sets what runs jobs. Without it Rust never calls `share`. */
export function useRunner(run) {
  runner = run;
}

/** Runs `chunks` chunks of a job and returns when all are complete: see src/engine/cpu/threads.rs. */
export const share = (entry, job, results, items, chunks) => runner(entry, job, results, items, chunks);

export const threadFacts = () => facts;
export function setThreadFacts(known) {
  facts = known;
}
