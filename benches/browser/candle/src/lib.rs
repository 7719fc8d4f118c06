//! Candle's tensors by number. A result of −1 is an error of Candle's.

use candle_core::{CpuStorage, Device, Result, Storage, Tensor};
use std::cell::RefCell;

thread_local! {
    static TENSORS: RefCell<Vec<Option<Tensor>>> = const { RefCell::new(Vec::new()) };
}

fn keep(made: Result<Tensor>) -> i32 {
    let Ok(tensor) = made else { return -1 };
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

fn get(number: i32) -> Tensor {
    TENSORS.with_borrow(|all| all[number as usize].clone().unwrap())
}

/// Room for `len` elements of four bytes, which one of the functions below takes over.
#[unsafe(no_mangle)]
pub extern "C" fn room(len: usize) -> *mut u32 {
    let mut values = std::mem::ManuallyDrop::new(Vec::<u32>::with_capacity(len));
    values.as_mut_ptr()
}

macro_rules! from_room {
    ($name:ident, $type:ty) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(values: *mut $type, len: usize, dims: *mut u32, rank: usize) -> i32 {
            let values = unsafe { Vec::from_raw_parts(values, len, len) };
            let dims = unsafe { Vec::from_raw_parts(dims, rank, rank) };
            let dims: Vec<usize> = dims.into_iter().map(|dim| dim as usize).collect();
            keep(Tensor::from_vec(values, dims, &Device::Cpu))
        }
    };
}
from_room!(tensor_f32, f32);
from_room!(tensor_i32, i32);
from_room!(tensor_u32, u32);

#[unsafe(no_mangle)]
pub extern "C" fn release(number: i32) {
    TENSORS.with_borrow_mut(|all| all[number as usize] = None);
}

/// Where the elements are.
#[unsafe(no_mangle)]
pub extern "C" fn data(number: i32) -> *const u8 {
    let tensor = get(number);
    let (storage, _) = tensor.storage_and_layout();
    match &*storage {
        Storage::Cpu(CpuStorage::F32(values)) => values.as_ptr().cast(),
        Storage::Cpu(CpuStorage::I32(values)) => values.as_ptr().cast(),
        _ => std::ptr::null(),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn multiply(a: i32, b: i32) -> i32 {
    keep(get(a).broadcast_mul(&get(b)))
}

#[unsafe(no_mangle)]
pub extern "C" fn gather(t: i32, index: i32, dim: usize) -> i32 {
    keep(get(t).gather(&get(index), dim))
}

#[unsafe(no_mangle)]
pub extern "C" fn replace(t: i32, index: i32, src: i32, dim: usize) -> i32 {
    keep(get(t).scatter(&get(index), &get(src), dim))
}

#[unsafe(no_mangle)]
pub extern "C" fn add(t: i32, index: i32, src: i32, dim: usize) -> i32 {
    keep(get(t).scatter_add(&get(index), &get(src), dim))
}

#[unsafe(no_mangle)]
pub extern "C" fn add_rows(t: i32, index: i32, src: i32) -> i32 {
    keep(get(t).index_add(&get(index), &get(src), 0))
}

#[unsafe(no_mangle)]
pub extern "C" fn replace_in_place(t: i32, index: i32, src: i32, dim: usize) -> i32 {
    get(t).scatter_set(&get(index), &get(src), dim).map_or(-1, |()| 0)
}

#[unsafe(no_mangle)]
pub extern "C" fn add_in_place(t: i32, index: i32, src: i32, dim: usize) -> i32 {
    get(t).scatter_add_set(&get(index), &get(src), dim).map_or(-1, |()| 0)
}
