//! Runs jobs on several threads. Only the entry `scatterwise/threads` has any, which is made of the binary of the whole library.
//!
//! A thread is a worker with an instance of this same module on the same memory, in which nothing but kernels runs: a kernel allocates
//! nothing, calls no import and cannot panic. JavaScript keeps the workers and hands out the chunks (`src/js/start/threads.js`). All
//! synchronisation is there: Rust's atomics are plain accesses in this build.

#![allow(unreachable_pub, reason = "wasm-bindgen exports public items only")]

use std::cell::Cell;
use std::mem::transmute;
use std::ptr::from_ref;

use wasm_bindgen::prelude::*;

use crate::engine::cpu::kernels::{CheckResult, Job};

/// The most threads, the caller among them.
const MOST: usize = 16;
/// The least work of a chunk, in elements, unless a test asks for less: some 20 µs.
const CHUNK: usize = 16 << 10;
/// A job with less work than so many chunks wakes nobody.
const LEAST: usize = 4;
/// Chunks for each thread at most. A thread that comes late costs a chunk.
const CHUNKS_PER_THREAD: usize = 8;

/// Parts for each thread at most, where each part needs a table.
const PARTS_PER_THREAD: usize = 2;
/// The most slots of a table that each part gets: what fits a cache.
const MOST_SLOTS: usize = 1 << 16;
/// A part has at least so many elements for each slot: its table is filled and merged.
const WORK_PER_SLOT: usize = 8;
/// Ranges of slots for each thread, in the partition of an index.
const RANGES_PER_THREAD: usize = 2;
/// Fewer slots than this are not divided into ranges: so many additions to one slot would wait for each other that nothing is gained.
const LEAST_SLOTS: usize = 4096;

/// The number of a chunk has 8 bits in `src/js/start/chunks.js`, where 255 is no number of a chunk.
const MOST_CHUNKS: usize = 254;

thread_local! {
    /// The number of threads. Workers do not read it.
    static THREADS: Cell<usize> = const { Cell::new(1) };
    /// The least work of a chunk.
    static LEAST_CHUNK: Cell<usize> = const { Cell::new(CHUNK) };
}

#[wasm_bindgen(module = "/src/js/engine/threads.js")]
extern "C" {
    /// Runs `chunks` chunks of a job on all threads, and returns when all are complete. Each is a call of [`run_chunk`] with a check result
    /// that belongs to its thread.
    fn share(entry: usize, job: usize, check_results: usize, items: usize, chunks: usize);
}

/// Sets the number of threads. Returns how many there will be.
#[wasm_bindgen]
pub fn set_threads(count: usize) -> usize {
    let count = count.clamp(1, MOST);
    THREADS.set(count);
    count
}

/// For tests: sets the least work of a chunk, in elements. 0 makes chunks of one item.
#[wasm_bindgen]
pub fn set_least_chunk(work: usize) {
    LEAST_CHUNK.set(work);
}

/// Memory for the stack of a worker, which is never freed: the address of its end.
#[wasm_bindgen]
pub fn thread_stack(size: usize) -> usize {
    let stack: &mut [u128] = vec![0; size / size_of::<u128>()].leak();
    stack.as_ptr_range().end.addr()
}

#[inline(always)]
pub(crate) fn exist() -> bool {
    THREADS.get() > 1
}

/// Runs a job in chunks on all threads. `None`, and nothing has run, if there is one thread or the job has too little work.
#[inline(always)]
pub(crate) fn run<J: Job>(job: &J) -> Option<CheckResult> {
    let threads = THREADS.get();
    if threads == 1 {
        None
    } else {
        run_shared(run_items::<J>, from_ref(job).addr(), [job.len(), job.grain()], job.work(), threads)
    }
}

/// [`run`] on several threads, for the job at an address: compiled once for all kinds of jobs.
#[inline(never)]
fn run_shared(
    entry: Entry,
    job: usize,
    [items, grain]: [usize; 2],
    work: usize,
    threads: usize,
) -> Option<CheckResult> {
    let chunks = match LEAST_CHUNK.get() {
        0 => items.min(MOST_CHUNKS),
        least => {
            let most = (items / grain.max(1)).max(threads);
            (work / least).min(threads * CHUNKS_PER_THREAD).min(items).min(most)
        }
    };
    if chunks < 2 || !is_worth(work) {
        return None;
    }
    let mut check_results = [CheckResult::NOTHING; MOST];
    share(entry as usize, job, check_results.as_mut_ptr().addr(), items, chunks);
    Some(check_results.into_iter().fold(CheckResult::NOTHING, CheckResult::and))
}

fn is_worth(work: usize) -> bool {
    work / LEAST >= LEAST_CHUNK.get()
}

/// [`Cpu::parts`](super::run::Cpu::parts).
pub(crate) fn parts(work: usize, slots: usize) -> usize {
    let threads = THREADS.get();
    if threads == 1 || slots > MOST_SLOTS || !is_worth(work) {
        return 1;
    }
    let least = match LEAST_CHUNK.get() {
        0 => 1,
        least => least.max(WORK_PER_SLOT * slots),
    };
    (work / least).min(threads * PARTS_PER_THREAD)
}

/// [`Cpu::ranges`](super::run::Cpu::ranges). The first use of an index is divided only in tests.
pub(crate) fn ranges(entries: usize, slots: usize, is_used: bool) -> usize {
    let threads = THREADS.get();
    let gains = is_used && slots >= LEAST_SLOTS || LEAST_CHUNK.get() == 0;
    if threads > 1 && gains && is_worth(entries) { threads * RANGES_PER_THREAD } else { 1 }
}

/// Runs some items of the job at an address, and adds to a check result.
type Entry = unsafe fn(job: *const u8, check_result: &mut CheckResult, first: usize, end: usize);

/// # Safety
/// `job` must be the address of a `J`.
unsafe fn run_items<J: Job>(job: *const u8, check_result: &mut CheckResult, first: usize, end: usize) {
    // SAFETY: as the caller promises; a job is plain data, and nobody writes to it.
    let job = unsafe { &*job.cast::<J>() };
    *check_result = check_result.and(job.run(first..end));
}

/// Runs chunk number `at` of `chunks` of a job. Called by JavaScript, in a worker too. The numbers are those that [`share`]
/// got; `check result` is the address of the thread's own check result.
///
/// # Safety
/// The other numbers must be those of the `share` that is running.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn run_chunk(
    entry: usize,
    job: usize,
    check_result: usize,
    items: usize,
    chunks: usize,
    at: usize,
) {
    let edge = |number: usize| (items as u64 * number as u64 / chunks.max(1) as u64) as usize;
    // SAFETY: `run_shared` made these numbers of an `Entry`, the address of a job of its type, and that of an array of check results. All of
    // these outlive `share`, and no two threads have the same check result.
    unsafe {
        let run: Entry = transmute(entry);
        run(job as *const u8, &mut *(check_result as *mut CheckResult), edge(at), edge(at + 1));
    }
}
