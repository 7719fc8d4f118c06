//! Interleaved rounds: contestants run in turn, so a machine that slows down slows all of them.

use std::time::{Duration, Instant};

use cpu_time::{ProcessTime, ThreadTime};

/// The times of one contestant, in seconds a call, sorted.
#[derive(Clone, Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// The median in seconds a call, of an even number of times the larger one in the middle; NaN where there are no times.
    pub fn median(&self) -> f64 {
        self.0.get(self.0.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// These times together with those of another contestant that did the same work.
    #[must_use]
    pub fn and(&self, same: &Self) -> Self {
        let mut all = [&self.0[..], &same.0[..]].concat();
        all.sort_by(f64::total_cmp);
        Self(all)
    }

    /// Half the interquartile range, as a fraction of the median: 0 for a single time, NaN where there are no times.
    pub fn spread(&self) -> f64 {
        let quartile =
            |number: usize| self.0.get((self.0.len().saturating_sub(1)) * number / 4).copied().unwrap_or(0.0);
        (quartile(3) - quartile(1)) / 2.0 / self.median()
    }
}

/// The clock.
#[derive(Clone, Copy, PartialEq)]
pub enum Clock {
    /// The time that passes: for work that is done elsewhere, as on a GPU.
    Wall,
    /// The processor time of all threads: for an adapter that computes on the CPU, on a machine with other work.
    Process,
    /// The processor time of this thread: for work that it does itself. What else runs on the machine does not count.
    Thread,
}

impl Clock {
    /// How long the work takes, by this clock.
    fn time(self, work: impl FnOnce()) -> Duration {
        match self {
            Self::Wall => {
                let begin = Instant::now();
                work();
                begin.elapsed()
            }
            Self::Process => {
                let begin = ProcessTime::now();
                work();
                begin.elapsed()
            }
            Self::Thread => {
                let begin = ThreadTime::now();
                work();
                begin.elapsed()
            }
        }
    }
}

/// How long to measure.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Times that each contestant is measured.
    pub rounds: usize,
    /// How long one measurement should take at least.
    pub least: Duration,
}

impl Effort {
    /// Enough for a median that holds.
    pub const FULL: Self = Self { rounds: 11, least: Duration::from_millis(15) };
    /// To see that everything runs.
    pub const QUICK: Self = Self { rounds: 3, least: Duration::from_millis(2) };

    /// From the command line: `--quick`.
    pub fn from_args() -> Self {
        if std::env::args().any(|arg| arg == "--quick") { Self::QUICK } else { Self::FULL }
    }
}

/// Times all contestants, in turn in each round. A contestant is a function that makes a given number of calls, and returns when they
/// are done. Returns the times of each for one call, in the order of the contestants. Slow contestants have fewer rounds, as `rounds` says.
pub fn race(clock: Clock, effort: Effort, contestants: &mut [Box<dyn FnMut(usize) + '_>]) -> Vec<Times> {
    let timed = |run: &mut Box<dyn FnMut(usize) + '_>, calls: usize| clock.time(|| run(calls));
    // How long one call of each takes.
    let estimates: Vec<_> = contestants
        .iter_mut()
        .map(|run| {
            // The first call compiles and allocates, so a second one is timed, unless one takes so long that this does not show. The
            // lower bound is for a clock that has not moved, because the time is divided by below.
            let first = timed(run, 1);
            if first > Duration::from_secs(1) { first } else { timed(run, 1).max(Duration::from_nanos(50)) }
        })
        .collect();
    let fastest = estimates.iter().min().copied().unwrap_or_default();
    let mut all = vec![Times::default(); contestants.len()];
    for round in 0..effort.rounds {
        // A measurement is as many calls as take `effort.least`, at most 10,000.
        for ((run, &once), times) in contestants.iter_mut().zip(&estimates).zip(&mut all) {
            let calls =
                (effort.least.as_secs_f64() / once.as_secs_f64()).ceil().clamp(1.0, 10_000.0) as usize;
            if round < rounds(effort, once, fastest) {
                times.0.push(timed(run, calls).as_secs_f64() / calls as f64);
            }
        }
    }
    // Without a round, the estimate is all that is known.
    for (times, once) in all.iter_mut().zip(&estimates).filter(|(times, _)| times.0.is_empty()) {
        times.0.push(once.as_secs_f64());
    }
    for times in &mut all {
        times.0.sort_by(f64::total_cmp);
    }
    all
}

/// How many rounds a contestant has whose call is estimated to take `once`. Three are enough for what takes long. What also takes more than
/// five times as long as the fastest contestant has none: its estimate is its time.
fn rounds(effort: Effort, once: Duration, fastest: Duration) -> usize {
    match once {
        _ if once < Duration::from_millis(400) => effort.rounds,
        _ if once > 5 * fastest => 0,
        _ => effort.rounds.min(3),
    }
}
