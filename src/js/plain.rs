//! The short way of a scatter in place: `src/js/tensor.js` takes it where the arguments are tensors and numbers, so that
//! nothing but numbers crosses, and nothing is allocated on either side.

use wasm_bindgen::prelude::*;

use crate::context::Device;
use crate::js::tensor::Tensor;
use crate::ops::{Scatter, Source};
use crate::plan::{Op, Reduce};
use crate::tensor::Tensor as Data;

#[wasm_bindgen]
impl Tensor {
    /// A scatter of a tensor. False where anything is not as it should be: nothing was done then, and the long way
    /// says what is wrong. `form` is numbered in tensor.js.
    #[wasm_bindgen(skip_typescript, js_name = __scatter_tensor)]
    pub fn scatter_tensor(&self, form: u32, dim: f64, index: &Tensor, src: &Tensor) -> bool {
        // An operand that is self is already borrowed, and left to the long way.
        let Ok(mut table) = self.data.try_borrow_mut() else { return false };
        let (Ok(index), Ok(src)) = (index.data.try_borrow(), src.data.try_borrow()) else { return false };
        match (&mut *table, &*index, &*src) {
            (Some(table), Some(index), Some(src)) if src.device() == Device::Cpu => {
                run(table, form, dim, index, Source::Tensor(src))
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
fn run(table: &mut Data, form: u32, dim: f64, index: &Data, src: Source<'_>) -> bool {
    if table.device() != Device::Cpu || index.device() != Device::Cpu {
        return false;
    }
    let dim = dim as i64;
    let along = |op, reduce| Scatter::Along { op, dim, index, src, reduce };
    let scatter = match form {
        0 => along(Op::ScatterInPlace, Reduce::Replace),
        1 => along(Op::ScatterInPlace, Reduce::Add),
        2 => along(Op::ScatterInPlace, Reduce::Multiply),
        3 => along(Op::ScatterAddInPlace, Reduce::Add),
        4 => Scatter::Tuples { op: Op::ScatterAddInPlace, indices: index, updates: src },
        5 => Scatter::Rows { indices: index, updates: src },
        _ => return false,
    };
    scatter.run(table).is_ok()
}
