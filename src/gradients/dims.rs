//! The gradients of reductions along dimensions.

use crate::dims::plan::{Along, DimsPlan};
use crate::gradients::elementwise::{divided_by_counts, masked, product, same_values};
use crate::gradients::{OP, cotangent_of, filled, require_float};
use crate::plan::dtype_mismatch;
use crate::{DType, Error, ErrorClass, ErrorCode, Result, Scalar, Tensor};

impl Tensor {
    /// The gradient of `sum(reduction · cotangent)` with respect to self. The parameters are those of the reduction
    /// ([`Tensor::sum`] and its siblings). `docs/operators/vjp.md`.
    ///
    /// # Errors
    /// Those of the operator, and of the page.
    ///
    /// ```
    /// use scatterwise::{Along, Tensor};
    /// let tensor = Tensor::from_elements(&[2, 2], &[1.0f32, 3.0, 3.0, 2.0])?;
    /// let cotangent = Tensor::from_elements(&[], &[8.0f32])?;
    /// let gradient = tensor.reduce_vjp(Along::Amax, None, false, None, &cotangent)?;
    /// assert_eq!(gradient.elements::<f32>(), Some(&[0.0, 4.0, 4.0, 0.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn reduce_vjp(
        &self,
        along: Along,
        dims: Option<&[i64]>,
        keepdim: bool,
        dtype: Option<DType>,
        cotangent: &Self,
    ) -> Result<Self> {
        let op = along.op();
        let plan = DimsPlan::new(along, self.operand(), dims, keepdim, dtype)?;
        if along.is_position() {
            let text = "positions have no gradient: a small change of self changes none of them";
            return Err(Error::new(ErrorClass::Type, ErrorCode::DtypeMismatch, op.name(), text));
        }
        require_float(op, "self", self)?;
        if !plan.dtype().is_float() {
            let text = format!("dtype is {}, and only floating-point numbers have gradients", plan.dtype());
            return Err(dtype_mismatch(op, "dtype", plan.dtype(), text));
        }
        let cotangent = cotangent_of(cotangent, self, plan.out_shape(), plan.out_dtype())?;
        // With the reduced dimensions, each of size 1, results broadcast to self.
        let wide = DimsPlan::new(along, self.operand(), dims, true, dtype)?;
        let cotangent = cotangent.reshape(wide.out_shape().dims())?;
        let spread =
            |result: &Self| product(&filled(result, &self.shape, Scalar::Int(1), result.dtype)?, result);
        let gradient = match along {
            Along::Sum => spread(&cotangent)?,
            Along::Prod if plan.is_empty() => return Ok(self.clone()),
            Along::Prod => {
                let (call, table) = self.as_scatter(&plan)?;
                let src = call.vjp(&table, &cotangent.reshape(table.shape.dims())?)?.src;
                // A tensor is the source, so it has a gradient.
                src.map_or_else(|| Ok(self.clone()), |src| src.reshape(self.shape.dims()))?
            }
            Along::Mean => {
                let count = Scalar::Int(plan.terms() as i128);
                let counts = filled(&cotangent, &cotangent.shape, count, DType::Int32)?;
                spread(&divided_by_counts(&cotangent, &counts, plan.terms())?)?
            }
            Along::Amax | Along::Amin | Along::Argmax | Along::Argmin => {
                let best = spread(&self.reduce_dims(along, dims, true, None)?)?;
                let is_best = same_values(self, &best)?;
                let ties = is_best.reduce_dims(Along::Sum, dims, true, Some(DType::Int32))?;
                masked(&is_best, &spread(&divided_by_counts(&cotangent, &ties, plan.terms())?)?)?
            }
        };
        gradient.convert(OP.name(), self.dtype)
    }
}
