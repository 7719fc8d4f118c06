//! The rules of the reference pages, one function each. Only the constructors of [`Addressing`](crate::plan::index::addressing::Addressing) call them.
//!
//! A function `check_…` returns nothing if its rule holds, and otherwise the error of the operator's class for that rule. In the
//! texts *table* is the tensor that is written to or read, *axis* is `dim` counted from the front, and `d` is any dimension.

use crate::plan::{Addressed, ArgNames, Arguments, Op, Page, Rule, checks};
use crate::{Error, ErrorCode, MAX_OP_RANK, Result, list};

/// The most entries of a plan. A GPU numbers one thread for each entry in 32 bits, and starts up to 2^21 threads more than it needs
/// (`MOST_THREADS` in `engine/gpu/shaders/params.rs`). Only plans of slices are compared with this limit: all others are limited
/// by the memory for index or values.
pub(crate) const MOST_ENTRIES: u64 = (1 << 32) - (1 << 21);

impl<'a> Arguments<'a> {
    /// Checks the operator's rules, except the dtype of the index. Returns two numbers of table dimensions: those before the
    /// addressed dimensions, and the addressed dimensions themselves.
    pub(crate) fn checked_dims(&self) -> Result<[usize; 2]> {
        self.check_table_rank()?;
        match self.form {
            Addressed::Along(dim) => {
                self.check_equal_ranks(dim)?;
                let axis = self.axis(dim)?;
                self.check_source_dtype()?;
                self.check_axis_sizes(axis)?;
                self.check_source_sizes()?;
                Ok([axis, 1])
            }
            Addressed::Slices(dim) => {
                self.check_slices_index()?;
                let axis = self.axis(dim)?;
                self.check_source_dtype()?;
                self.check_slices_shape(axis)?;
                Ok([axis, 1])
            }
            Addressed::Tuples(batch_dims) => {
                let depth = self.tuple_depth()?;
                self.check_batch_sizes(batch_dims, depth)?;
                self.check_source_dtype()?;
                self.check_updates_shape(batch_dims + depth)?;
                Ok([batch_dims, depth])
            }
            Addressed::Rows => {
                self.check_updates_shape(1)?;
                Ok([0, 1])
            }
        }
    }

    /// [`Op::error`] with the shapes of all operands.
    fn shape_error(&self, rule: Rule, code: ErrorCode, argument: &'static str, text: String) -> Error {
        self.with_shapes(self.op.error(rule, code, argument, text))
    }

    fn wrong_size(&self, argument: &'static str, text: String) -> Error {
        self.shape_error(Rule::Size, ErrorCode::ShapeMismatch, argument, text)
    }

    fn with_shapes(&self, error: Error) -> Error {
        let names = self.names();
        let error =
            error.shape(names.table, self.table.shape.dims()).shape(names.index, self.index.shape.dims());
        match self.src {
            Some(source) => error.shape(names.source, source.shape.dims()),
            None => error,
        }
    }

    pub(crate) fn check_index_dtype(&self) -> Result<()> {
        checks::index_dtype(self.op, self.names().index, self.index.dtype)
    }

    /// The source has the table's dtype. Operators on rows convert their source later, and a scalar has no dtype.
    fn check_source_dtype(&self) -> Result<()> {
        let Some(src) = self.src.filter(|_| !self.op.works_on_rows()) else { return Ok(()) };
        let ArgNames { table, source, .. } = self.names();
        checks::same_dtype(self.op, (source, src.dtype), (table, self.table.dtype))
    }

    /// The table has at least one dimension, unless the operator takes a scalar, and at most the supported number.
    fn check_table_rank(&self) -> Result<()> {
        let least = usize::from(!self.op.takes_a_scalar());
        checks::rank(self.op, self.names().table, self.table.shape, least..=MAX_OP_RANK)
            .map_err(|error| self.with_shapes(error))
    }

    /// Index and source have the table's rank. A scalar source has no rank to compare.
    fn check_equal_ranks(&self, dim: i64) -> Result<()> {
        let (table, rank) = (self.table.shape, self.table.shape.rank());
        let names = self.names();
        let table_name = names.table;
        for (name, operand) in [(names.index, Some(self.index)), (names.source, self.src)] {
            if let Some(operand) = operand.filter(|operand| operand.shape.rank() != rank) {
                let (shape, other) = (operand.shape, operand.shape.rank());
                let way_out = if name == names.index { self.advice_for_rank_1(dim) } else { String::new() };
                let text = format!(
                    "{name} has rank {other} (shape {shape}) and {table_name} rank {rank} (shape {table}); they must be \
                     equal{way_out}"
                );
                return Err(self.shape_error(Rule::Rank, ErrorCode::RankMismatch, name, text));
            }
        }
        Ok(())
    }

    /// The advice for an index of one dimension along `dim` of a table with more dimensions; empty for every other index.
    fn advice_for_rank_1(&self, dim: i64) -> String {
        let (index, table) = (self.index.shape, self.table.shape);
        let Some(axis) = table.wrap_dim(dim).filter(|_| index.rank() == 1 && table.rank() > 1) else {
            return String::new();
        };
        let whole = if self.op.takes_a_shape() {
            "IndexPlan.select"
        } else if self.op.page() == Page::Gather {
            "index_select"
        } else if matches!(self.op, Op::ScatterReduce | Op::ScatterReduceInPlace) {
            "a plan by IndexPlan.select(self.shape, dim, index), or index_add"
        } else {
            "index_add or index_copy"
        };
        let name = self.names().index;
        // For a matrix, an index with as many values as the other dimension has places most likely has one for each, as labels do.
        let other = 1 - axis.min(1);
        let (what, long) = match table.dims() {
            dims if dims.len() == 2 && dims.get(other) == Some(&index.size()) => {
                (format!("one element at each place of dim {other}"), other)
            }
            _ => ("single elements".into(), axis),
        };
        let dims: Vec<usize> = (0..table.rank()).map(|d| if d == long { index.size() } else { 1 }).collect();
        format!(". For whole slices use {whole}; for {what}: {name}.reshape({})", list(&dims))
    }

    fn axis(&self, dim: i64) -> Result<usize> {
        checks::axis(self.op, self.names().table, self.table.shape, dim)
    }

    /// No dimension of the index is larger than the table's; the axis may be larger if the operator allows that. In
    /// `take_along_dim` the other sizes must broadcast instead: equal, or one of them 1.
    fn check_axis_sizes(&self, axis: usize) -> Result<()> {
        let (index, table) = (self.index.shape, self.table.shape);
        for (d, (&len, &bound)) in index.dims().iter().zip(table.dims()).enumerate() {
            let along = d == axis;
            if self.op == Op::TakeAlongDim {
                if !along && len != bound && len != 1 && bound != 1 {
                    return Err(self.does_not_broadcast(d));
                }
            } else if len > bound && !(along && self.op.index_may_exceed_dim()) {
                let way_out = match (along, self.op) {
                    (true, Op::ScatterInPlace) => {
                        ". For more updates than places use scatter_nd_, where the last one stays, scatter_add_ or \
                         scatter_reduce_"
                    }
                    (true, Op::Scatter) => {
                        ". For more updates than places use scatter_nd, where the last one stays, scatter_add or \
                         scatter_reduce"
                    }
                    (false, Op::Gather) => ". It may only be longer along dim",
                    (true | false, _) => "",
                };
                let name = self.names().table;
                let sizes = if self.op.takes_a_shape() { "shape" } else { &format!("{name}.shape") };
                let text = format!(
                    "index.shape[{d}] is {len} and {sizes}[{d}] is {bound}: index {index} must not be larger \
                     than {name} {table}{way_out}"
                );
                return Err(self.wrong_size("index", text).dim(d as i64));
            }
        }
        Ok(())
    }

    /// No dimension of the index is larger than the source's. A scalar source fits every index.
    fn check_source_sizes(&self) -> Result<()> {
        let index = self.index.shape;
        let Some(source) = self.src.map(|source| source.shape) else { return Ok(()) };
        for (d, (&len, &available)) in index.dims().iter().zip(source.dims()).enumerate() {
            if len > available {
                let text = format!(
                    "index.shape[{d}] is {len} and src.shape[{d}] is {available}: src {source} must be at least as \
                     large as index {index} in every dimension"
                );
                return Err(self.wrong_size("src", text).dim(d as i64));
            }
        }
        Ok(())
    }

    /// The error for two sizes of `take_along_dim` in dimension `d` that differ and are not 1.
    fn does_not_broadcast(&self, d: usize) -> Error {
        let (index, table, name) = (self.index.shape, self.table.shape, self.names().table);
        let [len, size] = [index, table].map(|shape| shape.dims().get(d).copied().unwrap_or(0));
        let text = format!(
            "index.shape[{d}] is {len} and {name}.shape[{d}] is {size}: in the dimensions other than dim, index {index} \
             and {name} {table} must have the same sizes, or one of them 1"
        );
        self.wrong_size("index", text).dim(d as i64)
    }

    /// An index of slices has one dimension. A scalar table is one slice, so its index has one entry.
    fn check_slices_index(&self) -> Result<()> {
        let rank = self.index.shape.rank();
        let exceeds_scalar = self.table.shape.rank() == 0 && self.index.shape.size() != 1;
        if rank == 1 && !exceeds_scalar {
            return Ok(());
        }
        let rule =
            if exceeds_scalar { "of a scalar it names one place" } else { "it must have one dimension" };
        let name = self.names().index;
        let reads_more = self.op == Op::IndexSelect && rank > 1 && self.form == Addressed::Slices(0);
        let way_out = if reads_more { ". For more use gather_nd of index.reshape([…, 1])" } else { "" };
        let text = format!("{name} has rank {rank} (shape {}); {rule}{way_out}", self.index.shape);
        Err(self.shape_error(Rule::Rank, ErrorCode::RankMismatch, name, text))
    }

    /// The shape of a source or result with a slice for each entry of the index: the table's shape, with the length of the index
    /// along the axis. For a scalar table it has no dimensions.
    pub(crate) fn slices_dims(&self, axis: usize) -> Vec<usize> {
        let mut dims = self.table.shape.dims().to_vec();
        if let Some(len) = dims.get_mut(axis) {
            *len = self.index.shape.size();
        }
        dims
    }

    /// A plan of slices has the entries of the index once for each combination of coordinates before the axis. Without a source
    /// tensor, no memory limits their number, so this check limits it to [`MOST_ENTRIES`].
    fn check_slices_count(&self, axis: usize) -> Result<()> {
        let (len, dims) = (self.index.shape.size(), self.table.shape.dims());
        let rounds: usize = dims.iter().take(axis).product();
        if (rounds as u64).saturating_mul(len as u64) <= MOST_ENTRIES {
            return Ok(());
        }
        let ArgNames { table, index, .. } = self.names();
        let text = format!(
            "{index} has {len} entries, for each of {rounds} places before dim {axis} of {table}; together they may be at \
             most {MOST_ENTRIES}"
        );
        Err(self.shape_error(Rule::Size, ErrorCode::InvalidShape, index, text))
    }

    /// The source has the shape [`Arguments::slices_dims`]. A scalar source and a gather have no source shape, so only the number
    /// of entries is checked.
    fn check_slices_shape(&self, axis: usize) -> Result<()> {
        let Some(source) = self.src else { return self.check_slices_count(axis) };
        let expected = self.slices_dims(axis);
        // A scalar table takes one value: a scalar, or a list of one.
        let is_list_of_one = expected.is_empty() && source.shape.dims() == [1];
        if is_list_of_one || source.shape.dims() == expected {
            return Ok(());
        }
        let ArgNames { table, source: name, .. } = self.names();
        if expected.is_empty() {
            let text =
                format!("{name} has shape {}; it must be [] or [1], as {table} is a scalar", source.shape);
            return Err(self.wrong_size(name, text));
        }
        let dims = list(&expected);
        let way_out = if source.shape.rank() == 0 {
            format!(" (a number, or Tensor.full({dims}, number))")
        } else {
            String::new()
        };
        let text = format!(
            "{name} has shape {}; it must be {dims}: {table}.shape with {} in the place of dim {axis}{way_out}",
            source.shape,
            self.index.shape.size()
        );
        Err(self.wrong_size(name, text))
    }

    /// How many dimensions of the table an index tuple addresses: the size of the last dimension of indices.
    fn tuple_depth(&self) -> Result<usize> {
        let least_rank = self.op.least_tuples_rank();
        let (indices, rank) = (self.index.shape, self.table.shape.rank());
        let depth = indices.dims().last().copied().filter(|_| indices.rank() >= least_rank);
        let Some(depth) = depth else {
            let text = format!(
                "indices has rank {}; it needs at least {least_rank}, the last dimension holding index tuples",
                indices.rank()
            );
            return Err(self.shape_error(Rule::Rank, ErrorCode::RankMismatch, "indices", text));
        };
        if depth > rank {
            let text = format!(
                "indices {indices} holds tuples of {depth}, but {} {} has only {rank} dimensions",
                self.names().table,
                self.table.shape
            );
            return Err(self.shape_error(Rule::Rank, ErrorCode::ShapeMismatch, "indices", text));
        }
        let table = self.names().table;
        let places: u64 = self.table.shape.dims().iter().take(depth).map(|&size| size as u64).product();
        if places > u32::MAX.into() {
            // Only a native program can have shapes with more places: the memory of WebAssembly is too small.
            let text = format!(
                "tuples of {depth} address {places} places of {table} {}; they may be at most {}",
                self.table.shape,
                u32::MAX
            );
            return Err(self.shape_error(Rule::Size, ErrorCode::InvalidShape, "indices", text));
        }
        Ok(depth)
    }

    /// The first `batch_dims` sizes of table and index are equal. Beyond the batches the index has at least one dimension, for its
    /// tuples, and the table has at least `depth`, for the tuples to address.
    fn check_batch_sizes(&self, batch_dims: usize, depth: usize) -> Result<()> {
        let (table, index) = (self.table.shape.dims(), self.index.shape.dims());
        let same = table.get(..batch_dims).is_some_and(|sizes| index.get(..batch_dims) == Some(sizes));
        if same && batch_dims < index.len() && batch_dims + depth <= table.len() {
            return Ok(());
        }
        let ArgNames { table: table_name, index: name, .. } = self.names();
        let text = format!(
            "batch_dims is {batch_dims}: the first {batch_dims} sizes of {table_name} {} and of {name} {} must be equal, {name} \
             must have one dimension more, and its tuples of {depth} address what {table_name} has left",
            self.table.shape, self.index.shape
        );
        Err(self.wrong_size("batch_dims", text))
    }

    /// The shape of values with one row of the table for each index entry, in two parts: the dimensions that count entries; and the
    /// dimensions of a row, which are the table's after the first `depth`.
    pub(crate) fn values_dims(&self, depth: usize) -> [&'a [usize]; 2] {
        [self.form.entry_dims(self.index.shape), self.table.shape.dims().get(depth..).unwrap_or_default()]
    }

    /// The updates have the shape [`Arguments::values_dims`]. Scalar updates always fit.
    fn check_updates_shape(&self, depth: usize) -> Result<()> {
        let [entries, row] = self.values_dims(depth);
        match self.src {
            Some(source) if source.shape.dims().strip_prefix(entries) != Some(row) => {
                let expected = list(&[entries, row].concat());
                let table = self.names().table;
                let formula = match self.form {
                    Addressed::Rows => format!("indices.shape + {table}.shape[1:]"),
                    Addressed::Tuples(batches) if batches > 0 => {
                        format!("indices.shape[:-1] + {table}.shape[batch_dims + K:]")
                    }
                    Addressed::Tuples(_) | Addressed::Along(_) | Addressed::Slices(_) => {
                        format!("indices.shape[:-1] + {table}.shape[K:]")
                    }
                };
                let text = format!("updates has shape {}; it must be {expected}, {formula}", source.shape);
                Err(self.wrong_size("updates", text))
            }
            _ => Ok(()),
        }
    }
}
