//! One operation: how an update is combined with the value in the table.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::v128;

pub(crate) trait Operation<E> {
    /// Whether the result is always the update.
    const REPLACES: bool = false;
    /// Whether several updates give the same bits in any order and grouping. Otherwise each loop applies them in order.
    #[cfg_attr(
        not(all(target_arch = "wasm32", target_feature = "simd128")),
        allow(dead_code, reason = "only vectors group updates")
    )]
    const ANY_ORDER: bool = false;
    fn combine(value: E, update: E) -> E;
}

/// An operation that also has a form for vectors, with the same bits.
pub(crate) trait VectorOperation<E>: Operation<E> {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    fn combine_vectors(value: v128, update: v128) -> v128;
}

/// The truth value of a bool element, 0 or 1.
#[derive(Clone, Copy, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(transparent)]
pub(crate) struct Truth(pub(crate) u8);
