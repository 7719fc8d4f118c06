//! The gradients of `scatter_softmax` and `scatter_logsumexp`.

use crate::elementwise::broadcast;
use crate::gradients::cotangent_for;
use crate::groups::softmax::Groups;
use crate::plan::Op;
use crate::{Result, Tensor};

/// The gradient of `sum(scatter_softmax(src, index, dim, ignored, size) · cotangent)` with respect to src: `y · (cotangent − Σ y · cotangent)`. y is the
/// result, and the sum is that of the group, exact and rounded once. `docs/operators/vjp.md`.
///
/// # Errors
/// Those of the operator, and of the page.
///
/// ```
/// use scatterwise::{Tensor, scatter_softmax_vjp};
/// let src = Tensor::from_elements(&[2], &[1.0f32, 1.0])?;
/// let index = Tensor::from_elements(&[2], &[0, 0])?;
/// let cotangent = Tensor::from_elements(&[2], &[4.0f32, 0.0])?;
/// let gradient = scatter_softmax_vjp(&src, &index, -1, None, None, &cotangent)?;
/// assert_eq!(gradient.elements::<f32>(), Some(&[1.0, -1.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn scatter_softmax_vjp(
    src: &Tensor,
    index: &Tensor,
    dim: i64,
    ignored: Option<i64>,
    size: Option<usize>,
    cotangent: &Tensor,
) -> Result<Tensor> {
    let groups = Groups::new(Op::ScatterSoftmax, src, (index, ignored), dim, size)?;
    let (op, cotangent) = (groups.op, cotangent_for(cotangent, src, &src.shape)?);
    // The result itself: NaN for a group whose maximum is infinite, and then so is the gradient.
    let result = groups.softmax(src, false)?;
    let cotangent = cotangent.convert(op.name(), groups.dtype)?;
    let sums = groups.sums(&broadcast(Op::Mul, &result, &cotangent, None)?)?;
    let rest = groups.each(Op::ElementwiseSub, &cotangent, &sums, None)?;
    groups.kept(broadcast(Op::Mul, &result, &rest, None)?)?.convert(op.name(), src.dtype)
}

/// The gradient of `sum(scatter_logsumexp(src, index, dim, ignored, size) · cotangent)` with respect to src: the cotangent of the group times the
/// softmax, or what that tends to where the result is infinite. `docs/operators/vjp.md`.
///
/// # Errors
/// Those of the operator, and of the page.
///
/// ```
/// use scatterwise::{Tensor, scatter_logsumexp_vjp};
/// let src = Tensor::from_elements(&[2], &[1.0f32, 1.0])?;
/// let index = Tensor::from_elements(&[2], &[1, 1])?;
/// let cotangent = Tensor::from_elements(&[2], &[0.0f32, 8.0])?;
/// let gradient = scatter_logsumexp_vjp(&src, &index, -1, None, None, &cotangent)?;
/// assert_eq!(gradient.elements::<f32>(), Some(&[4.0, 4.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn scatter_logsumexp_vjp(
    src: &Tensor,
    index: &Tensor,
    dim: i64,
    ignored: Option<i64>,
    size: Option<usize>,
    cotangent: &Tensor,
) -> Result<Tensor> {
    let groups = Groups::new(Op::ScatterLogsumexp, src, (index, ignored), dim, size)?;
    let (op, cotangent) = (groups.op, cotangent_for(cotangent, src, &groups.result)?);
    let cotangent = cotangent.convert(op.name(), groups.dtype)?;
    if src.size() == 0 {
        return Ok(src.clone());
    }
    let softmax = groups.softmax(src, true)?;
    groups.each(Op::ElementwiseMul, &softmax, &cotangent, None)?.convert(op.name(), src.dtype)
}
