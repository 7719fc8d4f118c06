//! `trace`: what a scatter did, write by write, and a gather, read by read.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::dtype::DType;
use crate::error::Result;
use crate::host::out_of_memory;
use crate::js::facts::{attempt, set_span, set_word};
use crate::js::operators::{reading, writing};
use crate::js::table;
use crate::js::wire::{self, DESTINATION_RANK, INDEX_RANK, NO_SOURCE, SOURCE_RANK, STEPS, VALUES};
use crate::scalar::Scalar;

/// What crosses: the coordinates of all steps in a row, and 8 bytes for each value.
#[derive(Default)]
struct Report {
    places: Vec<u32>,
    values: Vec<u64>,
}

thread_local! {
    static REPORT: RefCell<Report> = const { RefCell::new(Report { places: Vec::new(), values: Vec::new() }) };
}

impl Report {
    /// Adds a step; the ranks of its places.
    fn push(&mut self, places: [Option<&[usize]>; 3], values: &[Scalar], dtype: DType) -> [u32; 3] {
        for &at in places.into_iter().flatten().flatten() {
            self.places.push(at as u32);
        }
        for &value in values {
            self.values.push(bits(value, dtype));
        }
        places.map(|place| place.map_or(NO_SOURCE, |place| place.len() as u32))
    }

    /// Keeps it until the next one, and puts where it is in the block.
    fn publish(self, steps: usize, ranks: [u32; 3]) {
        set_word(STEPS, steps as u32);
        for (at, rank) in [INDEX_RANK, SOURCE_RANK, DESTINATION_RANK].into_iter().zip(ranks) {
            set_word(at, rank);
        }
        set_span(&self.places);
        set_word(VALUES, self.values.as_ptr() as u32);
        REPORT.set(self);
    }
}

/// A 64-bit integer as itself, any other value as a float64.
fn bits(value: Scalar, dtype: DType) -> u64 {
    match (value, dtype) {
        (Scalar::Int(value), DType::Int64 | DType::Uint64) => value as u64,
        (value, _) => value.as_f64().to_bits(),
    }
}

/// A trace makes many small allocations: whether there is memory for all of them is asked before.
fn make_room(call: u32) -> Result<()> {
    const BYTES: usize = 16 << 20;
    let mut probe: Vec<u64> = Vec::new();
    probe.try_reserve_exact(BYTES / 8).map_err(|_| out_of_memory(wire::call_name(call), BYTES))
}

/// A scatter into a copy of `target`, of the tensor `src` times the scalar, or of the scalar where that is 0; the handle of the copy.
#[wasm_bindgen]
pub fn trace_scatter(
    op: u32,
    update: u32,
    target: u32,
    form: u32,
    dim: f64,
    index: u32,
    mode: u32,
    src: u32,
    kind: u32,
    value: f64,
) -> u32 {
    attempt(|| {
        make_room(op)?;
        let (steps, result) = table::with(|all| {
            writing(all, (op, update), (form, dim, index, mode), src, (kind, value))?
                .trace(all.tensor(target)?)
        })?;
        let (mut report, mut ranks) = (Report::default(), [NO_SOURCE; 3]);
        for step in &steps {
            let places = [Some(&step.index[..]), step.source.as_deref(), Some(&step.destination[..])];
            ranks = report.push(places, &[step.before, step.operand, step.after], result.dtype());
        }
        report.publish(steps.len(), ranks);
        table::keep(result)
    })
}

/// A gather; the handle of the result.
#[wasm_bindgen]
pub fn trace_gather(
    op: u32,
    target: u32,
    form: u32,
    dim: f64,
    index: u32,
    mode: u32,
    kind: u32,
    fill: f64,
) -> u32 {
    attempt(|| {
        make_room(op)?;
        let (reads, result) = table::with(|all| {
            reading(all, op, (form, dim, index, mode), (kind, fill))?.trace(all.tensor(target)?)
        })?;
        let (mut report, mut ranks) = (Report::default(), [NO_SOURCE; 3]);
        for read in &reads {
            let places = [Some(&read.index[..]), Some(&read.source[..]), Some(&read.destination[..])];
            ranks = report.push(places, &[read.value], result.dtype());
        }
        report.publish(reads.len(), ranks);
        table::keep(result)
    })
}
