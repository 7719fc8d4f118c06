//! The gradients of the operators on two tensors.

use crate::elementwise::backend;
use crate::elementwise::plan::broadcast::{BroadcastLoop, BroadcastPlan};
use crate::gradients::activation::derivative;
use crate::gradients::elementwise::{divided_by_counts, masked, product, same_values, scaled};
use crate::gradients::{OP, cotangent_for, filled, flat, require_float};
use crate::plan::{Activation, Binary, Op, Reduce, Reduction, Rounding, Sum, Update};
use crate::segments::{Segments, segment_reduce};
use crate::{DType, Device, Result, Scalar, Scatter, Shape, Target, Tensor, dispatch, elementwise, reserved};

/// The gradients of `sum(op(x, y, axis, act) · cotangent)` with respect to x and y, where `op` is `elementwise_mul` or a sibling. That of y is
/// added up in row-major order over the dimensions along which y is repeated, or exactly. `docs/operators/vjp.md`.
///
/// # Errors
/// Those of the operator, and of the page.
///
/// ```
/// use scatterwise::{Op, Sum, Tensor, elementwise_vjp};
/// let x = Tensor::from_elements(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
/// let (y, ones) = (Tensor::from_elements(&[2], &[10.0f32, 100.0])?, Tensor::full(&[2, 2], 1, x.dtype())?);
/// let [for_x, for_y] = elementwise_vjp(Op::ElementwiseMul, &x, &y, -1, None, &ones, Sum::Ordered)?;
/// assert_eq!(for_x.elements::<f32>(), Some(&[10.0, 100.0, 10.0, 100.0][..]));
/// assert_eq!(for_y.elements::<f32>(), Some(&[4.0, 6.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn elementwise_vjp(
    op: Op,
    x: &Tensor,
    y: &Tensor,
    axis: i64,
    act: Option<Activation>,
    cotangent: &Tensor,
    sum: Sum,
) -> Result<[Tensor; 2]> {
    let plan = |op, x: &Tensor, act| BroadcastPlan::along_axis(op, x.operand(), y.operand(), axis, act);
    plan(op, x, act)?; // only for the errors of `act`: the plans of gradients have no `act`
    let forward = plan(op, x, None)?;
    gradients(&forward, &|x| plan(Op::ElementwiseMul, x, None), [x, y], act, cotangent, sum)
}

/// The gradient of `sum(activate(x, act) · cotangent)` with respect to x: `cotangent · act'(x)`. `docs/operators/vjp.md`.
///
/// # Errors
/// Those of the operator, and of the page.
///
/// ```
/// use scatterwise::{Activation, Tensor, activate_vjp};
/// let x = Tensor::from_elements(&[2], &[-3.0f32, 4.0])?;
/// let gradient = activate_vjp(&x, Activation::Square, &Tensor::full(&[2], 1, x.dtype())?)?;
/// assert_eq!(gradient.elements::<f32>(), Some(&[-6.0, 8.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn activate_vjp(x: &Tensor, act: Activation, cotangent: &Tensor) -> Result<Tensor> {
    act.check_dtype(Op::Activate, x.dtype)?;
    require_float(Op::Activate, "x", x)?;
    product(&cotangent_for(cotangent, x, &x.shape)?, &derivative(act, x)?)
}

/// The gradients of `sum(op(x, y) · cotangent)` with respect to x and y, where `op` is [`Tensor::mul`] or a sibling: see
/// [`elementwise_vjp`]. Here x may be repeated too. A quotient with a `rounding` has the gradient 0.
///
/// # Errors
/// Those of the operator, and of the page.
pub fn broadcast_vjp(
    op: Op,
    x: &Tensor,
    y: &Tensor,
    rounding: Option<Rounding>,
    cotangent: &Tensor,
    sum: Sum,
) -> Result<[Tensor; 2]> {
    let forward = BroadcastPlan::both_sides(op, x.operand(), y.operand(), rounding)?;
    let align = |x: &Tensor| BroadcastPlan::of(op, Binary::Multiply, x.operand(), y.operand());
    gradients(&forward, &align, [x, y], None, cotangent, sum)
}

/// The gradients of the operation of `plan`, which has no activation, with respect to x and y. `align` makes the plan of a product of a
/// tensor with y, by the operator's rule of alignment.
fn gradients(
    plan: &BroadcastPlan,
    align: &dyn Fn(&Tensor) -> Result<BroadcastPlan>,
    [x, y]: [&Tensor; 2],
    act: Option<Activation>,
    cotangent: &Tensor,
    sum: Sum,
) -> Result<[Tensor; 2]> {
    let (op, names) = (plan.op(), plan.op().operand_names());
    for (name, operand) in names.into_iter().zip([x, y]) {
        require_float(op, name, operand)?;
    }
    // If only y is on a GPU, the operator runs there, and so do the gradients.
    let x =
        &if x.device() == Device::Cpu { dispatch::on_device_of(op.name(), y, x.clone())? } else { x.clone() };
    let y = &dispatch::to_device_of(op.name(), names[1], y, x)?;
    // With respect to the result before the activation.
    let mut inner = cotangent_for(cotangent, x, plan.out_shape())?;
    if let Some(act) = act {
        inner = product(&inner, &derivative(act, &backend::elementwise(plan, x, y)?)?)?;
    }
    // The plan may have exchanged its operands. These readers give the stride of x and the stride of y.
    let strides: [fn(&BroadcastLoop) -> usize; 2] = [|l| l.x_stride, |l| l.y_stride];
    let (of_x, of_y) = plan.operands(strides[0], strides[1]);
    // The operands, repeated to the shape of the result.
    let ones = || filled(x, plan.out_shape(), Scalar::Int(1), x.dtype);
    let wide_x = || product(&ones()?, x);
    let wide_y = || ones().and_then(|ones| backend::elementwise(&align(&ones)?, &ones, y));
    let combined = |binary, one: &Tensor, two: &Tensor| elementwise::combined(OP, binary, one, two);
    let [for_x, for_y] = match plan.binary() {
        Binary::Add => [inner.clone(), inner],
        Binary::Subtract => [inner.clone(), scaled(&inner, Scalar::Int(-1))?],
        Binary::Multiply => [backend::elementwise(&align(&inner)?, &inner, y)?, product(&inner, x)?],
        Binary::Divide(None) => {
            let (x, y) = (wide_x()?, wide_y()?);
            let for_x = combined(Binary::Divide(None), &inner, &y)?;
            let quotient = combined(Binary::Divide(None), &x, &y)?;
            let for_y = scaled(&product(&for_x, &quotient)?, Scalar::Int(-1))?;
            [for_x, for_y]
        }
        Binary::Divide(Some(_)) => {
            let zeros = filled(x, plan.out_shape(), Scalar::Int(0), x.dtype)?;
            [zeros.clone(), zeros]
        }
        Binary::Maximum | Binary::Minimum => {
            let (x, y) = (wide_x()?, wide_y()?);
            let result = combined(plan.binary(), &x, &y)?;
            // At least one operand is the result.
            let (x_is_result, y_is_result) = (same_values(&x, &result)?, same_values(&y, &result)?);
            let [x_count, y_count] =
                [&x_is_result, &y_is_result].map(|mask| mask.convert(OP.name(), DType::Int32));
            let ties = combined(Binary::Add, &x_count?, &y_count?)?;
            let share = divided_by_counts(&inner, &ties, 2)?;
            [masked(&x_is_result, &share)?, masked(&y_is_result, &share)?]
        }
    };
    Ok([
        sum_over_repeats(&for_x, plan.loops(), of_x, &x.shape, sum)?,
        sum_over_repeats(&for_y, plan.loops(), of_y, &y.shape, sum)?,
    ])
}

/// The gradient of an operand from a tensor of the result's shape: its sum over the loops in which the operand is repeated. `loops`
/// are those of the operation's plan, `stride` reads the operand's stride from a loop, and `shape` is the operand's.
pub(crate) fn sum_over_repeats(
    gradient: &Tensor,
    loops: &[BroadcastLoop],
    stride: fn(&BroadcastLoop) -> usize,
    shape: &Shape,
    kind: Sum,
) -> Result<Tensor> {
    if gradient.size() == 0 {
        return filled(gradient, shape, Scalar::Int(0), gradient.dtype);
    }
    if kind == Sum::Exact && loops.iter().filter(|l| stride(l) == 0).count() > 1 {
        return exact_sum(gradient, loops, stride, shape);
    }
    // The sizes of the sum so far, one for each loop. From the last loop on, each repeated loop is summed up and gets the size 1.
    // Each combination of the loops before it is one segment, and the elements of the sum are its rows.
    let mut dims: Vec<usize> = loops.iter().map(|l| l.len).collect();
    let mut sum = gradient.clone();
    for at in (0..dims.len()).rev() {
        if loops.get(at).is_none_or(|l| stride(l) != 0) {
            continue;
        }
        let (before, after) = dims.split_at_mut(at);
        let Some((len, after)) = after.split_first_mut() else { continue };
        let (outer, inner): (usize, usize) = (before.iter().product(), after.iter().product());
        let lengths = Tensor::full(&[outer], Scalar::Int(*len as i128), DType::Int64)?;
        let rows = sum.reshape(&[outer * *len, inner])?;
        sum = segment_reduce(&rows, Reduction::Sum, kind, Segments::Lengths(&lengths), None)?;
        *len = 1;
    }
    sum.reshape(shape.dims())
}

/// [`sum_over_repeats`] with one rounding: a scatter into zeros adds each element at its element of the operand.
fn exact_sum(
    gradient: &Tensor,
    loops: &[BroadcastLoop],
    stride: fn(&BroadcastLoop) -> usize,
    shape: &Shape,
) -> Result<Tensor> {
    let mut slots = reserved(OP.name(), gradient.size())?;
    slots.push(0i32);
    for l in loops.iter().rev() {
        // The slots of the inner loops, once for each round of this loop.
        let inner = slots.len();
        for round in 1..l.len {
            let first = (round * stride(l)) as i32;
            slots.extend_from_within(..inner);
            slots.iter_mut().skip(round * inner).for_each(|slot| *slot += first);
        }
    }
    let index = dispatch::on_device_of(OP.name(), gradient, Tensor::from_elements(&[slots.len()], &slots)?)?;
    let mut sum = filled(gradient, &Shape::new(OP.name(), &[shape.size()])?, Scalar::Int(0), gradient.dtype)?;
    let update = Update { sum: Sum::Exact, ..Reduce::Add.into() };
    Scatter::new(OP, Target::along(0, &index), flat(gradient)?.into(), update).run(&mut sum)?;
    sum.reshape(shape.dims())
}
