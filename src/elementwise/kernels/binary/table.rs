//! The table that defines an operation on pairs.

/// Defines an operation by its table. A row has some dtypes, the element type that computes them, and one or two forms of the operation:
/// for one element, and for a vector of WebAssembly. Without a vector, its loops go element by element.
macro_rules! operation {
    ($(#[$doc:meta])* $name:ident $([$($dtype:ident)*] as $element:ty: $scalar:expr $(, $vector:expr)?;)*) => {
        $(#[$doc])*
        pub(crate) enum $name {}

        $(impl $crate::engine::cpu::kernels::operation::Operation<$element> for $name {
            #[inline(always)]
            fn combine(value: $element, update: $element) -> $element { $scalar(value, update) }
        }
        $(impl $crate::engine::cpu::kernels::operation::VectorOperation<$element> for $name {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn combine_vectors(value: v128, update: v128) -> v128 { $vector(value, update) }
        })?)*

        impl $name {
            pub(crate) fn pairs(dtype: $crate::dtype::DType) -> $crate::elementwise::kernels::pairs::Pairs {
                match dtype {
                    $($($crate::dtype::DType::$dtype)|* => operation!(@pairs $element, $name $(, $vector)?),)*
                }
            }
        }
    };
    (@pairs $element:ty, $name:ident) => { $crate::elementwise::kernels::pairs::Pairs::each::<$element, $name>() };
    (@pairs $element:ty, $name:ident, $vector:expr) => { $crate::elementwise::kernels::pairs::Pairs::of::<$element, $name>() };
}

pub(crate) use operation;
