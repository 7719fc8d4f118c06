//! The table that defines an operation.

/// Defines an operation by its table. A row has some dtypes, the element type that computes them, and one or two forms of the operation:
/// for one element, and for a vector of WebAssembly. Kernels are compiled for each row, so dtypes share a row if the operation gives them
/// the same bits. A signed and an unsigned dtype often do. `any_order` says that updates may be grouped. A row without a vector form has
/// small loops, element by element, for rare cases.
macro_rules! combine {
    ($(#[$doc:meta])* $name:ident $([$($dtype:ident)*] as $element:ty $(, $order:ident)?: $scalar:expr $(, $vector:expr)?;)*) => {
        $(#[$doc])*
        pub(crate) enum $name {}

        $(impl $crate::engine::cpu::kernels::operation::Operation<$element> for $name {
            $(combine!(@$order);)?
            #[inline(always)]
            fn combine(value: $element, update: $element) -> $element { $scalar(value, update) }
        }
        $(impl $crate::engine::cpu::kernels::operation::VectorOperation<$element> for $name {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn combine_vectors(value: v128, update: v128) -> v128 { $vector(value, update) }
        })?)*

        impl $name {
            pub(crate) fn loops(dtype: $crate::dtype::DType) -> &'static $crate::engine::cpu::kernels::loops::Loops {
                match dtype {
                    $($($crate::dtype::DType::$dtype)|* => const { &combine!(@loops $element, $name $(, $vector)?) },)*
                }
            }
        }
    };
    (@any_order) => { const ANY_ORDER: bool = true; };
    (@loops $element:ty, $name:ident) => { $crate::engine::cpu::kernels::loops::Loops::small::<$element, $name>() };
    (@loops $element:ty, $name:ident, $vector:expr) => { $crate::engine::cpu::kernels::loops::Loops::of::<$element, $name>() };
}

pub(crate) use combine;
