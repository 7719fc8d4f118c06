//! Burn's tensors by number: arguments that are tensors are their numbers, and so are results. What Burn refuses is a panic, which
//! JavaScript sees as a trap.
//!
//! A call in place gives its result the number of its first argument. Burn writes to a tensor's own memory where nothing else holds
//! it, so that argument is taken out of the list for the call.

use burn_backend::element::Element;
use burn_backend::ops::{ActivationOps, FloatTensorOps, IntTensorOps};
use burn_backend::tensor::IndexingUpdateOp;
use burn_backend::{DType, IntDType, TensorData};
use burn_flex::{Flex, FlexTensor as Tensor};
use numbered::{TENSORS, from_room, get, keep};

#[path = "../../numbered.rs"]
mod numbered;

/// Keeps a new tensor of these elements and sizes, and returns its number.
fn made<E: Element>(values: Vec<E>, dims: Vec<usize>) -> i32 {
    keep(Tensor::from_data(TensorData::new(values, dims)))
}
from_room!(tensor_f32: f32, tensor_i32: i32);

/// Takes the tensor of that number out of the list, for `put` to fill its place again. Nothing may be kept in between, because it
/// would get the number, and no other argument of the call may be the same tensor.
fn take(number: i32) -> Tensor {
    TENSORS.with_borrow_mut(|all| all[number as usize].take().unwrap())
}

/// Puts a tensor at that number, and returns the number.
fn put(number: i32, tensor: Tensor) -> i32 {
    TENSORS.with_borrow_mut(|all| all[number as usize] = Some(tensor));
    number
}

/// The address of the elements, or a null pointer where they do not follow each other in memory.
#[unsafe(no_mangle)]
pub extern "C" fn data(number: i32) -> *const u8 {
    let tensor = get(number);
    if tensor.is_contiguous() { tensor.bytes().as_ptr() } else { std::ptr::null() }
}

/// x and y, broadcast and combined: number `how` of `pairs` in page/rivals/crate.js. Burn has a function for each kind of element; integers
/// are multiplied only.
fn combined(x: Tensor, y: Tensor, how: u32) -> Tensor {
    match how {
        _ if x.dtype() != DType::F32 => Flex::int_mul(x, y),
        0 => Flex::float_mul(x, y),
        1 => Flex::float_add(x, y),
        2 => Flex::float_sub(x, y),
        _ => Flex::float_div(x, y),
    }
}

/// `combined` as a new tensor.
#[unsafe(no_mangle)]
pub extern "C" fn pair(x: i32, y: i32, how: u32) -> i32 {
    keep(combined(get(x), get(y), how))
}

/// `combined` in place of x.
#[unsafe(no_mangle)]
pub extern "C" fn pair_in_place(x: i32, y: i32, how: u32) -> i32 {
    put(x, combined(take(x), get(y), how))
}

/// x with an activation: 0 is relu, 1 exp, 2 the natural logarithm.
#[unsafe(no_mangle)]
pub extern "C" fn activate(x: i32, how: u32) -> i32 {
    keep(match how {
        0 => Flex::relu(get(x)),
        1 => Flex::float_exp(get(x)),
        _ => Flex::float_log(get(x)),
    })
}

/// x reduced along `dim`, or summed as a whole where that is −1: number `how` of `reductions` in page/rivals/crate.js.
#[unsafe(no_mangle)]
pub extern "C" fn reduce(x: i32, how: u32, dim: i32) -> i32 {
    let (x, along) = (get(x), dim as usize);
    keep(match how {
        _ if dim < 0 => Flex::float_sum(x),
        0 => Flex::float_sum_dim(x, along),
        1 => Flex::float_mean_dim(x, along),
        2 => Flex::float_max_dim(x, along),
        3 => Flex::float_min_dim(x, along),
        4 => Flex::float_argmax(x, along, IntDType::I32),
        _ => Flex::float_argmin(x, along, IntDType::I32),
    })
}

/// The elements of t that the index names along `dim`.
#[unsafe(no_mangle)]
pub extern "C" fn gather(t: i32, index: i32, dim: usize) -> i32 {
    let (t, index) = (get(t), get(index));
    keep(if t.dtype() == DType::F32 { Flex::float_gather(dim, t, index) } else { Flex::int_gather(dim, t, index) })
}

/// The positions of the elements of x in ascending order.
#[unsafe(no_mangle)]
pub extern "C" fn argsort(x: i32) -> i32 {
    let x = get(x);
    keep(if x.dtype() == DType::F32 { Flex::float_argsort(x, 0, false, IntDType::I32) } else { Flex::int_argsort(x, 0, false) })
}

/// A copy of t to whose rows `rows` those of `dense` are added that `columns` names, times the values.
#[unsafe(no_mangle)]
pub extern "C" fn spmm(t: i32, rows: i32, columns: i32, values: i32, dense: i32) -> i32 {
    let products = Flex::float_mul(Flex::float_select(get(dense), 0, get(columns)), get(values));
    keep(Flex::float_select_assign(get(t), 0, get(rows), products, IndexingUpdateOp::Add))
}

/// Scatters src into t: along `dim`; at tuples of index numbers where that is −1; to rows along dimension 0 where it is −2.
/// `update` is how: 0 replaces, 1 adds, 2 multiplies, 3 takes the maximum (see `updates` in page/rivals/burn.js).
fn scattered(t: Tensor, index: i32, src: i32, dim: i32, update: u32) -> Tensor {
    let (index, src) = (get(index), get(src));
    let update = match update {
        0 => IndexingUpdateOp::Assign,
        1 => IndexingUpdateOp::Add,
        2 => IndexingUpdateOp::Mul,
        _ => IndexingUpdateOp::Max,
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

/// `scattered` as a new tensor.
#[unsafe(no_mangle)]
pub extern "C" fn scatter(t: i32, index: i32, src: i32, dim: i32, update: u32) -> i32 {
    keep(scattered(get(t), index, src, dim, update))
}

/// `scattered` in place of t.
#[unsafe(no_mangle)]
pub extern "C" fn scatter_in_place(t: i32, index: i32, src: i32, dim: i32, update: u32) -> i32 {
    put(t, scattered(take(t), index, src, dim, update))
}
