//! The gradient of every gather.

use crate::engine::Value;
use crate::gather::Gather;
use crate::gradients::{cotangent_for, require_float, zeros_like};
use crate::plan::{Op, Reduce, Sum, Update, value_error};
use crate::scatter::backend::scatter_into;
use crate::{Error, ErrorCode, Result, Shape, Tensor};

impl Gather {
    /// The gradient of `sum(gather · cotangent)` with respect to the table: the cotangent, added up at the slot that each element
    /// was read from, in row-major order of the index or exactly. `docs/operators/vjp.md`.
    ///
    /// # Errors
    /// Those of the operator, and of the page.
    ///
    /// ```
    /// use scatterwise::{Gather, Op, Sum, Target, Tensor};
    /// let t = Tensor::from_elements(&[3], &[1.0f32, 2.0, 3.0])?;
    /// let index = Tensor::from_elements(&[3], &[2, 0, 2])?;
    /// let cotangent = Tensor::from_elements(&[3], &[1.0f32, 10.0, 100.0])?;
    /// let gradient = Gather::new(Op::Gather, Target::along(0, &index)).vjp(&t, &cotangent, Sum::Ordered)?;
    /// assert_eq!(gradient.elements::<f32>(), Some(&[10.0, 0.0, 101.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn vjp(&self, table: &Tensor, cotangent: &Tensor, sum: Sum) -> Result<Tensor> {
        let widened = self.widened(table)?;
        let checked = widened.as_ref().unwrap_or(self).check(table)?;
        require_float(self.op, self.op.table_name(), table)?;
        if checked.plan.repeats_table() {
            return Err(repeated_table(self.op, table, &checked.shape));
        }
        let cotangent = cotangent_for(cotangent, table, &checked.shape)?;
        let mut gradient = zeros_like(table)?;
        if checked.plan.index_entries() > 0 {
            // The plan of a gather, used in the other direction.
            let (index, value) = (&checked.index, Value::Buffer(&cotangent));
            let update = Update { sum, ..Reduce::Add.into() };
            scatter_into(&checked.plan, update, &mut gradient, index, value)?;
        }
        Ok(gradient)
    }
}

/// The error for a table that the index repeats: several elements of the result come from one place, but in another dimension than
/// that of the index. `result` is the shape of the result.
fn repeated_table(op: Op, table: &Tensor, result: &Shape) -> Error {
    let name = op.table_name();
    let text = format!(
        "{name} has shape {} and the result {result}; a gradient needs {name} to have the sizes of the result in all \
         dimensions but that of the index: repeat it, and add up the gradients of its copies",
        table.shape()
    );
    value_error(op, ErrorCode::ShapeMismatch, name, text)
        .shape(name, table.shape().dims())
        .shape("result", result.dims())
}
