//! `bincount`, `histogram`, `histogramdd`, `binned_statistic` and `bin_codes`, against the vectors and the definition as loops.

mod codes;
mod edges;
mod integers;
mod options;
mod random;
mod statistics;
mod vectors;
mod wide;

use scatterwise::{Error, ErrorCode};

use crate::common::backends::{Backend, Place, read};
use crate::common::data::Data;
use crate::common::histogram::{Counting, Kind};
use crate::common::report::{Fault, Row, same};

/// How many random calls a test makes on each backend. A page waits for the GPU after each.
const CALLS: usize = if cfg!(target_arch = "wasm32") { 150 } else { 600 };

/// The results of a call. A `bincount` whose length only the GPU could know is skipped: only the CPU makes that one.
async fn outputs(call: &Counting, backend: &Backend, place: Place) -> Result<Vec<Data>, Fault> {
    match outcome(call, backend, place).await {
        Err(error) if has_unknown_length(call, place, &error) => {
            Err(Fault::Skipped("only the CPU does this".into()))
        }
        other => Ok(other?),
    }
}

/// Whether the call was refused because the length of its result depends on values that only the GPU knows, by an error that says to move
/// them to the CPU.
fn has_unknown_length(call: &Counting, place: Place, error: &Error) -> bool {
    let says_where =
        error.code() == ErrorCode::UnsupportedOnDevice && error.to_string().contains(".to('cpu')");
    let depends = place == Place::Computed || call.mask.is_some();
    depends && matches!(call.kind, Kind::Bincount(_)) && says_where
}

/// The results of a call, read from its device: counts, then edges. Or its error, which may come with a read.
async fn outcome(call: &Counting, backend: &Backend, place: Place) -> scatterwise::Result<Vec<Data>> {
    let mut got = Vec::new();
    for tensor in &call.run(backend, place)? {
        got.push(read(tensor).await?);
    }
    Ok(got)
}

/// How the first result that differs does so; `None` if none does.
fn difference(expected: &[Data], got: &[Data]) -> Option<String> {
    assert_eq!(expected.len(), got.len());
    expected.iter().zip(got).find_map(|(expected, got)| expected.difference(got))
}

/// Whether a call has the result of the definition. A random call is skipped if its range is refused: the values may have no
/// range, for example because of NaN, or the range may hold fewer numbers than edges.
async fn counted(call: &Counting, backend: &Backend, place: Place) -> Row {
    let got = match outputs(call, backend, place).await {
        Err(Fault::Wrong(text)) if text.contains("range") || text.contains("wider") => {
            return Err(Fault::Skipped("has no range".into()));
        }
        other => other?,
    };
    same("result", difference(&call.expected(), &got))
}
