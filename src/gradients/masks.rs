//! The gradients of choices and selections by a mask.

use crate::elementwise::plan::broadcast::{BroadcastLoop, BroadcastPlan};
use crate::gradients::pair::sum_over_repeats;
use crate::gradients::{OP, cotangent_for, cotangent_of, filled, require_float, zeros_like};
use crate::masks::choose;
use crate::masks::plan::choose::ChoosePlan;
use crate::masks::plan::positions::check_compress;
use crate::masks::positions::positions_of;
use crate::plan::{Op, Reduce, Sum, checks};
use crate::{Device, Result, Scalar, Scatter, Shape, Target, Tensor, dispatch};

/// The gradients of `sum(choose(mask, x, y) · cotangent)` with respect to x and y: the cotangent where the mask chooses the operand, else 0, added up
/// where the operand is repeated. `docs/operators/vjp.md`.
///
/// # Errors
/// Those of the operator, and of the page.
///
/// ```
/// use scatterwise::{Sum, Tensor, choose_vjp};
/// let zero = Tensor::from_elements(&[], &[0.0f32])?;
/// let x = Tensor::from_elements(&[3], &[1.0f32, -2.0, 3.0])?;
/// let cotangent = Tensor::from_elements(&[3], &[10.0f32, 20.0, 30.0])?;
/// let [for_x, for_y] = choose_vjp(&x.gt(&zero)?, &x, &zero, &cotangent, Sum::Ordered)?;
/// assert_eq!(for_x.elements::<f32>(), Some(&[10.0, 0.0, 30.0][..]));
/// assert_eq!(for_y.elements::<f32>(), Some(&[20.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn choose_vjp(
    mask: &Tensor,
    x: &Tensor,
    y: &Tensor,
    cotangent: &Tensor,
    sum: Sum,
) -> Result<[Tensor; 2]> {
    let op = Op::Where;
    let plan = ChoosePlan::new(mask.operand(), x.operand(), y.operand())?;
    require_float(op, "x", x)?;
    // The operator runs on the GPU if one operand is there.
    let here = [mask, x, y].into_iter().find(|tensor| tensor.device() != Device::Cpu).unwrap_or(x);
    let cotangent = cotangent_of(cotangent, here, plan.shape(), x.dtype)?;
    let zero = filled(here, &Shape::scalar(), Scalar::Int(0), x.dtype)?;
    let summed = |gradient: &Tensor, operand: &Tensor| {
        let plan = BroadcastPlan::of_any_dtypes(op, gradient.operand(), operand.operand())?;
        let strides: [fn(&BroadcastLoop) -> usize; 2] = [|l| l.x_stride, |l| l.y_stride];
        let (_, of_operand) = plan.operands(strides[0], strides[1]);
        sum_over_repeats(gradient, plan.loops(), of_operand, &operand.shape, sum)
    };
    Ok([summed(&choose(mask, &cotangent, &zero)?, x)?, summed(&choose(mask, &zero, &cotangent)?, y)?])
}

/// The gradient of `sum(compress(mask, …, x, dim) · cotangent)` with respect to x: the slices of the cotangent where the mask is true, else 0.
/// `docs/operators/vjp.md`.
///
/// # Errors
/// Those of the operator, and of the page. If a GPU alone knows the mask, a cotangent with more slices than the mask has true elements is an
/// `IndexError` with the next read.
///
/// ```
/// use scatterwise::{Tensor, compress_vjp};
/// let x = Tensor::from_elements(&[3], &[1.0f32, 2.0, 3.0])?;
/// let mask = x.ne(&Tensor::from_elements(&[], &[2.0f32])?)?;
/// let gradient = compress_vjp(&mask, &x, 0, &Tensor::from_elements(&[2], &[10.0f32, 30.0])?)?;
/// assert_eq!(gradient.elements::<f32>(), Some(&[10.0, 0.0, 30.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn compress_vjp(mask: &Tensor, x: &Tensor, dim: i64, cotangent: &Tensor) -> Result<Tensor> {
    let op = Op::Compress;
    check_compress(op, mask.operand(), x.operand(), dim)?;
    require_float(op, "x", x)?;
    let axis = checks::axis(op, "x", &x.shape, dim)?;
    let on_gpu = [mask, x].into_iter().find(|tensor| tensor.device() != Device::Cpu);
    let x = match on_gpu {
        Some(here) if x.device() == Device::Cpu => dispatch::on_device_of(OP.name(), here, x.clone())?,
        Some(_) | None => x.clone(),
    };
    // Behind the last position an index that x does not have: the host does not know how many a GPU finds.
    let beyond = Scalar::Int(mask.size() as i128);
    let size = cotangent.shape.dims().get(axis).copied().unwrap_or(0);
    let size = (mask.device() != Device::Cpu).then_some((size, beyond));
    let positions = positions_of(op, mask, size, true)?.positions;
    let mut dims = x.shape.dims().to_vec();
    if let Some(dim) = dims.get_mut(axis) {
        *dim = positions.size();
    }
    let cotangent = cotangent_for(cotangent, &x, &Shape::new(OP.name(), &dims)?)?;
    let mut gradient = zeros_like(&x)?;
    Scatter::new(OP, Target::slices(dim, &positions), (&cotangent).into(), Reduce::Replace)
        .run(&mut gradient)?;
    Ok(gradient)
}
