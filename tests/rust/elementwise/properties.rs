//! Random calls against nested loops, in every dtype and on every backend.

use half::{bf16, f16};
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::Arithmetic;
use scatterwise::{Binary, DType, Device, ErrorCode, Rounding, Tensor};

use crate::common::data::tensor;
use crate::common::pairs::Numbers;
use crate::common::report::say;
#[cfg(feature = "webgpu")]
use crate::elementwise::gpu;
use crate::elementwise::operations::{aligned, applied, call, call_in_place, takes};
use crate::elementwise::{Place, elements, product_places, run};

fn is_nan(dtype: DType, bits: u64) -> bool {
    dtype.is_float() && crate::elementwise::value(dtype, bits).is_nan()
}

/// The specification: for every coordinate of the result, in row-major order, the operation on one element of each side, as bits. `x_dims`
/// and `y_dims` have the same rank, which is the result's; a size of 1 is repeated.
fn oracle(
    binary: Binary,
    dtype: DType,
    x_dims: &[usize],
    x: &[u64],
    y_dims: &[usize],
    y: &[u64],
) -> Vec<u64> {
    let dims: Vec<usize> = x_dims.iter().zip(y_dims).map(|(&x, &y)| if x == 1 { y } else { x }).collect();
    let mut out = Vec::new();
    let mut at = vec![0; dims.len()];
    if dims.contains(&0) {
        return out;
    }
    loop {
        // The number of the element that an operand of these sizes has at the coordinates.
        let position = |own: &[usize]| {
            at.iter().zip(own).fold(0, |sum, (&c, &len)| sum * len + if len == 1 { 0 } else { c })
        };
        out.push(applied(binary, dtype, x[position(x_dims)], y[position(y_dims)]));
        // The next coordinates: the last one that is not at its end grows, and those behind it start again.
        let Some(d) = (0..dims.len()).rev().find(|&d| at[d] + 1 < dims[d]) else { return out };
        at[d] += 1;
        at[d + 1..].fill(0);
    }
}

/// The bits of a random element. Floats are moderate, or in one of four cases special. Integers are of any size.
fn element(dtype: DType, numbers: &mut Numbers) -> u64 {
    let any = numbers.next();
    if dtype == DType::Bool {
        return any & 1;
    }
    if !dtype.is_float() {
        return any >> numbers.below(64);
    }
    if numbers.below(4) == 0 {
        let special = special(dtype);
        return special[(any % special.len() as u64) as usize];
    }
    let moderate = (any % 200_001) as f32 / 1024.0 - 97.0;
    match dtype {
        DType::Float16 => f16::from_f32(moderate).to_bits().into(),
        DType::Bfloat16 => bf16::from_f32(moderate).to_bits().into(),
        DType::Float64 => f64::from(moderate).to_bits(),
        _ => moderate.to_bits().into(),
    }
}

/// The bits of special numbers of a float dtype: both zeros, subnormals, the ends of the range of normal numbers, infinities, NaN.
fn special(dtype: DType) -> [u64; 9] {
    let (bits, fraction_bits) = match dtype {
        DType::Float16 => (16, 10),
        DType::Bfloat16 => (16, 7),
        DType::Float64 => (64, 52),
        _ => (32, 23),
    };
    let (sign, normal) = (1 << (bits - 1), 1 << fraction_bits);
    let infinity = sign - normal;
    [
        0,
        sign,
        1,
        sign | (normal - 1),
        normal,
        infinity - 1,
        infinity,
        sign | infinity,
        infinity | (normal >> 1) | 1,
    ]
}

/// A tensor of random elements.
fn fill(dtype: DType, dims: &[usize], numbers: &mut Numbers) -> Tensor {
    let count = dims.iter().product();
    tensor(dtype, dims, &(0..count).map(|_| element(dtype, numbers)).collect::<Vec<_>>())
}

/// A tensor of random elements that the operation takes second: of integers that divide none is zero.
fn fill_second(binary: Binary, dtype: DType, dims: &[usize], numbers: &mut Numbers) -> Tensor {
    let filled = fill(dtype, dims, numbers);
    if dtype.is_float() || !matches!(binary, Binary::Divide(_)) {
        return filled;
    }
    let mask = u64::MAX >> (64 - 8 * dtype.size());
    let divisors = elements(&filled).into_iter().map(|divisor| if divisor & mask == 0 { 3 } else { divisor });
    tensor(dtype, dims, &divisors.collect::<Vec<_>>())
}

/// The operations that a dtype has at a place. Guarded arithmetic is of products, sums, differences and quotients.
fn operations(place: Place, dtype: DType) -> Vec<Binary> {
    match place {
        #[cfg(feature = "webgpu")]
        Place::WebGpu(Arithmetic::Guarded) => {
            vec![Binary::Multiply, Binary::Add, Binary::Subtract, Binary::Divide(None)]
        }
        _ => Binary::ALL.iter().copied().filter(|&binary| takes(binary, dtype)).collect(),
    }
}

/// A random one of the [`operations`].
fn operation(place: Place, dtype: DType, numbers: &mut Numbers) -> Binary {
    let all = operations(place, dtype);
    all[numbers.below(all.len() as u64) as usize]
}

/// Compares shape and bits; any NaN is equal to any NaN. `expected` may have more bits than an element has.
fn check(what: &str, got: &Tensor, dims: &[usize], expected: &[u64]) {
    assert_eq!(got.shape().dims(), dims, "{what}");
    let dtype = got.dtype();
    let mask = u64::MAX >> (64 - 8 * dtype.size());
    for (k, (got, expected)) in elements(got).into_iter().zip(expected).enumerate() {
        let same = got == expected & mask || (is_nan(dtype, got) && is_nan(dtype, *expected));
        assert!(same, "{what}: element {k} is {got:x}, not {:x}", expected & mask);
    }
}

/// A size: mostly up to 4, sometimes up to 36, which is longer than a quad (four words), rarely 0.
fn size(numbers: &mut Numbers) -> usize {
    match numbers.below(12) {
        0 => 1,
        1 => 7 + numbers.below(30) as usize,
        2 if numbers.below(3) == 0 => 0,
        _ => 1 + numbers.below(4) as usize,
    }
}

/// A shape of up to eight dimensions and 4,000 elements.
fn shape(numbers: &mut Numbers) -> Vec<usize> {
    // How many elements the other dimensions may have.
    let mut left = 4000;
    let rank = numbers.below(9);
    (0..rank)
        .map(|_| {
            let len = size(numbers).min(left);
            left /= len.max(1);
            len.min(left) // no size is more than it leaves to the others
        })
        .collect()
}

/// How many random calls to try at a place. On WebGPU a call waits for its result, and every arithmetic is a place of its own.
fn calls(place: Place) -> usize {
    if matches!(place, Place::Cpu) { 2000 } else { 1000 }
}

/// The dtypes to try at a place.
fn dtypes(place: Place) -> &'static [DType] {
    match place {
        Place::Cpu => DType::ALL,
        // Other dtypes have one arithmetic only.
        #[cfg(feature = "webgpu")]
        Place::WebGpu(Arithmetic::Guarded) => &[DType::Float32],
        #[cfg(feature = "webgpu")]
        Place::WebGpu(_) => DType::ALL,
    }
}

/// The operation that the function of an operation computes: Paddle's quotients of integers are truncated, those of floats are not.
fn paddles(binary: Binary, dtype: DType) -> Binary {
    match binary {
        Binary::Divide(_) => Binary::Divide((!dtype.is_float()).then_some(Rounding::Trunc)),
        _ => binary,
    }
}

one_thread!(aligned_along_an_axis);
/// Random calls by Paddle's rule: the sizes of y are a run of those of x, and may have 1s behind them. `axis` is where the run starts.
async fn aligned_along_an_axis() {
    for place in product_places() {
        let mut numbers = Numbers(1);
        for case in 0..calls(place) {
            let dtype = dtypes(place)[case % dtypes(place).len()];
            let x_dims = shape(&mut numbers);
            let rank = x_dims.len();
            let start = numbers.below(rank as u64 + 1) as usize;
            let end = start + numbers.below((rank - start) as u64 + 1) as usize;
            let mut y_dims = x_dims[start..end].to_vec();
            let mut axis = if start < rank { start as i64 } else { -1 };
            // With 1s behind the run up to x's rank, y ends where x ends: the default axis.
            if numbers.below(2) == 0 {
                y_dims.resize(rank - start, 1);
                axis = if numbers.below(2) == 0 { axis } else { -1 };
            }
            let binary = paddles(operation(place, dtype, &mut numbers), dtype);
            let x = fill(dtype, &x_dims, &mut numbers);
            let y = fill_second(binary, dtype, &y_dims, &mut numbers);
            let what = format!("{place:?} {binary:?} {dtype} {x_dims:?} {y_dims:?} axis {axis}");
            // y with 1s on both sides, up to x's rank. Its sizes are 1 or those of x, so the result has the shape of x.
            let mut aligned_y = vec![1; start];
            aligned_y.extend(&x_dims[start..end]);
            aligned_y.resize(rank, 1);
            let expected = oracle(binary, dtype, &x_dims, &elements(&x), &aligned_y, &elements(&y));
            let got = run(place, &x, &y, |x, y| aligned(binary, x, y, axis));
            check(&what, &got.unwrap_or_else(|error| panic!("{what}: {error}")).unwrap(), &x_dims, &expected);
        }
        say(&format!("aligned along an axis {place:?}: {} calls", calls(place)));
    }
}

one_thread!(broadcast_on_both_sides);
/// Random calls by NumPy's rule: any size of either side may be 1, and leading 1s of y may be left out. Also in place, which is refused
/// unless the result has the shape of x.
async fn broadcast_on_both_sides() {
    for place in product_places() {
        let mut numbers = Numbers(2);
        for case in 0..calls(place) {
            let dtype = dtypes(place)[case % dtypes(place).len()];
            let dims = shape(&mut numbers);
            // Each size becomes 1 at odds of one in two to one in five, drawn for the side.
            let side = |numbers: &mut Numbers| -> Vec<usize> {
                let odds = 2 + numbers.below(4);
                dims.iter().map(|&len| if numbers.below(odds) == 0 { 1 } else { len }).collect()
            };
            let (x_dims, y_dims) = (side(&mut numbers), side(&mut numbers));
            let binary = operation(place, dtype, &mut numbers);
            let x = fill(dtype, &x_dims, &mut numbers);
            let y = fill_second(binary, dtype, &y_dims, &mut numbers);
            let expected = oracle(binary, dtype, &x_dims, &elements(&x), &y_dims, &elements(&y));
            let out: Vec<usize> =
                x_dims.iter().zip(&y_dims).map(|(&x, &y)| if x == 1 { y } else { x }).collect();
            let what = format!("{place:?} {binary:?} {dtype} {x_dims:?} {y_dims:?}");
            let combined = |x: &Tensor, y: &Tensor| call(binary, x, y);
            check(&what, &run(place, &x, &y, combined).unwrap().unwrap(), &out, &expected);

            let short = y_dims.iter().skip_while(|&&len| len == 1).copied().collect::<Vec<_>>();
            let y = y.reshape(&short).unwrap();
            check(&what, &run(place, &x, &y, combined).unwrap().unwrap(), &out, &expected);
            let in_place = run(place, &x, &y, |x, y| {
                let mut x = x.clone();
                call_in_place(binary, &mut x, y).map(|()| x)
            });
            match in_place {
                Ok(got) => check(&what, &got.unwrap(), &out, &expected),
                Err(error) => assert!(out != x_dims && error.code() == ErrorCode::ShapeMismatch, "{error}"),
            }
        }
        say(&format!("broadcast on both sides {place:?}: {} calls", calls(place)));
    }
}

one_thread!(long_and_awkward_shapes);
/// Random operands of every dtype, combined by every operation and NumPy's rule, compared with `oracle`. The shapes are around the sizes at which something
/// changes: blocks of the CPU's loops, rows of whole vectors and quads, workgroups of the GPU.
async fn long_and_awkward_shapes() {
    for place in product_places() {
        let mut numbers = Numbers(3);
        for (x_dims, y_dims) in [
            (&[5000][..], &[5000][..]),
            (&[5000], &[1]),
            (&[1], &[4099]),
            (&[1111, 3], &[1, 3]),
            (&[7, 255], &[1, 255]),
            (&[3, 256], &[1, 256]),
            (&[9, 300], &[1, 300]),
            (&[5, 1023], &[1, 1023]),
            (&[5, 1024], &[1, 1024]),
            (&[3, 1500], &[1, 1500]),
            (&[2, 1, 3], &[2, 700, 3]),
            (&[9, 40, 3], &[1, 40, 1]),
            (&[3, 1500, 2], &[1, 1500, 1]),
            (&[2, 700, 5], &[2, 700, 1]),
            (&[2, 700, 5], &[2, 1, 1]),
            (&[700, 1], &[700, 7]),
            (&[1, 5], &[300, 5]),
            (&[4, 1, 9, 1], &[1, 200, 9, 3]),
            (&[257, 255], &[257, 1]),
            (&[2, 3, 2, 3, 2, 3, 2, 3], &[2, 1, 2, 1, 2, 1, 2, 1]),
            (&[1, 257], &[263, 1]),
            // Rows and runs that are whole vectors for elements of every width.
            (&[33, 64], &[1, 64]),
            (&[1, 2048], &[3, 2048]),
            (&[3, 70, 32], &[1, 70, 1]),
            (&[2, 3, 5, 16], &[2, 1, 5, 1]),
            (&[3, 5, 2, 16], &[1, 5, 1, 16]),
        ] {
            for &dtype in dtypes(place) {
                for binary in operations(place, dtype) {
                    let x = fill(dtype, x_dims, &mut numbers);
                    let y = fill_second(binary, dtype, y_dims, &mut numbers);
                    let expected = oracle(binary, dtype, x_dims, &elements(&x), y_dims, &elements(&y));
                    let out: Vec<usize> =
                        x_dims.iter().zip(y_dims).map(|(&x, &y)| if x == 1 { y } else { x }).collect();
                    let what = format!("{place:?} {binary:?} {dtype} {x_dims:?} {y_dims:?}");
                    let got = run(place, &x, &y, |x, y| call(binary, x, y)).unwrap().unwrap();
                    check(&what, &got, &out, &expected);
                }
            }
        }
    }
}

#[cfg(feature = "webgpu")]
one_thread!(products_in_place);
/// In place on the GPU the result is written over x and nothing is allocated, unless another tensor shares the memory of x.
#[cfg(feature = "webgpu")]
async fn products_in_place() {
    let Some(gpu) = gpu() else { return };
    let mut numbers = Numbers(5);
    for &dtype in DType::ALL {
        for (x_dims, y_dims) in [
            (&[5000][..], &[5000][..]),
            (&[33, 64], &[1, 64]),
            (&[7, 255], &[1, 255]),
            (&[9, 40, 3], &[1, 40, 1]),
            (&[3, 70, 32], &[1, 70, 1]),
            (&[11], &[1]),
        ] {
            let (x, y) = (fill(dtype, x_dims, &mut numbers), fill(dtype, y_dims, &mut numbers));
            let expected = oracle(Binary::Multiply, dtype, x_dims, &elements(&x), y_dims, &elements(&y));
            let (mut target, factor) = (x.upload().unwrap(), y.upload().unwrap());
            let clone = target.clone();
            let before = gpu.bytes();
            target.mul_(&factor).unwrap();
            assert!(gpu.bytes() > before, "a clone keeps its data");
            drop(clone);
            // A first multiply in place, before memory is looked at: beside it runs the self-test of its pipeline, which takes memory too.
            let mut first = x.upload().unwrap();
            first.mul_(&factor).unwrap();
            pollster::block_on(first.to(Device::Cpu)).unwrap();
            drop(first);
            target = x.upload().unwrap();
            let held = gpu.bytes() + gpu.pooled_bytes();
            target.mul_(&factor).unwrap();
            assert_eq!(gpu.bytes() + gpu.pooled_bytes(), held, "nothing is allocated");
            let what = format!("{dtype} {x_dims:?} · {y_dims:?} in place");
            check(&what, &pollster::block_on(target.to(Device::Cpu)).unwrap(), x_dims, &expected);
        }
    }
}

/// Both operands may be one tensor, or share their data, also in place; on the CPU.
#[test]
fn operands_may_share_data() {
    let x = Tensor::from_elements(&[3], &[1i32, 2, 3]).unwrap();
    assert_eq!(x.mul(&x).unwrap().elements::<i32>(), Some(&[1, 4, 9][..]));
    let mut y = x.clone();
    y.mul_(&x).unwrap();
    y.mul_(&y.clone()).unwrap();
    assert_eq!(y.elements::<i32>(), Some(&[1, 16, 81][..]));
    assert_eq!(x.elements::<i32>(), Some(&[1, 2, 3][..]), "self of a copying call is unchanged");
}

#[cfg(feature = "webgpu")]
one_thread!(operands_are_brought_together);
/// An operand on the host is brought to the GPU of the other. A multiply in place of a host tensor by one on the GPU is refused, since a
/// call does not wait for the GPU.
#[cfg(feature = "webgpu")]
async fn operands_are_brought_together() {
    if gpu().is_none() {
        return;
    }
    let host = Tensor::from_elements(&[3], &[1i32, 2, 3]).unwrap();
    let mut there = host.upload().unwrap();
    for out in [there.mul(&host), host.mul(&there), there.mul(&there)] {
        let out = pollster::block_on(out.unwrap().to(Device::Cpu)).unwrap();
        assert_eq!(out.elements::<i32>(), Some(&[1, 4, 9][..]));
    }
    let error = host.clone().mul_(&there).unwrap_err();
    assert_eq!(error.code(), ErrorCode::WrongDevice);
    let before = there.clone();
    there.mul_(&host).unwrap();
    let read = |tensor: &Tensor| pollster::block_on(tensor.to(Device::Cpu)).unwrap();
    assert_eq!(read(&there).elements::<i32>(), Some(&[1, 4, 9][..]));
    assert_eq!(read(&before).elements::<i32>(), Some(&[1, 2, 3][..]), "a clone keeps its own");
}

#[cfg(feature = "webgpu")]
one_thread!(more_workgroups_than_a_grid_dimension_has);
/// One dimension of a grid has at most 65,535 workgroups. Each computes 1,024 elements of this dtype.
#[cfg(feature = "webgpu")]
async fn more_workgroups_than_a_grid_dimension_has() {
    let Some(gpu) = gpu() else { return };
    let (rows, columns) = (8200, 8191);
    assert!(rows * columns > 65_535 * 1024);
    if gpu.limits().max_storage_buffer_binding_size < (rows * columns * 4) as u64 {
        say("skipped: this adapter binds smaller buffers only");
        return;
    }
    let x: Vec<i32> = (0..rows as i32).collect();
    let y: Vec<i32> = (0..columns as i32).map(|k| k * 7 + 1).collect();
    let x = Tensor::from_elements(&[rows, 1], &x).unwrap().upload().unwrap();
    let out = x.mul(&Tensor::from_elements(&[columns], &y).unwrap()).unwrap();
    let out = pollster::block_on(out.to(Device::Cpu)).unwrap();
    let wrong = out
        .elements::<i32>()
        .unwrap()
        .iter()
        .enumerate()
        .find(|&(k, &got)| got != ((k / columns) as i32).wrapping_mul((k % columns) as i32 * 7 + 1));
    assert_eq!(wrong, None);
}
