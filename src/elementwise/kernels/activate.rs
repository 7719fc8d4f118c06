//! The definition of the activations, which the shaders follow. Numbers such as 24 are attributes of [`Activation`].
//!
//! There are two kinds. *Arithmetic* activations consist of single operations (+, −, ×, ÷, √, comparisons). Each is rounded in the
//! tensor's own dtype, so every backend can give the same bits. *Transcendental* activations are computed in float64 by the `libm` crate,
//! which is the same code in every build, and rounded once. A float32 result is the nearest float32, except in the rare case that
//! float64's own error decides a tie. float16 and bfloat16 are computed in float32 and rounded once more.

use std::marker::PhantomData;
use std::ops::Range;

use bytemuck::Pod;
use half::{bf16, f16};

use crate::elementwise::kernels::transcendental::{self, OfNumber};
use crate::engine::cpu::kernels::{
    CheckResult, Double, FloatLanes, HalfFloat, Job, Output, Single, Span, cut, elements,
};
use crate::plan::Activation;
use crate::{Bits, DType};

/// Applies an activation to each element of a tensor, and writes a new one. The items are the elements.
#[derive(Clone, Copy)]
pub(crate) struct Activate<'a> {
    act: Activation,
    dtype: DType,
    len: usize,
    x: *const u8,
    out: *mut u8,
    borrowed: PhantomData<(&'a [u8], Output<'a>)>,
}

impl<'a> Activate<'a> {
    /// Of `len` elements. The activation takes the dtype.
    pub(crate) fn new(act: Activation, dtype: DType, len: usize, x: &'a [u8], out: Output<'a>) -> Self {
        let (x, out) = (elements(x, len, dtype.size()), out.elements(len, dtype.size()));
        Self { act, dtype, len, x, out, borrowed: PhantomData }
    }
}

impl Job for Activate<'_> {
    fn len(&self) -> usize {
        self.len
    }

    #[inline(never)]
    fn run(&self, items: Range<usize>) -> CheckResult {
        let items = cut(items, self.len);
        let start = items.start * self.dtype.size();
        // SAFETY: `new` has checked the memory, and the items exist. The result is borrowed mutably.
        unsafe { activate(self.act, self.dtype, self.x.add(start), self.out.add(start), items.len()) };
        CheckResult::NOTHING
    }
}

/// Applies the activation to `len` elements of `dtype`. The results go to `to`: to the same place, where an operation on two tensors has
/// left elements in the cache, or to another. The plan guarantees that the activation takes the dtype.
///
/// # Safety
/// As for [`Span::new`].
pub(crate) unsafe fn activate(act: Activation, dtype: DType, from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: as the caller promises.
    unsafe {
        match dtype {
            DType::Float32 => float32(act, Span::new(from, to, len)),
            DType::Float64 => float64(act, Span::new(from, to, len)),
            DType::Float16 => half_float::<f16>(act, Span::new(from, to, len)),
            DType::Bfloat16 => half_float::<bf16>(act, Span::new(from, to, len)),
            DType::Bool => Span::<u8>::new(from, to, len).copy(), // only assign takes it
            DType::Int8 | DType::Uint8 => {
                let values = Span::<u8>::new(from, to, len);
                each_integer(act, dtype, values, |one, x| one.of(x.into()) as u8);
            }
            DType::Int16 | DType::Uint16 => {
                let values = Span::<u16>::new(from, to, len);
                each_integer(act, dtype, values, |one, x| one.of(x.into()) as u16);
            }
            DType::Int32 | DType::Uint32 => {
                let values = Span::<u32>::new(from, to, len);
                each_integer(act, dtype, values, |one, x| one.of(x.into()) as u32);
            }
            DType::Int64 | DType::Uint64 => {
                each_integer(act, dtype, Span::<u64>::new(from, to, len), |one, x| one.of(x));
            }
        }
    }
}

/// Rounds `len` floats of `dtype` toward zero, in place. Other dtypes have no fractions.
///
/// # Safety
/// As for [`activate`].
pub(crate) unsafe fn truncate(dtype: DType, values: *mut u8, len: usize) {
    /// The whole part of a number of a half type, given as bits.
    fn half<H: HalfFloat>(bits: u16) -> u16 {
        H::round(f32::from_bits(H::widen(u32::from(bits))).trunc().to_bits()) as u16
    }
    // SAFETY: as the caller promises.
    unsafe {
        match dtype {
            DType::Float32 => _ = Span::<f32>::new(values, values, len).each(f32::trunc),
            DType::Float64 => _ = Span::<f64>::new(values, values, len).each(f64::trunc),
            DType::Float16 => _ = Span::<u16>::new(values, values, len).each(half::<f16>),
            DType::Bfloat16 => _ = Span::<u16>::new(values, values, len).each(half::<bf16>),
            DType::Bool | DType::Int8 | DType::Uint8 | DType::Int16 | DType::Uint16 => {}
            DType::Int32 | DType::Uint32 | DType::Int64 | DType::Uint64 => {}
        }
    }
}

/// Applies any activation to float32 numbers: by `exponential` if possible, else by `arithmetic`, else one by one in float64.
fn float32(act: Activation, values: Span<'_, f32>) {
    if transcendental::in_vectors(act, values) {
        return;
    }
    if let Some(function) = padded::<Single>(act, values) {
        values.each(|x: f32| function(x.into()) as f32);
    }
}

/// Applies any activation to float64 numbers. `exponential` is not used, because its results differ beyond the range of float32.
fn float64(act: Activation, values: Span<'_, f64>) {
    if let Some(function) = padded::<Double>(act, values) {
        values.each(function);
    }
}

/// Applies an arithmetic activation to any number of values; [`arithmetic`] itself takes whole vectors. An incomplete last vector is
/// copied to a full one. For a transcendental activation it writes nothing and returns the function for one value; else it returns
/// `None`.
fn padded<F: FloatLanes>(act: Activation, values: Span<'_, F::Element>) -> Option<OfNumber> {
    let rest = match arithmetic::<F>(act, values) {
        Ok(rest) => rest,
        Err(function) => return Some(function),
    };
    // No vector has more than four numbers.
    let mut last: [F::Element; 4] = bytemuck::Zeroable::zeroed();
    if let Some(last) = last.get_mut(..F::COUNT)
        && rest.len() > 0
    {
        rest.read(last, |value| value);
        _ = arithmetic::<F>(act, Span::over(last));
        rest.write(last, |value| value);
    }
    None
}

/// Applies any activation to numbers of a half type, given as bits. Computes in float32, 64 numbers at a time.
fn half_float<H: HalfFloat>(act: Activation, values: Span<'_, u16>) {
    let mut wide = [0f32; 64];
    for run in values.runs(wide.len()) {
        let Some(wide) = wide.get_mut(..run.len()) else { continue };
        run.read(wide, |value| f32::from_bits(H::widen(u32::from(value))));
        float32(act, Span::over(wide));
        run.write(wide, |wide| H::round(wide.to_bits()) as u16);
    }
}

/// Applies an activation to integers. `function` takes one as bits of their width.
#[inline(always)]
fn each_integer<T: Pod>(
    act: Activation,
    dtype: DType,
    values: Span<'_, T>,
    function: impl Fn(Integer, T) -> T,
) {
    let (min, _) = dtype.int_range().unwrap_or_default();
    let one = Integer { act, unused: Bits::BITS - 8 * dtype.size() as u32 };
    match act {
        Activation::Abs if min == 0 => values.copy(),
        Activation::Abs | Activation::Square => _ = values.each(|x: T| function(one, x)),
        _ => values.copy(), // assign, pow and scale change nothing, and the others take no integers
    }
}

/// An activation of integers of a dtype. Results wrap.
#[derive(Clone, Copy)]
struct Integer {
    act: Activation,
    /// The bits that an element lacks.
    unused: u32,
}

impl Integer {
    /// The result for an element, both as bits. Compiled once for all dtypes.
    #[inline(never)]
    fn of(self, bits: Bits) -> Bits {
        // Moves the sign bit of the element to the top and back, which extends it.
        let signed = (bits << self.unused) as i64 >> self.unused;
        match self.act {
            Activation::Abs => signed.unsigned_abs(),
            _ => bits.wrapping_mul(bits),
        }
    }
}

/// Applies an arithmetic activation to whole vectors and returns the numbers that are left. The operations run in the dtype itself, in the
/// order written here. For a transcendental activation it writes nothing, and the function for one value is the error.
///
/// Comparisons with NaN are false. The selects are written so that NaN stays NaN where the formula keeps it.
fn arithmetic<F: FloatLanes>(
    act: Activation,
    values: Span<'_, F::Element>,
) -> Result<Span<'_, F::Element>, OfNumber> {
    let number = F::splat;
    let (zero, half, one) = (F::splat(0.0), F::splat(0.5), F::splat(1.0));
    Ok(match act {
        Activation::Abs => values.each(F::abs),
        Activation::Brelu => values.each(|x: F| clamp(x, zero, number(24.0))),
        Activation::Ceil => values.each(F::ceil),
        Activation::Floor => values.each(F::floor),
        Activation::HardShrink => values.each(|x: F| F::select(x.abs().le_mask(half), zero, x)),
        Activation::HardSigmoid => values.each(|x: F| clamp(number(0.2) * x + half, zero, one)),
        Activation::HardSwish => values.each(hard_swish::<F>),
        Activation::LeakyRelu => values.each(|x: F| F::select(zero.lt_mask(x), x, number(0.02) * x)),
        Activation::Reciprocal => values.each(|x: F| one / x),
        Activation::Relu => values.each(|x: F| x.pmax(zero)),
        Activation::Relu6 => values.each(|x: F| clamp(x, zero, number(6.0))),
        Activation::Round => values.each(round::<F>),
        Activation::Rsqrt => values.each(|x: F| one / x.sqrt()),
        Activation::Scale => values.each(|x: F| x + zero),
        Activation::Sign => values.each(sign::<F>),
        Activation::Softshrink => values.each(soft_shrink::<F>),
        Activation::Softsign => values.each(|x: F| x / (x.abs() + one)),
        Activation::Sqrt => values.each(F::sqrt),
        Activation::Square => values.each(|x: F| x * x),
        Activation::ThresholdedRelu => values.each(|x: F| F::select(x.le_mask(one), zero, x)),
        // to the power of 1
        Activation::Assign | Activation::Pow => values.each(|x: F| x),
        _ => return Err(transcendental::of(act)),
    })
}

/// Limits x to `low` … `high`. Keeps NaN, and keeps −0 if `low` is 0.
fn clamp<F: FloatLanes>(x: F, low: F, high: F) -> F {
    x.pmax(low).pmin(high)
}

/// x · clamp(x + 3, 0, 6) / 6. Divides before it multiplies, so that large x stay finite.
fn hard_swish<F: FloatLanes>(x: F) -> F {
    let six = F::splat(6.0);
    clamp(x + F::splat(3.0), F::splat(0.0), six) / six * x
}

/// Rounds to the nearest integer, ties away from zero.
fn round<F: FloatLanes>(x: F) -> F {
    let whole = x.trunc();
    whole + F::select(F::splat(0.5).le_mask((x - whole).abs()), F::splat(1.0), F::splat(0.0)).copysign(x)
}

/// 1, −1 or 0 by the sign of x; 0 for NaN.
fn sign<F: FloatLanes>(x: F) -> F {
    let zero = F::splat(0.0);
    F::select(zero.lt_mask(x), F::splat(1.0), F::select(x.lt_mask(zero), F::splat(-1.0), zero))
}

/// x moved toward 0 by 0.5; 0 if |x| ≤ 0.5.
fn soft_shrink<F: FloatLanes>(x: F) -> F {
    let half = F::splat(0.5);
    let inside = F::select(x.abs().le_mask(half), F::splat(0.0), x); // NaN stays
    F::select(half.lt_mask(x), x - half, F::select(x.lt_mask(-half), x + half, inside))
}
