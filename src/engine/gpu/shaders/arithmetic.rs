//! The arithmetic of float32 in operations on two tensors.

/// A way to compute products and sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Arithmetic {
    /// By the adapter.
    #[default]
    Native,
    /// By the adapter if the bits of its result prove it right, as `shaders/elementwise/guarded.wgsl` says; else as
    /// [`Arithmetic::Strict`].
    Guarded,
    /// In integers, by `shaders/lib/strict_float.wgsl`: right on every adapter, and slower.
    Strict,
}

impl Arithmetic {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Native, Self::Guarded, Self::Strict];

    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Native => &["NATIVE"],
            Self::Guarded => &["GUARDED"],
            Self::Strict => &[],
        }
    }

    /// The name in `backend()`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Guarded => "guarded",
            Self::Strict => "strict",
        }
    }
}
