//! The lowering that every scatter and gather shares.
//!
//! One sentence covers them all: *index entry k talks to one place of the table and one of the values.*
//!
//! ```text
//! table position(k) = Σ over loops: coordinate · table_stride  +  index value(k) · component.stride
//! value position(k) = Σ over loops: coordinate · value_stride
//! ```
//!
//! with the row-major coordinates of k in the loops; the loop along the indexed dimension has table
//! stride 0. A scalar source has value stride 0 everywhere. A gather is the same plan read the other
//! way: the table is read and the values are written.

use smallvec::SmallVec;

use crate::dtype::DType;
use crate::error::{Allowed, Error, ErrorCode, FactValue, Result};
use crate::plan::{Op, Rule};
use crate::shape::{MAX_OP_RANK, Shape};

/// What a plan needs to know of a tensor.
#[derive(Debug, Clone, Copy)]
pub struct Operand<'a> {
    /// Its shape.
    pub shape: &'a Shape,
    /// Its dtype.
    pub dtype: DType,
}

/// One loop over index entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loop {
    /// How often it runs.
    pub len: usize,
    /// Elements of the table from one round to the next.
    pub table_stride: usize,
    /// Elements of the values from one round to the next.
    pub value_stride: usize,
}

/// One number of an index tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Component {
    /// The size of the dimension that it addresses; values are in −bound … bound − 1.
    pub bound: usize,
    /// Elements of the table from one index value to the next.
    pub stride: usize,
}

/// The smallest and the largest value of an index tensor and where each is first seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexRange {
    /// The smallest value and its row-major position.
    pub min: (i64, usize),
    /// The largest value and its row-major position.
    pub max: (i64, usize),
}

/// A checked scatter or gather: geometry only, no data. See the module's text.
#[derive(Debug, Clone)]
pub struct IndexPlan {
    op: Op,
    loops: SmallVec<[Loop; MAX_OP_RANK]>,
    axis_loop: Option<usize>,
    component: Component,
    entries: usize,
    table_len: usize,
    value_len: usize,
    dim: usize,
    index_shape: Shape,
}

impl IndexPlan {
    /// `self[…, index[…], …] ∘= src[…]` along `dim`; `src` is `None` for a scalar.
    ///
    /// # Errors
    /// The class of each is the operator's (see [`Op::error_class`]): dim out of range, ranks unequal
    /// or above 8, `index.size(d) > self.size(d)`, `index.size(d) > src.size(d)`, index neither int32
    /// nor int64, src of another dtype than self.
    pub fn scatter_axis(
        op: Op,
        table: Operand<'_>,
        dim: i64,
        index: Operand<'_>,
        src: Option<Operand<'_>>,
    ) -> Result<Self> {
        check_index_dtype(op, index)?;
        if index.shape.size() == 0 && op.empty_index_ends_checks() {
            return Ok(Self::empty(op, index.shape));
        }
        check_ranks(op, table, index, src)?;
        let axis = check_dim(op, table, dim)?;
        if let Some(src) = src {
            check_src_dtype(op, table, src)?;
        }
        check_sizes(op, table, axis, index, src)?;
        let value_strides = src.map(|src| src.shape.strides());
        Ok(Self::lower(op, table.shape, axis, index.shape, |d| match &value_strides {
            Some(strides) => strides.get(d).copied().unwrap_or(0),
            None => 0,
        }))
    }

    /// `out[…] = self[…, index[…], …]` along `dim`; out has index's shape.
    ///
    /// # Errors
    /// As for [`IndexPlan::scatter_axis`], without src; index may be longer than self along `dim`.
    pub fn gather_axis(op: Op, table: Operand<'_>, dim: i64, index: Operand<'_>) -> Result<Self> {
        check_index_dtype(op, index)?;
        check_ranks(op, table, index, None)?;
        let axis = check_dim(op, table, dim)?;
        check_sizes(op, table, axis, index, None)?;
        let out_strides = index.shape.strides();
        Ok(Self::lower(op, table.shape, axis, index.shape, |d| out_strides.get(d).copied().unwrap_or(0)))
    }

    /// The plan of a call that has nothing to do.
    fn empty(op: Op, index: &Shape) -> Self {
        Self {
            op,
            loops: SmallVec::new(),
            axis_loop: None,
            component: Component { bound: 0, stride: 0 },
            entries: 0,
            table_len: 0,
            value_len: 0,
            dim: 0,
            index_shape: index.clone(),
        }
    }

    /// Turns checked arguments into loops: dimensions of size 1 vanish and neighbours that continue each
    /// other in table and values become one, so that kernels see few and long loops.
    fn lower(
        op: Op,
        table: &Shape,
        axis: usize,
        index: &Shape,
        value_stride: impl Fn(usize) -> usize,
    ) -> Self {
        let table_strides = table.strides();
        let mut loops: SmallVec<[Loop; MAX_OP_RANK]> = SmallVec::new();
        let mut axis_loop = None;
        for (d, &len) in index.dims().iter().enumerate().filter(|&(_, &len)| len != 1) {
            let on_axis = d == axis;
            let table_stride = if on_axis { 0 } else { table_strides.get(d).copied().unwrap_or(0) };
            let next = Loop { len, table_stride, value_stride: value_stride(d) };
            // The axis keeps a loop of its own: two entries can only meet inside it.
            let after_axis = axis_loop.is_some_and(|at| at + 1 == loops.len());
            match loops.last_mut().filter(|_| !on_axis && !after_axis) {
                Some(last) if continues(*last, next) => {
                    *last = Loop { len: last.len * next.len, ..next };
                }
                _ => {
                    if on_axis {
                        axis_loop = Some(loops.len());
                    }
                    loops.push(next);
                }
            }
        }
        let component = Component {
            bound: table.dims().get(axis).copied().unwrap_or(0),
            stride: table_strides.get(axis).copied().unwrap_or(0),
        };
        let value_span = |l: &Loop| (l.len - 1) * l.value_stride;
        Self {
            op,
            axis_loop,
            component,
            entries: index.size(),
            table_len: table.size(),
            value_len: if index.size() == 0 { 0 } else { 1 + loops.iter().map(value_span).sum::<usize>() },
            loops,
            dim: axis,
            index_shape: index.clone(),
        }
    }

    /// The operator that this plan is for.
    pub fn op(&self) -> Op {
        self.op
    }

    /// The loops over index entries, outermost first; the product of their lengths is `entries()`.
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// Which loop runs along the indexed dimension; `None` when it has length 1. Two entries can name the
    /// same place only if they differ in this loop alone.
    pub fn axis_loop(&self) -> Option<usize> {
        self.axis_loop
    }

    /// What an index value addresses.
    pub fn component(&self) -> Component {
        self.component
    }

    /// How many index entries there are.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// How many elements the table has; every table position is below.
    pub fn table_len(&self) -> usize {
        self.table_len
    }

    /// The largest value position plus one.
    pub fn value_len(&self) -> usize {
        self.value_len
    }

    /// Which entry of `range` is out of bounds, if any; the earlier one where both ends are.
    pub fn range_fault(&self, range: IndexRange) -> Option<(usize, i64)> {
        let bound = self.component.bound as i64;
        let low = (range.min.0 < -bound).then_some((range.min.1, range.min.0));
        let high = (range.max.0 >= bound).then_some((range.max.1, range.max.0));
        low.into_iter().chain(high).min()
    }

    /// The error for index entry `entry`, whose value is out of range.
    pub fn index_error(&self, entry: usize, value: i64) -> Error {
        let bound = self.component.bound as i64;
        let position = self.index_shape.unravel(entry);
        let allowed = match bound {
            0 => "no index is allowed".to_owned(),
            _ => format!("allowed are {} to {}", -bound, bound - 1),
        };
        let text = format!(
            "index{position:?} is {value}, out of range for dim {} of self, which has size {bound}: {allowed}. \
             Nothing was written",
            self.dim
        );
        Error::new(crate::error::ErrorClass::Index, ErrorCode::IndexOutOfRange, self.op.name(), text)
            .argument("index")
            .dim(self.dim as i64)
            .position(position)
            .value(FactValue::Int(value))
            .allowed(Allowed::Range(-bound, bound - 1))
    }
}

/// Whether walking `next` to its end lands where the next round of `last` starts, in table and values.
fn continues(last: Loop, next: Loop) -> bool {
    last.table_stride == next.table_stride.wrapping_mul(next.len)
        && last.value_stride == next.value_stride.wrapping_mul(next.len)
}

fn check_index_dtype(op: Op, index: Operand<'_>) -> Result<()> {
    if index.dtype.is_index() {
        return Ok(());
    }
    let text = format!("index has dtype {}; it must be int32 or int64 (index.astype('int32'))", index.dtype);
    Err(Error::new(op.error_class(Rule::IndexDtype), ErrorCode::IndexDtype, op.name(), text)
        .argument("index")
        .value(FactValue::Text(index.dtype.name().into()))
        .allowed(Allowed::Words(&["int32", "int64"])))
}

fn check_src_dtype(op: Op, table: Operand<'_>, src: Operand<'_>) -> Result<()> {
    if src.dtype == table.dtype {
        return Ok(());
    }
    let text = format!(
        "src has dtype {0} and self {1}; they must be equal (src.astype('{1}'))",
        src.dtype, table.dtype
    );
    Err(Error::new(op.error_class(Rule::SrcDtype), ErrorCode::DtypeMismatch, op.name(), text)
        .argument("src")
        .value(FactValue::Text(src.dtype.name().into())))
}

fn check_ranks(op: Op, table: Operand<'_>, index: Operand<'_>, src: Option<Operand<'_>>) -> Result<()> {
    let rank = table.shape.rank();
    let refuse = |code, text: String, argument| {
        let error = Error::new(op.error_class(Rule::Rank), code, op.name(), text).argument(argument);
        Err(with_shapes(error, table, index, src))
    };
    if rank == 0 {
        let text = "self is a scalar; it needs at least one dimension (self.reshape([1]))".to_owned();
        return refuse(ErrorCode::RankMismatch, text, "self");
    }
    if rank > MAX_OP_RANK {
        return refuse(
            ErrorCode::RankLimit,
            format!("self has {rank} dimensions; at most {MAX_OP_RANK} are supported"),
            "self",
        );
    }
    for (name, operand) in [("index", Some(index)), ("src", src)] {
        if let Some(operand) = operand.filter(|operand| operand.shape.rank() != rank) {
            let text = format!(
                "{name} has rank {} (shape {}) and self rank {rank} (shape {}); they must be equal",
                operand.shape.rank(),
                operand.shape,
                table.shape
            );
            return refuse(ErrorCode::RankMismatch, text, name);
        }
    }
    Ok(())
}

fn check_dim(op: Op, table: Operand<'_>, dim: i64) -> Result<usize> {
    table.shape.wrap_dim(dim).ok_or_else(|| {
        let rank = table.shape.rank() as i64;
        let text = format!("dim is {dim}, but self has rank {rank}: allowed are {} to {}", -rank, rank - 1);
        Error::new(op.error_class(Rule::Dim), ErrorCode::DimOutOfRange, op.name(), text)
            .argument("dim")
            .dim(dim)
            .value(FactValue::Int(dim))
            .allowed(Allowed::Range(-rank, rank - 1))
            .shape("self", table.shape)
    })
}

fn check_sizes(
    op: Op,
    table: Operand<'_>,
    axis: usize,
    index: Operand<'_>,
    src: Option<Operand<'_>>,
) -> Result<()> {
    let refuse = |d: usize, text: String, argument| {
        let error = Error::new(op.error_class(Rule::Size), ErrorCode::ShapeMismatch, op.name(), text)
            .argument(argument)
            .dim(d as i64);
        Err(with_shapes(error, table, index, src))
    };
    for (d, (&len, &bound)) in index.shape.dims().iter().zip(table.shape.dims()).enumerate() {
        let along = d == axis;
        if len > bound && !(along && op.index_may_exceed_dim()) {
            let way_out = match (along, op) {
                (true, _) => ". To apply more updates than there are places, use scatter_add or scatter_add_",
                (false, Op::Gather) => ". It may only be longer along dim",
                (false, _) => "",
            };
            let text = format!(
                "index.shape[{d}] is {len} and self.shape[{d}] is {bound}: index {} must not be larger than self \
                 {}{way_out}",
                index.shape, table.shape
            );
            return refuse(d, text, "index");
        }
    }
    if let Some(src) = src {
        for (d, (&len, &available)) in index.shape.dims().iter().zip(src.shape.dims()).enumerate() {
            if len > available {
                let text = format!(
                    "index.shape[{d}] is {len} and src.shape[{d}] is {available}: src {} must be at least as large \
                     as index {} in every dimension",
                    src.shape, index.shape
                );
                return refuse(d, text, "src");
            }
        }
    }
    Ok(())
}

fn with_shapes(error: Error, table: Operand<'_>, index: Operand<'_>, src: Option<Operand<'_>>) -> Error {
    let error = error.shape("self", table.shape).shape("index", index.shape);
    match src {
        Some(src) => error.shape("src", src.shape),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(dims: &[usize]) -> Shape {
        Shape::new("test", dims).unwrap()
    }

    fn plan(op: Op, table: &[usize], dim: i64, index: &[usize], src: Option<&[usize]>) -> Result<IndexPlan> {
        let (table, index, src) = (shape(table), shape(index), src.map(shape));
        let f32 = |shape| Operand { shape, dtype: DType::Float32 };
        let i32 = Operand { shape: &index, dtype: DType::Int32 };
        IndexPlan::scatter_axis(op, f32(&table), dim, i32, src.as_ref().map(f32))
    }

    fn lens(plan: &IndexPlan) -> Vec<usize> {
        plan.loops().iter().map(|l| l.len).collect()
    }

    #[test]
    fn equal_shapes_collapse_to_before_axis_after() {
        let p =
            plan(Op::ScatterInPlace, &[2, 3, 4, 5, 6], 2, &[2, 3, 4, 5, 6], Some(&[2, 3, 4, 5, 6])).unwrap();
        assert_eq!((lens(&p), p.axis_loop()), (vec![6, 4, 30], Some(1)));
        assert_eq!(p.component(), Component { bound: 4, stride: 30 });
    }

    #[test]
    fn a_smaller_index_keeps_the_loops_it_needs() {
        let p = plan(Op::ScatterInPlace, &[4, 3, 4], 2, &[2, 2, 4], Some(&[2, 2, 4])).unwrap();
        assert_eq!(lens(&p), [2, 2, 4]);
        let p = plan(Op::ScatterInPlace, &[4, 3, 4], 0, &[1, 3, 4], Some(&[1, 3, 5])).unwrap();
        assert_eq!((lens(&p), p.axis_loop(), p.value_len()), (vec![3, 4], None, 14));
    }

    #[test]
    fn a_scalar_source_still_collapses() {
        let p = plan(Op::ScatterAdd, &[3, 4, 6], 0, &[9, 4, 6], None).unwrap();
        let axis = Loop { len: 9, table_stride: 0, value_stride: 0 };
        assert_eq!(p.loops(), [axis, Loop { len: 24, table_stride: 1, value_stride: 0 }]);
        assert_eq!((p.table_len(), p.value_len()), (72, 1));
    }

    #[test]
    fn an_empty_index_ends_the_checks_of_scatter_only() {
        assert!(plan(Op::ScatterInPlace, &[2, 3], 7, &[0], None).is_ok());
        assert!(plan(Op::ScatterAdd, &[2, 3], 7, &[0, 3], None).is_err());
    }

    #[test]
    fn both_ends_of_a_range_are_checked() {
        let p = plan(Op::ScatterAdd, &[3], 0, &[4], None).unwrap();
        let range = |min, max| IndexRange { min: (min, 3), max: (max, 1) };
        assert_eq!(p.range_fault(range(-3, 2)), None);
        assert_eq!(p.range_fault(range(-4, 3)), Some((1, 3)));
        assert_eq!(p.range_fault(range(-4, 2)), Some((3, -4)));
        assert_eq!(
            p.index_error(1, 3).to_string(),
            "Tensor.scatter_add: index[1] is 3, out of range for dim 0 of self, which has size 3: allowed are -3 to \
             2. Nothing was written"
        );
    }
}
