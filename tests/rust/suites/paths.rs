//! Shapes that hit the fast paths of the CPU's kernels, and shapes that just miss them: every length of a tail, rows
//! around the lengths at which they are moved in another way, values that are read from the middle of a word, windows of
//! positions that are just full.

use scatterwise::{DType, FactValue, Reduce, Scalar, Tensor};

use crate::common::backends::{Backend, Place, on_cpu};
use crate::common::call::{Call, Method};
use crate::common::data::Data;
use crate::common::pairs::Numbers;
use crate::common::report::{equal, error_of};

/// Random elements without NaN and infinities. Floats are near 1 or between −3 and 5, so that sums and products of a few stay finite.
fn elements(dtype: DType, dims: &[usize], numbers: &mut Numbers) -> Data {
    let bits = (0..dims.iter().product()).map(|_: usize| match dtype {
        DType::Bool => numbers.below(2),
        DType::Float16 => 0x3800 + numbers.below(0x900),
        DType::Bfloat16 => 0x3f00 + numbers.below(0x100),
        DType::Float32 => u64::from((numbers.below(4096) as f32 / 512.0 - 3.0).to_bits()),
        DType::Float64 => (numbers.below(4096) as f64 / 512.0 - 3.0).to_bits(),
        _ => numbers.below(1 << 62),
    });
    Data::from_bits(dtype, dims, bits)
}

/// The elements, of floats about one in eight replaced by NaN, an infinity or a zero of either sign.
fn with_special(data: Data, numbers: &mut Numbers) -> Data {
    if !data.dtype.is_float() {
        return data;
    }
    let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0];
    let special = special.map(|value| Scalar::Float(value).cast(data.dtype));
    let bits =
        (0..data.len()).map(|k| if numbers.below(8) == 0 { numbers.pick(&special) } else { data.bits(k) });
    Data::from_bits(data.dtype, &data.dims, bits)
}

/// Random index values below `bound`; where `has_negative`, half of them counted from the end.
fn index(dtype: DType, dims: &[usize], bound: usize, has_negative: bool, numbers: &mut Numbers) -> Data {
    let bits = (0..dims.iter().product()).map(|_: usize| {
        let value = numbers.below(bound as u64) as i64;
        (if has_negative && numbers.below(2) == 0 { value - bound as i64 } else { value }) as u64
    });
    Data::from_bits(dtype, dims, bits)
}

/// Compares calls, each with its name, with the oracle on the CPU.
async fn check(suite: &str, calls: Vec<(String, Call)>) {
    on_cpu(suite, async |report| {
        for (name, call) in &calls {
            report.row(name, call.run(&Backend::Cpu, Place::Host).await);
        }
    })
    .await;
}

/// The methods along a dimension without `scatter` and `scatter_add`, which do the same on a copy.
fn methods_along() -> impl Iterator<Item = Method> {
    let scatters = Reduce::ALL.iter().map(|&reduce| Method::ScatterInPlace(reduce));
    scatters.chain([Method::ScatterAddInPlace, Method::Gather])
}

one_thread!(tails_along_a_dimension);
/// Every dtype and every short length along one dimension: in a row, across rows, and between others.
async fn tails_along_a_dimension() {
    let mut numbers = Numbers(11);
    let mut calls = Vec::new();
    for &dtype in DType::ALL {
        for method in methods_along() {
            for len in 1..=17 {
                // One shape for each length, in turn.
                let shapes = [vec![len], vec![len, 2], vec![2, len], vec![2, len, 3], vec![3, 2, len]];
                let dims = &shapes[len % 5][..];
                for dim in 0..dims.len() {
                    let (has_negative, is_int64) = (numbers.below(2) == 0, numbers.below(2) == 0);
                    let index_dtype = if is_int64 { DType::Int64 } else { DType::Int32 };
                    let places = index(index_dtype, dims, dims[dim], has_negative, &mut numbers);
                    let [table, src] =
                        [(); 2].map(|()| with_special(elements(dtype, dims, &mut numbers), &mut numbers));
                    let name = format!("{dtype} {method:?} {dims:?} dim {dim}");
                    calls.push((name, Call::new(method, table, dim as i64, places, src)));
                }
            }
        }
    }
    check("tails-along-a-dimension", calls).await;
}

one_thread!(rows_of_every_length);
/// Rows around the lengths at which they are added, multiplied or copied in another way. Five rows of an odd length begin
/// at every byte of a word where elements have one byte.
async fn rows_of_every_length() {
    let mut numbers = Numbers(12);
    let mut calls = Vec::new();
    let lengths = || (1..=17).chain([31, 32, 33, 63, 64, 65, 127, 128, 129]);
    for &dtype in DType::ALL {
        for len in lengths() {
            let table = elements(dtype, &[5, len], &mut numbers);
            for method in [Method::ScatterAddNdInPlace, Method::ScatterMul, Method::GatherNd] {
                let rows = if method == Method::ScatterMul { vec![7] } else { vec![7, 1] };
                let places = index(DType::Int32, &rows, 5, len % 2 == 0, &mut numbers);
                let updates = elements(dtype, &[7, len], &mut numbers);
                let name = format!("{dtype} {method:?} rows of {len}");
                calls.push((name, Call::new(method, table.clone(), 0, places.clone(), updates)));
                let name = format!("{dtype} {method:?} rows of {len}, a scalar");
                calls.push((name, Call::new(method, table.clone(), 0, places, Scalar::Int(1))));
            }
        }
    }
    check("rows-of-every-length", calls).await;
}

one_thread!(windows_of_positions);
/// Index entries around 1,024, the number whose positions the CPU makes at a time, in one run and in many.
async fn windows_of_positions() {
    let mut numbers = Numbers(13);
    let mut calls = Vec::new();
    let shapes: [(&[usize], usize); 9] = [
        (&[1023], 0),
        (&[1024], 0),
        (&[1025], 0),
        (&[2049], 0),
        (&[3, 1025], 1),
        (&[1025, 3], 0),
        (&[7, 341], 1),
        (&[2, 3, 500], 2),
        (&[2, 1030, 2], 1),
    ];
    for (dims, dim) in shapes {
        for (dtype, has_negative) in [(DType::Int32, false), (DType::Int32, true), (DType::Int64, true)] {
            for method in [Method::Scatter(Reduce::Replace), Method::ScatterAdd, Method::Gather] {
                let places = index(dtype, dims, dims[dim], has_negative, &mut numbers);
                let [table, src] = [(); 2].map(|()| elements(DType::Float32, dims, &mut numbers));
                let name = format!("{method:?} {dims:?} {dtype} negative {has_negative}");
                calls.push((name, Call::new(method, table, dim as i64, places, src)));
            }
        }
    }
    // A table of rank 3, whose rows are shorter the deeper the tuples are.
    for count in [1023, 1024, 1025, 3000] {
        for depth in 1..=3 {
            for dtype in [DType::Int32, DType::Int64] {
                let places = index(dtype, &[count, depth], 4, true, &mut numbers);
                let dims = [&[count][..], &[4, 4, 4][depth..]].concat();
                let table = elements(DType::Float32, &[4, 4, 4], &mut numbers);
                let updates = elements(DType::Float32, &dims, &mut numbers);
                let name = format!("{count} tuples of {depth}, {dtype}");
                calls.push((name, Call::new(Method::ScatterAddNd, table, 0, places, updates)));
            }
        }
    }
    check("windows-of-positions", calls).await;
}

one_thread!(runs_of_the_same_place);
/// Runs of up to five entries that name the same place, which may be kept in a register meanwhile: it has to be written before another
/// entry reads it.
async fn runs_of_the_same_place() {
    let mut numbers = Numbers(14);
    let mut calls = Vec::new();
    for dtype in [DType::Float32, DType::Int32, DType::Float16, DType::Uint8] {
        for method in [
            Method::ScatterAdd,
            Method::ScatterInPlace(Reduce::Multiply),
            Method::ScatterInPlace(Reduce::Replace),
        ] {
            for longest in 1..=5 {
                let mut places = Vec::new();
                while places.len() < 60 {
                    let place = numbers.below(4) as i32 - 2;
                    places.extend((0..=numbers.below(longest)).map(|_| place));
                }
                places.truncate(60);
                let places = Data::new(&[60], &places);
                let [table, src] = [(); 2].map(|()| elements(dtype, &[60], &mut numbers));
                calls.push((
                    format!("{dtype} {method:?} {longest}"),
                    Call::new(method, table, 0, places, src),
                ));
            }
        }
    }
    check("runs-of-the-same-place", calls).await;
}

one_thread!(int64_values_beyond_32_bits);
/// Values of an int64 index that are out of range, and would be in range, or look like another value, if only their lower half were read.
async fn int64_values_beyond_32_bits() {
    on_cpu("int64-values-beyond-32-bits", async |report| {
        for value in [1i64 << 32, -(1 << 32), (1 << 32) + 1, i64::MIN, i64::MAX, 1 << 31, -(1 << 31) - 1] {
            for at in [0, 1, 6] {
                let mut values = [1i64; 7];
                values[at] = value;
                let table = Tensor::from_elements(&[2], &[1.0f32, 2.0]).unwrap();
                let index = Tensor::from_elements(&[7], &values).unwrap();
                let outcome = error_of(table.scatter_add(0, &index, 1)).and_then(|error| {
                    equal("position", error.position_fact(), Some(&[at][..]))?;
                    equal("value", error.value_fact(), Some(&FactValue::Int(value)))
                });
                report.row(&format!("{value} at {at}"), outcome);
            }
        }
    })
    .await;
}
