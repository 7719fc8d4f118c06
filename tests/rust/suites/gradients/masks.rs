//! The gradients of `choose` and `compress`, against their definition as loops. Values are small whole numbers, whose sums are exact.

use scatterwise::{DType, Scalar, Sum, Tensor, choose_vjp, compress_vjp};

use crate::common::backends::{Backend, on_each_backend, read};
use crate::common::data::Data;
use crate::common::pairs::Numbers;
use crate::common::report::{Row, error_of, same};

const FLOATS: [DType; 4] = [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64];

fn whole(dtype: DType, dims: &[usize], numbers: &mut Numbers) -> Data {
    let count: usize = dims.iter().product();
    let bits = (0..count).map(|_| Scalar::Int(i128::from(numbers.below(4)) - 1).cast(dtype));
    Data::from_bits(dtype, dims, bits.collect::<Vec<u64>>())
}

fn mask_of(dims: &[usize], numbers: &mut Numbers) -> Data {
    let count: usize = dims.iter().product();
    Data::from_bits(DType::Bool, dims, (0..count).map(|_| numbers.below(2)).collect::<Vec<u64>>())
}

/// The flat place in an operand of each element of a shape.
fn places(shape: &[usize], operand: &[usize]) -> Vec<usize> {
    let skipped = shape.len() - operand.len();
    let count: usize = shape.iter().product();
    let place = |at: usize| {
        let (mut rest, mut stride, mut place) = (at, 1, 0);
        for d in (0..shape.len()).rev() {
            let coordinate = rest % shape[d];
            rest /= shape[d];
            if d >= skipped {
                let len = operand[d - skipped];
                place += if len == 1 { 0 } else { coordinate * stride };
                stride *= len;
            }
        }
        place
    };
    (0..count).map(place).collect()
}

one_thread!(choices);
async fn choices() {
    on_each_backend("gradients of where", async |backend, report| {
        let mut numbers = Numbers(71);
        let shapes: [[&[usize]; 4]; 6] = [
            [&[5], &[5], &[5], &[5]],
            [&[3, 4], &[3, 4], &[4], &[]],
            [&[3, 4], &[3, 1], &[1, 4], &[3, 4]],
            [&[2, 3, 4], &[4], &[2, 1, 4], &[3, 1]],
            [&[2, 3], &[], &[], &[2, 3]],
            [&[0, 3], &[0, 1], &[3], &[1, 1]],
        ];
        for dtype in FLOATS {
            for [shape, mask, x, y] in shapes {
                for sum in [Sum::Ordered, Sum::Exact] {
                    let mask = mask_of(mask, &mut numbers);
                    let operands = [x, y].map(|dims| whole(dtype, dims, &mut numbers));
                    let cotangent = whole(dtype, shape, &mut numbers);
                    let outcome = check_choice(&mask, &operands, &cotangent, sum, backend).await;
                    report.row(&format!("{dtype} {shape:?} {sum:?}"), outcome);
                }
            }
        }
    })
    .await;
}

async fn check_choice(
    mask: &Data,
    operands: &[Data; 2],
    cotangent: &Data,
    sum: Sum,
    backend: &Backend,
) -> Row {
    let [x, y] = operands;
    let put = |data: &Data| backend.put(data);
    let got = choose_vjp(&put(mask)?, &put(x)?, &put(y)?, &put(cotangent)?, sum)?;
    let dtype = cotangent.dtype;
    for ((operand, got), wanted) in operands.iter().zip(&got).zip([1, 0]) {
        let mut sums = vec![0.0; operand.dims.iter().product()];
        let masks = places(&cotangent.dims, &mask.dims);
        for (at, place) in places(&cotangent.dims, &operand.dims).into_iter().enumerate() {
            if mask.bits(masks[at]) == wanted {
                sums[place] += Scalar::load(cotangent.bits(at), dtype).as_f64();
            }
        }
        let bits = sums.iter().map(|&sum| Scalar::Float(sum).cast(dtype)).collect::<Vec<u64>>();
        let expected = Data::from_bits(dtype, &operand.dims, bits);
        same("gradient", expected.difference(&read(got).await?))?;
    }
    Ok(())
}

one_thread!(selections);
async fn selections() {
    on_each_backend("gradients of compress", async |backend, report| {
        let mut numbers = Numbers(73);
        for dtype in FLOATS {
            for dims in [&[7][..], &[4, 3], &[2, 5, 3], &[0, 2], &[3, 0]] {
                for axis in 0..dims.len() {
                    let mask = mask_of(&dims[axis..=axis], &mut numbers);
                    let x = whole(dtype, dims, &mut numbers);
                    let outcome = check_selection(&mask, &x, axis, &mut numbers, backend).await;
                    report.row(&format!("{dtype} {dims:?} {axis}"), outcome);
                }
            }
        }
    })
    .await;
}

async fn check_selection(
    mask: &Data,
    x: &Data,
    axis: usize,
    numbers: &mut Numbers,
    backend: &Backend,
) -> Row {
    let kept: Vec<usize> = (0..mask.dims[0]).filter(|&at| mask.bits(at) == 1).collect();
    let mut dims = x.dims.clone();
    dims[axis] = kept.len();
    let cotangent = whole(x.dtype, &dims, numbers);
    let after: usize = x.dims[axis + 1..].iter().product();
    let bits = (0..x.dims.iter().product()).map(|at: usize| {
        let (before, coordinate, rest) = (at / (x.dims[axis] * after), at / after % x.dims[axis], at % after);
        kept.iter()
            .position(|&place| place == coordinate)
            .map_or(0, |k| cotangent.bits((before * kept.len() + k) * after + rest))
    });
    let expected = Data::from_bits(x.dtype, &x.dims, bits.collect::<Vec<u64>>());
    let (mask, x, cotangent) = (backend.put(mask)?, backend.put(x)?, backend.put(&cotangent)?);
    let got = compress_vjp(&mask, &x, axis as i64, &cotangent)?;
    same("gradient", expected.difference_of_bits(&read(&got).await?))
}

#[crate::everywhere::test]
fn refusals() {
    let mask = Tensor::from_elements(&[2], &[1, 0]).unwrap();
    let mask = mask.ne(&Tensor::from_elements(&[], &[0]).unwrap()).unwrap();
    let x = Tensor::from_elements(&[2], &[1.0f32, 2.0]).unwrap();
    let long = Tensor::from_elements(&[2], &[1.0f32, 2.0]).unwrap();
    let error = error_of(compress_vjp(&mask, &x, 0, &long)).unwrap();
    assert_eq!(error.code().name(), "shape-mismatch");
    let integers = Tensor::from_elements(&[2], &[1, 2]).unwrap();
    let error = error_of(choose_vjp(&mask, &integers, &integers, &integers, Sum::Ordered)).unwrap();
    assert_eq!(error.code().name(), "dtype-mismatch");
}
