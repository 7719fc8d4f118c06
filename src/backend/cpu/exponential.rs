//! Activations of float32 that are made of e^x, several elements at a time.
//!
//! The bits are those of `libm::exp`, as everywhere else: its algorithm, with choices of values in the place of branches, is
//! what a compiler makes vectors of. `libm` itself stays what defines it; a test compares the two.

use crate::plan::Activation;

/// Elements that are computed together.
const RUN: usize = 64;

/// e^x for float32 numbers x: the value that `libm::exp` gives, but for results that no float32 can hold: 0 and infinity are
/// reached earlier.
//
// Copyright (C) 2004 by Sun Microsystems, Inc. All rights reserved. Permission to use, copy, modify, and distribute this
// software is freely granted, provided that this notice is preserved.
#[inline(always)]
fn exp(x: f64) -> f64 {
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const P: [f64; 5] = [
        1.666_666_666_666_660_2e-1,
        -2.777_777_777_701_559_3e-3,
        6.613_756_321_437_934e-5,
        -1.653_390_220_546_525_2e-6,
        4.138_136_797_057_238_5e-8,
    ];
    /// Added to a small whole number, it leaves that in the lowest bits.
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    /// The first number that is beyond half of ln 2, as far as its upper half says.
    const HALF_LN2: f64 = f64::from_bits(0x3fd6_2e43_0000_0000);
    /// The same of 2^−28.
    const TINY: f64 = f64::from_bits(0x3e30_0001_0000_0000);

    let (least, most) = (-708.0, 709.0);
    let inside = if x < least {
        least
    } else if x > most {
        most
    } else {
        x
    };
    let whole = (std::f64::consts::LOG2_E * inside + 0.5f64.copysign(inside)).trunc();
    let whole = if inside.abs() < HALF_LN2 { 0.0 } else { whole };
    let (high, low) = (inside - whole * LN2_HIGH, whole * LN2_LOW);
    let rest = high - low;
    let square = rest * rest;
    let [p1, p2, p3, p4, p5] = P;
    let c = rest - square * (p1 + square * (p2 + square * (p3 + square * (p4 + square * p5))));
    let power = f64::from_bits((whole + SHIFT).to_bits().wrapping_add(1023) << 52);
    let beyond_one = rest * c / (2.0 - c) - low + high;
    let beyond_one = if inside.abs() < TINY { x } else { beyond_one };
    let result = (1.0 + beyond_one) * power;
    if x < least {
        0.0
    } else if x > most {
        f64::INFINITY
    } else {
        result
    }
}

/// From x and e^x to the results, in the place of x.
type OfExp = fn(&mut [f64; RUN], &[f64; RUN]);

/// Applies an activation that is made of e^x; false for any other.
pub(super) fn activate(act: Activation, values: &mut [f32]) -> bool {
    // From x and e^x, or e^−|x|, which cannot overflow.
    let (of_size, function): (bool, OfExp) = match act {
        Activation::Exp => (false, |x, e| *x = *e),
        Activation::Mish => (false, |x, e| each(x, e, mish)),
        Activation::Sigmoid => (true, |x, e| each(x, e, sigmoid)),
        Activation::Softplus => (true, |x, e| each(x, e, softplus)),
        Activation::Swish => (true, |x, e| each(x, e, |x, e| x * sigmoid(x, e))),
        _ => return false,
    };
    let (clear, set) = if of_size { (u64::MAX >> 1, 1 << 63) } else { (u64::MAX, 0) };
    let (mut x, mut e) = ([0.0; RUN], [0.0; RUN]);
    for run in values.chunks_mut(RUN) {
        for (x, value) in x.iter_mut().zip(&*run) {
            *x = f64::from(*value);
        }
        for (e, x) in e.iter_mut().zip(&x) {
            *e = exp(f64::from_bits(x.to_bits() & clear | set));
        }
        function(&mut x, &e);
        for (value, x) in run.iter_mut().zip(&x) {
            *value = *x as f32;
        }
    }
    true
}

#[inline(always)]
fn each(x: &mut [f64; RUN], e: &[f64; RUN], function: impl Fn(f64, f64) -> f64) {
    for (x, &e) in x.iter_mut().zip(e) {
        *x = function(*x, e);
    }
}

/// 1/(1 + e^−x), from e^−|x|.
pub(super) fn sigmoid(x: f64, e: f64) -> f64 {
    let numerator = if x < 0.0 { e } else { 1.0 };
    numerator / (1.0 + e)
}

/// ln(1 + e^x), from e^−|x|. `max` would lose NaN, but the other summand has it.
pub(super) fn softplus(x: f64, e: f64) -> f64 {
    x.max(0.0) + libm::log1p(e)
}

/// x · tanh(ln(1 + e^x)), in which the tangent is n/(n + 2) with n = e^x (e^x + 2).
pub(super) fn mish(x: f64, e: f64) -> f64 {
    let n = e * (e + 2.0);
    // Beyond 20 the tangent differs from 1 by 2e-18.
    if x > 20.0 { x } else { x * (n / (n + 2.0)) }
}

#[cfg(test)]
mod tests {
    use super::exp;

    /// Every float32 number takes minutes: some from each of its powers of two.
    #[test]
    fn exp_is_that_of_libm() {
        let near = [
            f32::ln(2.0) / 2.0,
            f32::ln(2.0) * 1.5,
            709.0,
            708.0,
            88.722_84,
            103.972_08,
            20.0,
            2.0f32.powi(-28),
        ];
        let near =
            near.iter().flat_map(|x| (x.to_bits() - 200..x.to_bits() + 200).flat_map(|x| [x, x | 1 << 31]));
        for bits in (0..=u32::MAX).step_by(1009).chain(near) {
            let x = f64::from(f32::from_bits(bits));
            let (one, two) = (exp(x), libm::exp(x));
            let alike = one.to_bits() == two.to_bits() || one.is_nan() && two.is_nan();
            assert!(alike || x.abs() > 708.0 && one as f32 == two as f32, "{x:e}: {one:e}, {two:e}");
        }
    }
}
