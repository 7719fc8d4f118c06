//! The class `Tensor`.
//!
//! Every method takes `&self`: an exclusive borrow would make `t.scatter_(0, index, t)`, and any call while
//! a promise of the same tensor is pending, an error about aliasing that no user could understand.

use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

use js_sys::{Array, Promise};
use wasm_bindgen::convert::RefFromWasmAbi;
use wasm_bindgen::prelude::*;

use crate::context::Device;
use crate::dtype::{DType, Scalar};
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::js::call::{Call, GatherCall};
use crate::js::convert::{self, Wanted};
use crate::js::error::wrong_kind;
use crate::js::options::TensorOptions;
use crate::js::promise::promise;
use crate::js::snippets::tensor_pointer;
use crate::js::{multiply, plain, session};
use crate::lod::Lod;
use crate::ops::Scatter;
use crate::plan::Op;
use crate::shape::Shape;
use crate::tensor::Tensor as Data;

thread_local! {
    static LIVE: Cell<u32> = const { Cell::new(0) };
}

/// Tensors made in JavaScript and neither disposed of nor collected.
pub(super) fn live() -> u32 {
    LIVE.get()
}

/// The class that JavaScript sees.
#[wasm_bindgen(skip_typescript)]
pub struct Tensor {
    pub(super) data: RefCell<Option<Data>>,
    /// A string as it came, or undefined for none.
    name: JsValue,
    /// None for an empty one, which nearly all are.
    lod: Option<Rc<Lod>>,
}

impl Drop for Tensor {
    fn drop(&mut self) {
        self.release();
    }
}

#[wasm_bindgen]
impl Tensor {
    #[wasm_bindgen(constructor)]
    pub fn new(data: &JsValue, options: &JsValue) -> Result<Tensor> {
        const OP: &str = "Tensor";
        if session::default_device() == Device::Cpu
            && let Some(data) = plain::tensor(OP, data, options, Wanted::Own)
        {
            return Ok(Self::wrap(data));
        }
        let options = TensorOptions::parse(OP, options)?;
        let shape = options.shape();
        let shape = if shape.is_undefined() { None } else { Some(convert::sizes(OP, &shape)?) };
        let wanted = options.dtype(OP)?.map_or(Wanted::Own, Wanted::DType);
        let data = match operand(OP, data)? {
            Some(tensor) => copy_of(&tensor, wanted, shape.as_deref())?,
            None => convert::tensor_from(OP, "data", data, wanted, shape.as_deref())?,
        };
        Self::place(OP, data, &options)
    }

    pub fn zeros(shape: &JsValue, options: &JsValue) -> Result<Tensor> {
        Self::filled("Tensor.zeros", shape, Scalar::Bool(false), options)
    }

    pub fn ones(shape: &JsValue, options: &JsValue) -> Result<Tensor> {
        Self::filled("Tensor.ones", shape, Scalar::Bool(true), options)
    }

    pub fn full(shape: &JsValue, value: &JsValue, options: &JsValue) -> Result<Tensor> {
        const OP: &str = "Tensor.full";
        let value = convert::scalar(value).ok_or_else(|| wrong_kind(OP, "value", "a number", value))?;
        Self::filled(OP, shape, value, options)
    }

    pub fn arange(start: &JsValue, stop: &JsValue, step: &JsValue, options: &JsValue) -> Result<Tensor> {
        const OP: &str = "Tensor.arange";
        let number = |argument, value: &JsValue| {
            let number = value.as_f64().filter(|number| number.is_finite());
            number.ok_or_else(|| wrong_kind(OP, argument, "a finite number", value))
        };
        let start = number("start", start)?;
        // As in Python: one number is where it stops.
        let (start, stop) = match stop.is_undefined() {
            true => (0.0, start),
            false => (start, number("stop", stop)?),
        };
        let step = if step.is_undefined() { 1.0 } else { number("step", step)? };
        let options = TensorOptions::parse(OP, options)?;
        let dtype = options.dtype(OP)?.unwrap_or(DType::Float32);
        Self::place(OP, Data::arange(start, stop, step, dtype)?, &options)
    }

    #[wasm_bindgen(getter)]
    pub fn shape(&self) -> Result<Array> {
        Ok(convert::coordinates(self.borrow()?.shape().dims()))
    }

    #[wasm_bindgen(getter)]
    pub fn dtype(&self) -> Result<JsValue> {
        Ok(self.borrow()?.dtype().name().into())
    }

    #[wasm_bindgen(getter)]
    pub fn rank(&self) -> Result<u32> {
        Ok(self.borrow()?.shape().rank() as u32)
    }

    #[wasm_bindgen(getter)]
    pub fn size(&self) -> Result<f64> {
        Ok(self.borrow()?.size() as f64)
    }

    #[wasm_bindgen(getter)]
    pub fn device(&self) -> Result<JsValue> {
        Ok(self.borrow()?.device().name().into())
    }

    #[wasm_bindgen(getter)]
    pub fn name(&self) -> Result<JsValue> {
        self.borrow()?;
        Ok(if self.name.is_undefined() { "".into() } else { self.name.clone() })
    }

    #[wasm_bindgen(getter)]
    pub fn lod(&self) -> Result<Array> {
        let lod = Array::new();
        self.borrow()?;
        for level in self.lod.iter().flat_map(|lod| lod.levels()) {
            lod.push(&convert::coordinates(level));
        }
        Ok(lod)
    }

    // The in-place operators return nothing here; src/js/exports.js makes them return the very same object.

    pub fn scatter_(&self, dim: &JsValue, index: &JsValue, src: &JsValue, options: &JsValue) -> Result<()> {
        let dtype = self.element_type()?;
        self.run(Call::scatter(Op::ScatterInPlace, dtype, [dim, index, src, options])?)
    }

    pub fn scatter(
        &self,
        dim: &JsValue,
        index: &JsValue,
        src: &JsValue,
        options: &JsValue,
    ) -> Result<Tensor> {
        let dtype = self.element_type()?;
        let call = Call::scatter(Op::Scatter, dtype, [dim, index, src, options])?;
        let out = self.share()?;
        out.run(call)?;
        Ok(out)
    }

    pub fn scatter_add_(&self, one: &JsValue, two: &JsValue, three: &JsValue) -> Result<()> {
        let dtype = self.element_type()?;
        self.run(Call::scatter_add(Op::ScatterAddInPlace, dtype, [one, two, three])?)
    }

    pub fn scatter_add(&self, one: &JsValue, two: &JsValue, three: &JsValue) -> Result<Tensor> {
        let dtype = self.element_type()?;
        let call = Call::scatter_add(Op::ScatterAdd, dtype, [one, two, three])?;
        let out = self.share()?;
        out.run(call)?;
        Ok(out)
    }

    pub fn gather(&self, dim: &JsValue, index: &JsValue) -> Result<Tensor> {
        let call = GatherCall::parse(Op::Gather, dim, index)?;
        call.run(&*self.borrow()?).map(Self::wrap)
    }

    pub fn gather_nd(&self, indices: &JsValue) -> Result<Tensor> {
        let call = GatherCall::parse(Op::GatherNd, indices, &JsValue::UNDEFINED)?;
        call.run(&*self.borrow()?).map(Self::wrap)
    }

    pub fn mul(&self, other: &JsValue) -> Result<Tensor> {
        let factor = multiply::factor(Op::Mul, other, self.element_type()?)?;
        self.borrow()?.mul(&factor).map(Self::wrap)
    }

    pub fn mul_(&self, other: &JsValue) -> Result<()> {
        let factor = multiply::factor(Op::MulInPlace, other, self.element_type()?)?;
        let mut data = self.data.borrow_mut();
        data.as_mut().ok_or_else(disposed)?.mul_(&factor)
    }

    #[wasm_bindgen(js_name = clone)]
    pub fn clone_tensor(&self) -> Result<Tensor> {
        Ok(Self::described(self.borrow()?.clone(), self.name.clone(), self.lod.clone()))
    }

    pub fn reshape(&self, shape: &JsValue) -> Result<Tensor> {
        let shape = convert::sizes("Tensor.reshape", shape)?;
        self.borrow()?.reshape(&shape).map(Self::wrap)
    }

    pub fn astype(&self, dtype: &JsValue) -> Result<Tensor> {
        let dtype = convert::dtype("Tensor.astype", dtype)?;
        self.borrow()?.astype(dtype).map(Self::wrap)
    }

    #[wasm_bindgen(js_name = to)]
    pub fn to_device(&self, device: &JsValue) -> Result<Promise> {
        const OP: &str = "Tensor.to";
        let device = session::device(OP, device)?;
        let data = self.borrow()?.clone();
        let (name, lod) = (self.name.clone(), self.lod.clone());
        Ok(promise(async move {
            let data = data.to(device).await?;
            Ok(Self::described(data, name, lod).into())
        }))
    }

    pub fn dispose(&self) {
        self.release();
    }
}

impl Tensor {
    pub(super) fn wrap(data: Data) -> Self {
        Self::described(data, JsValue::UNDEFINED, None)
    }

    pub(super) fn described(data: Data, name: JsValue, lod: Option<Rc<Lod>>) -> Self {
        LIVE.set(LIVE.get() + 1);
        Self { data: RefCell::new(Some(data)), name, lod }
    }

    /// New data on the device that the options, or the session, ask for.
    fn place(op: &'static str, data: Data, options: &TensorOptions) -> Result<Self> {
        let device = options.device();
        let device = match device.is_undefined() {
            true => session::default_device(),
            false => session::device(op, &device)?,
        };
        let data = match device {
            Device::Cpu => data,
            Device::WebGpu => data.upload_for(op)?,
        };
        Self::labelled(op, data, options)
    }

    /// Data with the name and the level-of-detail table of the options.
    pub(super) fn labelled(op: &'static str, data: Data, options: &TensorOptions) -> Result<Self> {
        let (name, lod) = (options.name(), options.lod());
        if !name.is_undefined() && !name.is_string() {
            return Err(wrong_kind(op, "name", "a string", &name));
        }
        let lod = match lod.is_undefined() {
            true => None,
            false => Some(Rc::new(Lod::new(op, convert::offsets(op, &lod)?, data.shape())?)),
        };
        Ok(Self::described(data, name, lod))
    }

    fn filled(op: &'static str, shape: &JsValue, value: Scalar, options: &JsValue) -> Result<Self> {
        let options = TensorOptions::parse(op, options)?;
        let dtype = options.dtype(op)?.unwrap_or(DType::Float32);
        let shape = Shape::new(op, &convert::sizes(op, shape)?)?;
        Self::place(op, Data::filled(op, shape, value, dtype)?, &options)
    }

    fn run(&self, call: Scatter) -> Result<()> {
        let mut data = self.data.borrow_mut();
        call.run(data.as_mut().ok_or_else(disposed)?)
    }

    /// The data, to be looked at.
    pub(super) fn borrow(&self) -> Result<Ref<'_, Data>> {
        Ref::filter_map(self.data.borrow(), Option::as_ref).map_err(|_| disposed())
    }

    /// The dtype. Nothing stays borrowed, as it must not where operands are read: their getters may write to this tensor.
    fn element_type(&self) -> Result<DType> {
        Ok(self.borrow()?.dtype())
    }

    /// Another tensor with the same data, shared until one of the two is written to.
    fn share(&self) -> Result<Self> {
        Ok(Self::wrap(self.borrow()?.clone()))
    }

    fn release(&self) {
        if self.data.take().is_some() {
            LIVE.set(LIVE.get().saturating_sub(1));
        }
    }
}

/// The data of a `Tensor` argument, shared; `None` when the value is no tensor.
pub(super) fn operand(op: &'static str, value: &JsValue) -> Result<Option<Data>> {
    with_tensor(op, value, |tensor| Ok(tensor.borrow()?.clone())).transpose()
}

/// The level-of-detail table of a `Tensor` argument; that of anything else is empty.
pub(super) fn lod_of(op: &'static str, value: &JsValue) -> Result<Option<Rc<Lod>>> {
    with_tensor(op, value, |tensor| Ok(tensor.lod.clone())).unwrap_or(Ok(None))
}

/// The `Tensor` that an argument is; `None` when the value is none.
fn with_tensor<T>(
    op: &'static str,
    value: &JsValue,
    use_it: impl FnOnce(&Tensor) -> Result<T>,
) -> Option<Result<T>> {
    let pointer = tensor_pointer(value);
    if pointer < 0.0 {
        return None;
    }
    if pointer == 0.0 {
        return Some(Err(Error::new(ErrorClass::Runtime, ErrorCode::Disposed, op, "a tensor was freed")));
    }
    // SAFETY: `tensor_pointer` has checked that the value is an instance of this class, made by this copy of
    // the module, and that it has not been freed; its `__wbg_ptr` is then what wasm-bindgen passes for a
    // `&Tensor` parameter. The version of wasm-bindgen is pinned, and tests/web calls this with every kind of value.
    let tensor = unsafe {
        <Tensor as RefFromWasmAbi>::ref_from_abi(<Tensor as RefFromWasmAbi>::Abi::from_usize(
            pointer as usize,
        ))
    };
    Some(use_it(&tensor))
}

/// In-place multiplication by rows; src/js/exports.js returns the very same object.
#[wasm_bindgen(skip_typescript, js_name = __scatter_mul)]
pub fn scatter_mul(input_x: &JsValue, indices: &JsValue, updates: &JsValue) -> Result<()> {
    let op = Op::ScatterMul.name();
    let run = |tensor: &Tensor| tensor.run(Call::scatter_mul(tensor.element_type()?, [indices, updates])?);
    let done = with_tensor(op, input_x, run);
    done.unwrap_or_else(|| Err(wrong_kind(op, "input_x", "a Parameter or a Tensor", input_x)))
}

/// `new Tensor(tensor, options)`.
fn copy_of(tensor: &Data, wanted: Wanted, shape: Option<&[usize]>) -> Result<Data> {
    let tensor = match wanted {
        Wanted::DType(dtype) => tensor.astype(dtype)?,
        _ => tensor.clone(),
    };
    match shape {
        Some(shape) => tensor.reshape(shape),
        None => Ok(tensor),
    }
}

fn disposed() -> Error {
    let text = "this tensor was disposed of; make a clone() before dispose() to keep its values";
    Error::new(ErrorClass::Runtime, ErrorCode::Disposed, "Tensor", text)
}
