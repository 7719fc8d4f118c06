//! The lowering that every scatter and gather shares.
//!
//! One sentence covers them all: *index entry k connects one row of the table with one row of the values*. A row is `row().len`
//! contiguous elements. For an operator along a dimension it is a single element. For all others it has every dimension of the
//! table after the addressed ones.
//!
//! ```text
//! index k     = Σ over loops: coordinate · index_stride     the entry of the index that entry k reads
//! position(k) = Σ over components c: index value(index k, c) · component c's stride
//! slot(k)    = position(k) · slot_stride                   the row that the index names
//! table row k = Σ over loops: coordinate · table_stride + slot(k)
//! value row k = Σ over loops: coordinate · value_stride
//! ```
//!
//! with the row-major coordinates of k in the loops. Two entries can only name the same slot if they differ in the *colliding loop*,
//! whose table stride is 0. A scalar source has value stride 0 everywhere. A gather is the same plan in the other direction: it
//! reads the table and writes the values.

use crate::plan::getters::getters;
use crate::plan::{Addressed, ArgNames, Arguments, Component, Op};
use crate::{PerDim, Result, Shape};

/// One loop over index entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Loop {
    /// How often it runs.
    pub len: usize,
    /// Elements of the table from one round to the next.
    pub table_stride: usize,
    /// Elements of the values from one round to the next.
    pub value_stride: usize,
    /// Entries of the index from one round to the next: 0 if every round reads the same entries.
    pub index_stride: usize,
}

/// The contiguous elements that belong to one index entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// How many there are.
    pub len: usize,
    /// Elements of the values from one element of the row to the next: 1. It is 0 for a scalar source, and along a dimension, where
    /// a row is a single element.
    pub value_stride: usize,
}

/// A checked scatter or gather: geometry, without data. See the module's text.
#[derive(Debug, Clone)]
pub struct Addressing {
    pub(crate) op: Op,
    pub(crate) names: ArgNames,
    /// The loops over index entries, outermost first; the product of their lengths is `entries()`.
    pub(crate) loops: PerDim<Loop>,
    /// The number of the loop along which entries can name the same slot; `None` if no two entries do. Entries that differ in
    /// another loop never name the same slot, except in a gather that repeats a dimension of its table.
    pub(crate) colliding_loop: Option<usize>,
    /// The dimensions that the numbers of an index tuple address. An index without tuples has a single component.
    pub(crate) components: PerDim<Component>,
    /// The dimension that the first component addresses.
    pub(crate) first_dim: usize,
    /// Elements of the table from one position to the next.
    pub(crate) slot_stride: usize,
    pub(crate) row: Row,
    /// How many index entries a call visits: those of the index, in every round of the loops.
    pub(crate) entries: usize,
    /// How many entries the index itself has. Fewer than [`Addressing::entries`] if a loop reads the same entries in every round.
    pub(crate) index_entries: usize,
    /// The largest addressed element of the values, plus one.
    pub(crate) value_len: usize,
    pub(crate) table_shape: Shape,
    pub(crate) index_shape: Shape,
    /// The shape of the source, if the source is a tensor.
    pub(crate) source_shape: Option<Shape>,
}

impl Addressing {
    /// The plan of a scatter. `plan/rules.rs` has the rules; the class of each error is the operator's (see [`Op::error_class`]).
    pub fn scatter(call: &Arguments<'_>) -> Result<Self> {
        call.check_index_dtype()?;
        let is_along = matches!(call.form, Addressed::Along(_));
        if is_along && call.index.shape.size() == 0 && call.op.empty_index_ends_checks() {
            // A plan without entries does nothing. No other rule was checked, so this plan relies on no rank and no size.
            return Ok(Self::lower_rows(call, [0, 0], false));
        }
        let dims = call.checked_dims()?;
        let src = call.src.map(|src| src.shape);
        let mut plan = Self::lower(call, dims, src);
        plan.source_shape = src.cloned();
        Ok(plan)
    }

    /// The plan of a gather, and the shape of its result. Along a dimension the result has index's shape. For slices it has self's
    /// shape with the length of index along dim. By tuples it has `indices.shape[:-1] + self.shape[K:]`.
    pub fn gather(call: &Arguments<'_>) -> Result<(Self, Shape)> {
        let op = call.op.name();
        call.check_index_dtype()?;
        let [before, depth] = call.checked_dims()?;
        let out = match call.form {
            Addressed::Along(_) => call.index.shape.clone(),
            Addressed::Slices(_) => Shape::of_result(op, &call.slices_dims(before))?,
            Addressed::Tuples(_) | Addressed::Rows => {
                Shape::of_result(op, &call.values_dims(before + depth).concat())?
            }
        };
        Ok((Self::lower(call, [before, depth], Some(&out)), out))
    }

    getters! {
        pub op: Op, colliding_loop: Option<usize>, slot_stride: usize, row: Row, entries: usize, index_entries: usize, value_len: usize;
        loops: &[Loop], components: &[Component], table_shape: &Shape, index_shape: &Shape
    }

    /// The name of the index on the page of the operator.
    pub fn index_name(&self) -> &'static str {
        self.names.index
    }

    /// The name of the source on the page of the operator.
    pub fn source_name(&self) -> &'static str {
        self.names.source
    }

    /// The name of a scalar source on the page of the operator.
    pub fn scalar_name(&self) -> &'static str {
        self.op.scalar_name(self.names.source)
    }

    /// Whether the table has size 1 in a dimension in which the index is longer, as `take_along_dim` allows. All these entries read
    /// the same slot, although they differ in a loop other than the colliding loop. Only a gather has such a plan.
    pub(crate) fn repeats_table(&self) -> bool {
        let repeats = |(at, l): (usize, &Loop)| l.table_stride == 0 && Some(at) != self.colliding_loop;
        // A dimension of size 0 also gives strides of 0, but then the table is empty.
        self.table_len() > 0 && self.loops.iter().enumerate().any(repeats)
    }

    /// How many index values there are: each entry of the index has one for each component.
    pub fn index_len(&self) -> usize {
        self.index_entries * self.components.len()
    }

    /// The most entries that can name one row: the length of the colliding loop. Two entries with the same row differ in their round of
    /// that loop, and share their round of every other loop.
    pub(crate) fn longest_run(&self) -> usize {
        self.colliding_loop.and_then(|at| self.loops.get(at)).map_or(1, |l| l.len)
    }

    /// How many positions the components can name. Every position is smaller. Without components there is one position.
    pub fn positions(&self) -> usize {
        self.components.iter().map(|component| component.bound).product()
    }

    /// The shape of the source of a scatter; `None` for a scalar, and for a gather.
    pub(crate) fn source_shape(&self) -> Option<&Shape> {
        self.source_shape.as_ref()
    }

    /// How many elements the table has. Every addressed element is smaller.
    pub fn table_len(&self) -> usize {
        self.table_shape.size()
    }

    /// The largest addressable element of the table, plus one. At most [`Addressing::table_len`], except for plans without entries
    /// and for rows without elements, whose slots count as one element each.
    pub(crate) fn span(&self) -> usize {
        let Some(last) = self.positions().checked_sub(1) else { return 0 };
        let starts = self.loops.iter().map(|l| l.len.saturating_sub(1) * l.table_stride);
        starts.sum::<usize>() + last * self.slot_stride + self.row.len.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType;
    use crate::plan::Operand;
    use crate::plan::rules::MOST_ENTRIES;

    fn shape(dims: &[usize]) -> Shape {
        Shape::new("test", dims).unwrap()
    }

    /// The plan of a scatter into a table of floats.
    fn scatter(
        (op, form): (Op, Addressed),
        table: &[usize],
        index: &[usize],
        src: Option<&[usize]>,
    ) -> Result<Addressing> {
        let (table, index, src) = (shape(table), shape(index), src.map(shape));
        let f32 = |shape| Operand { shape, dtype: DType::Float32 };
        let (table, src) = (f32(&table), src.as_ref().map(f32));
        let index = Operand { shape: &index, dtype: DType::Int32 };
        Addressing::scatter(&Arguments { op, form, table, index, src })
    }

    fn plan(op: Op, table: &[usize], dim: i64, index: &[usize], src: Option<&[usize]>) -> Result<Addressing> {
        scatter((op, Addressed::Along(dim)), table, index, src)
    }

    fn nd(table: &[usize], indices: &[usize], updates: Option<&[usize]>) -> Addressing {
        scatter((Op::ScatterAdd, Addressed::Tuples(0)), table, indices, updates).unwrap()
    }

    fn lens(plan: &Addressing) -> Vec<usize> {
        plan.loops().iter().map(|l| l.len).collect()
    }

    #[test]
    fn equal_shapes_collapse_to_before_axis_after() {
        let p =
            plan(Op::ScatterInPlace, &[2, 3, 4, 5, 6], 2, &[2, 3, 4, 5, 6], Some(&[2, 3, 4, 5, 6])).unwrap();
        assert_eq!((lens(&p), p.colliding_loop(), p.slot_stride()), (vec![6, 4, 30], Some(1), 30));
        assert_eq!(p.components(), [Component { bound: 4, stride: 1 }]);
    }

    #[test]
    fn a_smaller_index_keeps_the_loops_it_needs() {
        let p = plan(Op::ScatterInPlace, &[4, 3, 4], 2, &[2, 2, 4], Some(&[2, 2, 4])).unwrap();
        assert_eq!(lens(&p), [2, 2, 4]);
        let p = plan(Op::ScatterInPlace, &[4, 3, 4], 0, &[1, 3, 4], Some(&[1, 3, 5])).unwrap();
        assert_eq!((lens(&p), p.colliding_loop(), p.value_len()), (vec![3, 4], None, 14));
    }

    #[test]
    fn a_scalar_source_still_collapses() {
        let p = plan(Op::ScatterAdd, &[3, 4, 6], 0, &[9, 4, 6], None).unwrap();
        let axis = Loop { len: 9, table_stride: 0, value_stride: 0, index_stride: 24 };
        assert_eq!(p.loops(), [axis, Loop { len: 24, table_stride: 1, value_stride: 0, index_stride: 1 }]);
        assert_eq!((p.table_len(), p.value_len()), (72, 1));
    }

    #[test]
    fn an_empty_index_ends_the_checks_of_scatter_only() {
        assert!(plan(Op::ScatterInPlace, &[2, 3], 7, &[0], None).is_ok());
        assert!(plan(Op::ScatterAdd, &[2, 3], 7, &[0, 3], None).is_err());
    }

    #[test]
    fn errors_name_dim_and_position() {
        let p = plan(Op::ScatterAdd, &[3], 0, &[4], None).unwrap();
        assert_eq!(
            p.index_error(1, 3).to_string(),
            "Tensor.scatter_add: index[1] is 3, out of range for dim 0 of self, which has size 3: allowed are -3 to \
             2. Nothing was written"
        );
        let (table, index) = (shape(&[3]), shape(&[4]));
        let [table, index] =
            [(&table, DType::Float32), (&index, DType::Int32)].map(|(shape, dtype)| Operand { shape, dtype });
        let gather = Arguments { op: Op::Gather, form: Addressed::Along(0), table, index, src: None };
        assert_eq!(
            Addressing::gather(&gather).unwrap().0.index_error(1, 3).to_string(),
            "Tensor.gather: index[1] is 3, out of range for dim 0 of self, which has size 3: allowed are -3 to 2"
        );
        let error = nd(&[4, 9], &[2, 2], None).index_error(3, 12);
        assert_eq!((error.dim_fact(), error.position_fact()), (Some(1), Some(&[1, 1][..])));
    }

    #[test]
    fn a_scalar_goes_to_no_more_entries_than_can_be_numbered() {
        let slices = |len| scatter((Op::IndexFill, Addressed::Slices(1)), &[4095, 1], &[len], None);
        assert_eq!(slices(1_048_319).map(|plan| plan.entries() as u64 <= MOST_ENTRIES).ok(), Some(true));
        let error = slices(1_048_832).unwrap_err().to_string(); // 4,095 times this number is still below 2^32
        assert!(error.contains("together they may be at most 4292870144"), "{error}");
    }

    #[test]
    fn tuples_address_rows() {
        let p = nd(&[4, 5, 6], &[2, 3, 2], Some(&[2, 3, 6]));
        assert_eq!(p.components(), [Component { bound: 4, stride: 5 }, Component { bound: 5, stride: 1 }]);
        assert_eq!((p.entries(), p.slot_stride(), p.value_len()), (6, 6, 36));
        assert_eq!(p.row(), Row { len: 6, value_stride: 1 });

        let p = nd(&[4, 5, 6], &[2, 0], Some(&[2, 4, 5, 6]));
        assert_eq!(
            (p.entries(), p.index_len(), p.row().len),
            (2, 0, 120),
            "depth 0: each entry is the whole table"
        );
    }
}
