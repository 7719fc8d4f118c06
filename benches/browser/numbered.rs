//! Tensors by number, for crates whose exports JavaScript calls: `burn` and `candle` include this file. Each has a type `Tensor`,
//! cheap to clone, and a function `made`, which keeps a new one and returns its number.

use std::cell::RefCell;

use crate::Tensor;

thread_local! {
    /// Each tensor at its number; `None` where a number is free.
    pub static TENSORS: RefCell<Vec<Option<Tensor>>> = const { RefCell::new(Vec::new()) };
}

/// Keeps a tensor and returns its number, which may be that of one that was released.
pub fn keep(tensor: Tensor) -> i32 {
    TENSORS.with_borrow_mut(|all| match all.iter().position(Option::is_none) {
        Some(free) => {
            all[free] = Some(tensor);
            free as i32
        }
        None => {
            all.push(Some(tensor));
            all.len() as i32 - 1
        }
    })
}

/// The tensor of that number, which stays kept. There must be one.
pub fn get(number: i32) -> Tensor {
    TENSORS.with_borrow(|all| all[number as usize].clone().unwrap())
}

/// Memory for `len` elements of four bytes. JavaScript writes all of them, and a function of `from_room!` takes the memory over.
#[unsafe(no_mangle)]
pub extern "C" fn room(len: usize) -> *mut u32 {
    let mut values = std::mem::ManuallyDrop::new(Vec::<u32>::with_capacity(len));
    values.as_mut_ptr()
}

/// Defines exports `name(values, len, dims, rank)`. Each makes a tensor of `len` values and `rank` sizes, and returns its number.
/// `values` and `dims` must be what `room` returned for `len` and for `rank`.
macro_rules! from_room {
    ($($name:ident: $type:ty),*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(values: *mut $type, len: usize, dims: *mut u32, rank: usize) -> i32 {
            let values = unsafe { Vec::from_raw_parts(values, len, len) };
            let dims = unsafe { Vec::from_raw_parts(dims, rank, rank) };
            made(values, dims.into_iter().map(|dim| dim as usize).collect())
        }
    )*};
}
pub(crate) use from_room;

/// Drops the tensor of that number, and frees the number.
#[unsafe(no_mangle)]
pub extern "C" fn release(number: i32) {
    TENSORS.with_borrow_mut(|all| all[number as usize] = None);
}
