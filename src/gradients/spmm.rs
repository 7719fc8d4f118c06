//! The gradients of `spmm`.

use crate::dims::plan::Along;
use crate::engine::Value;
use crate::gather::backend::gather_from;
use crate::gradients::elementwise::{divided_by_counts, product};
use crate::gradients::{OP, cotangent_for, filled, require_float};
use crate::groups::plan::SLICES;
use crate::groups::spmm::{Spmm, as_column};
use crate::index::{Index, Reports};
use crate::plan::{Addressing, Arguments, IndexMode, Op, OutOfRange, Reduce, Reduction, Update};
use crate::scatter::backend::scatter_into;
use crate::{DType, Result, Scalar, Scatter, Shape, Target, Tensor, dispatch};

/// The gradients of a sparse product.
pub struct SpmmGradients {
    /// That of the values; `None` for a call without values.
    pub values: Option<Tensor>,
    /// That of the dense matrix.
    pub dense: Tensor,
}

impl Spmm {
    /// The gradients of `sum(spmm · cotangent)` with respect to the values and the dense matrix: that of `dense` is the product with the
    /// transposed matrix, and that of `values[e]` the exact sum of `cotangent[rows[e], …] · dense[columns[e], …]`. `docs/operators/vjp.md`.
    ///
    /// # Errors
    /// Those of the operator, and of the page.
    ///
    /// ```
    /// use scatterwise::{Spmm, Target, Tensor};
    /// let (rows, columns) = (Tensor::from_elements(&[2], &[0, 0])?, Tensor::from_elements(&[2], &[1, 0])?);
    /// let values = Tensor::from_elements(&[2], &[10.0f32, 100.0])?;
    /// let dense = Tensor::from_elements(&[2, 1], &[3.0f32, 4.0])?;
    /// let call = Spmm::new(Target::slices(0, &rows), Target::slices(0, &columns), Some(&values));
    /// let gradients = call.vjp(&dense, &Tensor::from_elements(&[1, 1], &[1.0f32])?)?;
    /// assert_eq!(gradients.dense.elements::<f32>(), Some(&[100.0, 10.0][..]));
    /// assert_eq!(gradients.values.unwrap().elements::<f32>(), Some(&[4.0, 3.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn vjp(&self, dense: &Tensor, cotangent: &Tensor) -> Result<SpmmGradients> {
        let call = self.check(dense)?;
        let [for_rows, for_columns] = &call.plan.plans;
        require_float(Op::Spmm, "dense", dense)?;
        let cotangent = cotangent_for(cotangent, dense, for_rows.table_shape())?;
        let is_reported =
            self.mode.out_of_range == OutOfRange::Raise && !(call.rows.is_ready() && call.columns.is_ready());
        if is_reported {
            // Only a GPU knows the index. This call reports a wrong value at the next read, and the calls below skip it.
            self.run(dense)?;
        }
        let reports = if is_reported { Reports::None } else { Reports::Each };
        // A plan of the caller stays: it keeps what earlier calls made of it.
        let prepared = |given: &Target, index: &Index, plan| match given.index {
            Index::Prepared(_) => Ok(index.clone()),
            Index::Given(_) => Ok(index.prepared(plan, self.mode)?.into_owned().reporting(reports)),
        };
        let (mut rows, mut columns) = (
            prepared(&self.rows, &call.rows, for_rows)?,
            prepared(&self.columns, &call.columns, for_columns)?,
        );
        if call.rows.drops() || call.columns.drops() {
            // An entry that one index drops has no gradient.
            let storage = &dense.storage;
            let kept = rows.without([for_rows, for_columns], &columns, storage, reports)?.into_owned();
            columns = columns.without([for_columns, for_rows], &rows, storage, reports)?.into_owned();
            rows = kept;
        }
        let [rows, columns] = [rows, columns].map(|index| Target { form: SLICES, index });
        let values = self.values.as_ref();
        let values =
            values.map(|values| dispatch::to_device_of(OP.name(), "values", values, dense)).transpose()?;
        let given = Given { plans: &call.plan.plans, dense, rows, columns, values };
        match self.reduction {
            Reduction::Sum => given.of_sum(self, &cotangent),
            Reduction::Mean => given.of_sum(self, &given.shared(&cotangent)?),
            // `check` refuses a product.
            Reduction::Amax | Reduction::Amin | Reduction::Prod => given.of_extreme(self, &cotangent),
        }
    }
}

/// The operands of a call. No index has a value out of range.
struct Given<'a> {
    plans: &'a [Addressing; 2],
    dense: &'a Tensor,
    rows: Target,
    columns: Target,
    values: Option<Tensor>,
}

impl Given<'_> {
    /// The cotangent of a mean, divided by the number of entries of each row. A row without entries has no use for its quotient.
    fn shared(&self, cotangent: &Tensor) -> Result<Tensor> {
        let mut counts = filled(self.dense, &cotangent.shape, Scalar::Int(0), DType::Int32)?;
        let plan = self.plans[0].of_scalar();
        if plan.index_entries() > 0 {
            scatter_into(&plan, Reduce::Add.into(), &mut counts, &self.rows.index, Value::Scalar(1))?;
        }
        divided_by_counts(cotangent, &counts, plan.index_entries())
    }

    fn of_sum(&self, call: &Spmm, cotangent: &Tensor) -> Result<SpmmGradients> {
        let transposed = Spmm {
            rows: self.columns.clone(),
            columns: self.rows.clone(),
            values: self.values.clone(),
            size: self.dense.shape.dims().first().copied(),
            reduction: Reduction::Sum,
            sum: call.sum,
            mode: IndexMode::default(),
        };
        let are_same = true;
        let dense = transposed.run_with(cotangent, are_same)?;
        let values = match self.values {
            Some(_) => Some(self.dots(&picked(cotangent, &self.rows.index)?)?),
            None => None,
        };
        Ok(SpmmGradients { values, dense })
    }

    fn of_extreme(&self, call: &Spmm, cotangent: &Tensor) -> Result<SpmmGradients> {
        let column = match &self.values {
            Some(values) => Some(as_column(values, self.dense.shape.rank())?),
            None => None,
        };
        let times_values =
            |rows: Tensor| column.as_ref().map_or(Ok(rows.clone()), |column| product(&rows, column));
        let products = times_values(picked(self.dense, &self.columns.index)?)?;
        let zeros = filled(self.dense, &cotangent.shape, Scalar::Int(0), self.dense.dtype)?;
        // A plan may be for rows of another length, which a scatter refuses.
        let target = |target: &Target, plan| Target { form: SLICES, index: target.index.for_table(plan) };
        let [rows, columns] = [target(&self.rows, &self.plans[0]), target(&self.columns, &self.plans[1])];
        let scatter = Scatter::new(OP, rows, products.into(), call.reduction.update(false));
        let Some(for_products) = scatter.vjp(&zeros, cotangent)?.src else {
            return Ok(SpmmGradients { values: None, dense: zeros });
        };
        let values = column.as_ref().map(|_| self.dots(&for_products)).transpose()?;
        let zeros = filled(self.dense, &self.dense.shape, Scalar::Int(0), self.dense.dtype)?;
        let mut dense = zeros;
        let update = Update { sum: call.sum, ..Reduce::Add.into() };
        Scatter::new(OP, columns, times_values(for_products)?.into(), update).run(&mut dense)?;
        Ok(SpmmGradients { values, dense })
    }

    /// For each entry the exact sum of the products of its row with its row of the dense matrix.
    fn dots(&self, rows: &Tensor) -> Result<Tensor> {
        let products = product(rows, &picked(self.dense, &self.columns.index)?)?;
        let entries = products.shape.dims().first().copied().unwrap_or(0);
        let row = self.dense.shape.dims().iter().skip(1).product();
        products.reshape(&[entries, row])?.reduce_dims(Along::Sum, Some(&[1]), false, None)
    }
}

/// A row of a table for each entry of an index; zeros for a skipped entry.
fn picked(table: &Tensor, index: &Index) -> Result<Tensor> {
    let arguments =
        Arguments { op: OP, form: SLICES, table: table.operand(), index: index.operand(), src: None };
    let (plan, shape): (Addressing, Shape) = Addressing::gather(&arguments)?;
    let zero = 0;
    Ok(Tensor::from_storage(shape, table.dtype, gather_from(&plan, table, index, zero)?))
}
