//! Reductions along dimensions, on handles. `boundary/operators.rs` says what the parameters are.

use wasm_bindgen::prelude::*;

use crate::boundary::facts::attempt;
use crate::boundary::operators::{no_operator, operator};
use crate::boundary::table;
use crate::boundary::tensors::block_dims;
use crate::boundary::wire;
use crate::dims::plan::Along;
use crate::dtype::DType;
use crate::error::Result;

/// Reduces dimensions of `tensor`: the `count` dims in the block, or all of them for `ALL_DIMS`. `dtype` is that to which elements are
/// converted first; any other number means none. Returns the handle of the result.
#[wasm_bindgen]
pub fn reduce_dims(op: u32, tensor: u32, count: u32, keepdim: bool, dtype: u32) -> u32 {
    attempt(|| {
        let (along, dims) = reduction_of(op, count)?;
        let dtype = DType::ALL.get(dtype as usize).copied();
        table::keep(table::tensor(tensor)?.reduce_dims(along, dims.as_deref(), keepdim, dtype)?)
    })
}

/// The reduction of an operator, and the dims in the block.
pub(crate) fn reduction_of(op: u32, count: u32) -> Result<(Along, Option<Vec<i64>>)> {
    let op = operator(op)?;
    let along = Along::ALL.iter().find(|along| along.op() == op).ok_or_else(no_operator)?;
    Ok((*along, (count != wire::ALL_DIMS).then(|| block_dims(count).collect())))
}
