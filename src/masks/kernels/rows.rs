//! Comparisons of rows of elements.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::*;

use crate::DType;
use crate::masks::plan::compare::Test;
use crate::sort::kernels::keys::NumberKey;

/// The elements that are compared: of one dtype as they are, of others as what holds both.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Form {
    Elements(DType),
    /// Signed integers of 64 bits.
    Integers,
    /// float64 numbers.
    Numbers,
    /// Keys of numbers of all dtypes.
    Keys,
}

impl Form {
    /// The form that holds the elements of both dtypes exactly.
    pub(crate) fn of([left, right]: [DType; 2]) -> Self {
        let is = |dtype| left == dtype || right == dtype;
        let is_half = matches!(left, DType::Float16 | DType::Bfloat16);
        if left == right && !is_half {
            Self::Elements(left)
        } else if !is(DType::Int64) && !is(DType::Uint64) {
            Self::Numbers
        } else if !is(DType::Uint64) && !left.is_float() && !right.is_float() {
            Self::Integers
        } else {
            Self::Keys
        }
    }

    /// Bytes of an element.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Elements(dtype) => dtype.size(),
            Self::Integers | Self::Numbers => 8,
            Self::Keys => 16,
        }
    }
}

/// Writes whether each pair of a row passes, as 0 or 1; the other of both if `flip` is 1.
pub(crate) type Rows = unsafe fn(*const u8, *const u8, *mut u8, usize, u8);

/// The loop over rows for a test.
pub(crate) fn rows(form: Form, test: Test) -> Rows {
    match (form, test) {
        (Form::Elements(dtype), Test::Less) if !dtype.is_float() => less(dtype),
        (Form::Elements(dtype), Test::Equal) if !dtype.is_float() => match dtype.size() {
            1 => each::<u8, Equal>,
            2 => each::<u16, Equal>,
            4 => each::<u32, Equal>,
            _ => each::<u64, Equal>,
        },
        (Form::Elements(DType::Float32), Test::Less) => each::<f32, Less>,
        (Form::Elements(DType::Float32), Test::LessOrEqual) => each::<f32, LessOrEqual>,
        (Form::Elements(DType::Float32), Test::Equal) => each::<f32, Equal>,
        (Form::Integers, Test::Equal) => each::<u64, Equal>,
        (Form::Integers, _) => each::<i64, Less>,
        (Form::Keys, Test::Less) => each::<NumberKey, Less>,
        (Form::Keys, Test::LessOrEqual) => each::<NumberKey, LessOrEqual>,
        (Form::Keys, Test::Equal) => each::<NumberKey, Equal>,
        (Form::Numbers | Form::Elements(_), Test::Less) => each::<f64, Less>,
        (Form::Numbers | Form::Elements(_), Test::LessOrEqual) => each::<f64, LessOrEqual>,
        (Form::Numbers | Form::Elements(_), Test::Equal) => each::<f64, Equal>,
    }
}

/// The loop over rows of integers.
fn less(dtype: DType) -> Rows {
    match dtype {
        DType::Bool | DType::Uint8 => each::<u8, Less>,
        DType::Int8 => each::<i8, Less>,
        DType::Uint16 => each::<u16, Less>,
        DType::Int16 => each::<i16, Less>,
        DType::Uint32 => each::<u32, Less>,
        DType::Int32 => each::<i32, Less>,
        DType::Uint64 => each::<u64, Less>,
        DType::Int64 => each::<i64, Less>,
        // Not integers.
        DType::Float16 | DType::Bfloat16 | DType::Float32 | DType::Float64 => each::<f64, Less>,
    }
}

enum Less {}
enum LessOrEqual {}
enum Equal {}

/// A test of two elements, and of two vectors of them: all bits of a lane are set where it passes.
trait Holds<E> {
    fn holds(left: E, right: E) -> bool;
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    fn vectors(left: v128, right: v128) -> v128;
}

/// Declares the tests of an element type, each with its vectors.
macro_rules! tests {
    ($($element:ty: $less:expr, $less_or_equal:expr, $equal:expr;)*) => {$(
        tests!(@test $element, Less, <, $less);
        tests!(@test $element, LessOrEqual, <=, $less_or_equal);
        tests!(@test $element, Equal, ==, $equal);
    )*};
    (@test $element:ty, $test:ident, $operator:tt, $vectors:expr) => {
        impl Holds<$element> for $test {
            #[inline(always)]
            fn holds(left: $element, right: $element) -> bool {
                left $operator right
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn vectors(left: v128, right: v128) -> v128 {
                $vectors(left, right)
            }
        }
    };
}

tests! {
    u8: u8x16_lt, u8x16_le, u8x16_eq;
    i8: i8x16_lt, i8x16_le, i8x16_eq;
    u16: u16x8_lt, u16x8_le, u16x8_eq;
    i16: i16x8_lt, i16x8_le, i16x8_eq;
    u32: u32x4_lt, u32x4_le, u32x4_eq;
    i32: i32x4_lt, i32x4_le, i32x4_eq;
    i64: i64x2_lt, i64x2_le, i64x2_eq;
    u64: unsigned_less, i64x2_eq, i64x2_eq; // integers have no test `LessOrEqual`
    f32: f32x4_lt, f32x4_le, f32x4_eq;
    f64: f64x2_lt, f64x2_le, f64x2_eq;
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn unsigned_less(left: v128, right: v128) -> v128 {
    let turned = |lanes| v128_xor(lanes, i64x2_splat(i64::MIN));
    i64x2_lt(turned(left), turned(right))
}

/// Keys of numbers are compared one by one. That of a NaN passes no test.
macro_rules! key_tests {
    ($($test:ident $operator:tt;)*) => {$(
        impl Holds<NumberKey> for $test {
            #[inline(always)]
            fn holds(left: NumberKey, right: NumberKey) -> bool {
                !left.is_nan() && !right.is_nan() && left $operator right
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn vectors(left: v128, _: v128) -> v128 {
                left // not called: a key fills a vector
            }
        }
    )*};
}

key_tests! {
    Less <;
    LessOrEqual <=;
    Equal ==;
}

/// # Safety
/// `left` and `right` must be aligned and have `len` elements, and `out` room for as many bytes, to which there is no reference.
#[inline(never)]
unsafe fn each<E: Copy, T: Holds<E>>(left: *const u8, right: *const u8, out: *mut u8, len: usize, flip: u8) {
    let (left, right) = (left.cast::<E>(), right.cast::<E>());
    // SAFETY: as the caller promises; the vectors end before the row does.
    unsafe {
        #[allow(unused_mut, reason = "only builds with vectors move on")]
        let mut at = 0;
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        if size_of::<E>() <= 8 {
            let ones = u8x16_splat(1);
            let flips = u8x16_splat(flip);
            while at + 16 <= len {
                let passed = sixteen::<E, T>(left.add(at).cast(), right.add(at).cast());
                v128_store(out.add(at).cast(), v128_xor(v128_and(passed, ones), flips));
                at += 16;
            }
        }
        for at in at..len {
            *out.add(at) = u8::from(T::holds(*left.add(at), *right.add(at))) ^ flip;
        }
    }
}

/// Compares sixteen pairs: all bits of a byte are set where a pair passes.
///
/// # Safety
/// There must be sixteen pairs.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
unsafe fn sixteen<E, T: Holds<E>>(left: *const v128, right: *const v128) -> v128 {
    // SAFETY: as the caller promises, and a vector may have any address.
    let vector = |at| unsafe { T::vectors(v128_load(left.add(at)), v128_load(right.add(at))) };
    // The low half of each lane, or a quarter. All bits of a lane are equal.
    let words = |at| i32x4_shuffle::<0, 2, 4, 6>(vector(at), vector(at + 1));
    match size_of::<E>() {
        1 => vector(0),
        2 => i8x16_narrow_i16x8(vector(0), vector(1)),
        4 => i8x16_narrow_i16x8(
            i16x8_narrow_i32x4(vector(0), vector(1)),
            i16x8_narrow_i32x4(vector(2), vector(3)),
        ),
        _ => {
            i8x16_narrow_i16x8(i16x8_narrow_i32x4(words(0), words(2)), i16x8_narrow_i32x4(words(4), words(6)))
        }
    }
}
