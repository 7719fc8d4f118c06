//! Activations: the CPU against the formulae, WebGPU against the CPU.

use scatterwise::Activation;

use crate::common::pairs::Numbers;
use crate::common::report::say;
use crate::elementwise::{Place, places, run_act};

/// Numbers that try an activation, of both signs: special values; neighbours of the points where the formulae or the shaders
/// change; `per_exponent` random numbers of each exponent field, and three at its ends; and a hundred times `per_exponent` from
/// −20 to 20, the usual range.
pub(crate) fn samples(per_exponent: u64) -> Vec<f32> {
    let mut numbers = Numbers(4);
    let mut values: Vec<f32> = vec![0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -f32::NAN];
    let near = [
        0.5,
        1.0,
        1.5,
        2.0,
        2.5,
        3.0,
        6.0,
        24.0,
        40.0,
        0.25,
        10.0,
        14.6,
        18.0,
        20.0,
        25.0,
        88.0,
        89.0,
        103.0,
        104.0,
        200.0,
        0.3466,
        0.4142,
        0.2928,
        1.25,
        4.0,
        8388608.0,
        4194304.5,
        16777216.0,
        0.000_244_140_63,
        1e-8,
        std::f32::consts::PI,
        std::f32::consts::FRAC_PI_2,
        std::f32::consts::FRAC_PI_4,
        710.0,
        1e10,
        0.15,
    ];
    for value in near {
        // The twenty floats before it and behind it.
        for offset in -20i32..=20 {
            let bits = (f32::to_bits(value) as i32 + offset) as u32;
            values.extend([f32::from_bits(bits), -f32::from_bits(bits)]);
        }
    }
    for exponent in 0..=255u32 {
        for _ in 0..per_exponent {
            let sign_and_fraction = numbers.next() as u32 & 0x807f_ffff;
            values.push(f32::from_bits(exponent << 23 | sign_and_fraction));
        }
        values.push(f32::from_bits(exponent << 23));
        values.push(f32::from_bits(exponent << 23 | 0x007f_ffff));
        values.push(f32::from_bits(exponent << 23 | 0x8000_0001));
    }
    values.extend(
        (0..per_exponent * 100).map(|_| (numbers.next() as u32 as f32 / u32::MAX as f32 - 0.5) * 40.0),
    );
    values
}

/// The distance of two float32 numbers, neither NaN, in steps from one number to the next. Both zeros are one number.
fn distance(one: f32, two: f32) -> u32 {
    // An integer that grows with the number: the bits of negative floats grow with the magnitude.
    let order = |x: f32| {
        let bits = x.to_bits() as i32;
        if bits < 0 { i32::MIN.wrapping_sub(bits) } else { bits }
    };
    order(one).abs_diff(order(two))
}

/// The [`distance`] of two numbers; 0 between any two NaNs, and `u32::MAX` between a NaN and a number.
fn error(got: f32, expected: f32) -> u32 {
    match (got.is_nan(), expected.is_nan()) {
        (true, true) => 0,
        (false, false) => distance(got, expected),
        _ => u32::MAX,
    }
}

/// The formula of a transcendental activation in float64, by the standard library's functions. If e^x would overflow, it is the
/// limit of the formula. `None` for activations whose single operations are rounded in the dtype ([`arithmetic`]), for erf and
/// gelu, which the standard library lacks, and for tanh_shrink near 0.
pub(crate) fn formula(act: Activation, x: f64) -> Option<f64> {
    Some(match act {
        Activation::Acos => x.acos(),
        Activation::Asin => x.asin(),
        Activation::Atan => x.atan(),
        Activation::Cos => x.cos(),
        Activation::Elu => {
            if x > 0.0 {
                x
            } else {
                x.exp_m1()
            }
        }
        Activation::Exp => x.exp(),
        Activation::Log => x.ln(),
        Activation::Log1p => x.ln_1p(),
        Activation::Logsigmoid => -if x < -700.0 { -x } else { (-x).exp().ln_1p() },
        Activation::Mish => x * if x > 20.0 { x } else { x.exp().ln_1p() }.tanh(),
        Activation::Selu => {
            1.050_701_022_148_132_3 * if x > 0.0 { x } else { 1.673_263_192_176_818_8 * x.exp_m1() }
        }
        Activation::Sigmoid => 1.0 / (1.0 + (-x).exp()),
        Activation::Sin => x.sin(),
        Activation::SoftRelu => x.clamp(-40.0, 40.0).exp().ln_1p(),
        Activation::Softplus => {
            if x > 700.0 {
                x
            } else {
                x.exp().ln_1p()
            }
        }
        Activation::Stanh => f64::from(1.7159f32) * (f64::from(0.67f32) * x).tanh(),
        Activation::Swish => x / (1.0 + (-x).exp()),
        Activation::Tanh => x.tanh(),
        // Nearer to 0 the difference of two equal numbers has no digits left.
        Activation::TanhShrink if x.abs() > 0.01 => x - x.tanh(),
        _ => return None,
    })
}

/// An activation that is made of single operations, written out in float32 in another way than the library's; `None` for a transcendental
/// one.
fn arithmetic(act: Activation, x: f32) -> Option<f32> {
    let clamp = |x: f32, high: f32| {
        if x < 0.0 {
            0.0
        } else if x > high {
            high
        } else {
            x
        }
    };
    Some(match act {
        Activation::Abs => f32::from_bits(x.to_bits() & 0x7fff_ffff),
        Activation::Assign | Activation::Pow => x,
        Activation::Brelu => clamp(x, 24.0),
        Activation::Ceil => -(-x).floor(),
        Activation::Floor => -(-x).ceil(),
        Activation::HardShrink => {
            if x.abs() <= 0.5 {
                0.0
            } else {
                x
            }
        }
        Activation::HardSigmoid => clamp(x * 0.2 + 0.5, 1.0),
        Activation::HardSwish => x * (clamp(x + 3.0, 6.0) / 6.0),
        Activation::LeakyRelu => {
            if x > 0.0 {
                x
            } else {
                x * 0.02
            }
        }
        Activation::Reciprocal => 1.0 / x,
        Activation::Relu => clamp(x, f32::INFINITY),
        Activation::Relu6 => clamp(x, 6.0),
        Activation::Round => x.trunc() + if x.fract().abs() >= 0.5 { x.signum() } else { 0.0 * x.signum() },
        Activation::Rsqrt => 1.0 / x.sqrt(),
        Activation::Scale => x + 0.0,
        Activation::Sign => {
            if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else {
                0.0
            }
        }
        Activation::Softshrink => {
            if x > 0.5 {
                x - 0.5
            } else if x < -0.5 {
                x + 0.5
            } else if x.is_nan() {
                x
            } else {
                0.0
            }
        }
        Activation::Softsign => x / (1.0 + x.abs()),
        Activation::Sqrt => x.sqrt(),
        Activation::Square => x * x,
        Activation::ThresholdedRelu => {
            if x > 1.0 || x.is_nan() {
                x
            } else {
                0.0
            }
        }
        _ => return None,
    })
}

/// Arithmetic activations bit for bit. Transcendental ones within one step, since two ways to compute in float64 may round apart; those
/// that [`formula`] does not have are left to [`known_values`].
#[test]
fn the_cpu_follows_the_formulae() {
    let x = samples(200);
    for &act in Activation::ALL {
        for (&x, got) in x.iter().zip(run_act(Place::Cpu, &x, act)) {
            if let Some(expected) = arithmetic(act, x) {
                let same = got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan());
                assert!(same, "{} of {x:e}: {got:e}, not {expected:e}", act.name());
                assert_eq!(act.gpu_ulps(), 0, "bits are promised on every backend");
            } else if let Some(expected) = formula(act, x.into()) {
                let expected = expected as f32;
                let error = error(got, expected);
                assert!(error <= 1, "{} of {x:e}: {got:e}, not {expected:e}", act.name());
            }
        }
    }
}

one_thread!(known_values);
/// Published values, results that the formula as it reads would miss in floating point, and the signs of zeros.
async fn known_values() {
    for (act, x, expected) in [
        (Activation::Erf, 0.5, 0.520_499_9),
        (Activation::Erf, -1.5, -0.966_105_1),
        (Activation::Gelu, 1.0, 0.841_344_8),
        (Activation::Gelu, -1.0, -0.158_655_25),
        (Activation::Gelu, -8.0, -4.976_768_5e-15),
        (Activation::TanhShrink, 1e-3, 3.333_332e-10),
        (Activation::TanhShrink, -1e-10, -3.333_333_3e-31),
        (Activation::Sign, f32::NAN, 0.0),
        (Activation::Softplus, f32::INFINITY, f32::INFINITY),
        (Activation::Logsigmoid, f32::NEG_INFINITY, f32::NEG_INFINITY),
        (Activation::Swish, f32::NEG_INFINITY, f32::NAN),
        (Activation::Gelu, f32::NEG_INFINITY, f32::NAN),
        (Activation::Mish, f32::NEG_INFINITY, f32::NAN),
        (Activation::HardSwish, f32::NEG_INFINITY, f32::NAN),
        (Activation::Softsign, f32::INFINITY, f32::NAN),
        (Activation::Softshrink, f32::INFINITY, f32::INFINITY),
        (Activation::ThresholdedRelu, f32::NEG_INFINITY, 0.0),
        (Activation::Log, 0.0, f32::NEG_INFINITY),
        (Activation::Log1p, -1.0, f32::NEG_INFINITY),
        (Activation::HardSwish, 1e38, 1e38),
        (Activation::Round, 0.5, 1.0),
        (Activation::Round, -2.5, -3.0),
        (Activation::Round, 0.499_999_97, 0.0),
        (Activation::Round, 8_388_609.0, 8_388_609.0),
    ] {
        for place in places() {
            let [got] = run_act(place, &[x], act)[..] else { panic!() };
            let error = error(got, expected);
            assert!(
                error <= act.gpu_ulps().max(1),
                "{place:?} {} of {x:e}: {got:e}, not {expected:e}",
                act.name()
            );
        }
    }
    for place in places() {
        let [got] = run_act(place, &[-0.0], Activation::Scale)[..] else { panic!() };
        assert_eq!(got.to_bits(), 0, "scale makes +0 of -0");
        for act in [Activation::Relu, Activation::Round, Activation::Ceil, Activation::Sqrt, Activation::Sin]
        {
            let [got] = run_act(place, &[-0.0], act)[..] else { panic!() };
            assert_eq!(got.to_bits(), 0x8000_0000, "{place:?} {} keeps -0", act.name());
        }
    }
}

#[cfg(feature = "webgpu")]
one_thread!(webgpu_follows_the_cpu);
/// On WebGPU each activation is within the steps that it promises (`gpu_ulps`) of the CPU's result; with no step, the bits are the same.
/// Prints the largest distance of each.
#[cfg(feature = "webgpu")]
async fn webgpu_follows_the_cpu() {
    let x = samples(1000);
    let mut worst_of_all = vec![0; Activation::ALL.len()];
    let mut failures = Vec::new();
    for place in places().into_iter().filter(|&place| place != Place::Cpu) {
        for (&act, worst) in Activation::ALL.iter().zip(&mut worst_of_all) {
            let expected = run_act(Place::Cpu, &x, act);
            let got = run_act(place, &x, act);
            for ((&x, &got), &expected) in x.iter().zip(&got).zip(&expected) {
                let error = match act.gpu_ulps() {
                    0 if got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan()) => 0,
                    0 => u32::MAX,
                    _ => error(got, expected),
                };
                // Some examples are enough: where one is wrong, thousands are.
                if error > act.gpu_ulps() && failures.len() < 60 {
                    failures.push(format!("{place:?} {} of {x:e}: {got:e}, not {expected:e}", act.name()));
                }
                *worst = error.max(*worst);
            }
        }
        say(&format!("activations {place:?}: {} of {} values each", Activation::ALL.len(), x.len()));
    }
    for (act, worst) in Activation::ALL.iter().zip(worst_of_all).filter(|(act, _)| act.gpu_ulps() > 0) {
        say(&format!("{}: at most {worst} ulp, promised {}", act.name(), act.gpu_ulps()));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
