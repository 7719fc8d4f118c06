//! Counts the rows of tables, a row being one check: all rows of a table run before its test fails, and rows that were skipped are
//! printed and never count as passed.

use std::collections::BTreeMap;

use scatterwise::Error;

use crate::common::backends::Backend;

/// Why a row did not pass.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It failed.
    Wrong(String),
    /// It could not be run, for this reason.
    Skipped(String),
}

/// How a row ended.
pub(crate) type Row = Result<(), Fault>;

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Wrong(format!("unexpected error: {error}"))
    }
}

/// The error of a call that has to fail; a fault where it did not.
pub(crate) fn error_of<T>(outcome: scatterwise::Result<T>) -> Result<Error, Fault> {
    outcome.err().ok_or(Fault::Wrong("no error".into()))
}

/// Fails the row unless `difference` is `None`. `what` says in the message what was compared.
pub(crate) fn same(what: &str, difference: Option<String>) -> Row {
    match difference {
        None => Ok(()),
        Some(difference) => Err(Fault::Wrong(format!("{what}: {difference}"))),
    }
}

/// Fails the row unless the two are equal. `what` says in the message what was compared.
pub(crate) fn equal<T: PartialEq + std::fmt::Debug>(what: &str, got: T, expected: T) -> Row {
    if got == expected {
        return Ok(());
    }
    Err(Fault::Wrong(format!("{what}: expected {expected:?}, got {got:?}")))
}

/// The rows of one suite on one backend.
pub(crate) struct Report {
    backend: &'static str,
    adapter: String,
    suite: String,
    passed: usize,
    failures: Vec<String>,
    skipped: BTreeMap<String, usize>,
}

impl Report {
    pub(crate) fn new(backend: &Backend, suite: &str) -> Self {
        Self {
            backend: backend.device().name(),
            adapter: backend.adapter(),
            suite: suite.into(),
            passed: 0,
            failures: Vec::new(),
            skipped: BTreeMap::new(),
        }
    }

    /// Prints the line of a suite that cannot run at all on a backend: one row, skipped for `reason`.
    pub(crate) fn absent(backend: &'static str, suite: &str, reason: &str) {
        let adapter = "none".into();
        let skipped = [(reason.into(), 1)].into();
        Self { backend, adapter, suite: suite.into(), passed: 0, failures: Vec::new(), skipped }.finish();
    }

    /// Counts a row. `id` names it within its suite.
    pub(crate) fn row(&mut self, id: &str, outcome: Row) {
        match outcome {
            Ok(()) => self.passed += 1,
            Err(Fault::Wrong(text)) => self.failures.push(format!("{} {id}: {text}", self.backend)),
            Err(Fault::Skipped(reason)) => *self.skipped.entry(reason).or_default() += 1,
        }
    }

    /// Prints the line that `npm test` sums up, and returns a message for each row that failed.
    pub(crate) fn finish(self) -> Vec<String> {
        let reasons: Vec<String> =
            self.skipped.iter().map(|(reason, count)| format!("{reason}: {count}")).collect();
        let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) };
        say(&format!(
            "scatterwise-tests: backend={} adapter=\"{}\" suite={} ran={} passed={} skipped={}{reasons}",
            self.backend,
            self.adapter,
            self.suite,
            self.passed + self.failures.len(),
            self.passed,
            self.skipped.values().sum::<usize>(),
        ));
        self.failures
    }
}

/// Prints a line: to a browser's console, else with the output of the test that runs.
pub(crate) fn say(line: &str) {
    #[cfg(target_arch = "wasm32")]
    wasm_bindgen_test::console_log!("{line}");
    #[cfg(not(target_arch = "wasm32"))]
    if !crate::common::thread::keep(line) {
        println!("{line}");
    }
}
