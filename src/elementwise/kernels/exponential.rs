//! The float32 activations that use e^x, computed for several elements at a time.
//!
//! The bits are those of `libm::exp`. It is the same algorithm, with selects instead of branches, so that vectors can compute it. `libm`
//! stays the definition, and a test compares the two.

use crate::engine::cpu::kernels::{Double, F64Lanes, FloatLanes, SHIFT, Span};
use crate::plan::Activation;

/// The number of elements that are computed together.
const RUN: usize = 64;

/// e^x for float32 numbers x, in each lane. The value is that of `libm::exp`, but beyond 709 it is e^709, which no float32 holds either, and
/// below −708 it is 0.
///
/// As in `libm`, x = whole · ln 2 + rest. `beyond_one` is e^rest − 1, by a rational function of the rest. ln 2 is subtracted in two
/// parts, so that no digits are lost. The bits depend on the order of the operations, so it is `libm`'s order. `libm` also has branches for
/// numbers near 0 and near half of ln 2, which change no bit for float32 numbers.
//
// Copyright (C) 2004 by Sun Microsystems, Inc. All rights reserved. Permission to use, copy, modify, and distribute this
// software is freely granted, provided that this notice is preserved.
#[inline(always)]
fn exp<W: F64Lanes>(x: W) -> W {
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const P1: f64 = 1.666_666_666_666_660_2e-1;
    const P2: f64 = -2.777_777_777_701_559_3e-3;
    const P3: f64 = 6.613_756_321_437_934e-5;
    const P4: f64 = -1.653_390_220_546_525_2e-6;
    const P5: f64 = 4.138_136_797_057_238_5e-8;

    let number = W::splat_f64;
    // Between these ends 2^whole is a normal number, as `power_of_two` requires.
    let least = number(-708.0);
    let inside = x.pmax(least).pmin(number(709.0));
    // The sum rounds to the nearest integer.
    let shifted = number(std::f64::consts::LOG2_E) * inside + number(SHIFT);
    let whole = shifted - number(SHIFT);
    let (high, low) = (inside - whole * number(LN2_HIGH), whole * number(LN2_LOW));
    let rest = high - low;
    let square = rest * rest;
    let sum = number(P4) + square * number(P5);
    let sum = number(P2) + square * (number(P3) + square * sum);
    let c = rest - square * (number(P1) + square * sum);
    let beyond_one = rest * c / (number(2.0) - c) - low + high;
    let result = (number(1.0) + beyond_one) * shifted.power_of_two();
    W::select(x.lt_mask(least), number(0.0), result)
}

/// Computes results from x and e^x or e^−|x|, and writes them over x. The functions have names, so that a test knows which functions are
/// called by a pointer.
type OfExp = fn(&mut [f64; RUN], &[f64; RUN]);

/// Applies an activation that uses e^x and returns true. For any other it writes nothing and returns false.
pub(crate) fn activate(act: Activation, values: Span<'_, f32>) -> bool {
    // The function, and whether it takes e^−|x| instead of e^x: e^−|x| cannot overflow.
    let (takes_negative_magnitude, function): (bool, OfExp) = match act {
        Activation::Exp => (false, each_exp),
        Activation::Mish => (false, each_mish),
        Activation::Sigmoid => (true, each_sigmoid),
        Activation::Softplus => (true, each_softplus),
        Activation::Swish => (true, each_swish),
        _ => return false,
    };
    // A shorter last run is computed in full. The numbers after its end are old, and their results are not written.
    let mut x = [0.0; RUN];
    for run in values.runs(RUN) {
        run.read(&mut x, f64::from);
        let mut e = x; // becomes e^x or e^−|x|
        if takes_negative_magnitude {
            Span::over(&mut e).each(|x: Double| -x.abs());
        }
        Span::over(&mut e).each(exp::<Double>);
        function(&mut x, &e);
        run.write(&x, |x| x as f32);
    }
    true
}

fn each_exp(x: &mut [f64; RUN], e: &[f64; RUN]) {
    *x = *e;
}

fn each_mish(x: &mut [f64; RUN], e: &[f64; RUN]) {
    Double::each_with(x, e, mish);
}

fn each_sigmoid(x: &mut [f64; RUN], e: &[f64; RUN]) {
    Double::each_with(x, e, sigmoid);
}

/// `log1p` has no vector form, so this calls it for each element.
fn each_softplus(x: &mut [f64; RUN], e: &[f64; RUN]) {
    x.iter_mut().zip(e).for_each(|(x, e)| *x = softplus(*x, *e));
}

fn each_swish(x: &mut [f64; RUN], e: &[f64; RUN]) {
    Double::each_with(x, e, |x, e| x * sigmoid(x, e));
}

/// 1/(1 + e^−x), computed from e = e^−|x|. For negative x this is e/(1 + e).
pub(crate) fn sigmoid<W: F64Lanes>(x: W, e: W) -> W {
    let one = W::splat_f64(1.0);
    W::select(x.lt_mask(W::splat_f64(0.0)), e, one) / (one + e)
}

/// ln(1 + e^x), computed from e = e^−|x| as max(x, 0) + ln(1 + e). `max` drops a NaN, but the other summand is NaN then.
pub(crate) fn softplus(x: f64, e: f64) -> f64 {
    x.max(0.0) + libm::log1p(e)
}

/// x · tanh(ln(1 + e^x)), computed from e = e^x. The hyperbolic tangent is n/(n + 2) with n = e (e + 2).
pub(crate) fn mish<W: F64Lanes>(x: W, e: W) -> W {
    let two = W::splat_f64(2.0);
    let n = e * (e + two);
    // Above 20, the hyperbolic tangent differs from 1 by less than 9e-18.
    W::select(W::splat_f64(20.0).lt_mask(x), x, x * (n / (n + two)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every float32 number would take minutes, so this tries some of each power of two.
    fn numbers() -> Vec<f32> {
        // Near these numbers the power of two or a select changes, or the result leaves the range of float32.
        let ln2 = f32::ln(2.0);
        let near = [ln2 / 2.0, ln2 * 1.5, 709.0, 708.0, 88.722_84, 103.972_08, 20.0, 2.0f32.powi(-28)];
        let near = near.map(f32::to_bits).into_iter().flat_map(|x| x - 200..x + 200);
        let near = near.flat_map(|x| [x, x | 1 << 31]);
        (0..=u32::MAX).step_by(1009).chain(near).map(f32::from_bits).collect()
    }

    #[test]
    fn exp_is_that_of_libm() {
        for x in numbers().into_iter().map(f64::from) {
            let (one, two) = (exp(x), libm::exp(x));
            let alike = one.to_bits() == two.to_bits() || one.is_nan() && two.is_nan();
            // This close to 0, `libm` adds x itself to 1.
            let is_beyond = x.abs() > 708.0 || x.abs() < 2.0f64.powi(-28);
            assert!(alike || is_beyond && one as f32 == two as f32, "{x:e}: {one:e}, {two:e}");
        }
    }

    #[test]
    fn results_are_those_of_libm() {
        /// An activation of a number, by the functions of `libm`.
        type Of = fn(f64) -> f64;
        let definitions: [(Activation, Of); 5] = [
            (Activation::Exp, libm::exp),
            (Activation::Mish, |x| mish(x, libm::exp(x))),
            (Activation::Sigmoid, |x| sigmoid(x, libm::exp(-x.abs()))),
            (Activation::Softplus, |x| softplus(x, libm::exp(-x.abs()))),
            (Activation::Swish, |x| x * sigmoid(x, libm::exp(-x.abs()))),
        ];
        let numbers = numbers();
        for (act, of) in definitions {
            let mut results = numbers.clone();
            assert!(activate(act, Span::over(&mut results)));
            for (x, result) in numbers.iter().zip(results) {
                let expected = of((*x).into()) as f32;
                let alike = result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan();
                assert!(alike, "{act:?} of {x:e}: {result:e}, not {expected:e}");
            }
        }
    }
}
