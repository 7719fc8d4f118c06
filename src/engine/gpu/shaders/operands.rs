//! The variants of an operation on two tensors.

/// How a thread reads a quad of y (four words).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QuadAccess {
    /// At the same position as the result's quad: equal shapes.
    Same,
    /// As one contiguous quad elsewhere in y: rows of whole quads, and y repeats for each row; in up to three loops.
    Contiguous,
    /// As one element, repeated: a y of one element, or runs of whole quads that share an element, as in `[N, C, H, W] × [C]` along
    /// axis 1; in up to three loops.
    Splat,
    /// Element by element: partial quads, shapes that broadcast on both sides, or more loops.
    Elements,
}

impl QuadAccess {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Same, Self::Contiguous, Self::Splat, Self::Elements];
}

/// How an operation reads its operands. All facts are flags of its shader, so no thread branches on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operands {
    /// How quads of y are read.
    pub y: QuadAccess,
    /// Whether the result overwrites x.
    pub in_place: bool,
    /// Whether the operation takes x second.
    pub x_is_second: bool,
}

impl Operands {
    pub(crate) fn flags(self) -> [&'static str; 3] {
        let y = match self.y {
            QuadAccess::Same => "SAME",
            QuadAccess::Contiguous => "CONTIGUOUS",
            QuadAccess::Splat => "SPLAT",
            QuadAccess::Elements => "ELEMENTS",
        };
        let flag = |is_set, name| if is_set { name } else { "" };
        [y, flag(self.in_place, "IN_PLACE"), flag(self.x_is_second, "X_IS_SECOND")]
    }
}
