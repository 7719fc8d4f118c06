//! How much work one submission has.
//!
//! A page shares the GPU with the browser, which draws between submissions and not within one; and a system resets a GPU
//! that seems to hang. So work is submitted in pieces of some 100 ms. How much that is follows from how long earlier
//! submissions took, and stays within bounds that are harmless on a fast and on a slow adapter if a measurement is wrong: a
//! natively recorded submission is only seen to end when somebody waits. One that uses a new pipeline is not measured, because it waits
//! for the compiler.
//!
//! The unit is a round of a loop in one thread, on average over the threads of a dispatch. Rounds of different passes differ by a factor of
//! ten or so, and by more where one thread has most of the work.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Milliseconds that a submission should take.
const AIM: u64 = 100;
/// Rounds that a submission has before one was measured.
const FIRST: u64 = 1 << 26;
/// The fewest rounds of a submission, so that the cost of submitting stays small beside the work; and the most.
const BOUNDS: [u64; 2] = [1 << 18, 1 << 28];
/// A submission that has less than this part of the rounds is not measured unless it took long: it is mostly overhead.
const MEASURED_PART: u64 = 4;

/// The work of the batch that is being recorded, and how much it may be.
pub(super) struct Pace {
    recorded: u64,
    /// Whether the batch uses a new pipeline.
    is_cold: bool,
    measured: Arc<Measured>,
    /// What tests have set.
    pub(super) forced: Option<u64>,
}

struct Measured {
    rounds: AtomicU64,
    /// When the last submission ended, in milliseconds of `now`.
    ended: AtomicU64,
}

impl Pace {
    pub(super) fn new() -> Self {
        let measured = Measured { rounds: AtomicU64::new(FIRST), ended: AtomicU64::new(0) };
        Self { recorded: 0, is_cold: false, measured: Arc::new(measured), forced: None }
    }

    /// Rounds that a submission may have.
    pub(super) fn most(&self) -> u64 {
        self.forced.unwrap_or_else(|| self.measured.rounds.load(Ordering::Relaxed))
    }

    /// Whether the batch has work already and would have too much with `rounds` more.
    pub(super) fn is_full(&self, rounds: u64) -> bool {
        self.recorded > 0 && self.recorded + rounds > self.most()
    }

    /// Counts the rounds of a dispatch, whose pipeline may be new.
    pub(super) fn record(&mut self, rounds: u64, is_new: bool) {
        self.recorded += rounds;
        self.is_cold |= is_new;
    }

    /// Notes that the batch was submitted, and asks the queue when it ends.
    pub(super) fn submitted(&mut self, queue: &wgpu::Queue) {
        let (rounds, is_cold) = (std::mem::take(&mut self.recorded), std::mem::take(&mut self.is_cold));
        let [least, _] = BOUNDS;
        if rounds < least && !is_cold {
            return;
        }
        let (measured, began) = (Arc::clone(&self.measured), now());
        queue.on_submitted_work_done(move || {
            let took = measured.ended(began, now());
            if !is_cold {
                measured.learn(rounds, took);
            }
        });
    }
}

impl Measured {
    /// Notes the end of a submission: how long it took. One runs after the other.
    fn ended(&self, submitted: u64, now: u64) -> u64 {
        let began = submitted.max(self.ended.swap(now, Ordering::Relaxed));
        now.saturating_sub(began)
    }

    fn learn(&self, rounds: u64, took: u64) {
        let most = self.rounds.load(Ordering::Relaxed);
        self.rounds.store(next(most, rounds, took), Ordering::Relaxed);
    }
}

/// How many rounds the next submission may have, where the last one was allowed `most`, had `rounds` and took `took` ms: halfway, on a
/// logarithmic scale, to the number that would have taken `AIM` ms.
fn next(most: u64, rounds: u64, took: u64) -> u64 {
    let is_long = took * 10 >= AIM;
    if rounds < most / MEASURED_PART && !is_long {
        return most;
    }
    let fit = rounds.saturating_mul(AIM) / took.max(1);
    let [least, limit] = BOUNDS;
    ((most as f64 * fit as f64).sqrt() as u64).clamp(least, limit)
}

/// Milliseconds since some moment.
#[cfg(not(target_arch = "wasm32"))]
fn now() -> u64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_millis() as u64
}

/// Milliseconds since some moment.
#[cfg(target_arch = "wasm32")]
fn now() -> u64 {
    js_sys::Date::now() as u64
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
