//! The short ways of what small calls are made of. They do nothing, and say so, where anything is not as it should be: the long
//! way is taken then, and says what is wrong.
//!
//! That of a scatter in place is chosen by `src/js/tensor.js`, where the arguments are tensors and numbers: nothing but numbers
//! crosses, and nothing is allocated on either side. That of a new tensor, or of an operand that is none, is for a typed array with no
//! option but a shape and the CPU, which JavaScript reads in one call.

use wasm_bindgen::prelude::*;

use crate::context::Device;
use crate::dtype::DType;
use crate::host::UninitBuffer;
use crate::js::convert::Wanted;
use crate::js::snippets::{copy_in, plain_array};
use crate::js::tensor::Tensor;
use crate::ops::{Scatter, Source, Target};
use crate::plan::{Op, Reduce};
use crate::shape::{MAX_OP_RANK, Shape};
use crate::tensor::Tensor as Data;

#[wasm_bindgen]
impl Tensor {
    /// A scatter of a tensor; false for the long way. `form` is numbered in tensor.js.
    #[wasm_bindgen(skip_typescript, js_name = __scatter_tensor)]
    pub fn scatter_tensor(&self, form: u32, dim: f64, index: &Tensor, src: &Tensor) -> bool {
        // An operand that is self is already borrowed, and left to the long way.
        let Ok(mut table) = self.data.try_borrow_mut() else { return false };
        let (Ok(index), Ok(src)) = (index.data.try_borrow(), src.data.try_borrow()) else { return false };
        match (&mut *table, &*index, &*src) {
            (Some(table), Some(index), Some(src)) if src.device() == Device::Cpu => {
                run(table, form, dim, index, Source::from(src))
            }
            _ => false,
        }
    }

    /// The same of a number.
    #[wasm_bindgen(skip_typescript, js_name = __scatter_number)]
    pub fn scatter_number(&self, form: u32, dim: f64, index: &Tensor, value: f64) -> bool {
        let Ok(mut table) = self.data.try_borrow_mut() else { return false };
        let Ok(index) = index.data.try_borrow() else { return false };
        match (&mut *table, &*index) {
            (Some(table), Some(index)) => run(table, form, dim, index, Source::from(value)),
            _ => false,
        }
    }
}

/// On the CPU only: what a GPU refuses may be reported once, and must not be lost.
fn run(table: &mut Data, form: u32, dim: f64, index: &Data, src: Source) -> bool {
    if table.device() != Device::Cpu || index.device() != Device::Cpu {
        return false;
    }
    let dim = dim as i64;
    let along = || Target::along(dim, index);
    let (op, target, reduce) = match form {
        0 => (Op::ScatterInPlace, along(), Reduce::Replace),
        1 => (Op::ScatterInPlace, along(), Reduce::Add),
        2 => (Op::ScatterInPlace, along(), Reduce::Multiply),
        3 => (Op::ScatterAddInPlace, along(), Reduce::Add),
        4 => (Op::ScatterAddInPlace, Target::tuples(index), Reduce::Add),
        5 => (Op::ScatterMul, Target::tuples(index), Reduce::Multiply),
        _ => return false,
    };
    let scatter = Scatter { op, target, src, reduce };
    scatter.run(table).is_ok()
}

/// A new tensor on the CPU; `None` for the long way.
pub(super) fn tensor(op: &'static str, data: &JsValue, options: &JsValue, wanted: Wanted) -> Option<Data> {
    let mut facts = [0; 2 + MAX_OP_RANK];
    let rank = usize::try_from(plain_array(data, options, &mut facts)).ok()?;
    let [dtype, len, sizes @ ..] = facts;
    let dtype = *DType::ALL.get(dtype as usize)?;
    let is_wanted = match wanted {
        Wanted::Own => true,
        Wanted::DType(other) => other == dtype,
        Wanted::Index => dtype.is_index(),
    };
    if !is_wanted {
        return None;
    }
    let sizes = sizes.map(|size| size as usize);
    let shape = Shape::new(op, sizes.get(..rank)?).ok().filter(|shape| shape.size() == len as usize)?;
    let mut room = UninitBuffer::new(op, shape.size() * dtype.size()).ok()?;
    if !copy_in(data, dtype as u32, room.slots()) {
        return None;
    }
    // SAFETY: `copy_in` has written every byte; it returns false where there are not as many elements.
    Some(Data::from_buffer(shape, dtype, unsafe { room.assume_filled() }))
}
