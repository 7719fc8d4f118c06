//! The unchecked arguments of a scatter or gather.

use crate::plan::{Op, Page};
use crate::{DType, Shape};

/// The facts of a tensor that a plan needs.
#[derive(Debug, Clone, Copy)]
pub struct Operand<'a> {
    /// Its shape.
    pub shape: &'a Shape,
    /// Its dtype.
    pub dtype: DType,
}

/// What the values of an index address.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Addressed {
    /// Places along a dimension: `self[…, index[…], …] ∘= src[…]`, `out[…] = self[…, index[…], …]`.
    Along(i64),
    /// Slices along a dimension, named by an index of one dimension: `self[…, index[i], …] ∘= src[…, i, …]`,
    /// `out[…, i, …] = self[…, index[i], …]`.
    Slices(i64),
    /// The first dimensions, by tuples: `self[indices[…, 0], …, indices[…, K − 1], :] ∘= updates[…, :]`. K is the size of the last
    /// dimension of indices. The number says how many first dimensions of self and indices are batches:
    /// `self[b, indices[b, …, 0], …, indices[b, …, K − 1], :] ∘= updates[b, …, :]`.
    Tuples(usize),
    /// Rows, named by an index of any rank: `input_x[indices[…], :] ∘= updates[…, :]`. The plan ignores the dtype of updates: the
    /// call converts them.
    Rows,
}

impl Addressed {
    /// The dimensions of an index that count its entries. For tuples these exclude the last dimension, which holds the components.
    pub(crate) fn entry_dims(self, index: &Shape) -> &[usize] {
        match self {
            Self::Along(_) | Self::Slices(_) | Self::Rows => index.dims(),
            Self::Tuples(_) => index.dims().split_last().map_or(&[], |(_, entries)| entries),
        }
    }
}

/// The names of the operands on the page of an operator.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArgNames {
    pub(crate) table: &'static str,
    pub(crate) index: &'static str,
    pub(crate) source: &'static str,
}

/// The arguments of a scatter or gather that determine its plan.
#[derive(Debug, Clone, Copy)]
pub struct Arguments<'a> {
    /// The operator whose rules and errors apply.
    pub op: Op,
    /// What the index addresses.
    pub form: Addressed,
    /// The tensor that the call writes to or reads.
    pub table: Operand<'a>,
    /// The index.
    pub index: Operand<'a>,
    /// The values to be written; `None` for a scalar, and for a gather.
    pub src: Option<Operand<'a>>,
}

impl<'a> Arguments<'a> {
    /// The names of the three operands on the operator's page.
    pub(crate) const fn names(&self) -> ArgNames {
        let table = self.op.table_name();
        match (self.form, self.op.page()) {
            (Addressed::Tuples(_) | Addressed::Rows, _) => {
                ArgNames { table, index: "indices", source: "updates" }
            }
            // The counted tensor is the index of a scatter into the result.
            (_, Page::Histogram) => ArgNames { table: "the result", index: table, source: "weights" },
            // Its scatter has a source, and its gather has none.
            (_, Page::Spmm) if self.src.is_some() => {
                ArgNames { table: "the result", index: "rows", source: "values" }
            }
            (_, Page::Spmm) => ArgNames { table, index: "columns", source: "values" },
            (_, Page::GroupBy) => ArgNames { table: "the groups", index: table, source: "values" },
            (_, Page::Rows) => ArgNames { table, index: "index", source: "updates" },
            (Addressed::Along(_) | Addressed::Slices(_), _) => {
                ArgNames { table, index: "index", source: "src" }
            }
        }
    }
}
