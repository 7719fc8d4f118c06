//! The product of a sparse matrix and a dense one.

use crate::dispatch::operands::Operands;
use crate::dispatch::where_it_is;
use crate::dtype::DType;
use crate::engine::Backend;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::index::Index;
use crate::plan::index::addressing::Addressing;
use crate::plan::index::facts::IndexFacts;
use crate::plan::op::Op;
use crate::plan::reduce::Update;
use crate::storage::Storage;
use crate::tensor::Tensor;

/// [`Backend::spmm`] on the device of `dense`. The plans and indices are those of the rows and of the columns.
///
/// # Errors
/// `IndexError` for an index value; on a GPU it may come later. `RuntimeError` for operands that the device cannot read, for a lost
/// device, for unusable data on it, and for exhausted memory.
pub(crate) fn spmm(
    plans: [&Addressing; 2],
    update: Update,
    [rows, columns]: [&Index; 2],
    values: Option<&Tensor>,
    dense: &Tensor,
) -> Result<Option<Storage>> {
    const OP: Op = Op::Spmm;
    if let Storage::Device(data) = &dense.storage {
        // Asked before anything is uploaded.
        let keeps_order = matches!(rows, Index::Prepared(_)) && rows.is_ready();
        if !data.gpu().has_spmm(plans[0], dense.dtype, update, values.is_some(), keeps_order) {
            return Ok(None);
        }
    }
    where_it_is!(OP.name(), &dense.storage, |backend, data| {
        let (rows, columns) = (backend.index(plans[0], rows)?, backend.index(plans[1], columns)?);
        let values = values.map(|values| backend.operand(OP, "values", values)).transpose()?;
        let out =
            Backend::spmm(backend, plans, dense.dtype, update, [&rows, &columns], values.as_deref(), data)?;
        Ok(out.map(Storage::from))
    })
}

/// The largest value of an index, whose dtype is that of one, without an ignored value; `None` if it has no other values.
///
/// # Errors
/// `RuntimeError` if the index is on a GPU, and the upload did not note it.
pub(crate) fn largest(
    op: Op,
    name: &'static str,
    index: &Tensor,
    ignored: Option<i64>,
) -> Result<Option<i64>> {
    let counts = |value: &i64| Some(*value) != ignored;
    match (&index.storage, index.dtype) {
        (Storage::Host(buffer), DType::Int64) => {
            Ok(buffer.elements::<i64>().iter().copied().filter(counts).max())
        }
        (Storage::Host(buffer), _) => {
            Ok(buffer.elements::<i32>().iter().map(|&value| value.into()).filter(counts).max())
        }
        (Storage::Device(_), _) if index.size() == 0 => Ok(None),
        (Storage::Device(data), _) => {
            let ends = data.facts().and_then(IndexFacts::ends);
            ends.map(|[_, (largest, _)]| largest).filter(counts).map(Some).ok_or_else(|| {
                let text = format!(
                    "{name} is on webgpu, and its largest value is not known here: give size, or await {name}.to('cpu')"
                );
                Error::new(ErrorClass::Runtime, ErrorCode::UnsupportedOnDevice, op.name(), text).argument(name)
            })
        }
    }
}
