//! How the products of a multiply of float32 are computed.

/// A way to compute them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arithmetic {
    /// By the adapter.
    #[default]
    Native,
    /// By the adapter where the bits of its result show that it is right, as `shaders/broadcast/guarded.wgsl` says; else as
    /// [`Arithmetic::Strict`].
    Guarded,
    /// In integers, by `shaders/lib/strict_float.wgsl`: right on every adapter, and slower.
    Strict,
}

impl Arithmetic {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Native, Self::Guarded, Self::Strict];

    /// The name, as `backend()` has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Guarded => "guarded",
            Self::Strict => "strict",
        }
    }
}
