//! Limits the work of one submission.
//!
//! A page shares the GPU with the browser, which draws between submissions. A system resets a GPU that seems to hang. So each
//! submission should take about 100 ms. The times of earlier submissions set its limit. Bounds on the limit keep a wrong measurement
//! harmless: natively the host sees the end of a submission only while a caller waits.
//!
//! The unit is a round of a loop in one thread, averaged over the threads of a dispatch. Rounds of different passes differ by a factor
//! of about ten, and by more if one thread has most of the work.
//!
//! A GPU that has nothing to do gets a batch after a few dispatches, so that it runs them while the next ones are recorded.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::engine::gpu::hook;
use crate::engine::gpu::hooks::poses_as_hardware;

/// Milliseconds that a submission should take.
const AIM: u64 = 100;
/// Rounds that a submission may have before the first measurement.
const FIRST: u64 = 1 << 26;
/// The lowest and highest limit of rounds. The lowest keeps the cost of a submission small beside its work.
const BOUNDS: [u64; 2] = [1 << 18, 1 << 28];
/// A submission with fewer rounds than its limit divided by this is mostly overhead. It is measured only if it took a tenth of `AIM`.
const MEASURED_PART: u64 = 4;

/// Dispatches of a batch after which it is submitted, if no submission runs or waits, and if one does. An estimate: recording a call took
/// 14 µs on the host of an NVIDIA H200, and a submission takes the GPU's time for a marker.
const DUE: [u32; 2] = [8, 32];

pub(crate) struct Budget {
    recorded: u64,
    dispatches: u32,
    /// Whether a GPU runs what is submitted while the host records. A software adapter computes on the host's processor.
    overlaps: bool,
    /// Whether the batch uses a new pipeline. Such a batch is not measured, because its time includes the compiler's.
    is_cold: bool,
    measured: Arc<Measured>,
}

/// The results of earlier submissions. The queue's callbacks write them, from any thread.
struct Measured {
    /// Rounds that a submission may have.
    rounds: AtomicU64,
    /// When the last submission ended, in milliseconds of `now`.
    ended: AtomicU64,
    /// Submissions that have not ended.
    in_flight: AtomicU32,
}

impl Budget {
    pub(crate) fn new(overlaps: bool) -> Self {
        let measured = Measured {
            rounds: AtomicU64::new(FIRST),
            ended: AtomicU64::new(0),
            in_flight: AtomicU32::new(0),
        };
        Self { recorded: 0, dispatches: 0, overlaps, is_cold: false, measured: Arc::new(measured) }
    }

    /// The most rounds of a submission: the limit that a test sets, or else the measured one.
    pub(crate) fn most(&self) -> u64 {
        hook(|hooks| hooks.budget).flatten().unwrap_or_else(|| self.measured.rounds.load(Relaxed))
    }

    /// Whether `rounds` more are too many for the batch. An empty batch takes any number: a dispatch has to run somewhere.
    pub(crate) fn is_full(&self, rounds: u64) -> bool {
        self.recorded > 0 && self.recorded + rounds > self.most()
    }

    /// Whether the batch should be submitted before its next dispatch, because the GPU has little to do.
    pub(crate) fn is_due(&self) -> bool {
        let in_flight = self.measured.in_flight.load(Relaxed) as usize;
        let due = hook(|hooks| hooks.due).flatten().unwrap_or(DUE);
        (self.overlaps || poses_as_hardware())
            && due.get(in_flight).is_some_and(|&due| self.dispatches >= due)
    }

    /// Counts the rounds of all threads of a dispatch. `is_new`: the dispatch compiled its pipeline.
    pub(crate) fn record(&mut self, rounds: u64, is_new: bool) {
        self.recorded += rounds;
        self.dispatches += 1;
        self.is_cold |= is_new;
    }

    /// Notes that the batch was submitted, and asks the queue for its end.
    pub(crate) fn submitted(&mut self, queue: &wgpu::Queue) {
        let (rounds, is_cold) = (std::mem::take(&mut self.recorded), std::mem::take(&mut self.is_cold));
        self.dispatches = 0;
        let (measured, submitted) = (Arc::clone(&self.measured), now());
        measured.in_flight.fetch_add(1, Relaxed);
        queue.on_submitted_work_done(move || {
            measured.in_flight.fetch_sub(1, Relaxed);
            // So little work takes no measurable time. The end of a batch with a new pipeline is noted, so that the next submission's
            // time excludes the compiler's.
            if rounds < BOUNDS[0] && !is_cold {
                return;
            }
            let ended = now();
            // Submissions run one after the other.
            let began = submitted.max(measured.ended.swap(ended, Relaxed));
            if !is_cold {
                let most = measured.rounds.load(Relaxed);
                measured.rounds.store(next(most, rounds, ended.saturating_sub(began)), Relaxed);
            }
        });
    }
}

/// The new limit of rounds, after a limit of `most` and `rounds` rounds in `took` milliseconds. It is halfway, on a logarithmic scale,
/// from `most` to the rounds that would take `AIM`, so that one wrong measurement does little harm.
fn next(most: u64, rounds: u64, took: u64) -> u64 {
    // Small and short: its time is mostly overhead.
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
        // Rounds per millisecond.
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
