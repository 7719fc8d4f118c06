//! `elementwise_mul`, `mul` and `mul_`.

use wasm_bindgen::prelude::*;

use crate::dtype::DType;
use crate::error::Result;
use crate::js::convert::{self, Wanted, operand_from};
use crate::js::error::wrong_kind;
use crate::js::options::{names, read_options};
use crate::js::tensor::{Tensor, lod_of};
use crate::plan::{Activation, Op};
use crate::tensor::Tensor as Data;

const OP: Op = Op::ElementwiseMul;

/// The options, whichever way they came.
struct Options {
    axis: i64,
    act: Option<Activation>,
    name: JsValue,
}

/// `elementwise_mul(x, y, axis, act, name)`, or the last three as one object.
#[wasm_bindgen(skip_typescript)]
pub fn elementwise_mul(
    x: &JsValue,
    y: &JsValue,
    axis: &JsValue,
    act: &JsValue,
    name: &JsValue,
) -> Result<Tensor> {
    let options = if axis.is_object() {
        let options = read_options(OP.name(), axis, &names!("axis", "act", "name"))?;
        Options::parse(&options.get(0), &options.get(1), &options.get(2))?
    } else {
        Options::parse(axis, act, name)?
    };
    let lod = lod_of(OP.name(), x)?;
    let x = operand_from(OP.name(), "x", x, Wanted::Own)?;
    let y = operand_from(OP.name(), "y", y, Wanted::DType(x.dtype()))?;
    let out = crate::ops::elementwise_mul(&x, &y, options.axis, options.act)?;
    Ok(Tensor::described(out, options.name, lod))
}

/// A factor: arrays and numbers take the dtype of what they are multiplied with.
pub(super) fn factor(op: Op, value: &JsValue, dtype: DType) -> Result<Data> {
    operand_from(op.name(), "other", value, Wanted::DType(dtype))
}

impl Options {
    /// null stands for the default, as None does in Paddle.
    fn parse(axis: &JsValue, act: &JsValue, name: &JsValue) -> Result<Self> {
        let given = |value: &JsValue| !value.is_undefined() && !value.is_null();
        let not_text = |argument, value| wrong_kind(OP.name(), argument, "a string", value);
        let axis = if given(axis) { convert::integer(OP.name(), "axis", axis)? } else { -1 };
        let act = match given(act) {
            true => {
                let act = act.as_string().ok_or_else(|| not_text("act", act))?;
                Some(Activation::from_name(OP, &act)?)
            }
            false => None,
        };
        if given(name) && !name.is_string() {
            return Err(not_text("name", name));
        }
        Ok(Self { axis, act, name: if given(name) { name.clone() } else { JsValue::UNDEFINED } })
    }
}
