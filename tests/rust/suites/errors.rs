//! A bad index value: nothing is written, and the error names position, value and range, once. Also tensors that cannot be made.
//!
//! Every other rule of every operator is in the error vectors, see `conformance.rs`.

#[cfg(feature = "webgpu")]
mod deferred;

use scatterwise::{
    Allowed, DType, Error, ErrorClass, ErrorCode, FactValue, Gather, IndexPlan, Op, Reduce, Scalar, Scatter,
    Target, Tensor,
};

#[cfg(feature = "webgpu")]
use crate::common::backends::on_webgpu;
use crate::common::backends::{Backend, Place, on_cpu, on_each_backend, read};
use crate::common::call::{Call, Method, Operand};
use crate::common::data::Data;
use crate::common::report::{Fault, Row, equal, error_of, same};

/// Elements whose bits are easily lost: NaN payloads, zeros of both signs, subnormals, infinities, others.
#[rustfmt::skip]
const DELICATE: [u32; 12] = [
    0x7fc0_0001, 0xffc1_2345, 0x7f80_0001,
    0x8000_0000, 0x0000_0000,
    0x0000_0001, 0x807f_ffff,
    0x7f80_0000, 0xff80_0000,
    0x3f80_0000, 0xbf80_0000, 0x7f7f_ffff,
];

/// A tensor of four-byte elements with those bits.
fn delicate(dtype: DType) -> Data {
    Data::from_bits(dtype, &[3, 4], DELICATE.map(u64::from))
}

/// An index of shape [2, 4] for dimension 0 of [3, 4], whose values are in range but for the entries of `bad`: row-major position and
/// value of each.
fn index_with(dtype: DType, bad: &[(usize, i64)]) -> Data {
    let mut index =
        Data::from_bits(dtype, &[2, 4], [0, 1, 2, -1, -2, -3, 1, 1].map(|value: i64| value as u64));
    for &(entry, value) in bad {
        index.set_bits(entry, value as u64);
    }
    index
}

/// Whether the error of a call with an index of [`index_with`] says all that is known of the bad entry at row-major position `entry`.
fn names(error: &Error, method: Method, index: &Data, entry: usize) -> Row {
    equal("class", error.class(), ErrorClass::Index)?;
    equal("code", error.code(), ErrorCode::IndexOutOfRange)?;
    equal("operator", error.op(), method.name())?;
    equal("argument", error.argument_name(), Some("index"))?;
    equal("dim", error.dim_fact(), Some(0))?;
    equal("position", error.position_fact(), Some(&[entry / 4, entry % 4][..]))?;
    equal("value", error.value_fact(), Some(&FactValue::Int(index.index(entry))))?;
    equal("allowed", error.allowed_fact(), Some(&Allowed::Range(-3, 2)))?;
    let (text, value) = (error.to_string(), index.index(entry).to_string());
    equal("value in the text", text.contains(&value), true)?;
    equal("range in the text", text.contains("-3 to 2"), true)
}

one_thread!(bad_values_change_nothing_and_are_named);
/// Every bad value with one method, and every method with a few bad values.
async fn bad_values_change_nothing_and_are_named() {
    const INT32: [i64; 4] = [3, -4, i32::MAX as i64, i32::MIN as i64];
    // Most would be valid if only the low word were looked at.
    #[rustfmt::skip]
    const INT64: [i64; 12] = [
        3, -4, i64::MAX, i64::MIN, i64::MIN + 1,
        1 << 31, -(1 << 31) - 1,
        1 << 32, -(1 << 32), (1 << 32) + 1, (1 << 32) - 1, -(1 << 32) - 1,
    ];
    let of = |method, dtype, values: &[i64]| values.iter().map(|&v| (method, dtype, v)).collect::<Vec<_>>();
    let every_value = [
        of(Method::ScatterInPlace(Reduce::Add), DType::Int32, &INT32),
        of(Method::ScatterInPlace(Reduce::Add), DType::Int64, &INT64),
    ];
    let every_method = Method::ALONG
        .map(|method| [of(method, DType::Int32, &[3, -4]), of(method, DType::Int64, &[1 << 32])].concat());
    let rows: Vec<_> = every_value.into_iter().chain(every_method).flatten().collect();
    on_each_backend("bad-index-values", async |backend, report| {
        for &(method, index_dtype, value) in &rows {
            for (first, later) in [(7, None), (0, None), (2, Some(5))] {
                let bad: Vec<_> = later.into_iter().chain([first]).map(|entry| (entry, value)).collect();
                let index = index_with(index_dtype, &bad);
                for &place in backend.places() {
                    let outcome = refused(backend, place, method, &index, first).await;
                    report.row(&format!("{method:?} {value} at {bad:?} {place:?}"), outcome);
                }
            }
        }
    })
    .await;
}

/// Whether a call whose first bad entry is at row-major position `first` is refused and leaves self as it was, with float and integer
/// elements. The call itself refuses it, or, if only the device can check the index, the first read does.
async fn refused(backend: &Backend, place: Place, method: Method, index: &Data, first: usize) -> Row {
    for dtype in [DType::Float32, DType::Int32] {
        let table = delicate(dtype);
        let call = Call::new(method, table.clone(), 0, index.clone(), delicate(dtype));
        let made = call.make(backend, place)?;
        let error = match made.outcome {
            Err(error) if place != Place::Computed => error,
            Err(error) => return Err(Fault::Wrong(format!("nobody could know yet: {error}"))),
            Ok(tensor) => match read(&tensor).await {
                Err(error) if place == Place::Computed => error,
                other => return Err(Fault::Wrong(format!("no error, or too late: {other:?}"))),
            },
        };
        names(&error, method, index, first)?;
        same("self afterwards", table.difference_of_bits(&read(&made.table).await?))?;
    }
    Ok(())
}

one_thread!(the_first_bad_value_is_named);
/// Of several bad values the first in row-major order is named, however many threads look for it. Only
/// where the range of values is known from an upload it is the smallest or the largest.
async fn the_first_bad_value_is_named() {
    const LEN: usize = 100_000;
    on_each_backend("first-bad-index-value", async |backend, report| {
        for &place in backend.places().iter().filter(|&&place| place != Place::Uploaded) {
            for first in [0, 1, 255, 256, 77_777, LEN - 1] {
                // From `first` on all values are bad.
                let mut values = vec![0i32; LEN];
                for (k, value) in values.iter_mut().enumerate().skip(first) {
                    *value = 5 + (k - first) as i32 % 1000;
                }
                let table = Data::new(&[5], &[1i32; 5]);
                let index = Data::new(&[LEN], &values);
                let call = Call::new(Method::ScatterAddInPlace, table, 0, index, Scalar::Int(1));
                let outcome = async {
                    let made = call.make(backend, place)?;
                    let error = match made.outcome {
                        Err(error) => error,
                        Ok(tensor) => error_of(read(&tensor).await)?,
                    };
                    equal("position", error.position_fact(), Some(&[first][..]))?;
                    equal("value", error.value_fact(), Some(&FactValue::Int(5)))
                };
                report.row(&format!("{first} {place:?}"), outcome.await);
            }
        }
    })
    .await;
}

one_thread!(a_trace_refuses_what_the_call_refuses);
/// A trace refuses the arguments that the call refuses, also if rows have no elements to read or write.
async fn a_trace_refuses_what_the_call_refuses() {
    on_cpu("traces-of-bad-values", async |report| {
        for (dims, entries) in [([2, 0], [1, 0]), ([2, 3], [1, 3])] {
            let outcome = (|| {
                let mut table = Tensor::zeros(&dims, DType::Float32)?;
                let index = Tensor::from_elements(&[1, 1], &[5])?;
                let updates = Tensor::zeros(&entries, DType::Float32)?;
                let (op, target) = (Op::ScatterAddInPlace, Target::tuples(&index));
                let call = Scatter::new(op, target, (&updates).into(), Reduce::Add);
                let traced = error_of(call.trace(&table))?;
                let ran = error_of(table.scatter_add_nd_(&index, &updates))?;
                equal("error of the trace", &traced, &ran)?;
                equal("class", traced.class(), ErrorClass::Index)?;
                let call = Gather::new(Op::GatherNd, Target::tuples(&index));
                let traced = error_of(call.trace(&table))?;
                equal("error of a gather", traced, error_of(table.gather_nd(&index))?)
            })();
            report.row(&format!("{dims:?}"), outcome);
        }
    })
    .await;
}

one_thread!(bad_values_that_name_empty_rows);
/// A bad value is reported also where rows have no elements, so that nothing would be read or written.
async fn bad_values_that_name_empty_rows() {
    on_each_backend("bad-values-of-empty-rows", async |backend, report| {
        let empty = |rows: usize| Data::new::<f32>(&[rows, 0], &[]);
        for &place in backend.places() {
            for (len, bad) in [(1, 0), (3000, 2999)] {
                let mut values = vec![1i32; len];
                values[bad] = 2;
                let outcome = async {
                    let index = backend.put_at(place, &Data::new(&[len, 1], &values))?;
                    let (mut table, updates) = (backend.put(&empty(2))?, backend.put(&empty(len))?);
                    let same_data = table.clone(); // so that the call in place has to copy first
                    for (what, result) in [
                        ("scatter_add_nd", table.scatter_add_nd(&index, &updates)),
                        ("shared", table.scatter_add_nd_(&index, &updates).map(|()| table.clone())),
                        ("gather_nd", same_data.gather_nd(&index)),
                    ] {
                        let error = match result {
                            Err(error) => error,
                            Ok(tensor) => error_of(read(&tensor).await)?,
                        };
                        equal(what, error.position_fact(), Some(&[bad, 0][..]))?;
                        equal(what, error.value_fact(), Some(&FactValue::Int(2)))?;
                    }
                    Ok(())
                };
                report.row(&format!("{len} {place:?}"), outcome.await);
            }
        }
    })
    .await;
}

one_thread!(makers_of_tensors_are_named);
/// The error of a tensor that cannot be made names the function that was to make it.
async fn makers_of_tensors_are_named() {
    on_cpu("makers", async |report| {
        let huge = [usize::MAX >> 8, 1 << 8];
        for (op, code, made) in [
            ("Tensor.full", ErrorCode::ValueOverflow, Tensor::full(&[2], 300, DType::Int8)),
            ("Tensor.full", ErrorCode::InvalidShape, Tensor::full(&huge, 3, DType::Int8)),
            ("Tensor.zeros", ErrorCode::InvalidShape, Tensor::zeros(&huge, DType::Int8)),
            ("Tensor.zeros", ErrorCode::RankLimit, Tensor::zeros(&[1; 33], DType::Int8)),
            ("Tensor.arange", ErrorCode::ValueOverflow, Tensor::arange(0.0, 500.0, 1.0, DType::Int8)),
        ] {
            let outcome = (|| {
                let error = error_of(made)?;
                equal("operator and code", (error.op(), error.code()), (op, code))
            })();
            report.row(&format!("{op} {code:?}"), outcome);
        }
    })
    .await;
}

#[cfg(feature = "webgpu")]
one_thread!(an_uploaded_index_is_checked_at_once_in_any_shape);
/// The range of values that was noted when an index was uploaded is known in any shape that it takes afterwards: a bad tuple is refused
/// by the call.
#[cfg(feature = "webgpu")]
async fn an_uploaded_index_is_checked_at_once_in_any_shape() {
    on_webgpu("uploaded-and-reshaped", async |_, report| {
        // In range for dim 1, not for dim 0.
        let values = [0i32, 4, 2, 1, 1, 3, 3, 0, 2, 4, 0, 0];
        for (first, then) in [(&[12][..], [6, 2]), (&[3, 4], [6, 2]), (&[2, 6], [6, 2]), (&[6, 2], [6, 2])] {
            let outcome = async {
                let indices = Tensor::from_elements(first, &values)?.upload()?.reshape(&then)?;
                let mut table = Tensor::zeros(&[3, 5], DType::Float32)?.upload()?;
                let gathered = table.gather_nd(&indices).map(drop);
                let scattered = table.scatter_add_nd_(&indices, 1);
                let planned = IndexPlan::nd(&[3, 5], &indices).map(drop);
                for refused in [gathered, scattered, planned] {
                    let error = error_of(refused)?;
                    equal("class", error.class(), ErrorClass::Index)?;
                    equal("position", error.position_fact(), Some(&[3, 0][..]))?;
                    equal("value", error.value_fact(), Some(&FactValue::Int(3)))?;
                }
                // In a table of 5 by 5 all tuples are fine, and nothing is left to report.
                let mut table = Tensor::zeros(&[5, 5], DType::Float32)?.upload()?;
                table.scatter_add_nd_(&indices, 1)?;
                equal("elements", read(&table.reshape(&[25])?).await?.len(), 25)
            };
            report.row(&format!("{first:?}"), outcome.await);
        }
        let outcome = (|| {
            let one = Tensor::from_elements(&[2], &[3i32, 1])?.upload()?;
            let error = error_of(Tensor::zeros(&[3, 5], DType::Float32)?.upload()?.gather_nd(&one))?;
            equal("position", error.position_fact(), Some(&[0][..]))
        })();
        report.row("one tuple of rank 1", outcome);
    })
    .await;
}

one_thread!(a_bad_index_that_is_self);
/// The index may be self, and bad.
async fn a_bad_index_that_is_self() {
    on_each_backend("bad-index-that-is-self", async |backend, report| {
        let table = Data::new(&[4], &[0i32, 1, 4, 2]);
        let mut call = Call::new(Method::ScatterAdd, table.clone(), 0, table, Scalar::Int(1));
        call.index = Operand::Table;
        let outcome = async {
            let made = call.make(backend, Place::Host)?;
            let error = error_of(made.outcome)?;
            equal("position", error.position_fact(), Some(&[2][..]))?;
            same("self afterwards", call.table.difference(&read(&made.table).await?))
        };
        report.row("scatter_add(0, self, 1)", outcome.await);
    })
    .await;
}
