//! Sorts along a dimension, and searches in sorted edges.
//!
//! Numbers have one order on every device: NaN of any sign is after everything, and −0 equals 0.

use crate::plan::checks;
use crate::plan::getters::getters;
use crate::plan::{Op, Operand, fact, value_error, wrong_value};
use crate::{DType, Error, ErrorCode, Result, Scalar, Shape};

/// A checked sort of the rows of a tensor along a dimension. As a tensor of shape [`SortPlan::sizes`] it has a row for each position of the
/// first and the last dimension.
#[derive(Debug, Clone)]
pub(crate) struct SortPlan {
    op: Op,
    dtype: DType,
    shape: Shape,
    /// The dimensions before the one that is sorted, as one; its size; those after it, as one.
    sizes: [usize; 3],
    /// Whether the largest come first. NaN is last all the same.
    is_descending: bool,
}

impl SortPlan {
    /// The plan that sorts along `dim`. A scalar is one element along one dimension.
    pub(crate) fn new(op: Op, input: Operand<'_>, dim: i64, is_descending: bool) -> Result<Self> {
        let axis = checks::axis(op, "self", input.shape, dim)?;
        let product = |dims: &[usize]| dims.iter().product::<usize>();
        let (before, behind) = input.shape.dims().split_at_checked(axis).unwrap_or_default();
        let (len, after) = behind.split_first().map_or((1, 1), |(&len, after)| (len, product(after)));
        let sizes = [product(before), len, after];
        Self::of_sizes(op, input, sizes, is_descending)
    }

    /// The plan that sorts all elements as one row.
    pub(crate) fn flat(op: Op, input: Operand<'_>) -> Result<Self> {
        Self::of_sizes(op, input, [1, input.shape.size(), 1], false)
    }

    /// The plan for rows of these sizes.
    fn of_sizes(op: Op, input: Operand<'_>, sizes: [usize; 3], is_descending: bool) -> Result<Self> {
        let Operand { shape, dtype } = input;
        if u32::try_from(shape.size()).is_err() {
            let [name, _] = op.operand_names();
            let text =
                format!("{name} {shape} has more than 4294967295 elements, the most that one call sorts");
            return Err(value_error(op, ErrorCode::InvalidShape, name, text));
        }
        Ok(Self { op, dtype, shape: shape.clone(), sizes, is_descending })
    }

    getters! { pub(crate) op: Op, dtype: DType, sizes: [usize; 3], is_descending: bool; shape: &Shape }

    /// The number of elements. It fits 32 bits.
    pub(crate) fn len(&self) -> usize {
        self.shape.size()
    }
}

/// A checked search of elements in sorted edges. Whether the edges are sorted is still unchecked.
#[derive(Debug, Clone)]
pub(crate) struct SearchPlan {
    edges_dtype: DType,
    edge_count: usize,
    /// The dtype of x.
    dtype: DType,
    /// The number of elements of x.
    len: usize,
    /// Whether an element goes after equal edges.
    is_right: bool,
    /// Whether the caller has checked the edges.
    is_checked: bool,
}

impl SearchPlan {
    pub(crate) const OP: Op = Op::Searchsorted;

    /// The plan that searches each element of `x`: before equal edges, or after them if `is_right`.
    pub(crate) fn new(edges: Operand<'_>, x: Operand<'_>, is_right: bool) -> Result<Self> {
        let refuse = |code, text: String| {
            value_error(Self::OP, code, "edges", text).shape("edges", edges.shape.dims())
        };
        let &[edge_count] = edges.shape.dims() else {
            let text = format!(
                "edges has rank {} (shape {}); it must have one dimension, a row of sorted numbers",
                edges.shape.rank(),
                edges.shape
            );
            return Err(refuse(ErrorCode::RankMismatch, text));
        };
        if i32::try_from(edge_count).is_err() {
            let text = format!("edges has {edge_count} numbers; at most 2147483647 can be searched");
            return Err(refuse(ErrorCode::InvalidShape, text));
        }
        Ok(Self {
            edges_dtype: edges.dtype,
            edge_count,
            dtype: x.dtype,
            len: x.shape.size(),
            is_right,
            is_checked: false,
        })
    }

    /// The same search of edges that need no check.
    pub(crate) fn checked(self) -> Self {
        Self { is_checked: true, ..self }
    }

    getters! { pub(crate) edges_dtype: DType, edge_count: usize, dtype: DType, len: usize, is_right: bool, is_checked: bool }

    /// The error for edge number `at`, which is less than the edge before. `bits` are its bits.
    pub(crate) fn unsorted(&self, at: usize, bits: u64) -> Error {
        let edge = Scalar::load(bits, self.edges_dtype);
        let text = format!(
            "edges[{at}] is {edge}, less than the edge before it; edges must ascend, with NaN last (edges.sort().values)"
        );
        wrong_value(Self::OP, "edges", text).value(fact(edge)).position(vec![at])
    }
}
