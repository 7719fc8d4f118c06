//! How an update meets the value that is there.

use crate::element::Element;

/// How an update meets the value that is there.
pub(super) trait Combine<E>: Copy + 'static {
    /// Whether the value that is there does not matter.
    const REPLACES: bool = false;
    /// What is there afterwards.
    fn combine(value: E, update: E) -> E;
}

#[derive(Clone, Copy)]
pub(super) struct Replaces;
#[derive(Clone, Copy)]
pub(super) struct Adds;
#[derive(Clone, Copy)]
pub(super) struct Multiplies;

impl<E> Combine<E> for Replaces {
    const REPLACES: bool = true;
    fn combine(_: E, update: E) -> E {
        update
    }
}
impl<E: Element> Combine<E> for Adds {
    fn combine(value: E, update: E) -> E {
        value.add(update)
    }
}
impl<E: Element> Combine<E> for Multiplies {
    fn combine(value: E, update: E) -> E {
        value.multiply(update)
    }
}
