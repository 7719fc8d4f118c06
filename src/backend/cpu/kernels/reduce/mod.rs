//! How a scatter combines an update with the value that is already there.
//!
//! Each operation is a file: a table with a row for each kind of arithmetic, which names the dtypes that are computed in it.
//! To add an operation, write its file and add it to [`loops`]. The compiler then names every dtype that the file leaves out.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::v128;

use crate::backend::cpu::kernels::loops::Loops;
use crate::dtype::DType;
use crate::plan::Reduce;

/// One operation on elements of type `E`.
pub(crate) trait Combine<E> {
    /// Whether the result does not depend on the value that is there.
    const REPLACES: bool = false;
    /// Whether several updates give the same bits in any order and grouping. Otherwise each loop applies them in order.
    #[cfg_attr(
        not(all(target_arch = "wasm32", target_feature = "simd128")),
        allow(dead_code, reason = "only vectors group updates")
    )]
    const ANY_ORDER: bool = false;
    /// The result for one element.
    fn combine(value: E, update: E) -> E;
}

/// An operation that has a form for vectors too, which gives the same bits.
pub(crate) trait CombineVectors<E>: Combine<E> {
    /// The result for each element of a vector.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    fn combine_vectors(value: v128, update: v128) -> v128;
}

/// The truth value of a bool element, 0 or 1.
#[derive(Clone, Copy, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(transparent)]
pub(crate) struct Truth(u8);

/// Defines an operation by its table. A row has the dtypes, the element type that they are computed as, and one or two forms
/// of the operation: for one element, and for a vector of WebAssembly. Kernels are compiled for each row, so dtypes share one
/// where the operation gives them the same bits: a signed and an unsigned dtype do where it does not depend on the sign.
/// `any_order` says that updates may be grouped. A row without a vector form has small loops, element by element, for what is rare.
macro_rules! combine {
    ($(#[$doc:meta])* $name:ident $([$($dtype:ident)*] as $element:ty $(, $order:ident)?: $scalar:expr $(, $vector:expr)?;)*) => {
        $(#[$doc])*
        enum $name {}

        $(impl super::Combine<$element> for $name {
            $(combine!(@$order);)?
            #[inline(always)]
            fn combine(value: $element, update: $element) -> $element { $scalar(value, update) }
        }
        $(impl super::CombineVectors<$element> for $name {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn combine_vectors(value: super::v128, update: super::v128) -> super::v128 { $vector(value, update) }
        })?)*

        /// The loops for elements of a dtype.
        pub(crate) fn loops(dtype: super::DType) -> &'static super::Loops {
            match dtype {
                $($(super::DType::$dtype)|* => const { &combine!(@loops $element, $name $(, $vector)?) },)*
            }
        }
    };
    (@any_order) => { const ANY_ORDER: bool = true; };
    (@loops $element:ty, $name:ident) => { super::Loops::small::<$element, $name>() };
    (@loops $element:ty, $name:ident, $vector:expr) => { super::Loops::of::<$element, $name>() };
}

mod add;
mod divide;
mod maximum;
mod minimum;
mod multiply;
mod replace;
mod spread;

pub(crate) use spread::SPREAD;

/// The loops of an operation for elements of a dtype, where there are up to [`SPREAD`] entries for each place of the table, on average.
pub(crate) fn spread_loops(reduce: Reduce, dtype: DType) -> &'static Loops {
    match (reduce, dtype) {
        (Reduce::Maximum, DType::Float32) => maximum::spread_loops(),
        (Reduce::Minimum, DType::Float32) => minimum::spread_loops(),
        _ => loops(reduce, dtype),
    }
}

/// The loops of an operation for elements of a dtype.
pub(crate) fn loops(reduce: Reduce, dtype: DType) -> &'static Loops {
    match reduce {
        Reduce::Replace => replace::loops(dtype),
        Reduce::Add => add::loops(dtype),
        Reduce::Multiply => multiply::loops(dtype),
        Reduce::Divide => divide::loops(dtype),
        Reduce::Maximum => maximum::loops(dtype),
        Reduce::Minimum => minimum::loops(dtype),
    }
}
