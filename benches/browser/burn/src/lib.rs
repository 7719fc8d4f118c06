//! Burn's tensors by number. What Burn refuses is a panic, which JavaScript sees as a trap.

use burn_backend::ops::{FloatTensorOps, IntTensorOps};
use burn_backend::tensor::IndexingUpdateOp;
use burn_backend::{DType, TensorData};
use burn_flex::{Flex, FlexTensor};
use std::cell::RefCell;

thread_local! {
    static TENSORS: RefCell<Vec<Option<FlexTensor>>> = const { RefCell::new(Vec::new()) };
}

fn keep(tensor: FlexTensor) -> i32 {
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

fn get(number: i32) -> FlexTensor {
    TENSORS.with_borrow(|all| all[number as usize].clone().unwrap())
}

/// Burn writes in place to a tensor that nobody else holds.
fn take(number: i32) -> FlexTensor {
    TENSORS.with_borrow_mut(|all| all[number as usize].take().unwrap())
}

fn put(number: i32, tensor: FlexTensor) -> i32 {
    TENSORS.with_borrow_mut(|all| all[number as usize] = Some(tensor));
    number
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
            keep(FlexTensor::from_data(TensorData::new(values, dims)))
        }
    };
}
from_room!(tensor_f32, f32);
from_room!(tensor_i32, i32);

#[unsafe(no_mangle)]
pub extern "C" fn release(number: i32) {
    TENSORS.with_borrow_mut(|all| all[number as usize] = None);
}

/// Where the elements are.
#[unsafe(no_mangle)]
pub extern "C" fn data(number: i32) -> *const u8 {
    let tensor = get(number);
    if tensor.is_contiguous() { tensor.bytes().as_ptr() } else { std::ptr::null() }
}

fn product(x: FlexTensor, y: FlexTensor) -> FlexTensor {
    if x.dtype() == DType::F32 { Flex::float_mul(x, y) } else { Flex::int_mul(x, y) }
}

#[unsafe(no_mangle)]
pub extern "C" fn multiply(x: i32, y: i32) -> i32 {
    keep(product(get(x), get(y)))
}

#[unsafe(no_mangle)]
pub extern "C" fn multiply_in_place(x: i32, y: i32) -> i32 {
    put(x, product(take(x), get(y)))
}

#[unsafe(no_mangle)]
pub extern "C" fn gather(t: i32, index: i32, dim: usize) -> i32 {
    let (t, index) = (get(t), get(index));
    keep(if t.dtype() == DType::F32 { Flex::float_gather(dim, t, index) } else { Flex::int_gather(dim, t, index) })
}

/// Along `dim`; at tuples where that is −1, of rows where it is −2.
fn scattered(t: FlexTensor, index: i32, src: i32, dim: i32, update: u32) -> FlexTensor {
    let (index, src) = (get(index), get(src));
    let update = match update {
        0 => IndexingUpdateOp::Assign,
        1 => IndexingUpdateOp::Add,
        _ => IndexingUpdateOp::Mul,
    };
    match (t.dtype() == DType::F32, dim) {
        (true, -1) => Flex::float_scatter_nd(t, index, src, update),
        (false, -1) => Flex::int_scatter_nd(t, index, src, update),
        (true, -2) => Flex::float_select_assign(t, 0, index, src, update),
        (false, -2) => Flex::int_select_assign(t, 0, index, src, update),
        (true, dim) => Flex::float_scatter(dim as usize, t, index, src, update),
        (false, dim) => Flex::int_scatter(dim as usize, t, index, src, update),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn scatter(t: i32, index: i32, src: i32, dim: i32, update: u32) -> i32 {
    keep(scattered(get(t), index, src, dim, update))
}

#[unsafe(no_mangle)]
pub extern "C" fn scatter_in_place(t: i32, index: i32, src: i32, dim: i32, update: u32) -> i32 {
    put(t, scattered(take(t), index, src, dim, update))
}
