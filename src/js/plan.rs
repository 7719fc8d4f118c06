//! The class `IndexPlan`: an index prepared once, used for many calls.

use std::cell::RefCell;

use js_sys::{Array, Promise};
use wasm_bindgen::convert::RefFromWasmAbi;
use wasm_bindgen::prelude::*;

use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::js::call::index_operand;
use crate::js::convert;
use crate::js::promise::promise;
use crate::js::snippets::plan_pointer;
use crate::ops::IndexPlan as PreparedIndex;
use crate::plan::Op;

/// The class that JavaScript sees.
#[wasm_bindgen(skip_typescript)]
pub struct IndexPlan {
    plan: RefCell<Option<PreparedIndex>>,
}

#[wasm_bindgen]
impl IndexPlan {
    /// There is no way to make one but the two below.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<IndexPlan> {
        let text = "a plan is made by IndexPlan.along(shape, dim, index) or IndexPlan.nd(shape, indices)";
        Err(Error::new(ErrorClass::Type, ErrorCode::InvalidArgument, "IndexPlan", text))
    }

    pub fn along(shape: &JsValue, dim: &JsValue, index: &JsValue) -> Result<IndexPlan> {
        const OP: Op = Op::PlanAlong;
        let shape = convert::sizes(OP.name(), shape)?;
        let dim = convert::integer(OP.name(), "dim", dim)?;
        let index = index_operand(OP, "index", index)?;
        Ok(Self::wrap(PreparedIndex::along(&shape, dim, &index)?))
    }

    pub fn nd(shape: &JsValue, indices: &JsValue) -> Result<IndexPlan> {
        const OP: Op = Op::PlanNd;
        let shape = convert::sizes(OP.name(), shape)?;
        let indices = index_operand(OP, "indices", indices)?;
        Ok(Self::wrap(PreparedIndex::nd(&shape, &indices)?))
    }

    #[wasm_bindgen(getter)]
    pub fn shape(&self) -> Result<Array> {
        let plan = self.get("IndexPlan")?;
        Ok(convert::coordinates(plan.shape().dims()))
    }

    #[wasm_bindgen(getter)]
    pub fn updates(&self) -> Result<f64> {
        Ok(self.get("IndexPlan")?.updates() as f64)
    }

    #[wasm_bindgen(getter)]
    pub fn has_duplicates(&self) -> Result<bool> {
        self.get("IndexPlan")?.has_duplicates()
    }

    pub fn ready(&self) -> Result<Promise> {
        let plan = self.get("IndexPlan.ready")?;
        Ok(promise(async move {
            plan.ready().await?;
            Ok(JsValue::UNDEFINED)
        }))
    }

    pub fn dispose(&self) {
        self.plan.take();
    }
}

impl IndexPlan {
    fn wrap(plan: PreparedIndex) -> Self {
        Self { plan: RefCell::new(Some(plan)) }
    }

    fn get(&self, op: &'static str) -> Result<PreparedIndex> {
        self.plan.borrow().clone().ok_or_else(|| disposed(op))
    }
}

/// The plan that an argument is; `None` when the value is none.
pub(super) fn planned(op: Op, value: &JsValue) -> Result<Option<PreparedIndex>> {
    // The usual case, without a call of JavaScript.
    if value.as_f64().is_some() {
        return Ok(None);
    }
    let pointer = plan_pointer(value);
    if pointer < 0.0 {
        return Ok(None);
    }
    if pointer == 0.0 {
        return Err(disposed(op.name()));
    }
    // SAFETY: `plan_pointer` has checked that the value is an instance of this class, made by this copy of the
    // module, and that it has not been freed; its `__wbg_ptr` is then what wasm-bindgen passes for an
    // `&IndexPlan` parameter. As for `with_tensor` in tensor.rs.
    let plan = unsafe {
        <IndexPlan as RefFromWasmAbi>::ref_from_abi(<IndexPlan as RefFromWasmAbi>::Abi::from_usize(
            pointer as usize,
        ))
    };
    plan.get(op.name()).map(Some)
}

fn disposed(op: &'static str) -> Error {
    let text = "this plan was disposed of; make another with IndexPlan.along or IndexPlan.nd";
    Error::new(ErrorClass::Runtime, ErrorCode::Disposed, op, text).argument("plan")
}
