//! Sorts, distinct elements and searches, by their arguments.

use wasm_bindgen::prelude::*;

use crate::Result;
use crate::boundary::arguments::Arguments;
use crate::boundary::facts::attempt;
use crate::boundary::results::keep_all;
use crate::boundary::table;
use crate::plan::Op;

pub(crate) fn run(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let operand = arguments.tensor()?;
    match op {
        Op::Argsort => table::keep(operand.argsort(arguments.integer(), arguments.flag())?),
        Op::Sort => {
            let sorted = operand.sort(arguments.integer(), arguments.flag())?;
            keep_all(sorted.values, vec![sorted.indices])
        }
        Op::Unique => {
            let all = crate::sort::unique(&operand)?;
            let others = [all.index, all.inverse, all.counts].into_iter().chain(all.count);
            keep_all(all.values, others.collect())
        }
        _ => {
            let x = arguments.tensor()?;
            table::keep(crate::sort::searchsorted(&operand, &x, arguments.flag())?)
        }
    }
}

/// The first `count` elements of a result of `unique`. Returns their handle.
#[wasm_bindgen]
pub fn first_elements(tensor: u32, count: f64) -> u32 {
    attempt(|| table::keep(table::tensor(tensor)?.first(Op::Unique, count as usize)?))
}
