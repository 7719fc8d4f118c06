//! Conversions between all dtypes: the GPU against the CPU, and the CPU against the definition.

use scatterwise::backend::gpu::testing::Hooks as _;
use scatterwise::{DType, Device, ErrorCode, Promotion, Scalar, Tensor, scatter_mul};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::common::data::tensor;
use crate::common::pairs::Numbers;
use crate::common::report::say;
use crate::dtypes::definition::{converted, decode, is_nan};
use crate::dtypes::devices::{arithmetics, difference, gpu};
use crate::dtypes::elements::{edges, element, format};

fn all_bits(dtype: DType) -> u64 {
    u64::MAX >> (64 - 8 * dtype.size())
}

/// Elements of a dtype around which conversions to some other one change course: powers of two and their
/// neighbours, which are the ends of every integer dtype; integers midway between two floats; the edges of every
/// float dtype, and the midpoints above them.
fn turning_points(dtype: DType) -> Vec<u64> {
    let mut scalars = vec![Scalar::Float(f64::NAN)];
    for power in 0..=65 {
        scalars.extend([-1, 0, 1].map(|offset| Scalar::Int((1i128 << power) + offset)));
    }
    // One bit more than each significand has: midpoints under and above an even float, and one that carries.
    for bits in [8, 11, 24, 53] {
        let midpoints = [(1i128 << bits) + 1, (1 << bits) + 3, (2 << bits) - 1];
        for shift in 0..64 - bits {
            scalars.extend(midpoints.map(|midpoint| Scalar::Int(midpoint << shift)));
        }
    }
    for power in -3..=70 {
        let offsets = [-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0];
        scalars.extend(offsets.map(|offset| Scalar::Float(2f64.powi(power) + offset)));
    }
    for float in [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64] {
        for edge in edges(float) {
            let value = |bits: u64| Scalar::load(bits, float).as_f64();
            let [before, here, next] = [edge.wrapping_sub(1), edge, edge.wrapping_add(1)].map(value);
            // Halves, as the sum may be infinite; and the step before, as the next number may be.
            let midpoints = [here / 2.0 + next / 2.0, here + (here - before) / 2.0];
            scalars.push(Scalar::Float(here));
            scalars.extend(midpoints.map(Scalar::Float));
        }
    }
    let negative = scalars.clone().into_iter().map(|scalar| match scalar {
        Scalar::Int(value) => Scalar::Int(-value),
        other => Scalar::Float(-other.as_f64()),
    });
    let around = |bits: u64| [bits.wrapping_sub(1), bits, bits.wrapping_add(1)];
    let mut points: Vec<u64> = scalars
        .iter()
        .copied()
        .chain(negative)
        .flat_map(|scalar| around(scalar.cast(dtype)))
        .map(|bits| bits & all_bits(dtype))
        .chain(edges(dtype))
        .collect();
    if dtype == DType::Bool {
        points = vec![0, 1];
    }
    points.sort_unstable();
    points.dedup();
    points
}

/// Any element, or one of any size that integers have.
fn random(dtype: DType, numbers: &mut Numbers) -> u64 {
    let any = numbers.next() & all_bits(dtype);
    match (format(dtype), numbers.below(2)) {
        _ if dtype == DType::Bool => any & 1,
        (_, 0) => any,
        (None, _) => any >> numbers.below(8 * dtype.size() as u64),
        (Some((exponent, fraction)), _) => {
            let (last, bias) = ((1u64 << exponent) - 1, (1u64 << (exponent - 1)) - 1);
            let field = (bias - bias.min(26) + numbers.below(96)).min(last);
            any & !(last << fraction) | field << fraction
        }
    }
}

/// Every element of up to two bytes; of others the turning points and many more. An odd number of them.
fn sources(dtype: DType) -> Vec<u64> {
    let mut elements = match dtype.size() {
        _ if dtype == DType::Bool => vec![0, 1],
        size @ (1 | 2) => (0..1 << (8 * size)).collect(),
        _ => turning_points(dtype),
    };
    let mut numbers = Numbers(9);
    let count = if dtype.size() > 2 { 30_000 } else { 100 };
    elements.extend((0..count).map(|_| random(dtype, &mut numbers)));
    if elements.len().is_multiple_of(2) {
        elements.push(0);
    }
    elements
}

#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn conversions_are_the_cpus() {
    let Some(gpu) = gpu().await else { return };
    let (mut count, mut failures) = (0, Vec::new());
    for &from in DType::ALL {
        let elements = sources(from);
        let source = tensor(from, &[elements.len()], &elements);
        let there = source.upload().unwrap();
        for &to in DType::ALL {
            let (expected, result) = (source.astype(to).unwrap(), there.astype(to).unwrap());
            assert_eq!((result.dtype(), result.device()), (to, Device::WebGpu));
            count += elements.len();
            if let Some(text) = difference(&expected, &result, !to.is_float()).await {
                failures.push(format!("{from} to {to}: {text}"));
            }
        }
    }
    say(&format!("{}: {count} conversions", gpu.facts().description));
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

/// Scalars, empty tensors, and every way in which the last word may be filled.
#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn conversions_of_every_small_shape() {
    if gpu().await.is_none() {
        return;
    }
    let mut numbers = Numbers(10);
    let shapes = [&[][..], &[0], &[3, 0, 2], &[1], &[2], &[3], &[4], &[5], &[2, 3], &[7], &[2, 2, 2], &[9]];
    for &from in DType::ALL {
        for &to in DType::ALL {
            for dims in shapes {
                let len = dims.iter().product();
                let elements: Vec<u64> = (0..len).map(|_| random(from, &mut numbers)).collect();
                let source = tensor(from, dims, &elements);
                let result = source.upload().unwrap().astype(to).unwrap();
                assert_eq!(result.shape(), source.shape());
                let expected = source.astype(to).unwrap();
                assert_eq!(difference(&expected, &result, false).await, None, "{from} to {to}, {dims:?}");
            }
        }
    }
}

/// More threads than one dimension of a dispatch has.
#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn a_conversion_of_many_elements() {
    const LEN: usize = 65_535 * 256 + 77;
    if gpu().await.is_none() {
        return;
    }
    let bytes: Vec<u8> = (0..LEN).map(|k| (k ^ k >> 8 ^ k >> 16) as u8).collect();
    let source = Tensor::from_elements(&[LEN], &bytes).unwrap();
    let result = source.upload().unwrap().astype(DType::Uint32).unwrap().to(Device::Cpu).await.unwrap();
    assert!(result.elements::<u32>().unwrap().iter().zip(&bytes).all(|(&one, &two)| one == u32::from(two)));
}

/// The CPU's conversions, from which the GPU's are taken to be right.
#[wasm_bindgen_test(unsupported = test)]
fn conversions_are_as_defined() {
    let mut numbers = Numbers(11);
    for &from in DType::ALL {
        let mut elements = if from.size() == 1 { sources(from) } else { turning_points(from) };
        elements.extend((0..1000).map(|_| random(from, &mut numbers)));
        for &to in DType::ALL {
            let tensor = tensor(from, &[elements.len()], &elements).astype(to).unwrap();
            let bits = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
            let results = tensor.bytes().unwrap().chunks_exact(to.size()).map(bits);
            assert_eq!(results.len(), elements.len());
            for (&element, result) in elements.iter().zip(results) {
                let scalar = Scalar::load(element, from).cast(to);
                match converted(element, from, to) {
                    Some(expected) => {
                        assert_eq!(result, expected, "{from} {element:#x} to {to}");
                        assert_eq!(scalar, expected, "{from} {element:#x} to {to}, one scalar");
                    }
                    None => assert!(is_nan(result, to) && is_nan(scalar, to), "{from} {element:#x} to {to}"),
                }
            }
        }
    }
}

/// Two dtypes of the same bits share data until one of the two is written to.
#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn a_conversion_that_changes_no_bit_is_not_seen() {
    if gpu().await.is_none() {
        return;
    }
    let index = Tensor::from_elements(&[1], &[1]).unwrap();
    let host = Tensor::from_elements(&[3], &[1i32, -2, 3]).unwrap();
    for original in [host.clone(), host.upload().unwrap()] {
        let mut view = original.astype(DType::Uint32).unwrap();
        view.scatter_(0, &index, 7, scatterwise::Reduce::Replace).unwrap();
        let [original, view] = [&original, &view];
        let (original, view) = (original.to(Device::Cpu).await.unwrap(), view.to(Device::Cpu).await.unwrap());
        assert_eq!(original.elements::<i32>(), Some(&[1, -2, 3][..]));
        assert_eq!(view.elements::<u32>(), Some(&[1, 7, 3][..]));
    }
}

/// What was known of the values before a conversion says nothing of those after it.
#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn a_converted_index_is_checked_anew() {
    if gpu().await.is_none() {
        return;
    }
    let table = Tensor::from_elements(&[3], &[10, 20, 30]).unwrap().upload().unwrap();
    let gather = |index: Tensor| table.gather(0, &index.upload().unwrap().astype(DType::Int32).unwrap());
    let fine = gather(Tensor::from_elements(&[2], &[2.9f32, -1.5]).unwrap()).unwrap();
    assert_eq!(fine.to(Device::Cpu).await.unwrap().elements::<i32>(), Some(&[30, 30][..]));
    let wrapped = gather(Tensor::from_elements(&[2], &[1i64 << 32, 1]).unwrap()).unwrap();
    assert_eq!(wrapped.to(Device::Cpu).await.unwrap().elements::<i32>(), Some(&[10, 20][..]));
    let bad = gather(Tensor::from_elements(&[2], &[0.0f32, 3.0]).unwrap()).unwrap();
    assert_eq!(bad.to(Device::Cpu).await.err().unwrap().position_fact(), Some(&[1][..]));
}

/// Every implicit conversion of `scatter_mul`, of updates on either device.
#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn updates_convert_as_on_the_cpu() {
    const LEN: usize = 1001;
    let Some(gpu) = gpu().await else { return };
    let probed = gpu.numerics().float32;
    let mut numbers = Numbers(12);
    let (mut calls, mut failures) = (0, Vec::new());
    let pairs = DType::ALL.iter().flat_map(|&from| DType::ALL.iter().map(move |&to| (from, to)));
    for (from, to) in pairs.filter(|&(from, to)| from.promotes_to(to) == Promotion::Converts && from != to) {
        let of = edges(to);
        let table: Vec<u64> = (0..20).map(|_| element(to, &of, &mut numbers)).collect();
        let updates: Vec<u64> = (0..2 * LEN).map(|_| random(from, &mut numbers)).collect();
        let indices: Vec<i32> = (0..LEN).map(|_| numbers.below(20) as i32 - 10).collect();
        let (table, updates) = (tensor(to, &[10, 2], &table), tensor(from, &[LEN, 2], &updates));
        let indices = Tensor::from_elements(&[LEN], &indices).unwrap();
        let mut expected = table.clone();
        scatter_mul(&mut expected, &indices, &updates).unwrap();
        for &arithmetic in arithmetics(&gpu, to) {
            gpu.force_arithmetic(arithmetic);
            for updates in [&updates, &updates.upload().unwrap()] {
                let mut result = table.upload().unwrap();
                scatter_mul(&mut result, &indices.upload().unwrap(), updates).unwrap();
                calls += 1;
                if let Some(text) = difference(&expected, &result, false).await {
                    failures.push(format!("{from} to {to}: {text}"));
                }
            }
        }
        gpu.force_arithmetic(probed);
    }
    say(&format!("{}: {calls} calls", gpu.facts().description));
    assert!(calls > 0 && failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

/// A conversion within `scatter_mul` that fails is one of `scatter_mul`.
#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn a_failing_conversion_names_who_asked() {
    let Some(gpu) = gpu().await else { return };
    let bytes = gpu.limits().max_storage_buffer_binding_size.min(gpu.limits().max_buffer_size);
    // As float64 more than the device binds.
    let len = (bytes / 8) as usize + 1;
    if len > 1 << 26 {
        say(&format!("skipped: {} binds {bytes} bytes", gpu.facts().description));
        return;
    }
    let updates = Tensor::zeros(&[len], DType::Bool).unwrap().upload().unwrap();
    let error = updates.astype(DType::Float64).err().unwrap();
    assert_eq!((error.op(), error.code()), ("Tensor.astype", ErrorCode::OutOfMemory));
    let mut table = Tensor::zeros(&[1], DType::Float64).unwrap().upload().unwrap();
    let indices = Tensor::zeros(&[len], DType::Int32).unwrap();
    let error = scatter_mul(&mut table, &indices, &updates).unwrap_err();
    assert_eq!((error.op(), error.code()), ("scatter_mul", ErrorCode::OutOfMemory));
}

#[wasm_bindgen_test(unsupported = test)]
fn the_definition_is_right() {
    assert_eq!(decode(0x8001, DType::Float16), (true, 1, -24));
    assert_eq!(decode(0xfe, DType::Int8), (true, 2, 0));
    assert_eq!(converted(0x3f, DType::Uint8, DType::Bfloat16), Some(0x427c));
    assert_eq!(converted(0xff, DType::Int8, DType::Uint64), Some(u64::MAX));
    assert_eq!(
        converted(0x477f_f000, DType::Float32, DType::Float16),
        Some(0x7c00),
        "65520 is the threshold"
    );
    assert_eq!(converted(0x477f_efff, DType::Float32, DType::Float16), Some(0x7bff));
    assert_eq!(converted(0xc300_e666, DType::Float32, DType::Int8), Some(0x80));
}
