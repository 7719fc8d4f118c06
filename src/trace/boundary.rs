//! `trace`: each write of a scatter, each read of a gather.

use std::cell::RefCell;

use crate::boundary::wire::{DESTINATION_RANK, INDEX_RANK, NO_SOURCE, SOURCE_RANK, STEPS, VALUES};
use crate::boundary::{Arguments, Run, set_span, set_word, table};
use crate::gather::boundary::read_gather;
use crate::host::out_of_memory;
use crate::plan::Op;
use crate::scatter::boundary::ScatterCall;
use crate::{DType, Result, Scalar, Tensor};

/// The steps as JavaScript reads them: the coordinates of all steps in sequence, and 8 bytes for each value.
#[derive(Default)]
struct Report {
    places: Vec<u32>,
    values: Vec<u64>,
}

thread_local! {
    /// The report of the last trace, which JavaScript reads before its call ends.
    static REPORT: RefCell<Report> = const { RefCell::new(Report { places: Vec::new(), values: Vec::new() }) };
}

/// Keeps the report of `steps` until the next one. `parts` returns the coordinates of a step's index entry, its source and its destination,
/// and its values, which have the dtype of `result`. Puts into the block the address of the report, how many steps it has, and how many
/// coordinates each of a step's three places has; NO_SOURCE for a place that is `None`. These numbers are the same for all steps.
fn publish<'a, T, const N: usize>(
    steps: &'a [T],
    result: &Tensor,
    parts: impl Fn(&'a T) -> ([Option<&'a [usize]>; 3], [Scalar; N]),
) {
    let (mut report, mut ranks) = (Report::default(), [NO_SOURCE; 3]);
    for step in steps {
        let (places, values) = parts(step);
        report.places.extend(places.into_iter().flatten().flatten().map(|&at| at as u32));
        report.values.extend(values.map(|value| bits(value, result.dtype())));
        ranks = places.map(|place| place.map_or(NO_SOURCE, |place| place.len() as u32));
    }
    set_word(STEPS, steps.len() as u32);
    for (at, rank) in [INDEX_RANK, SOURCE_RANK, DESTINATION_RANK].into_iter().zip(ranks) {
        set_word(at, rank);
    }
    set_span(&report.places);
    set_word(VALUES, report.values.as_ptr() as u32);
    REPORT.set(report);
}

/// The 8 bytes of a value for JavaScript: a 64-bit integer as itself, any other value as a float64.
fn bits(value: Scalar, dtype: DType) -> u64 {
    match (value, dtype) {
        (Scalar::Int(value), DType::Int64 | DType::Uint64) => value as u64,
        (value, _) => value.as_f64().to_bits(),
    }
}

/// Fails if memory is too short for a trace. The lists of a trace grow step by step, and Rust traps when memory is full. So this
/// function first makes one large allocation, and frees it at once.
fn require_room(op: Op) -> Result<()> {
    /// More bytes than the longest trace, of 10,000 steps, takes.
    const BYTES: usize = 16 << 20;
    let mut probe: Vec<u64> = Vec::new();
    probe.try_reserve_exact(BYTES / 8).map_err(|_| out_of_memory(op.name(), BYTES))
}

pub(crate) fn trace_of(op: Op) -> Option<Run> {
    match op {
        Op::Gather | Op::GatherNd | Op::IndexSelect => Some(trace_gather),
        _ => op.writes_by_index().then_some(trace_scatter as Run),
    }
}

/// A scatter into a copy. Returns the handle of the copy. Publishes a report with three values for each write: the value before, the
/// update, and the value after.
fn trace_scatter(op: Op, arguments: &mut Arguments) -> Result<u32> {
    require_room(op)?;
    let (steps, result) = table::with(|table| {
        let ScatterCall { call, target, .. } = ScatterCall::read(table, op, arguments)?;
        call.trace(table.tensor(target)?)
    })?;
    publish(&steps, &result, |step| {
        let places = [Some(&step.index[..]), step.source.as_deref(), Some(&step.destination[..])];
        (places, [step.before, step.operand, step.after])
    });
    table::keep(result)
}

/// A gather. Returns the handle of the result, and publishes a report with one value for each read.
fn trace_gather(op: Op, arguments: &mut Arguments) -> Result<u32> {
    require_room(op)?;
    let (tensor, gather) = read_gather(op, arguments)?;
    let (reads, result) = gather.trace(&tensor)?;
    publish(&reads, &result, |read| {
        ([Some(&read.index[..]), Some(&read.source[..]), Some(&read.destination[..])], [read.value])
    });
    table::keep(result)
}
