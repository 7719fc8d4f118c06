//! Gradients of operations on two tensors at ties, zeros and NaN, which central differences do not show, and of refused operands.

use scatterwise::{Activation, ErrorClass, Op, Rounding, Sum, activate_vjp, broadcast_vjp, elementwise_vjp};

use crate::common::backends::{Backend, on_each_backend, read};
use crate::common::data::Data;
use crate::common::report::{Row, equal, error_of, same};

one_thread!(ties_and_special_values);
async fn ties_and_special_values() {
    on_each_backend("gradients-pairs", async |backend, report| {
        report.row("ties", ties(backend).await);
        report.row("rounded quotients", rounded_quotients(backend).await);
        report.row("integers", integers(backend));
    })
    .await;
}

/// x and y share the gradient of a maximum where they are equal, also where both are NaN; −0 and +0 are not equal. y is repeated, and its
/// gradient is a sum.
async fn ties(backend: &Backend) -> Row {
    let nan = f32::NAN;
    let x = backend.put(&Data::new(&[2, 5], &[1.0f32, 3.0, 2.0, -0.0, nan, 5.0, 1.0, 2.0, 0.0, 1.0]))?;
    let y = backend.put(&Data::new(&[5], &[1.0f32, 2.0, 4.0, 0.0, nan]))?;
    let cotangent = backend.put(&Data::new(&[2, 5], &[2.0f32; 10]))?;
    for (op, x_wins, y_wins) in [
        (Op::Maximum, [1.0f32, 2.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 1.0, 0.0], [1.0f32, 2.0, 4.0, 3.0, 3.0]),
        (Op::Minimum, [1.0f32, 0.0, 2.0, 2.0, 1.0, 0.0, 2.0, 2.0, 1.0, 0.0], [3.0f32, 2.0, 0.0, 1.0, 3.0]),
    ] {
        let [for_x, for_y] = broadcast_vjp(op, &x, &y, None, &cotangent, Sum::Ordered)?;
        same("x", Data::new(&[2, 5], &x_wins).difference(&read(&for_x).await?))?;
        same("y", Data::new(&[5], &y_wins).difference(&read(&for_y).await?))?;
    }
    Ok(())
}

/// A whole quotient does not change with its operands, or jumps: the gradients are zeros.
async fn rounded_quotients(backend: &Backend) -> Row {
    let x = backend.put(&Data::new(&[2], &[7.0f32, -7.0]))?;
    let y = backend.put(&Data::new(&[1], &[2.0f32]))?;
    for rounding in [Rounding::Trunc, Rounding::Floor] {
        let [for_x, for_y] = broadcast_vjp(Op::Div, &x, &y, Some(rounding), &x, Sum::Exact)?;
        same("x", Data::new(&[2], &[0.0f32, 0.0]).difference(&read(&for_x).await?))?;
        same("y", Data::new(&[1], &[0.0f32]).difference(&read(&for_y).await?))?;
    }
    Ok(())
}

/// Integers have no gradient, and an activation that does not take the dtype is refused.
fn integers(backend: &Backend) -> Row {
    let x = backend.put(&Data::new(&[2], &[7i32, -7]))?;
    let class = |error: scatterwise::Error| error.class();
    let refused = [
        class(error_of(broadcast_vjp(Op::Add, &x, &x, None, &x, Sum::Ordered))?),
        class(error_of(elementwise_vjp(Op::ElementwiseMax, &x, &x, -1, None, &x, Sum::Ordered))?),
        class(error_of(activate_vjp(&x, Activation::Square, &x))?),
        class(error_of(activate_vjp(&x, Activation::Tanh, &x))?),
    ];
    equal("classes", refused, [ErrorClass::Type; 4])
}
