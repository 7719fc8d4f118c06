//! The lowering that every scatter and gather shares.
//!
//! One sentence covers them all: *index entry k connects one row of the table with one row of the values*. A row is
//! `row().len` contiguous elements: a single one for an operator along a dimension, else all dimensions of the table that the
//! index does not address.
//!
//! ```text
//! index k     = Σ over loops: coordinate · index_stride     the entry of the index that entry k reads
//! position(k) = Σ over components c: index value(index k, c) · component c's stride
//! place(k)    = position(k) · place_stride                   the row that the index names
//! table row k = Σ over loops: coordinate · table_stride + place(k)
//! value row k = Σ over loops: coordinate · value_stride
//! ```
//!
//! with the row-major coordinates of k in the loops. Two entries can only name the same place if they differ in the *meeting
//! loop*, which has table stride 0. A scalar source has value stride 0 everywhere. A gather is the same plan in the other
//! direction: the table is read and the values are written.

#[cfg(feature = "webgpu")]
mod facts;
mod lower;
mod mode;

use crate::error::{Allowed, Error, ErrorClass, ErrorCode, FactValue, Result};
use crate::plan::Op;
use crate::plan::rules::{ArgNames, Operand, RuleInput};
use crate::shape::{PerDim, Shape, list};

#[cfg(feature = "webgpu")]
pub(crate) use facts::IndexFacts;
pub use mode::OutOfRange;

/// One loop over index entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Loop {
    /// How often it runs.
    pub len: usize,
    /// Elements of the table from one round to the next.
    pub table_stride: usize,
    /// Elements of the values from one round to the next.
    pub value_stride: usize,
    /// Entries of the index from one round to the next: 0 where every round reads the same ones.
    pub index_stride: usize,
}

/// One number of an index tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Component {
    /// The size of the dimension that it addresses; values are in −bound … bound − 1.
    pub bound: usize,
    /// Positions from one value to the next.
    pub stride: usize,
}

/// The contiguous elements that belong to one index entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// How many there are.
    pub len: usize,
    /// From one to the next in the values: 0 for a scalar source, else 1.
    pub value_stride: usize,
}

/// A checked scatter or gather: geometry only, no data. See the module's text.
#[derive(Debug, Clone)]
pub struct Addressing {
    op: Op,
    names: ArgNames,
    loops: PerDim<Loop>,
    meeting_loop: Option<usize>,
    components: PerDim<Component>,
    /// The dimension that the first component addresses.
    first_dim: usize,
    place_stride: usize,
    row: Row,
    entries: usize,
    index_entries: usize,
    value_len: usize,
    table_shape: Shape,
    index_shape: Shape,
}

impl Addressing {
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
        let call = RuleInput { op, names: ArgNames::along(op), table, index, source: src };
        call.index_dtype()?;
        if index.shape.size() == 0 && op.empty_index_ends_checks() {
            return Ok(Self::empty(op, table.shape, index.shape));
        }
        let axis = Self::check_axis(&call, dim)?;
        Ok(Self::lower_axis(op, table.shape, axis, index.shape, src.map(|src| src.shape)))
    }

    /// `out[…] = self[…, index[…], …]` along `dim`; out has index's shape.
    ///
    /// # Errors
    /// As for [`Addressing::scatter_axis`], without src; index may be longer than self along `dim`.
    pub fn gather_axis(op: Op, table: Operand<'_>, dim: i64, index: Operand<'_>) -> Result<Self> {
        let call = RuleInput { op, names: ArgNames::along(op), table, index, source: None };
        call.index_dtype()?;
        let axis = Self::check_axis(&call, dim)?;
        Ok(Self::lower_axis(op, table.shape, axis, index.shape, Some(index.shape)))
    }

    /// `self[indices[…, 0], …, indices[…, K − 1], :] ∘= updates[…, :]` with K the size of the last dimension of
    /// indices; `updates` is `None` for a scalar.
    ///
    /// # Errors
    /// The class of each is the operator's: indices neither int32 nor int64 or of rank below 2, K above
    /// self's rank, `updates.shape` other than `indices.shape[:-1] + self.shape[K:]`, updates of another
    /// dtype than self.
    pub fn scatter_nd(
        op: Op,
        table: Operand<'_>,
        indices: Operand<'_>,
        updates: Option<Operand<'_>>,
    ) -> Result<Self> {
        let call = RuleInput { op, names: ArgNames::tuples(op), table, index: indices, source: updates };
        call.index_dtype()?;
        call.table_rank()?;
        let depth = call.depth()?;
        call.source_dtype()?;
        call.updates_shape(nd_shape(&call, depth), "indices.shape[:-1] + self.shape[K:]")?;
        Ok(Self::lower_tuples(&call, depth, indices.shape.rank() - 1, updates.is_some()))
    }

    /// `out[…, :] = self[indices[…, 0], …, indices[…, K − 1], :]`, and the shape of out. The first `batch_dims` dimensions of
    /// self and indices belong together: `out[b, …, :] = self[b, indices[b, …, 0], …, :]`.
    ///
    /// # Errors
    /// As for [`Addressing::scatter_nd`], without updates; indices of rank 1 are one tuple. Batch dimensions are fewer than
    /// those of indices, and of the same sizes in both.
    pub fn gather_nd(
        op: Op,
        table: Operand<'_>,
        indices: Operand<'_>,
        batch_dims: usize,
    ) -> Result<(Self, Shape)> {
        let call = RuleInput { op, names: ArgNames::tuples(op), table, index: indices, source: None };
        call.index_dtype()?;
        call.table_rank()?;
        let depth = call.depth()?;
        if batch_dims == 0 {
            let out = Shape::new(op.name(), &nd_shape(&call, depth).concat())?;
            return Ok((Self::lower_tuples(&call, depth, indices.shape.rank() - 1, true), out));
        }
        call.batch_sizes(batch_dims, depth)?;
        let out = Shape::new(op.name(), &nd_shape(&call, batch_dims + depth).concat())?;
        Ok((Self::lower_batches(&call, batch_dims, depth), out))
    }

    /// `input_x[indices[…], :] ∘= updates[…, :]`; `updates` is `None` for a scalar. The dtype of updates is
    /// not looked at: it is converted.
    ///
    /// # Errors
    /// The class of each is the operator's: indices neither int32 nor int64, input_x without a dimension,
    /// `updates.shape` other than `indices.shape + input_x.shape[1:]`.
    pub fn scatter_rows(
        op: Op,
        table: Operand<'_>,
        indices: Operand<'_>,
        updates: Option<Operand<'_>>,
    ) -> Result<Self> {
        let call = RuleInput { op, names: ArgNames::tuples(op), table, index: indices, source: updates };
        call.index_dtype()?;
        call.table_rank()?;
        let rest = table.shape.dims().get(1..).unwrap_or_default();
        call.updates_shape([indices.shape.dims(), rest], "indices.shape + input_x.shape[1:]")?;
        Ok(Self::lower_tuples(&call, 1, indices.shape.rank(), updates.is_some()))
    }

    /// `self[…, index[i], …] ∘= src[…, i, …]`: slices along `dim`, named by an index of one dimension. `src` is `None` for a
    /// scalar.
    ///
    /// # Errors
    /// The class of each is the operator's: index neither int32 nor int64 or not of rank 1, dim out of range, a src of another
    /// dtype than self or whose shape is not self's with the length of index along dim.
    pub fn scatter_slices(
        op: Op,
        table: Operand<'_>,
        dim: i64,
        index: Operand<'_>,
        src: Option<Operand<'_>>,
    ) -> Result<Self> {
        let call = RuleInput { op, names: ArgNames::along(op), table, index, source: src };
        let axis = Self::check_slices(&call, dim)?;
        call.source_dtype()?;
        call.slices_shape(axis)?;
        Ok(Self::lower_slices(&call, axis, src.is_some()))
    }

    /// `out[…, i, …] = self[…, index[i], …]` along `dim`, and the shape of out.
    ///
    /// # Errors
    /// As for [`Addressing::scatter_slices`], without src.
    pub fn gather_slices(op: Op, table: Operand<'_>, dim: i64, index: Operand<'_>) -> Result<(Self, Shape)> {
        let call = RuleInput { op, names: ArgNames::along(op), table, index, source: None };
        let axis = Self::check_slices(&call, dim)?;
        let mut dims = table.shape.dims().to_vec();
        if let Some(len) = dims.get_mut(axis) {
            *len = index.shape.size();
        }
        let out = Shape::new(op.name(), &dims)?;
        Ok((Self::lower_slices(&call, axis, true), out))
    }

    fn check_slices(call: &RuleInput<'_>, dim: i64) -> Result<usize> {
        call.index_dtype()?;
        call.table_rank()?;
        call.index_of_slices()?;
        call.dim(dim)
    }

    fn check_axis(call: &RuleInput<'_>, dim: i64) -> Result<usize> {
        call.table_rank()?;
        call.equal_ranks()?;
        let axis = call.dim(dim)?;
        call.source_dtype()?;
        call.axis_sizes(axis)?;
        Ok(axis)
    }

    /// The operator that this plan is for.
    pub fn op(&self) -> Op {
        self.op
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

    /// The loops over index entries, outermost first; the product of their lengths is `entries()`.
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// The loop along which entries can name the same place. Entries that differ in another loop never do. `None`: no two
    /// entries do.
    pub fn meeting_loop(&self) -> Option<usize> {
        self.meeting_loop
    }

    /// The dimensions that the numbers of an index tuple address; a single one unless the index holds tuples.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// Elements of the table from one position to the next.
    pub fn place_stride(&self) -> usize {
        self.place_stride
    }

    /// The elements that belong to one entry.
    pub fn row(&self) -> Row {
        self.row
    }

    /// How many index entries there are.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// How many entries the index itself has: fewer where a loop reads the same ones in every round.
    pub fn index_entries(&self) -> usize {
        self.index_entries
    }

    /// How many index values there are: one per component of each of its entries.
    pub fn index_len(&self) -> usize {
        self.index_entries * self.components.len()
    }

    /// Positions are below this.
    pub fn positions(&self) -> usize {
        self.components.iter().map(|component| component.bound).product()
    }

    /// The shape of the table.
    pub fn table_shape(&self) -> &Shape {
        &self.table_shape
    }

    /// The shape of the index.
    pub fn index_shape(&self) -> &Shape {
        &self.index_shape
    }

    /// How many elements the table has; every element that is addressed is below.
    pub fn table_len(&self) -> usize {
        self.table_shape.size()
    }

    /// The largest element of the table that can be addressed, plus one: at most [`Addressing::table_len`], but for rows without
    /// elements, whose places count as one each.
    pub(crate) fn span(&self) -> usize {
        let Some(last) = self.positions().checked_sub(1) else { return 0 };
        let starts = self.loops.iter().map(|l| l.len.saturating_sub(1) * l.table_stride);
        starts.sum::<usize>() + last * self.place_stride + self.row.len.max(1)
    }

    /// The largest element of the values that is addressed, plus one.
    pub fn value_len(&self) -> usize {
        self.value_len
    }

    /// The error for a divisor that is zero: the scalar, or the element at that place of a source of that shape.
    pub(crate) fn divisor_error(&self, place: Option<(&Shape, usize)>) -> Error {
        let name = self.names.source;
        let position = place.map(|(shape, at)| shape.unravel(at));
        let at = position.as_deref().map_or(String::new(), list);
        let text = format!("{name}{at} is 0, by which an integer cannot be divided. Nothing was written");
        let error = Error::new(ErrorClass::Value, ErrorCode::ZeroDivisor, self.op.name(), text)
            .argument(name)
            .value(FactValue::Int(0));
        position.into_iter().fold(error, Error::position)
    }

    /// An index has entries, but a dimension that it addresses has no place: only a mode that drops can bear that. `value` gives an
    /// index value where it is known.
    ///
    /// # Errors
    /// `IndexError`.
    pub(crate) fn check_places(
        &self,
        mode: OutOfRange,
        value: impl FnOnce(usize) -> Option<i64>,
    ) -> Result<()> {
        let empty = self.components.iter().position(|component| component.bound == 0);
        let Some(place) = empty.filter(|_| self.index_entries > 0 && mode != OutOfRange::Drop) else {
            return Ok(());
        };
        if let Some(value) = value(place) {
            return Err(self.index_error(place, value));
        }
        let (index, table, dim) = (self.names.index, self.names.table, self.first_dim + place);
        let text =
            format!("{index} names places along dim {dim} of {table}, which has size 0: no index is allowed");
        Err(Error::new(ErrorClass::Index, ErrorCode::IndexOutOfRange, self.op.name(), text)
            .argument(index)
            .dim(dim as i64)
            .shape(table, self.table_shape.dims())
            .shape(index, self.index_shape.dims()))
    }

    /// The error for the index value at position `at` of the index, which is out of range.
    pub fn index_error(&self, at: usize, value: i64) -> Error {
        let place = at % self.components.len().max(1);
        let bound = self.components.get(place).map_or(0, |component| component.bound) as i64;
        let position = self.index_shape.unravel(at);
        let allowed = match bound {
            0 => "no index is allowed".to_owned(),
            _ => format!("allowed are {} to {}", -bound, bound - 1),
        };
        let (index, table, dim) = (self.names.index, self.names.table, self.first_dim + place);
        let text = format!(
            "{index}{} is {value}, out of range for dim {dim} of {table}, which has size {bound}: \
             {allowed}. Nothing was written",
            list(&position)
        );
        Error::new(ErrorClass::Index, ErrorCode::IndexOutOfRange, self.op.name(), text)
            .argument(index)
            .dim(dim as i64)
            .position(position)
            .value(FactValue::Int(value))
            .allowed(Allowed::Range(-bound, bound - 1))
            .shape(table, self.table_shape.dims())
            .shape(index, self.index_shape.dims())
    }
}

/// `indices.shape[:-1]` and `self.shape[depth:]`.
fn nd_shape<'a>(call: &RuleInput<'a>, depth: usize) -> [&'a [usize]; 2] {
    let (_, entries) = call.index.shape.dims().split_last().unwrap_or((&0, &[]));
    [entries, call.table.shape.dims().get(depth..).unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;

    fn shape(dims: &[usize]) -> Shape {
        Shape::new("test", dims).unwrap()
    }

    fn f32(shape: &Shape) -> Operand<'_> {
        Operand { shape, dtype: DType::Float32 }
    }

    fn i32(shape: &Shape) -> Operand<'_> {
        Operand { shape, dtype: DType::Int32 }
    }

    fn plan(op: Op, table: &[usize], dim: i64, index: &[usize], src: Option<&[usize]>) -> Result<Addressing> {
        let (table, index, src) = (shape(table), shape(index), src.map(shape));
        Addressing::scatter_axis(op, f32(&table), dim, i32(&index), src.as_ref().map(f32))
    }

    fn lens(plan: &Addressing) -> Vec<usize> {
        plan.loops().iter().map(|l| l.len).collect()
    }

    #[test]
    fn equal_shapes_collapse_to_before_axis_after() {
        let p =
            plan(Op::ScatterInPlace, &[2, 3, 4, 5, 6], 2, &[2, 3, 4, 5, 6], Some(&[2, 3, 4, 5, 6])).unwrap();
        assert_eq!((lens(&p), p.meeting_loop(), p.place_stride()), (vec![6, 4, 30], Some(1), 30));
        assert_eq!(p.components(), [Component { bound: 4, stride: 1 }]);
    }

    #[test]
    fn a_smaller_index_keeps_the_loops_it_needs() {
        let p = plan(Op::ScatterInPlace, &[4, 3, 4], 2, &[2, 2, 4], Some(&[2, 2, 4])).unwrap();
        assert_eq!(lens(&p), [2, 2, 4]);
        let p = plan(Op::ScatterInPlace, &[4, 3, 4], 0, &[1, 3, 4], Some(&[1, 3, 5])).unwrap();
        assert_eq!((lens(&p), p.meeting_loop(), p.value_len()), (vec![3, 4], None, 14));
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
        let (table, indices) = (shape(&[4, 9]), shape(&[2, 2]));
        let p = Addressing::scatter_nd(Op::ScatterAdd, f32(&table), i32(&indices), None).unwrap();
        let error = p.index_error(3, 12);
        assert_eq!((error.dim_fact(), error.position_fact()), (Some(1), Some(&[1, 1][..])));
    }

    #[test]
    fn tuples_address_rows() {
        let (table, indices, updates) = (shape(&[4, 5, 6]), shape(&[2, 3, 2]), shape(&[2, 3, 6]));
        let p =
            Addressing::scatter_nd(Op::ScatterAdd, f32(&table), i32(&indices), Some(f32(&updates))).unwrap();
        assert_eq!(p.components(), [Component { bound: 4, stride: 5 }, Component { bound: 5, stride: 1 }]);
        assert_eq!((p.entries(), p.place_stride(), p.value_len()), (6, 6, 36));
        assert_eq!(p.row(), Row { len: 6, value_stride: 1 });

        let (indices, updates) = (shape(&[2, 0]), shape(&[2, 4, 5, 6]));
        let p =
            Addressing::scatter_nd(Op::ScatterAdd, f32(&table), i32(&indices), Some(f32(&updates))).unwrap();
        assert_eq!(
            (p.entries(), p.index_len(), p.row().len),
            (2, 0, 120),
            "depth 0: each entry is the whole table"
        );
    }
}
