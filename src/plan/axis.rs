//! A loop over a dimension.

/// One loop over elements of self.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Axis {
    /// How often it runs.
    pub(crate) len: usize,
    /// Elements of self from one round to the next.
    pub(crate) stride: usize,
}
