//! Conversions between all dtypes on the GPU, against the CPU's.

use scatterwise::{DType, Device, ErrorCode, Promotion, Tensor, scatter_mul};

use crate::common::data::tensor;
use crate::common::pairs::Numbers;
use crate::common::report::say;
use crate::dtypes::convert::{random, sources};
use crate::dtypes::devices::{difference, gpu};
use crate::dtypes::elements::{edges, element};

one_thread!(conversions_are_the_cpus);
/// Every pair of dtypes, in the elements around which conversions change course.
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
            // Integers have no NaN, so their bytes have to be equal.
            let is_move = !to.is_float();
            if let Some(text) = difference(&expected, &result, is_move).await {
                failures.push(format!("{from} to {to}: {text}"));
            }
        }
    }
    say(&format!("{}: {count} conversions", gpu.facts().description));
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

one_thread!(every_narrow_element_is_converted);
/// Every element of 8 and of 16 bits, to every dtype.
async fn every_narrow_element_is_converted() {
    let Some(gpu) = gpu().await else { return };
    let mut failures = Vec::new();
    for &from in DType::ALL.iter().filter(|dtype| dtype.size() <= 2) {
        let count = if from == DType::Bool { 2 } else { 1 << (8 * from.size()) };
        let source = tensor(from, &[count], &(0..count as u64).collect::<Vec<_>>());
        let there = source.upload().unwrap();
        for &to in DType::ALL {
            let (expected, result) = (source.astype(to).unwrap(), there.astype(to).unwrap());
            if let Some(text) = difference(&expected, &result, !to.is_float()).await {
                failures.push(format!("{from} to {to}: {text}"));
            }
        }
    }
    say(&format!("{}: every narrow element", gpu.facts().description));
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

one_thread!(conversions_of_small_shapes);
/// Scalars, empty tensors, and lengths that fill the last word of the result in every way that there is.
async fn conversions_of_small_shapes() {
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
                let is_move = false; // a NaN may be any NaN
                assert_eq!(difference(&expected, &result, is_move).await, None, "{from} to {to}, {dims:?}");
            }
        }
    }
}

one_thread!(a_conversion_of_many_elements);
/// More threads than one dimension of a dispatch has.
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

one_thread!(a_conversion_that_changes_no_bit_is_not_seen);
/// A conversion of int32 to uint32 changes no bit and may share the data. That is invisible: a write to one tensor does not
/// change the other.
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

one_thread!(a_converted_index_is_checked_anew);
/// The range that was noted of an index at its upload does not hold for its conversion: bounds are checked for the converted values.
async fn a_converted_index_is_checked_anew() {
    if gpu().await.is_none() {
        return;
    }
    let table = Tensor::from_elements(&[3], &[10, 20, 30]).unwrap().upload().unwrap();
    let gather = |index: Tensor| table.gather(0, &index.upload().unwrap().astype(DType::Int32).unwrap());
    // Cut towards zero: 2 and -1.
    let fine = gather(Tensor::from_elements(&[2], &[2.9f32, -1.5]).unwrap()).unwrap();
    assert_eq!(fine.to(Device::Cpu).await.unwrap().elements::<i32>(), Some(&[30, 30][..]));
    // Wrapped: 0 and 1.
    let wrapped = gather(Tensor::from_elements(&[2], &[1i64 << 32, 1]).unwrap()).unwrap();
    assert_eq!(wrapped.to(Device::Cpu).await.unwrap().elements::<i32>(), Some(&[10, 20][..]));
    // 3 is out of bounds.
    let bad = gather(Tensor::from_elements(&[2], &[0.0f32, 3.0]).unwrap()).unwrap();
    assert_eq!(bad.to(Device::Cpu).await.err().unwrap().position_fact(), Some(&[1][..]));
}

one_thread!(updates_convert_as_on_the_cpu);
/// Every implicit conversion of `scatter_mul`: of updates on the host, and on the GPU.
async fn updates_convert_as_on_the_cpu() {
    const LEN: usize = 1001;
    let Some(gpu) = gpu().await else { return };
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
        for updates in [&updates, &updates.upload().unwrap()] {
            let mut result = table.upload().unwrap();
            scatter_mul(&mut result, &indices.upload().unwrap(), updates).unwrap();
            calls += 1;
            if let Some(text) = difference(&expected, &result, false).await {
                failures.push(format!("{from} to {to}: {text}"));
            }
        }
    }
    say(&format!("{}: {calls} calls", gpu.facts().description));
    assert!(calls > 0 && failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

one_thread!(a_failing_conversion_names_who_asked);
/// The error of a conversion names the operator that the caller called: `astype`, or `scatter_mul` for the conversion of its updates. The
/// conversion fails because its result is larger than the device's largest binding.
async fn a_failing_conversion_names_who_asked() {
    let Some(gpu) = gpu().await else { return };
    let bytes = gpu.limits().max_storage_buffer_binding_size.min(gpu.limits().max_buffer_size);
    // As float64 more than the device binds. As bool it is an eighth of that; still too much memory on some adapters.
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
