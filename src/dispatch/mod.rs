//! Runs plans on the device of the tensors. Only this module looks at which device holds a tensor: the operators above know no
//! devices, and the backends below know no tensors.
//!
//! The plan of a call fits its tensors, so nothing here checks shapes and dtypes again. Errors name `op`, the operator, and
//! `argument`, the name of an operand.

/// Runs an expression with the backend that holds the data of a tensor, and with that data. Unusable data on a GPU ends the
/// function with an error, which names `op`.
macro_rules! where_it_is {
    ($op:expr, $storage:expr, |$backend:ident, $data:ident| $run:expr) => {
        match $storage {
            #[allow(
                unused_variables,
                clippy::needless_borrow,
                clippy::needless_option_as_deref,
                reason = "not every call needs the data itself, and its operands are references already"
            )]
            $crate::storage::Storage::Host($data) => {
                let $backend = &$crate::engine::cpu::run::Cpu;
                $run
            }
            $crate::storage::Storage::Device($data) => {
                $data.usable($op)?;
                let $backend = &$data.gpu();
                $run
            }
        }
    };
}
pub(crate) use where_it_is;

pub(crate) mod operands;
pub(crate) mod transfer;

pub(crate) use crate::convert::cpu::{from_integers, from_numbers};
pub(crate) use crate::dispatch::transfer::{beside, download, reinterpret, to_device_of, upload};
pub(crate) use crate::elementwise::cpu::product;
use crate::engine::Value;
pub(crate) use crate::groups::device::{largest, spmm};
pub(crate) use crate::groups::left_out::{LEFT_OUT, clear_left_out, with_left_out};
pub(crate) use crate::histograms::device::{
    bincount, binned_statistic, check_edges, count_values, density, edges, ends, histogram,
    insert_edges_of_extent, require_on_cpu,
};
use crate::index::Index;
pub(crate) use crate::index::index_ends;
use crate::segments::plan::{CheckedSegments, GivenSegments};
pub(crate) use crate::sort::device::{argsort, first, groups, search};
pub(crate) use crate::trace::device::{trace_gather, trace_scatter};

use crate::dims::plan::DimsPlan;
use crate::dispatch::operands::Operands;
use crate::dtype::DType;
use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::engine::Backend;
use crate::error::Result;
use crate::plan::index::addressing::Addressing;
use crate::plan::op::Op;
use crate::plan::reduce::{Reduce, Update};
use crate::scalar::Bits;
use crate::storage::Storage;
use crate::tensor::Tensor;

/// Applies the values to the table, on the device of the table. If other tensors share its data, the table gets a copy first.
///
/// # Errors
/// `IndexError` for an index value, and `ValueError` for an integer divisor of zero; on a GPU both may come later. `RuntimeError`
/// for operands that the device cannot read, for a lost device, for unusable data on it, and for exhausted memory. A call that
/// fails writes nothing.
pub(crate) fn scatter(
    plan: &Addressing,
    update: Update,
    table: &mut Tensor,
    index: &Index,
    value: Value<&Tensor>,
) -> Result<()> {
    let dtype = table.dtype;
    where_it_is!(plan.op().name(), &mut table.storage, |backend, table| {
        check_divisors(plan, dtype, update, &value)?;
        // Errors about the index come first on every device.
        let index = backend.index(plan, index)?;
        let value = backend.value(plan, value)?;
        backend.scatter(plan, dtype, update, table, &index, value.as_deref())
    })
}

/// [`scatter`] of a maximum or minimum; returns the positions of the winners ([`Backend::scatter_winners`]).
///
/// # Errors
/// As for [`scatter`], without the `ValueError`.
pub(crate) fn scatter_winners(
    plan: &Addressing,
    update: Update,
    table: &mut Tensor,
    index: &Index,
    value: Value<&Tensor>,
) -> Result<Storage> {
    let dtype = table.dtype;
    where_it_is!(plan.op().name(), &mut table.storage, |backend, table| {
        let index = backend.index(plan, index)?;
        let value = backend.value(plan, value)?;
        Ok(Backend::scatter_winners(backend, plan, dtype, update, table, &index, value.as_deref())?.into())
    })
}

/// Collects the elements that the index names, on the device of the table. `fill` is the result of an entry that the index drops
/// because it is out of range.
///
/// # Errors
/// As for [`scatter`], without the `ValueError`.
pub(crate) fn gather(plan: &Addressing, table: &Tensor, index: &Index, fill: Bits) -> Result<Storage> {
    where_it_is!(plan.op().name(), &table.storage, |backend, data| {
        let index = backend.index(plan, index)?;
        Ok(backend.gather(plan, table.dtype, data, &index, fill)?.into())
    })
}

/// Combines x with what a gather collects, on the device of the table: see [`Backend::with_gathered`].
///
/// # Errors
/// As for [`scatter`], without the `ValueError`.
pub(crate) fn with_gathered(
    plans: (&Addressing, &BroadcastPlan),
    x: &Tensor,
    table: &Tensor,
    index: &Index,
) -> Result<Tensor> {
    let op = plans.0.op();
    let storage: Storage = where_it_is!(op.name(), &table.storage, |backend, data| {
        let index = backend.index(plans.0, index)?;
        let x = backend.operand(op, "src", x)?;
        Backend::with_gathered(backend, plans, table.dtype, &x, data, &index)?.into()
    });
    Ok(Tensor::from_storage(plans.1.out_shape().clone(), table.dtype, storage))
}

/// Two results, each with an element for each element of `values`, the source of a scatter by `plan`: see
/// [`Backend::scan_both_ways`]. The gradient of a scatter that multiplies needs them: together, the two have every value of a place
/// but the element's own. The work runs on the device of the values.
///
/// # Errors
/// As for [`scatter`], without the `ValueError`.
pub(crate) fn scan_both_ways(
    plan: &Addressing,
    reduce: Reduce,
    index: &Index,
    values: &Tensor,
) -> Result<[Storage; 2]> {
    where_it_is!(plan.op().name(), &values.storage, |backend, data| {
        let index = backend.index(plan, index)?;
        let scans = Backend::scan_both_ways(backend, plan, values.dtype, reduce, &index, data)?;
        Ok(scans.map(Storage::from))
    })
}

/// Combines each row of `out` with the rows of `data` in its segment, in order. `out` has one row for each segment, with the start
/// value of the segment, and is on the device of `data`. `update` must include the row of `out` as self.
///
/// # Errors
/// `RuntimeError` when memory is exhausted, a GPU is lost, or data on it is unusable.
pub(crate) fn combine_segments(
    segments: &CheckedSegments,
    update: Update,
    out: &mut Tensor,
    data: &Tensor,
) -> Result<()> {
    const OP: Op = Op::SegmentReduce;
    let dtype = out.dtype;
    where_it_is!(OP.name(), &mut out.storage, |backend, out| {
        let data = backend.operand(OP, "data", data)?;
        backend.combine_segments(segments, dtype, update, out, &data)
    })
}

/// [`combine_segments`] of a maximum or minimum; returns the rows of the winners ([`Backend::segment_winners`]).
///
/// # Errors
/// As for [`combine_segments`].
pub(crate) fn segment_winners(
    segments: &CheckedSegments,
    update: Update,
    out: &mut Tensor,
    data: &Tensor,
) -> Result<Storage> {
    const OP: Op = Op::SegmentReduce;
    let dtype = out.dtype;
    where_it_is!(OP.name(), &mut out.storage, |backend, out| {
        let data = backend.operand(OP, "data", data)?;
        Ok(Backend::segment_winners(backend, segments, dtype, update, out, &data)?.into())
    })
}

/// [`combine_segments`] by lengths or offsets on the GPU of `data`. `begin` replaces the start value of each row whose segment has
/// rows; `None` leaves what `out` holds. With `has_winners`, returns the rows of the winners; `None` without it, and if no segment has
/// elements.
///
/// # Errors
/// `ValueError` for lengths or offsets that do not divide the rows comes with the next read. `RuntimeError` as for [`combine_segments`].
pub(crate) fn combine_given_segments(
    (given, values): (&GivenSegments, &Tensor),
    (update, has_winners): (Update, bool),
    begin: Option<Bits>,
    out: &mut Tensor,
    data: &Tensor,
) -> Result<Option<Storage>> {
    const OP: Op = Op::SegmentReduce;
    let dtype = out.dtype;
    let Storage::Device(out) = &mut out.storage else { return Ok(None) };
    let gpu = &out.gpu();
    let (values, data) = (gpu.operand(OP, given.form.name(), values)?, gpu.operand(OP, "data", data)?);
    let Some((plan, index)) = gpu.index_of_given(given, &values, dtype)? else { return Ok(None) };
    if let Some(begin) = begin {
        Backend::scatter(gpu, &plan, dtype, Reduce::Replace.into(), out, &index, Value::Scalar(begin))?;
    }
    let data = Value::Buffer(&*data);
    if has_winners {
        let winners = Backend::scatter_winners(gpu, &plan, dtype, update, out, &index, data)?;
        return Ok(Some(winners.into()));
    }
    Backend::scatter(gpu, &plan, dtype, update, out, &index, data)?;
    Ok(None)
}

/// Combines x and y, the operands in the order of the call; the plan says which of them it repeats. It runs on the GPU if one
/// operand is there, else on the CPU.
///
/// # Errors
/// `ValueError` for an integer divisor of zero, which a GPU may report later. `RuntimeError` if the device does not support the
/// activation for the dtype, is lost, or cannot read an operand, and when memory is exhausted.
pub(crate) fn elementwise(plan: &BroadcastPlan, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let (op, [x_name, y_name]) = (plan.op(), plan.op().operand_names());
    let here = if let Storage::Device(_) = &x.storage { x } else { y };
    check_second(plan, y)?;
    let storage: Storage = where_it_is!(op.name(), &here.storage, |backend, here| {
        let (x_data, y_data) = (backend.operand(op, x_name, x)?, backend.operand(op, y_name, y)?);
        backend.elementwise(plan, x.dtype, &x_data, &y_data)?.into()
    });
    Ok(Tensor::from_storage(plan.out_shape().clone(), x.dtype, storage))
}

/// Combines x with y and writes the result into x, on the device of x.
///
/// # Errors
/// As for [`elementwise`], and if y is on a GPU but x is not.
pub(crate) fn elementwise_in_place(plan: &BroadcastPlan, x: &mut Tensor, y: &Tensor) -> Result<()> {
    let (dtype, [_, name]) = (x.dtype, plan.op().operand_names());
    check_second(plan, y)?;
    where_it_is!(plan.op().name(), &mut x.storage, |backend, x| {
        let y = backend.operand(plan.op(), name, y)?;
        backend.elementwise_in_place(plan, dtype, x, &y)
    })
}

/// Reduces a tensor along dimensions, on its device.
///
/// # Errors
/// `RuntimeError` when memory is exhausted, the GPU device is lost, or data on it is unusable.
pub(crate) fn reduce_dims(plan: &DimsPlan, tensor: &Tensor) -> Result<Storage> {
    where_it_is!(plan.op().name(), &tensor.storage, |backend, data| {
        Ok(Backend::reduce_dims(backend, plan, data)?.into())
    })
}

/// The elements in another dtype, on the same device. If no bit changes, the result shares the data.
///
/// # Errors
/// `RuntimeError` when memory is exhausted, the GPU device is lost, or data on it is unusable.
pub(crate) fn convert(op: &'static str, tensor: &Tensor, to: DType) -> Result<Tensor> {
    let from = tensor.dtype;
    if from.keeps_bits_as(to) {
        return Ok(reinterpret(tensor, to));
    }
    let storage =
        where_it_is!(op, &tensor.storage, |backend, data| backend.convert(op, from, to, data)?.into());
    Ok(Tensor::from_storage(tensor.shape.clone(), to, storage))
}

/// [`convert`] for data in host memory that is not yet a tensor.
///
/// # Errors
/// `RuntimeError` when memory is exhausted.
#[cfg(target_arch = "wasm32")]
pub(crate) fn convert_host(
    op: &'static str,
    from: DType,
    to: DType,
    data: &crate::host::HostBuffer,
) -> Result<crate::host::HostBuffer> {
    crate::engine::cpu::run::Cpu.convert(op, from, to, data)
}

/// Refuses a zero among integer divisors. Divisors in GPU memory pass, because the GPU checks them itself.
///
/// # Errors
/// `ValueError` (`zero-divisor`) with the position of the first zero.
pub(crate) fn check_divisors(
    plan: &Addressing,
    dtype: DType,
    update: Update,
    value: &Value<&Tensor>,
) -> Result<()> {
    if update.reduce != Reduce::Divide || dtype.is_float() {
        return Ok(());
    }
    let source = match value {
        Value::Scalar(0) => return Err(plan.divisor_error(0)),
        Value::Scalar(_) => return Ok(()),
        Value::Buffer(source) => source,
    };
    first_zero(source).map_or(Ok(()), |at| Err(plan.divisor_error(at)))
}

/// Refuses a zero in y, the second operand, if the plan divides integers by it. A y in GPU memory passes, because the GPU checks it
/// itself.
///
/// # Errors
/// `ValueError` (`zero-divisor`) with the position of the first zero.
fn check_second(plan: &BroadcastPlan, y: &Tensor) -> Result<()> {
    let zero = if plan.binary().refuses_zeros(y.dtype) { first_zero(y) } else { None };
    zero.map_or(Ok(()), |at| Err(plan.divisor_error(at)))
}

/// The row-major position of the first zero among integers; `None` if they are on a GPU.
fn first_zero(tensor: &Tensor) -> Option<usize> {
    let buffer = tensor.storage.as_host()?;
    match tensor.dtype.size() {
        1 => buffer.elements::<u8>().iter().position(|&element| element == 0),
        2 => buffer.elements::<u16>().iter().position(|&element| element == 0),
        4 => buffer.elements::<u32>().iter().position(|&element| element == 0),
        _ => buffer.elements::<u64>().iter().position(|&element| element == 0),
    }
}
