//! MindSpore's functions on the rows of a Parameter, beside `scatter_mul`.

use crate::error::Result;
use crate::index::target::{Source, Target};
use crate::plan::op::Op;
use crate::plan::reduce::NdReduce;
use crate::scatter::call::Scatter;
use crate::tensor::Tensor;

macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident: $op:ident, $reduce:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Shapes, the implicit conversion of updates, order and errors as for [`scatter_mul`](crate::scatter_mul). In place.
        ///
        /// # Errors
        /// As for `scatter_mul`. A call that fails writes nothing.
        pub fn $name(x: &mut Tensor, indices: &Tensor, updates: impl Into<Source>) -> Result<()> {
            Scatter::nd(Op::$op, Target::tuples(indices), updates.into(), NdReduce::$reduce).run(x)
        }
    )*};
}

rows! {
    /// `x[indices[i…], :] = updates[i…, :]`; of several updates of a row, the last in row-major order stays. Source: MindSpore,
    /// `ops.scatter_update`.
    scatter_update: ScatterUpdate, Replace;
    /// `x[indices[i…], :] += updates[i…, :]`. Source: MindSpore, `ops.scatter_add`.
    ///
    /// ```
    /// use scatterwise::{Tensor, scatter_add};
    /// let mut x = Tensor::from_elements(&[2, 2], &[1, 2, 3, 4])?;
    /// scatter_add(&mut x, &Tensor::from_elements(&[2], &[1, 1])?, 10)?;
    /// assert_eq!(x.elements::<i32>(), Some(&[1, 2, 23, 24][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    scatter_add: ScatterAddRows, Add;
    /// `x[indices[i…], :] -= updates[i…, :]`. Source: MindSpore, `ops.scatter_sub`.
    scatter_sub: ScatterSub, Sub;
    /// `x[indices[i…], :] /= updates[i…, :]`; an integer zero is a `ValueError`. Source: MindSpore, `ops.scatter_div`.
    scatter_div: ScatterDiv, Div;
    /// `x[indices[i…], :] = max(x[indices[i…], :], updates[i…, :])`: NaN wins, −0 < +0. Source: MindSpore, `ops.scatter_max`.
    scatter_max: ScatterMax, Amax;
    /// `x[indices[i…], :] = min(x[indices[i…], :], updates[i…, :])`: NaN wins, −0 < +0. Source: MindSpore, `ops.scatter_min`.
    scatter_min: ScatterMin, Amin;
}
