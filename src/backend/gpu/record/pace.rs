//! How much work one submission has.
//!
//! A page shares the GPU with the browser, which draws between submissions; and a system resets a GPU that seems to hang. So work is
//! submitted in pieces of some 100 ms. How much that is follows from how long earlier submissions took. It stays within bounds that are
//! harmless if a measurement is wrong: natively a submission is only seen to end when somebody waits.
//!
//! The unit is a round of a loop in one thread, on average over the threads of a dispatch. Rounds of different passes differ by a factor of
//! ten or so, and by more where one thread has most of the work.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::backend::gpu::hooks::hook;

/// Milliseconds that a submission should take.
const AIM: u64 = 100;
/// Rounds that a submission may have before one was measured.
const FIRST: u64 = 1 << 26;
/// The fewest rounds that a submission may be limited to, so that the cost of submitting stays small beside the work, and the most.
const BOUNDS: [u64; 2] = [1 << 18, 1 << 28];
/// A submission of fewer rounds than it may have, divided by this, is not measured unless it took a tenth of `AIM`: it is mostly overhead.
const MEASURED_PART: u64 = 4;

/// The work of the batch that is being recorded, and how much it may be.
pub(crate) struct Pace {
    /// Rounds of the batch so far.
    recorded: u64,
    /// Whether the batch uses a new pipeline. Then it is not measured, because it waits for the compiler.
    is_cold: bool,
    measured: Arc<Measured>,
}

/// What earlier submissions have shown. The callbacks of the queue, which write it, may come from any thread.
struct Measured {
    /// Rounds that a submission may have.
    rounds: AtomicU64,
    /// When the last submission ended, in milliseconds of `now`.
    ended: AtomicU64,
}

impl Pace {
    pub(crate) fn new() -> Self {
        let measured = Measured { rounds: AtomicU64::new(FIRST), ended: AtomicU64::new(0) };
        Self { recorded: 0, is_cold: false, measured: Arc::new(measured) }
    }

    /// Rounds that a submission may have.
    pub(crate) fn most(&self) -> u64 {
        hook(|hooks| hooks.pace).flatten().unwrap_or_else(|| self.measured.rounds.load(Relaxed))
    }

    /// Whether `rounds` more are too many for the batch. An empty one takes any number: a dispatch has to run somewhere.
    pub(crate) fn is_full(&self, rounds: u64) -> bool {
        self.recorded > 0 && self.recorded + rounds > self.most()
    }

    /// Counts the rounds of all threads of a dispatch. `is_new`: its pipeline was compiled for it.
    pub(crate) fn record(&mut self, rounds: u64, is_new: bool) {
        self.recorded += rounds;
        self.is_cold |= is_new;
    }

    /// Notes that the batch was submitted, and asks the queue when it ends.
    pub(crate) fn submitted(&mut self, queue: &wgpu::Queue) {
        let (rounds, is_cold) = (std::mem::take(&mut self.recorded), std::mem::take(&mut self.is_cold));
        // So little work takes no time that could be measured. The end of a cold batch is noted, so that the wait for the compiler is not
        // counted as time of the next submission.
        if rounds < BOUNDS[0] && !is_cold {
            return;
        }
        let (measured, submitted) = (Arc::clone(&self.measured), now());
        queue.on_submitted_work_done(move || {
            let ended = now();
            // One submission runs after the other.
            let began = submitted.max(measured.ended.swap(ended, Relaxed));
            if !is_cold {
                let most = measured.rounds.load(Relaxed);
                measured.rounds.store(next(most, rounds, ended.saturating_sub(began)), Relaxed);
            }
        });
    }
}

/// How many rounds a submission may have from now on, where it was `most` and one of `rounds` took `took` milliseconds: halfway, on a
/// logarithmic scale, from `most` to what would have taken the time that is aimed at, so that one wrong measurement does not change much.
fn next(most: u64, rounds: u64, took: u64) -> u64 {
    // Small and short: its time is mostly that of the submission itself.
    if rounds < most / MEASURED_PART && took * 10 < AIM {
        return most;
    }
    let fit = rounds.saturating_mul(AIM) / took.max(1);
    let [least, limit] = BOUNDS;
    ((most as f64 * fit as f64).sqrt() as u64).clamp(least, limit)
}

/// Milliseconds since 1970.
fn now() -> u64 {
    #[cfg(target_arch = "wasm32")]
    return js_sys::Date::now() as u64;
    #[cfg(not(target_arch = "wasm32"))]
    std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_of_a_submission_approaches_the_time_aimed_at() {
        // Rounds in a millisecond.
        for speed in [4_000, 100_000, 2_000_000] {
            let mut most = FIRST;
            for _ in 0..12 {
                most = next(most, most, most / speed);
            }
            let took = most / speed;
            assert!((AIM / 2..=AIM * 2).contains(&took), "{speed}: {most} rounds take {took} ms");
        }
    }

    #[test]
    fn extremes_stay_within_bounds() {
        let [least, limit] = BOUNDS;
        assert_eq!((0..50).fold(FIRST, |most, _| next(most, most, 0)), limit);
        assert_eq!((0..50).fold(FIRST, |most, _| next(most, 1, u64::MAX / 10)), least);
        // A submission of little work is too short to be measured.
        assert_eq!(next(FIRST, FIRST / 100, 1), FIRST);
    }
}
