//! The widths of elements.

use crate::DType;

/// Bytes per element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Width {
    /// Four elements share a word.
    One,
    /// Two elements share a word.
    Two,
    /// A word.
    Four,
    /// Two words.
    Eight,
    /// Four words: units of longer rows, for moves only.
    Sixteen,
}

impl Width {
    /// The width that moves elements of `dtype`.
    pub fn of(dtype: DType) -> Self {
        match dtype.size() {
            1 => Self::One,
            2 => Self::Two,
            4 => Self::Four,
            _ => Self::Eight,
        }
    }

    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::One => &["NARROW"],
            Self::Two => &["NARROW", "WIDTH_2"],
            Self::Four => &["WIDTH_4"],
            Self::Eight => &["WIDTH_8"],
            Self::Sixteen => &["WIDTH_16"],
        }
    }

    /// Bytes of one element.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
            Self::Sixteen => 16,
        }
    }
}
