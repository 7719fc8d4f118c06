//! `scatter_softmax` and `scatter_logsumexp`: the recorded vectors, and gradients against the formula in float64, on every backend.

use scatterwise::{
    DType, Device, ErrorClass, ErrorCode, Result, Scalar, Spmm, Target, Tensor, scatter_logsumexp,
    scatter_logsumexp_vjp, scatter_softmax, scatter_softmax_vjp,
};
use serde_json::Value;

use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::data::{Data, numbers};
use crate::common::recorded::data;
use crate::common::report::{Fault, Row, equal, error_of, same};
use crate::common::vectors::accepted_errors;

const VECTORS: &str = include_str!("../../vectors/softmax.json");

one_thread!(vectors);
async fn vectors() {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    on_each_backend("softmax", async |backend, report| {
        for case in file["cases"].as_array().unwrap() {
            for &place in backend.places().iter().filter(|&&place| place != Place::Computed) {
                report.row(case["id"].as_str().unwrap(), vector(case, backend, place).await);
            }
        }
    })
    .await;
}

/// The recorded call.
fn run(case: &Value, src: &Tensor, index: &Tensor) -> Result<Tensor> {
    let dim = case["args"].get("dim").map_or(-1, |dim| dim.as_i64().unwrap());
    let size = case["kwargs"].get("size").map(|size| size.as_u64().unwrap() as usize);
    match case["op"].as_str().unwrap() {
        "scatter_softmax" => scatter_softmax(src, index, dim, None, None),
        _ => scatter_logsumexp(src, index, dim, None, size),
    }
}

async fn vector(case: &Value, backend: &Backend, place: Place) -> Row {
    let src = backend.put(&data(&case["self"]).unwrap())?;
    let index = backend.put_at(place, &data(&case["args"]["index"]).unwrap())?;
    let outcome = run(case, &src, &index);
    if let Some(accepted) = accepted_errors(&case["expect"]) {
        let error = error_of(outcome)?;
        return equal("whether the class passes", accepted.contains(&error.class().name()), true);
    }
    if src.dtype() == DType::Float64 && src.device() != Device::Cpu {
        equal("code", error_of(outcome)?.code(), ErrorCode::UnsupportedOnDevice)?;
        return Err(Fault::Skipped("float64 is refused on WebGPU".into()));
    }
    let [rtol, atol] = ["rtol", "atol"].map(|name| case["compare"][name].as_f64().unwrap());
    near(&data(&case["expect"]).unwrap(), &read(&outcome?).await?, [rtol, atol])
}

/// Compares floats: NaN with NaN, equal infinities, and a difference of at most `atol + rtol · |expected|`.
fn near(expected: &Data, got: &Data, [rtol, atol]: [f64; 2]) -> Row {
    equal("dtype and shape", (got.dtype, &got.dims), (expected.dtype, &expected.dims))?;
    for (at, (one, two)) in numbers(expected).into_iter().zip(numbers(got)).enumerate() {
        let is_same = one == two || (one.is_nan() && two.is_nan());
        let is_near = (one - two).abs() <= atol + rtol * one.abs();
        if !is_same && !is_near {
            return Err(Fault::Wrong(format!("at {at}: expected {one}, got {two}")));
        }
    }
    Ok(())
}

one_thread!(gradients);
/// Both gradients by the formula in float64: two dimensions, groups of several sizes, one of them without entries.
async fn gradients() {
    on_each_backend("gradients of softmax", async |backend, report| {
        for dtype in [DType::Float32, DType::Float64, DType::Float16, DType::Bfloat16] {
            report.row(dtype.name(), gradient(dtype, backend).await);
        }
    })
    .await;
}

async fn gradient(dtype: DType, backend: &Backend) -> Row {
    const GROUPS: [usize; 7] = [0, 2, 0, 3, 3, 0, 2];
    let element = |k: usize| ((k * 37 % 19) as f64 - 9.0) / 4.0;
    let made = |count: usize, shift: usize| -> Vec<f64> { (0..count).map(|k| element(k + shift)).collect() };
    let tensor = |dims: &[usize], numbers: &[f64]| {
        Data::from_bits(dtype, dims, numbers.iter().map(|&number| Scalar::Float(number).cast(dtype)))
    };
    let (x, c, c_of_groups) = (made(14, 0), made(14, 5), made(8, 3));
    let index = Data::new(&[7], &GROUPS.map(|group| group as i64));
    let (src, index) = (backend.put(&tensor(&[7, 2], &x))?, backend.put(&index)?);
    if dtype == DType::Float64 && src.device() != Device::Cpu {
        return Err(Fault::Skipped("float64 is refused on WebGPU".into()));
    }
    let (mut of_softmax, mut of_sums) = (vec![0.0; 14], vec![0.0; 14]);
    for k in 0..14 {
        let members: Vec<usize> =
            (0..14).filter(|&other| other % 2 == k % 2 && GROUPS[other / 2] == GROUPS[k / 2]).collect();
        let sum: f64 = members.iter().map(|&other| x[other].exp()).sum();
        let mean: f64 = members.iter().map(|&other| x[other].exp() / sum * c[other]).sum();
        let own = x[k].exp() / sum;
        of_softmax[k] = own * (c[k] - mean);
        of_sums[k] = own * c_of_groups[GROUPS[k / 2] * 2 + k % 2];
    }
    let tolerance = match dtype {
        DType::Float64 => [1e-12, 1e-13],
        DType::Float32 => [2e-6, 1e-6],
        DType::Float16 => [2e-3, 1e-3],
        _ => [1e-2, 1e-2],
    };
    let got = scatter_softmax_vjp(&src, &index, 0, None, None, &backend.put(&tensor(&[7, 2], &c))?)?;
    near(&tensor(&[7, 2], &of_softmax), &read(&got).await?, tolerance)?;
    let cotangent = backend.put(&tensor(&[4, 2], &c_of_groups))?;
    let got = scatter_logsumexp_vjp(&src, &index, 0, None, None, &cotangent)?;
    near(&tensor(&[7, 2], &of_sums), &read(&got).await?, tolerance)
}

one_thread!(infinite_groups);
/// Where the logsumexp of a group is infinite, its gradient is what the formula tends to: 0 if all entries are −∞, and 1 for the one that is +∞.
/// The softmax of such a group is NaN, and so is its gradient.
async fn infinite_groups() {
    on_each_backend("gradients of infinite groups", async |backend, report| {
        for dtype in [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64] {
            report.row(dtype.name(), infinite(dtype, backend).await);
        }
    })
    .await;
}

async fn infinite(dtype: DType, backend: &Backend) -> Row {
    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    let data = |numbers: &[f64]| {
        Data::from_bits(
            dtype,
            &[numbers.len()],
            numbers.iter().map(|&number| Scalar::Float(number).cast(dtype)),
        )
    };
    let src = backend.put(&data(&[-INF, -INF, 3.0, INF, 2.0, -INF, 2.0, NAN, 0.0]))?;
    if dtype == DType::Float64 && src.device() != Device::Cpu {
        return Err(Fault::Skipped("float64 is refused on WebGPU".into()));
    }
    let index = backend.put(&Data::new(&[9], &[0, 0, 1, 1, 2, 2, 2, 3, 3]))?;
    let cotangent = backend.put(&data(&[8.0, 4.0, 6.0, 5.0]))?;
    let got = read(&scatter_logsumexp_vjp(&src, &index, 0, None, None, &cotangent)?).await?;
    let expected = [0.0, 0.0, 0.0, 4.0, 3.0, 0.0, 3.0, NAN, NAN];
    near(&data(&expected), &got, [1e-6, 0.0])?;
    // A softmax has no infinite results. It is NaN for an infinite maximum, so its gradient is NaN for the same entries, and for no others.
    let out = read(&scatter_softmax(&src, &index, 0, None, None)?).await?;
    near(&data(&[NAN, NAN, NAN, NAN, 0.5, 0.0, 0.5, NAN, NAN]), &out, [1e-6, 0.0])?;
    let cotangent = backend.put(&data(&[8.0, 4.0, 6.0, 5.0, 3.0, 8.0, 1.0, 2.0, 4.0]))?;
    let got = read(&scatter_softmax_vjp(&src, &index, 0, None, None, &cotangent)?).await?;
    near(&data(&[NAN, NAN, NAN, NAN, 0.5, 0.0, -0.5, NAN, NAN]), &got, [1e-6, 0.0])
}

#[test]
fn a_group_that_no_result_has_is_named() {
    let src = Tensor::from_elements(&[3], &[1.0f32, 2.0, 3.0]).unwrap();
    for (values, ignored) in [([0, i64::MAX - 1, 7], None), ([0, i64::MAX - 1, i64::MAX], Some(i64::MAX))] {
        let index = Tensor::from_elements(&[3], &values).unwrap();
        let error = scatter_softmax(&src, &index, 0, ignored, None).map(|_| ()).unwrap_err();
        assert_eq!(
            (error.argument_name(), error.position_fact()),
            (Some("index"), Some(&[1][..])),
            "{error}"
        );
        assert!(error.to_string().contains(&(i64::MAX - 1).to_string()), "{error}");
    }
    let rows = Target::slices(0, &Tensor::from_elements(&[3], &[0, i64::MAX - 1, 7]).unwrap());
    let columns = Target::slices(0, &Tensor::from_elements(&[3], &[0i32, 0, 0]).unwrap());
    let dense = Tensor::from_elements(&[1, 1], &[1.0f32]).unwrap();
    let error = Spmm::new(rows, columns, None).run(&dense).map(|_| ()).unwrap_err();
    assert_eq!((error.argument_name(), error.position_fact()), (Some("rows"), Some(&[1][..])), "{error}");
}

one_thread!(of_unknown_range);
/// Without a size the number of groups must be known.
async fn of_unknown_range() {
    on_each_backend("softmax by a computed index", async |backend, report| {
        for &place in backend.places() {
            report.row(&format!("{place:?}"), computed(place, backend).await);
        }
    })
    .await;
}

async fn computed(place: Place, backend: &Backend) -> Row {
    let src = backend.put(&Data::new(&[3], &[1.0f32, 5.0, 1.0]))?;
    let index = backend.put_at(place, &Data::new(&[3], &[0, 2, 0]))?;
    let got = read(&scatter_logsumexp(&src, &index, 0, None, Some(3))?).await?;
    near(&Data::new(&[3], &[1.693_147_2f32, f32::NEG_INFINITY, 5.0]), &got, [1e-6, 0.0])?;
    if place != Place::Computed {
        let got = read(&scatter_softmax(&src, &index, 0, None, None)?).await?;
        return near(&Data::new(&[3], &[0.5f32, 1.0, 0.5]), &got, [1e-6, 0.0]);
    }
    equal("code", error_of(scatter_softmax(&src, &index, 0, Some(2), None))?.code(), ErrorCode::WrongDevice)?;
    equal("code", error_of(scatter_softmax(&src, &index, 0, None, None))?.code(), ErrorCode::WrongDevice)?;
    equal("code", error_of(scatter_logsumexp(&src, &index, 0, None, None))?.code(), ErrorCode::WrongDevice)
}

#[test]
fn a_negative_index_is_refused_with_its_position() {
    let src = Tensor::from_elements(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0]).unwrap();
    let index = Tensor::from_elements(&[2, 2], &[0i64, 1, -1, 0]).unwrap();
    let error = scatter_softmax(&src, &index, 0, None, None).map(|_| ()).unwrap_err();
    assert_eq!((error.class(), error.position_fact()), (ErrorClass::Index, Some(&[1, 0][..])));
    // A size of 1 is repeated: the position is that in the index of the caller.
    let row = Tensor::from_elements(&[1, 2], &[0, -2]).unwrap();
    let error = scatter_logsumexp(&src, &row, 0, None, Some(3)).map(|_| ()).unwrap_err();
    assert_eq!(error.position_fact(), Some(&[0, 1][..]));
}

one_thread!(ignored);
/// A skipped entry joins no group, whatever its number: its result is +0, and its gradient too.
async fn ignored() {
    on_each_backend("softmax with an ignored index", async |backend, report| {
        for &place in backend.places().iter().filter(|&&place| place != Place::Computed) {
            report.row(&format!("{place:?}"), without_entries(place, backend).await);
        }
    })
    .await;
}

async fn without_entries(place: Place, backend: &Backend) -> Row {
    const IGNORED: i64 = -7;
    let numbers = |numbers: [f32; 5]| Data::new(&[5], &numbers);
    let groups = |groups: [i64; 5]| backend.put_at(place, &Data::new(&[5], &groups));
    let src = backend.put(&numbers([1.0, f32::NAN, 5.0, 1.0, f32::INFINITY]))?;
    let index = groups([0, IGNORED, 2, 0, IGNORED])?;
    let got = read(&scatter_softmax(&src, &index, 0, Some(IGNORED), None)?).await?;
    same("result", numbers([0.5, 0.0, 1.0, 0.5, 0.0]).difference(&got))?;
    let cotangent = backend.put(&numbers([4.0, f32::NAN, 1.0, 0.0, f32::INFINITY]))?;
    let got = read(&scatter_softmax_vjp(&src, &index, 0, Some(IGNORED), None, &cotangent)?).await?;
    same("gradient", numbers([1.0, 0.0, 0.0, -1.0, 0.0]).difference(&got))?;
    let index = groups([0, 1, -1, 0, IGNORED])?;
    refused(scatter_softmax(&src, &index, 0, Some(IGNORED), None), 2).await?;
    // The largest value of an uploaded index is one that is left out, so that of the others is unknown.
    let outcome = scatter_softmax(&src, &groups([IGNORED; 5])?, 0, Some(IGNORED), None);
    if place == Place::Uploaded && src.device() != Device::Cpu {
        return equal("code", error_of(outcome)?.code(), ErrorCode::WrongDevice);
    }
    same("zeros", numbers([0.0; 5]).difference(&read(&outcome?).await?))
}

/// Expects an `IndexError` for a negative value at a position, at the call or at the next read.
async fn refused(outcome: Result<Tensor>, position: usize) -> Row {
    let outcome = match outcome {
        Ok(tensor) => read(&tensor).await.map(|_| ()),
        Err(error) => Err(error),
    };
    let error = error_of(outcome)?;
    equal("class", error.class(), ErrorClass::Index)?;
    equal("position", error.position_fact(), Some(&[position][..]))?;
    equal("the text counts from the end", error.to_string().contains("allowed are -"), false)
}

one_thread!(negative);
/// A negative index does not count from the end, also where only the device can check it.
async fn negative() {
    on_each_backend("logsumexp by a negative index", async |backend, report| {
        for &place in backend.places() {
            report.row(&format!("{place:?}"), below_zero(place, backend).await);
        }
    })
    .await;
}

async fn below_zero(place: Place, backend: &Backend) -> Row {
    let src = backend.put(&Data::new(&[4], &[1.0f32, 5.0, 1.0, 2.0]))?;
    let index = backend.put_at(place, &Data::new(&[4], &[0, 2, -1, -3]))?;
    let above = backend.put_at(place, &Data::new(&[4], &[0, 2, 1, 5]))?;
    let outcome = match scatter_logsumexp(&src, &above, 0, None, Some(3)) {
        Ok(tensor) => read(&tensor).await.map(|_| ()),
        Err(error) => Err(error),
    };
    // In the same words on every device.
    let expected = "scatter_logsumexp: index[3] is 5: allowed are 0 to 2";
    equal("text", error_of(outcome)?.to_string(), expected.to_owned())?;
    let outcome = scatter_logsumexp(&src, &index, 0, None, Some(3));
    // An upload notes the ends alone.
    refused(outcome, if place == Place::Uploaded && src.device() != Device::Cpu { 3 } else { 2 }).await
}
