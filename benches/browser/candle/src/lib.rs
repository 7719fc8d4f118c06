//! Candle's tensors by number: arguments that are tensors are their numbers, and so are results. A result of −1 is an error of Candle's.
//! Functions whose names end with `in_place` write to t and return 0.

use candle_core::{CpuStorage, Device, Result, Storage, Tensor, WithDType};
use numbered::{from_room, get, keep};

#[path = "../../numbered.rs"]
mod numbered;

/// The number of a new tensor, or −1 for an error.
fn kept(made: Result<Tensor>) -> i32 {
    made.map_or(-1, keep)
}

/// Keeps a new tensor of these elements and sizes, and returns its number.
fn made<E: WithDType>(values: Vec<E>, dims: Vec<usize>) -> i32 {
    kept(Tensor::from_vec(values, dims, &Device::Cpu))
}
from_room!(tensor_f32: f32, tensor_i32: i32, tensor_u32: u32);

/// The address of the elements, or a null pointer for a dtype that is not measured.
#[unsafe(no_mangle)]
pub extern "C" fn data(number: i32) -> *const u8 {
    let tensor = get(number);
    let (storage, _) = tensor.storage_and_layout();
    match &*storage {
        Storage::Cpu(CpuStorage::F32(values)) => values.as_ptr().cast(),
        Storage::Cpu(CpuStorage::I32(values)) => values.as_ptr().cast(),
        Storage::Cpu(CpuStorage::U32(values)) => values.as_ptr().cast(),
        _ => std::ptr::null(),
    }
}

/// a and b, broadcast and combined: number `how` of `pairs` in page/rivals/crate.js.
#[unsafe(no_mangle)]
pub extern "C" fn pair(a: i32, b: i32, how: u32) -> i32 {
    let (a, b) = (get(a), get(b));
    kept(match how {
        0 => a.broadcast_mul(&b),
        1 => a.broadcast_add(&b),
        2 => a.broadcast_sub(&b),
        3 => a.broadcast_div(&b),
        4 => a.broadcast_maximum(&b),
        _ => a.broadcast_minimum(&b),
    })
}

/// x with an activation: 0 is relu, 1 exp.
#[unsafe(no_mangle)]
pub extern "C" fn activate(x: i32, how: u32) -> i32 {
    kept(if how == 0 { get(x).relu() } else { get(x).exp() })
}

/// x reduced along `dim`, or summed as a whole where that is −1: number `how` of `reductions` in page/rivals/crate.js.
#[unsafe(no_mangle)]
pub extern "C" fn reduce(x: i32, how: u32, dim: i32) -> i32 {
    let (x, along) = (get(x), dim as usize);
    kept(match how {
        _ if dim < 0 => x.sum_all(),
        0 => x.sum(along),
        1 => x.mean(along),
        2 => x.max(along),
        3 => x.min(along),
        4 => x.argmax(along),
        _ => x.argmin(along),
    })
}

/// The elements of t that the index names along `dim`.
#[unsafe(no_mangle)]
pub extern "C" fn gather(t: i32, index: i32, dim: usize) -> i32 {
    kept(get(t).gather(&get(index), dim))
}

/// The positions of the elements of x in ascending order.
#[unsafe(no_mangle)]
pub extern "C" fn argsort(x: i32) -> i32 {
    kept(get(x).arg_sort_last_dim(true))
}

/// A copy of t to whose rows `rows` those of `dense` are added that `columns` names, times the values.
#[unsafe(no_mangle)]
pub extern "C" fn spmm(t: i32, rows: i32, columns: i32, values: i32, dense: i32) -> i32 {
    let gathered = get(dense).index_select(&get(columns), 0);
    let products = gathered.and_then(|rows| rows.broadcast_mul(&get(values)));
    kept(products.and_then(|products| get(t).index_add(&get(rows), &products, 0)))
}

/// A copy of t in which src replaces the elements that the index names along `dim`.
#[unsafe(no_mangle)]
pub extern "C" fn replace(t: i32, index: i32, src: i32, dim: usize) -> i32 {
    kept(get(t).scatter(&get(index), &get(src), dim))
}

/// A copy of t in which src is added to the elements that the index names along `dim`.
#[unsafe(no_mangle)]
pub extern "C" fn add(t: i32, index: i32, src: i32, dim: usize) -> i32 {
    kept(get(t).scatter_add(&get(index), &get(src), dim))
}

/// A copy of t in which the rows of src are added to the rows that the index names.
#[unsafe(no_mangle)]
pub extern "C" fn add_rows(t: i32, index: i32, src: i32) -> i32 {
    kept(get(t).index_add(&get(index), &get(src), 0))
}

/// `replace`, in t itself.
#[unsafe(no_mangle)]
pub extern "C" fn replace_in_place(t: i32, index: i32, src: i32, dim: usize) -> i32 {
    get(t).scatter_set(&get(index), &get(src), dim).map_or(-1, |()| 0)
}

/// `add`, in t itself.
#[unsafe(no_mangle)]
pub extern "C" fn add_in_place(t: i32, index: i32, src: i32, dim: usize) -> i32 {
    get(t).scatter_add_set(&get(index), &get(src), dim).map_or(-1, |()| 0)
}
