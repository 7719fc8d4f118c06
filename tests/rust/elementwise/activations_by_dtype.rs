//! Activations of the dtypes besides float32.

use half::{bf16, f16};
use scatterwise::{Activation, DType, Error, ErrorCode, Scalar, Tensor, elementwise_mul};

use crate::common::data::tensor;
use crate::elementwise::activations::{formula, samples};
use crate::elementwise::{Place, bits, places, run, run_act};

/// On the CPU the activation of a half float is that of its float32, rounded once more.
#[test]
fn half_floats() {
    let x = samples(20);
    for &act in Activation::ALL {
        macro_rules! check {
            ($ty:ty) => {
                let narrow: Vec<$ty> = x.iter().map(|&x| <$ty>::from_f32(x)).collect();
                let wide: Vec<f32> = narrow.iter().map(|x| x.to_f32()).collect();
                let one = Tensor::from_elements(&[1], &[<$ty>::ONE]).unwrap();
                let narrow = Tensor::from_elements(&[x.len()], &narrow).unwrap();
                let out = elementwise_mul(&narrow, &one, -1, Some(act)).unwrap();
                let expected = run_act(Place::Cpu, &wide, act);
                for (got, expected) in out.elements::<$ty>().unwrap().iter().zip(expected) {
                    let expected = <$ty>::from_f32(expected);
                    let same = got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan());
                    assert!(same, "{}: {got}, not {expected}", act.name());
                }
            };
        }
        check!(f16);
        check!(bf16);
    }
}

#[cfg(feature = "webgpu")]
one_thread!(webgpu_follows_the_cpu_with_half_floats);
/// Every float16 and bfloat16 through every activation: the CPU's bits where the float32 activation has them, else
/// one step away at most, where two float32 neighbours round apart.
#[cfg(feature = "webgpu")]
async fn webgpu_follows_the_cpu_with_half_floats() {
    let all: Vec<u64> = (0..1 << 16).collect();
    for place in places().into_iter().filter(|&place| place != Place::Cpu) {
        for dtype in [DType::Float16, DType::Bfloat16] {
            let (x, one) = (tensor(dtype, &[1 << 16], &all), Tensor::full(&[1], 1, dtype).unwrap());
            for &act in Activation::ALL {
                let on_cpu = elementwise_mul(&x, &one, -1, Some(act)).unwrap();
                let on_gpu =
                    run(place, &x, &one, |x, y| elementwise_mul(x, y, -1, Some(act))).unwrap().unwrap();
                let halves = |tensor: &Tensor| halves_of(tensor.bytes().unwrap());
                for (k, (expected, got)) in halves(&on_cpu).into_iter().zip(halves(&on_gpu)).enumerate() {
                    let nan = |bits| Scalar::load(bits, dtype).as_f64().is_nan();
                    let is_near = act.gpu_ulps() > 0 && ordered(expected).abs_diff(ordered(got)) <= 1;
                    assert!(
                        expected == got || is_near || (nan(expected) && nan(got)),
                        "{place:?} {dtype} {} of {k:#06x}: {got:#06x}, not {expected:#06x}",
                        act.name()
                    );
                }
            }
        }
    }
}

/// The bits of each half float.
#[cfg(feature = "webgpu")]
fn halves_of(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks_exact(2).map(bits).collect()
}

/// An integer that grows with a half float, given as bits: neighbours are 1 apart, and both zeros are 0.
#[cfg(feature = "webgpu")]
fn ordered(bits: u64) -> i32 {
    let magnitude = (bits & 0x7fff) as i32;
    if bits & 0x8000 == 0 { magnitude } else { -magnitude }
}

/// float64 in its own precision. The constants of the formulae are float32 numbers: 0.02 is the float32 next to it.
#[test]
fn float64() {
    let x = [-20.0, -3.7, -1.0, -0.3, -1e-9, 0.0, 1e-9, 0.1, 0.7, 1.0, 2.5, 19.0, 21.0];
    let one = Tensor::from_elements(&[1], &[1.0f64]).unwrap();
    let input = Tensor::from_elements(&[x.len()], &x).unwrap();
    for &act in Activation::ALL {
        let out = elementwise_mul(&input, &one, -1, Some(act)).unwrap();
        for (&x, &got) in x.iter().zip(out.elements::<f64>().unwrap()) {
            if let Some(expected) = formula(act, x) {
                let near = got == expected || (got - expected).abs() <= 1e-13 * expected.abs() + 1e-16;
                assert!(
                    near || (got.is_nan() && expected.is_nan()),
                    "{} of {x}: {got}, not {expected}",
                    act.name()
                );
            }
        }
    }
    let out = elementwise_mul(&input, &one, -1, Some(Activation::LeakyRelu)).unwrap();
    assert_eq!((x[2], out.elements::<f64>().unwrap()[2]), (-1.0, -0.019_999_999_552_965_164), "0.02f");
}

one_thread!(integers);
/// Every activation that takes integers, of int32 and uint32 on each backend, and of int8 at the ends of its range. Results of abs and
/// square wrap.
async fn integers() {
    type Function = fn(i32) -> i32;
    let x = [-7i32, -2, -1, 0, 1, 3, 9, 21, 22, i32::MIN, i32::MAX, 46341];
    let expected: [(Activation, Function); 5] = [
        (Activation::Abs, i32::wrapping_abs),
        (Activation::Assign, |x| x),
        (Activation::Pow, |x| x),
        (Activation::Scale, |x| x),
        (Activation::Square, |x| x.wrapping_mul(x)),
    ];
    let signed = Tensor::from_elements(&[x.len()], &x).unwrap();
    let unsigned = Tensor::from_elements(&[x.len()], &x.map(|x| x as u32)).unwrap();
    for place in places() {
        for (act, function) in expected {
            let one = Tensor::from_elements(&[], &[1i32]).unwrap();
            let out =
                run(place, &signed, &one, |x, y| elementwise_mul(x, y, -1, Some(act))).unwrap().unwrap();
            assert_eq!(out.elements::<i32>().unwrap(), x.map(function), "{place:?} {}", act.name());

            let one = Tensor::from_elements(&[], &[1u32]).unwrap();
            let out =
                run(place, &unsigned, &one, |x, y| elementwise_mul(x, y, -1, Some(act))).unwrap().unwrap();
            let expected = x.map(|x| match act {
                Activation::Abs => x as u32,
                _ => function(x) as u32,
            });
            assert_eq!(out.elements::<u32>().unwrap(), expected, "{place:?} {}", act.name());
        }
    }
    let small = Tensor::from_elements(&[3], &[-128i8, 5, 4]).unwrap();
    let out =
        |act| elementwise_mul(&small, &Tensor::from_elements(&[], &[1i8]).unwrap(), -1, Some(act)).unwrap();
    assert_eq!(out(Activation::Abs).elements::<i8>(), Some(&[-128, 5, 4][..]));
    assert_eq!(out(Activation::Square).elements::<i8>(), Some(&[0, 25, 16][..]));
}

#[cfg(feature = "webgpu")]
one_thread!(webgpu_follows_the_cpu_with_integers);
/// Every integer dtype on WebGPU, near zero and at the ends of its range.
#[cfg(feature = "webgpu")]
async fn webgpu_follows_the_cpu_with_integers() {
    let near_zero = (0..300u64).chain((0..300).map(|x| 0u64.wrapping_sub(x)));
    let ends = [7, 8, 15, 16, 31, 32, 63].into_iter().flat_map(|bit| {
        let end = 1u64 << bit;
        [end - 1, end, end + 1, end.wrapping_neg(), end.wrapping_neg().wrapping_add(1)]
    });
    let values: Vec<u64> = near_zero.chain(ends).chain([u64::MAX, 0x0123_4567_89ab_cdef]).collect();
    let places: Vec<_> = places().into_iter().filter(|&place| place != Place::Cpu).collect();
    for &dtype in DType::ALL.iter().filter(|dtype| !dtype.is_float() && **dtype != DType::Bool) {
        let (x, one) = (tensor(dtype, &[values.len()], &values), Tensor::full(&[], 1, dtype).unwrap());
        for &act in Activation::ALL.iter().filter(|act| act.takes(dtype)) {
            let on_cpu = elementwise_mul(&x, &one, -1, Some(act)).unwrap();
            for &place in &places {
                let on_gpu =
                    run(place, &x, &one, |x, y| elementwise_mul(x, y, -1, Some(act))).unwrap().unwrap();
                assert_eq!(on_gpu.bytes(), on_cpu.bytes(), "{place:?} {} of {dtype}", act.name());
            }
        }
    }
}

/// An activation is refused for a dtype exactly where `Activation::takes` says so.
#[test]
fn dtypes_that_are_not_taken() {
    for &dtype in DType::ALL {
        let x = Tensor::zeros(&[2], dtype).unwrap();
        for &act in Activation::ALL {
            match elementwise_mul(&x, &x, -1, Some(act)) {
                Ok(out) => assert!(act.takes(dtype) && out.dtype() == dtype),
                Err(error) => {
                    assert!(!act.takes(dtype), "{error}");
                    assert_eq!(
                        (Error::code(&error), error.argument_name()),
                        (ErrorCode::ActDtype, Some("act"))
                    );
                }
            }
        }
    }
}
