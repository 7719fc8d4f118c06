//! `vjp`: gradients, on handles.
//!
//! `boundary/operators.rs` explains the parameters of the exported functions. `cotangent` is the handle of the gradient with respect to the
//! operator's result. `exact` makes sums in gradients exact.

#[cfg(feature = "groups")]
pub(crate) mod groups;

use wasm_bindgen::prelude::*;

use crate::boundary::facts::attempt;
use crate::boundary::operators::operator;
use crate::boundary::second::keep_both;
use crate::boundary::tensors::scalar;
use crate::boundary::{table, wire};
use crate::dims::boundary::reduction_of;
use crate::dtype::DType;
use crate::gather::boundary::{gather_of, take_along_dim_of};
use crate::gradients::pair::{activate_vjp, broadcast_vjp};
use crate::plan::activation::Activation;
use crate::plan::op::{Op, Page};
use crate::scatter::boundary::scatter_call;
use crate::segments::boundary::segments_of;

/// The gradients of a scatter into `tensor`. The other parameters are those of `scatter`. Returns the handle of the gradient with
/// respect to `tensor`. The second gradient is that with respect to `src`, if `src` is a tensor.
#[wasm_bindgen]
pub fn scatter_vjp(
    op: u32,
    update: u32,
    tensor: u32,
    cotangent: u32,
    form: u32,
    dim: f64,
    index: u32,
    mode: u32,
    src: u32,
    kind: u32,
    value: f64,
) -> u32 {
    attempt(|| {
        let gradients = table::with(|all| {
            let call = scatter_call(all, (op, update), (form, dim, index, mode), src, (kind, value))?;
            call.vjp(all.tensor(tensor)?, all.tensor(cotangent)?)
        })?;
        keep_both(gradients.table, gradients.src)
    })
}

/// The gradient of a gather with respect to `tensor`. The other parameters are those of `gather`. Returns its handle.
#[wasm_bindgen]
pub fn gather_vjp(
    op: u32,
    tensor: u32,
    cotangent: u32,
    form: u32,
    dim: f64,
    index: u32,
    mode: u32,
    kind: u32,
    fill: f64,
    exact: bool,
) -> u32 {
    attempt(|| {
        table::keep(table::with(|all| {
            let gather = gather_of(all, op, (form, dim, index, mode), (kind, fill))?;
            gather.vjp(all.tensor(tensor)?, all.tensor(cotangent)?, wire::sum(exact))
        })?)
    })
}

/// The gradients of an operation on two tensors. The parameters are those of `elementwise`. Returns the handle of the gradient with
/// respect to x. The second gradient is that with respect to y; an activation alone has none.
#[wasm_bindgen]
pub fn elementwise_vjp(
    op: u32,
    x: u32,
    y: u32,
    cotangent: u32,
    axis: f64,
    activation: u32,
    rounding: u32,
    exact: bool,
) -> u32 {
    attempt(|| {
        let (x, y, cotangent) = (table::tensor(x)?, table::tensor(y)?, table::tensor(cotangent)?);
        let (op, act) = (operator(op)?, Activation::ALL.get(activation as usize).copied());
        if let (Op::Activate, Some(act)) = (op, act) {
            return keep_both(activate_vjp(&x, act, &cotangent)?, None);
        }
        let [for_x, for_y] = match op.page() {
            Page::ElementwiseMul => crate::gradients::pair::elementwise_vjp(
                op,
                &x,
                &y,
                axis as i64,
                act,
                &cotangent,
                wire::sum(exact),
            )?,
            _ => {
                let rounding = wire::rounding(rounding);
                broadcast_vjp(op, &x, &y, rounding, &cotangent, wire::sum(exact))?
            }
        };
        keep_both(for_x, Some(for_y))
    })
}

/// The gradient of `take_along_dim` with respect to `tensor`. The other parameters are those of `take_along_dim`. Returns its handle.
#[wasm_bindgen]
pub fn take_along_dim_vjp(
    tensor: u32,
    cotangent: u32,
    dim: f64,
    index: u32,
    mode: u32,
    kind: u32,
    fill: f64,
    exact: bool,
) -> u32 {
    attempt(|| {
        let (tensor, cotangent, index) =
            (table::tensor(tensor)?, table::tensor(cotangent)?, table::tensor(index)?);
        let (source, gather) = take_along_dim_of(&tensor, dim, &index, mode, (kind, fill))?;
        let gradient = gather.vjp(&source, &cotangent, wire::sum(exact))?;
        table::keep(gradient.reshape(tensor.shape().dims())?)
    })
}

/// The gradient of `segment_reduce` with respect to `data`. The other parameters are those of `segment_reduce`. Returns its handle.
#[wasm_bindgen]
pub fn segment_reduce_vjp(
    data: u32,
    cotangent: u32,
    reduction: u32,
    are_offsets: bool,
    segments: u32,
    has_initial: bool,
    kind: u32,
    initial: f64,
) -> u32 {
    let initial = has_initial.then(|| scalar(kind, initial));
    attempt(|| {
        let (data, cotangent, segments) =
            (table::tensor(data)?, table::tensor(cotangent)?, table::tensor(segments)?);
        let (reduction, segments) = segments_of(reduction, are_offsets, &segments);
        table::keep(crate::gradients::segment::segment_reduce_vjp(
            &data, reduction, segments, initial, &cotangent,
        )?)
    })
}

/// The gradient of a reduction along dimensions. The parameters are those of `reduce_dims`. Returns its handle.
#[wasm_bindgen]
pub fn reduce_dims_vjp(op: u32, tensor: u32, cotangent: u32, count: u32, keepdim: bool, dtype: u32) -> u32 {
    attempt(|| {
        let (along, dims) = reduction_of(op, count)?;
        let (tensor, cotangent) = (table::tensor(tensor)?, table::tensor(cotangent)?);
        let dtype = DType::ALL.get(dtype as usize).copied();
        table::keep(tensor.reduce_vjp(along, dims.as_deref(), keepdim, dtype, &cotangent)?)
    })
}
