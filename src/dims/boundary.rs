//! Reductions along dimensions, by their arguments.

use crate::boundary::wire::ALL_DIMS;
use crate::boundary::{Arguments, no_operator, table};
use crate::dims::plan::Along;
use crate::plan::Op;
use crate::{DType, MAX_RANK, Result, Tensor};

/// A call of a reduction along dimensions.
pub(crate) struct DimsCall {
    pub(crate) tensor: Tensor,
    pub(crate) along: Along,
    /// `None` for all dimensions.
    pub(crate) dims: Option<Vec<i64>>,
    pub(crate) keepdim: bool,
    /// The dtype to which elements are converted first, but that of positions.
    pub(crate) dtype: Option<DType>,
}

impl DimsCall {
    pub(crate) fn read(op: Op, arguments: &mut Arguments) -> Result<Self> {
        let along = *Along::ALL.iter().find(|along| along.op() == op).ok_or_else(no_operator)?;
        let tensor = arguments.tensor()?;
        let count = arguments.word();
        let dims = (count != ALL_DIMS)
            .then(|| (0..count.min(MAX_RANK as u32)).map(|_| arguments.integer()).collect());
        let keepdim = arguments.flag();
        let has_dtype = matches!(along, Along::Sum | Along::Prod | Along::Mean) || along.is_position();
        let dtype = if has_dtype { arguments.dtype() } else { None };
        Ok(Self { tensor, along, dims, keepdim, dtype })
    }
}

pub(crate) fn reduce_dims(op: Op, given: &mut Arguments) -> Result<u32> {
    let DimsCall { tensor, along, dims, keepdim, dtype } = DimsCall::read(op, given)?;
    table::keep(tensor.reduce_dims(along, dims.as_deref(), keepdim, dtype)?)
}
