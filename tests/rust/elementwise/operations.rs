//! The operations on two elements by their definition, and the calls that have them. Errors that belong to one operation.

use half::{bf16, f16};
use scatterwise::{
    Activation, Binary, DType, ErrorClass, ErrorCode, Result, Rounding, Tensor, activate, elementwise_add,
    elementwise_div, elementwise_max, elementwise_min, elementwise_mul, elementwise_sub,
};

use crate::common::data::tensor;
use crate::elementwise::{elements, places, run, value};

/// Whether a dtype has an operation.
pub(crate) fn takes(binary: Binary, dtype: DType) -> bool {
    match binary {
        Binary::Subtract => dtype != DType::Bool,
        Binary::Divide(rounding) => dtype != DType::Bool && (dtype.is_float() || rounding.is_some()),
        Binary::Add | Binary::Multiply | Binary::Maximum | Binary::Minimum => true,
    }
}

/// The method of an operation.
pub(crate) fn call(binary: Binary, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    match binary {
        Binary::Add => x.add(y),
        Binary::Subtract => x.sub(y),
        Binary::Multiply => x.mul(y),
        Binary::Divide(rounding) => x.div(y, rounding),
        Binary::Maximum => x.maximum(y),
        Binary::Minimum => x.minimum(y),
    }
}

/// The method of an operation in place.
pub(crate) fn call_in_place(binary: Binary, x: &mut Tensor, y: &Tensor) -> Result<()> {
    match binary {
        Binary::Add => x.add_(y),
        Binary::Subtract => x.sub_(y),
        Binary::Multiply => x.mul_(y),
        Binary::Divide(rounding) => x.div_(y, rounding),
        Binary::Maximum => x.maximum_(y),
        Binary::Minimum => x.minimum_(y),
    }
}

/// The function of an operation, with Paddle's alignment. Its quotients have no option.
pub(crate) fn aligned(binary: Binary, x: &Tensor, y: &Tensor, axis: i64) -> Result<Tensor> {
    match binary {
        Binary::Add => elementwise_add(x, y, axis, None),
        Binary::Subtract => elementwise_sub(x, y, axis, None),
        Binary::Multiply => elementwise_mul(x, y, axis, None),
        Binary::Divide(_) => elementwise_div(x, y, axis, None),
        Binary::Maximum => elementwise_max(x, y, axis, None),
        Binary::Minimum => elementwise_min(x, y, axis, None),
    }
}

/// The result of an operation on two elements, given and returned as bits, by the definition. It may have more bits than the dtype.
pub(crate) fn applied(binary: Binary, dtype: DType, x: u64, y: u64) -> u64 {
    macro_rules! integer {
        ($ty:ty) => {{
            let (a, b) = (x as $ty, y as $ty);
            (match binary {
                Binary::Add => a.wrapping_add(b),
                Binary::Subtract => a.wrapping_sub(b),
                Binary::Multiply => a.wrapping_mul(b),
                // Of these numbers, i128 has every quotient.
                Binary::Divide(Some(Rounding::Floor)) => {
                    let (a, b) = (i128::from(a), i128::from(b));
                    (a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0)) as $ty
                }
                Binary::Divide(_) => (i128::from(a) / i128::from(b)) as $ty,
                Binary::Maximum => a.max(b),
                Binary::Minimum => a.min(b),
            }) as u64
        }};
    }
    // Half types in float32: it has more than twice their digits plus two, so the second rounding changes nothing.
    macro_rules! float {
        ($bits:ty, $wide:ty, $load:expr, $store:expr) => {{
            let (a, b): ($wide, $wide) = ($load(x as $bits), $load(y as $bits));
            let rounded = |wide: $wide| $load($store(wide));
            u64::from($store(match binary {
                Binary::Add => a + b,
                Binary::Subtract => a - b,
                Binary::Multiply => a * b,
                Binary::Divide(None) => a / b,
                Binary::Divide(Some(Rounding::Trunc)) => rounded(a / b).trunc(),
                Binary::Divide(Some(Rounding::Floor)) => rounded(a / b).floor(),
                Binary::Maximum | Binary::Minimum if a.is_nan() || b.is_nan() => <$wide>::NAN,
                Binary::Maximum if a > b || a == b && a.is_sign_positive() => a,
                Binary::Minimum if a < b || a == b && a.is_sign_negative() => a,
                Binary::Maximum | Binary::Minimum => b,
            }))
        }};
    }
    match dtype {
        DType::Bool => match binary {
            Binary::Add | Binary::Maximum => u64::from(x != 0 || y != 0),
            Binary::Multiply | Binary::Minimum => u64::from(x != 0 && y != 0),
            Binary::Subtract | Binary::Divide(_) => unreachable!("bool has no {binary:?}"),
        },
        DType::Int8 => integer!(i8),
        DType::Uint8 => integer!(u8),
        DType::Int16 => integer!(i16),
        DType::Uint16 => integer!(u16),
        DType::Int32 => integer!(i32),
        DType::Uint32 => integer!(u32),
        DType::Int64 => integer!(i64),
        DType::Uint64 => integer!(u64),
        DType::Float16 => float!(u16, f32, |b| f16::from_bits(b).to_f32(), |w| f16::from_f32(w).to_bits()),
        DType::Bfloat16 => {
            float!(u16, f32, |b| bf16::from_bits(b).to_f32(), |w| bf16::from_f32(w).to_bits())
        }
        DType::Float32 => float!(u32, f32, f32::from_bits, |w: f32| w.to_bits()),
        DType::Float64 => float!(u64, f64, f64::from_bits, |w: f64| w.to_bits()),
    }
}

/// The smallest integer divided by −1 is itself, in every signed dtype, truncated and rounded down, on every backend.
#[test]
fn the_smallest_integer_divided_by_minus_one() {
    crate::common::thread::run(|| {
        for place in places() {
            for dtype in [DType::Int8, DType::Int16, DType::Int32, DType::Int64] {
                let least = 1u64 << (8 * dtype.size() - 1);
                let x = tensor(dtype, &[3], &[least, least + 1, 7]);
                let y = tensor(dtype, &[3], &[u64::MAX; 3]);
                for rounding in [Rounding::Trunc, Rounding::Floor] {
                    let out = run(place, &x, &y, |x, y| x.div(y, Some(rounding))).unwrap().unwrap();
                    let mask = u64::MAX >> (64 - 8 * dtype.size());
                    let expected = [least, least - 1, u64::MAX - 6].map(|bits| bits & mask);
                    assert_eq!(elements(&out), expected, "{place:?} {dtype} {rounding:?}");
                }
            }
        }
    });
}

/// bool has no difference and no quotient; integers have none without a rounding. Nothing is written.
#[test]
fn dtypes_without_the_operation() {
    for (binary, dtype, code) in [
        (Binary::Subtract, DType::Bool, ErrorCode::DtypeMismatch),
        (Binary::Divide(None), DType::Bool, ErrorCode::DtypeMismatch),
        (Binary::Divide(Some(Rounding::Floor)), DType::Bool, ErrorCode::DtypeMismatch),
        (Binary::Divide(None), DType::Int32, ErrorCode::MissingArgument),
        (Binary::Divide(None), DType::Uint64, ErrorCode::MissingArgument),
    ] {
        let (mut x, y) = (tensor(dtype, &[2], &[1, 0]), tensor(dtype, &[2], &[1, 1]));
        for error in [call(binary, &x, &y).err().unwrap(), call_in_place(binary, &mut x, &y).err().unwrap()] {
            assert_eq!((error.class(), error.code()), (ErrorClass::Type, code), "{error}");
        }
        assert_eq!(elements(&x), [1, 0]);
    }
    let bools = tensor(DType::Bool, &[2], &[1, 0]);
    for result in [elementwise_sub(&bools, &bools, -1, None), elementwise_div(&bools, &bools, -1, None)] {
        assert_eq!(result.err().unwrap().class(), ErrorClass::Type);
    }
}

/// A zero among integer divisors is refused with its position, also where nothing would be divided by it; floats divide by zero.
#[test]
fn zero_divisors() {
    for dtype in DType::ALL.iter().copied().filter(|&dtype| dtype != DType::Bool) {
        let rounding = Some(Rounding::Trunc);
        let mut x = tensor(dtype, &[2, 2], &[1, 2, 3, 4]);
        let y = tensor(dtype, &[2, 2], &[1, 5, 0, 0]);
        if dtype.is_float() {
            assert!(x.div(&y, rounding).is_ok() && x.div_(&y, rounding).is_ok());
            continue;
        }
        for error in [
            x.div(&y, rounding).err().unwrap(),
            x.div_(&y, rounding).err().unwrap(),
            elementwise_div(&x, &y, -1, None).err().unwrap(),
        ] {
            assert_eq!((error.class(), error.code()), (ErrorClass::Value, ErrorCode::ZeroDivisor), "{error}");
            assert_eq!(error.position_fact(), Some(&[1, 0][..]), "{error}");
        }
        assert_eq!(elements(&x), [1, 2, 3, 4], "nothing was written");
        let scalar = x.div(&tensor(dtype, &[], &[0]), rounding).err().unwrap();
        assert_eq!(scalar.position_fact(), Some(&[][..]), "{scalar}");
        let empty = tensor(dtype, &[0, 2], &[]);
        assert!(empty.div(&tensor(dtype, &[2], &[0, 1]), rounding).is_err());
    }
}

/// An activation alone is the activation of the product with 1, for every dtype that it takes and for every length of a last vector.
#[test]
fn activations_alone() {
    let mut seed = 1u64;
    let mut bits = |dtype: DType| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = (seed >> 7) & (u64::MAX >> (64 - 8 * dtype.size()));
        // The product of a NaN may have other bits.
        if dtype == DType::Bool {
            bits & 1
        } else if value(dtype, bits).is_nan() {
            0
        } else {
            bits
        }
    };
    for &dtype in DType::ALL {
        let one = Tensor::full(&[], 1, dtype).unwrap();
        for &act in Activation::ALL.iter().filter(|act| act.takes(dtype)) {
            for len in [0, 1, 2, 3, 5, 64, 67, 1100] {
                let data: Vec<u64> = (0..len).map(|_| bits(dtype)).collect();
                let x = tensor(dtype, &[len], &data);
                let (alone, product) =
                    (activate(&x, act).unwrap(), elementwise_mul(&x, &one, -1, Some(act)).unwrap());
                assert_eq!(elements(&alone), elements(&product), "{act:?} {dtype} {len}");
                assert_eq!(elements(&x), data, "x is not written to");
            }
        }
    }
    let error = activate(&tensor(DType::Int32, &[1], &[1]), Activation::Tanh).err().unwrap();
    assert!(error.to_string().starts_with("activate: "), "{error}");
}
