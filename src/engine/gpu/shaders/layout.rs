//! The layouts of elements that conversions and histograms tell apart.

use crate::DType;

/// The elements on one side of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Truth values, as a result.
    Bool,
    /// Integers of 8 bits; truth values, as a source.
    Int8,
    /// Integers of 16 bits.
    Int16,
    /// Integers of 32 bits.
    Int32,
    /// Integers of 64 bits.
    Int64,
    Float16,
    Bfloat16,
    Float32,
}

impl Layout {
    /// Those of integers.
    pub(crate) const WHOLE: [Self; 4] = [Self::Int8, Self::Int16, Self::Int32, Self::Int64];

    /// Both sides of a conversion; `None` if only the general shader does it: between integers of 64 bits and anything but integers, and of
    /// float64.
    pub(crate) fn of(from: DType, to: DType) -> Option<[Self; 2]> {
        let [source, target] = [Self::of_dtype(from)?, Self::of_dtype(to)?];
        let is_wide = [source, target].contains(&Self::Int64);
        let is_whole = |side| Self::WHOLE.contains(&side);
        // A truth value is a byte of 0 or 1.
        let source = if source == Self::Bool { Self::Int8 } else { source };
        (!is_wide || is_whole(source) && is_whole(target)).then_some([source, target])
    }

    /// The layout of a dtype; `None` for float64.
    pub(crate) fn of_dtype(dtype: DType) -> Option<Self> {
        Some(match dtype {
            DType::Bool => Self::Bool,
            DType::Int8 | DType::Uint8 => Self::Int8,
            DType::Int16 | DType::Uint16 => Self::Int16,
            DType::Int32 | DType::Uint32 => Self::Int32,
            DType::Int64 | DType::Uint64 => Self::Int64,
            DType::Float16 => Self::Float16,
            DType::Bfloat16 => Self::Bfloat16,
            DType::Float32 => Self::Float32,
            DType::Float64 => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::Bool | Self::Int8 => 1,
            Self::Int16 | Self::Float16 | Self::Bfloat16 => 2,
            Self::Int32 | Self::Float32 => 4,
            Self::Int64 => 8,
        }
    }

    /// How many quads of elements a thread converts, and the flag for that. The narrower of both sides has 16 bytes.
    pub(crate) fn quads([from, to]: [Self; 2]) -> (usize, &'static str) {
        match from.bytes().min(to.bytes()) {
            1 => (4, "FOUR_QUADS"),
            2 => (2, "TWO_QUADS"),
            _ => (1, ""),
        }
    }

    /// All flags of the shader from one layout to another.
    pub(crate) fn flags([from, to]: [Self; 2]) -> Vec<&'static str> {
        // These two convert pairs of elements in a word.
        let packed = match (from, to) {
            (Self::Int8, Self::Int16) => "WIDENED",
            (Self::Int16, Self::Int8) => "NARROWED",
            _ => "",
        };
        [from.source_flags(), to.target_flags(), &[Self::quads([from, to]).1, packed]].concat()
    }

    pub(crate) fn source_flags(self) -> &'static [&'static str] {
        match self {
            Self::Bool | Self::Int8 => &["FROM_8"],
            Self::Int16 => &["FROM_16"],
            Self::Int32 => &["FROM_32"],
            Self::Int64 => &["FROM_64"],
            Self::Float16 => &["FROM_16", "FROM_FLOAT", "FROM_FLOAT16"],
            Self::Bfloat16 => &["FROM_16", "FROM_FLOAT"],
            Self::Float32 => &["FROM_32", "FROM_FLOAT"],
        }
    }

    fn target_flags(self) -> &'static [&'static str] {
        match self {
            Self::Bool => &["TO_8", "TO_BOOL"],
            Self::Int8 => &["TO_8"],
            Self::Int16 => &["TO_16"],
            Self::Int32 => &["TO_32"],
            Self::Int64 => &["TO_64"],
            Self::Float16 => &["TO_16", "TO_FLOAT", "TO_FLOAT16"],
            Self::Bfloat16 => &["TO_16", "TO_FLOAT"],
            Self::Float32 => &["TO_32", "TO_FLOAT"],
        }
    }
}

/// The samples of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Samples {
    /// Integers of 8 bits.
    Int8,
    /// Integers of 16 bits.
    Int16,
    /// Integers of 32 bits.
    Int32,
    /// float16 and bfloat16, which have the order of their bits.
    Half,
    Float32,
    Float64,
}

impl Samples {
    pub(crate) const ALL: [Self; 6] =
        [Self::Int8, Self::Int16, Self::Int32, Self::Half, Self::Float32, Self::Float64];

    /// Those of a dtype. Integers of 64 bits are compared as float64, as NumPy does.
    pub(crate) fn of(dtype: DType) -> Self {
        match dtype {
            DType::Bool | DType::Int8 | DType::Uint8 => Self::Int8,
            DType::Int16 | DType::Uint16 => Self::Int16,
            DType::Int32 | DType::Uint32 => Self::Int32,
            DType::Float16 | DType::Bfloat16 => Self::Half,
            DType::Float32 => Self::Float32,
            DType::Int64 | DType::Uint64 | DType::Float64 => Self::Float64,
        }
    }

    pub(crate) fn key_bytes(self) -> usize {
        if self == Self::Float64 { 8 } else { 4 }
    }

    /// Those of 32 bits with keys of the same order: narrow elements are at the top of a word.
    pub(crate) fn widened(self) -> Self {
        match self {
            Self::Int8 | Self::Int16 | Self::Int32 => Self::Int32,
            Self::Half | Self::Float32 => Self::Float32,
            Self::Float64 => Self::Float64,
        }
    }

    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Int8 => Layout::Int8.source_flags(),
            Self::Int16 => Layout::Int16.source_flags(),
            Self::Int32 => Layout::Int32.source_flags(),
            Self::Half => Layout::Bfloat16.source_flags(),
            Self::Float32 => Layout::Float32.source_flags(),
            Self::Float64 => &["FROM_64", "FROM_FLOAT"],
        }
    }
}
