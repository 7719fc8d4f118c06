//! One number of any dtype, and the bits of an element.

use std::fmt;

use half::{bf16, f16};

use crate::DType;

/// One number of any dtype.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// Any other number.
    Float(f64),
}

macro_rules! scalars {
    ($($ty:ty = $kind:ident)*) => {$(
        impl From<$ty> for Scalar {
            fn from(value: $ty) -> Self {
                Self::$kind(value.into())
            }
        }
    )*};
}
scalars!(bool = Bool i32 = Int i64 = Int f64 = Float);

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => write_int(value, f),
            Self::Float(value) => write_float(value, f),
        }
    }
}

/// Writes an integer. The package only has integers of 64 bits; formatting 128 bits would add half a kilobyte to the download.
fn write_int(value: i128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => fmt::Display::fmt(&value, f),
        (_, Ok(value)) => fmt::Display::fmt(&value, f),
        #[cfg(not(target_arch = "wasm32"))]
        _ => fmt::Display::fmt(&value, f),
        #[cfg(target_arch = "wasm32")]
        _ => f.write_str("a number beyond 64 bits"),
    }
}

/// Writes a number with the digits that JavaScript prints: 300, 0.1, 1e39. Like JavaScript it uses an exponent below 1e-6 and from 1e21
/// on, but without a plus sign. −0 and the infinities are written as Rust writes them: -0, inf.
#[cfg(not(all(target_arch = "wasm32", feature = "npm")))]
fn write_float(value: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let has_exponent = value.is_finite() && value != 0.0 && !(1e-6..1e21).contains(&value.abs());
    if has_exponent { fmt::LowerExp::fmt(&value, f) } else { fmt::Display::fmt(&value, f) }
}

/// Writes U+FFFC, the object replacement character, instead of a number. JavaScript replaces it by the value in the facts of the
/// error: see `errorOf` in src/js/engine/errors.js. The standard library's float formatting would be a twentieth of the download.
#[cfg(all(target_arch = "wasm32", feature = "npm"))]
fn write_float(_: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("\u{fffc}")
}

/// The bits of one element, in the low bytes; little-endian, as all storage is.
pub(crate) type Bits = u64;

/// Reads the bits of one element from its bytes: 1, 2, 4 or 8 of them.
pub(crate) fn load(bytes: &[u8]) -> Bits {
    match *bytes {
        [byte] => byte.into(),
        [a, b] => u16::from_le_bytes([a, b]).into(),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        _ => bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)),
    }
}

/// Writes the bits of one element to its bytes: 1, 2, 4 or 8 of them.
pub(crate) fn store(bytes: &mut [u8], bits: Bits) {
    let all = bits.to_le_bytes();
    match bytes {
        [byte] => *byte = bits as u8,
        [a, b] => [*a, *b, ..] = all,
        [a, b, c, d] => [*a, *b, *c, *d, ..] = all,
        _ => bytes.iter_mut().zip(all).for_each(|(byte, value)| *byte = value),
    }
}

impl Scalar {
    /// The element of `dtype` with this value, or `None` if the value does not fit.
    ///
    /// Integers take the whole part of a fraction. Any value but zero is true, and fits bool. NaN and the infinities fit bool and the
    /// floating-point dtypes only. A finite number does not fit a dtype in which it would become infinite.
    ///
    /// ```
    /// use scatterwise::{DType, Scalar};
    /// assert_eq!(Scalar::Float(2.5).fit(DType::Int32), Some(2));
    /// assert_eq!(Scalar::Int(300).fit(DType::Uint8), None);
    /// assert_eq!(Scalar::Float(1e39).fit(DType::Float32), None);
    /// ```
    pub fn fit(self, dtype: DType) -> Option<Bits> {
        if dtype == DType::Bool {
            return Some(self.cast(dtype));
        }
        if let Some(range @ (min, max)) = dtype.int_range() {
            let fits = match self {
                Self::Float(value) => is_whole_part_within(range, value),
                Self::Int(value) => (min..=max).contains(&value),
                Self::Bool(_) => true,
            };
            return fits.then(|| self.cast(dtype));
        }
        let is_finite = !matches!(self, Self::Float(value) if !value.is_finite());
        let bits = self.cast(dtype);
        (!is_finite || Self::load(bits, dtype).as_f64().is_finite()).then_some(bits)
    }

    /// The element of `dtype` nearest to this value, as `Tensor::astype` defines it: integers wrap, fractions are dropped,
    /// floats beyond an integer dtype's range become its nearest end, and NaN becomes 0. In bool any value but zero is true.
    pub fn cast(self, dtype: DType) -> Bits {
        match dtype {
            DType::Bool => (self.as_f64() != 0.0).into(),
            DType::Float16 => f16::from_f32(self.as_f32_to_odd()).to_bits().into(),
            DType::Bfloat16 => bf16::from_f32(self.as_f32_to_odd()).to_bits().into(),
            DType::Float32 => self.as_f32().to_bits().into(),
            DType::Float64 => self.as_f64().to_bits(),
            _ => {
                let (min, max) = dtype.int_range().unwrap_or((0, 0));
                let bits = match self {
                    // `as` saturates, and turns NaN into 0. A cast to 64 bits is one instruction; a cast to the 128 bits of the
                    // range calls a function.
                    Self::Float(value) if min < 0 => (value as i64).max(min as i64).min(max as i64) as Bits,
                    Self::Float(value) => (value as u64).min(max as u64),
                    Self::Int(value) => value as Bits,
                    Self::Bool(value) => value.into(),
                };
                bits & mask(dtype)
            }
        }
    }

    /// The value of an element's bits.
    pub fn load(bits: Bits, dtype: DType) -> Self {
        match dtype {
            DType::Bool => Self::Bool(bits & 0xff != 0),
            DType::Int8 => Self::Int((bits as i8).into()),
            DType::Uint8 => Self::Int((bits as u8).into()),
            DType::Int16 => Self::Int((bits as i16).into()),
            DType::Uint16 => Self::Int((bits as u16).into()),
            DType::Int32 => Self::Int((bits as i32).into()),
            DType::Uint32 => Self::Int((bits as u32).into()),
            DType::Int64 => Self::Int((bits as i64).into()),
            DType::Uint64 => Self::Int(bits.into()),
            DType::Float16 => Self::Float(f16::from_bits(bits as u16).to_f64()),
            DType::Bfloat16 => Self::Float(bf16::from_bits(bits as u16).to_f64()),
            DType::Float32 => Self::Float(f32::from_bits(bits as u32).into()),
            DType::Float64 => Self::Float(f64::from_bits(bits)),
        }
    }

    /// Whether the value is a whole number. NaN and the infinities are not.
    pub(crate) fn is_whole(self) -> bool {
        match self {
            Self::Bool(_) | Self::Int(_) => true,
            Self::Float(value) => value.fract() == 0.0,
        }
    }

    /// The value as the nearest binary64.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Bool(value) => value.into(),
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// The value as the nearest binary32. A detour through binary64 would round a large integer twice.
    fn as_f32(self) -> f32 {
        match self {
            Self::Int(value) => value as f32,
            other => other.as_f64() as f32,
        }
    }

    /// The value as a binary32, rounded to odd: see [`to_odd`].
    fn as_f32_to_odd(self) -> f32 {
        to_odd(match self {
            Self::Int(value) => {
                // A binary64 may not hold all bits of an integer. So the integer is rounded to odd first: the excess bits are cut,
                // and the last kept bit is set if one of them was 1. The conversion to binary64 is then exact.
                let len = i128::BITS - value.unsigned_abs().leading_zeros();
                let excess = len.saturating_sub(f64::MANTISSA_DIGITS);
                let floor = value >> excess;
                ((floor | i128::from(floor << excess != value)) << excess) as f64
            }
            other => other.as_f64(),
        })
    }
}

/// Whether the whole part of a number is in the range of an integer dtype, both ends included. NaN never is.
pub(crate) fn is_whole_part_within((min, max): (i128, i128), value: f64) -> bool {
    // Float64 holds the largest value plus one exactly, because it is a power of two. The largest value of 64 bits itself rounds up
    // to that power of two; adding 1 then changes nothing.
    let (min, beyond) = (min as i64 as f64, max as u64 as f64 + 1.0);
    value.trunc() >= min && value.trunc() < beyond
}

/// Rounds to odd: truncates to binary32, and sets the last bit if the value was not exact. Rounding the result to a half type is
/// then the same as rounding `value` once. Rounding to nearest twice differs. `half` alone differs too, because it drops the low
/// bits of a binary64.
pub(crate) fn to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    let back = f64::from(nearest);
    if back == value || value.is_nan() {
        return nearest;
    }
    // Floats of one sign have the order of their bit patterns. If rounding went away from zero, the number before is the truncated
    // one.
    let truncated = nearest.to_bits() - u32::from(back.abs() > value.abs());
    f32::from_bits(truncated | 1)
}

const fn mask(dtype: DType) -> Bits {
    Bits::MAX >> (64 - 8 * dtype.size())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fit_refuses_what_is_beyond_the_dtype() {
        for (value, dtype, expected) in [
            (Scalar::Float(-2.9), DType::Int32, Some(-2i32 as u32 as u64)),
            (Scalar::Float(0.5), DType::Bool, Some(1)),
            (Scalar::Float(300.0), DType::Int8, None),
            (Scalar::Int(-1), DType::Uint8, None),
            (Scalar::Float(f64::NAN), DType::Int32, None),
            (Scalar::Float(9223372036854775808.0), DType::Int64, None),
            (Scalar::Float(f64::INFINITY), DType::Float32, Some(0x7f80_0000)),
            (Scalar::Float(70000.0), DType::Float16, None),
            (Scalar::Float(65519.0), DType::Float16, Some(0x7bff)),
            (Scalar::Bool(true), DType::Float32, Some(0x3f80_0000)),
            (Scalar::Int((1 << 53) + 1), DType::Int64, Some((1 << 53) + 1)),
        ] {
            assert_eq!(value.fit(dtype), expected, "{value} as {dtype}");
        }
    }

    #[test]
    fn numbers_are_printed_alike_everywhere() {
        for (value, expected) in [
            (300.0, "300"),
            (0.1, "0.1"),
            (-1.5, "-1.5"),
            (0.0, "0"),
            (-0.0, "-0"),
            (1e39, "1e39"),
            (1e21, "1e21"),
            (1.25e20, "125000000000000000000"),
            (1e-6, "0.000001"),
            (-1.5e-7, "-1.5e-7"),
            (0.1 + 0.2, "0.30000000000000004"),
            (f64::MAX, "1.7976931348623157e308"),
            (5e-324, "5e-324"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(Scalar::Float(value).to_string(), expected);
        }
    }

    #[test]
    fn cast_wraps_integers_and_clamps_floats() {
        assert_eq!(Scalar::Int(300).cast(DType::Uint8), 44);
        assert_eq!(Scalar::Float(300.0).cast(DType::Uint8), 255);
        assert_eq!(Scalar::Float(f64::NAN).cast(DType::Int64), 0);
        assert_eq!(Scalar::Int(16_777_217).cast(DType::Float32), u64::from(16_777_216f32.to_bits()));
    }

    #[test]
    fn halves_are_rounded_once() {
        // Most are in the middle between two numbers of the half type, or just beside it.
        for (value, dtype, expected) in [
            (2_098_177.0 / 16_777_216.0, DType::Float16, 0x3001),
            (1.0 + 1.0 / 256.0 + 1e-13, DType::Bfloat16, 0x3f81),
            (1.0 + 1.0 / 256.0, DType::Bfloat16, 0x3f80),
            (-(1.0 + 1.0 / 256.0 + 1e-13), DType::Bfloat16, 0xbf81),
            (65_519.999_999_999, DType::Float16, 0x7bff),
            (65_520.0, DType::Float16, 0x7c00),
            (1e300, DType::Bfloat16, 0x7f80),
            (f64::MIN_POSITIVE, DType::Float16, 0),
        ] {
            assert_eq!(Scalar::Float(value).cast(dtype), expected, "{value:e} as {dtype}");
        }
        let between = (1i128 << 62) + (1 << 54);
        assert_eq!(Scalar::Int(between).cast(DType::Bfloat16), 0x5e80, "a tie goes to even");
        assert_eq!(Scalar::Int(between + 1).cast(DType::Bfloat16), 0x5e81);
    }
}
