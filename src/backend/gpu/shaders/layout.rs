//! The layouts of elements that the quick conversion tells apart.

use crate::dtype::DType;

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
    /// Both sides of a conversion; `None` if only the general shader does it: between integers of 64 bits and anything but integers, and of
    /// float64.
    pub(crate) fn of(from: DType, to: DType) -> Option<[Self; 2]> {
        let [source, target] = [Self::of_dtype(from)?, Self::of_dtype(to)?];
        let is_wide = [source, target].contains(&Self::Int64);
        let is_whole = |side| matches!(side, Self::Int8 | Self::Int16 | Self::Int32 | Self::Int64);
        // A truth value is a byte of 0 or 1.
        let source = if source == Self::Bool { Self::Int8 } else { source };
        (!is_wide || is_whole(source) && is_whole(target)).then_some([source, target])
    }

    fn of_dtype(dtype: DType) -> Option<Self> {
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

    /// Bytes of an element.
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
    pub(super) fn flags([from, to]: [Self; 2]) -> Vec<&'static str> {
        // These two convert pairs of elements in a word.
        let packed = match (from, to) {
            (Self::Int8, Self::Int16) => "WIDENED",
            (Self::Int16, Self::Int8) => "NARROWED",
            _ => "",
        };
        [from.source_flags(), to.target_flags(), &[Self::quads([from, to]).1, packed]].concat()
    }

    /// The flags of shaders for elements of a source.
    fn source_flags(self) -> &'static [&'static str] {
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

    /// The flags of shaders for elements of a result.
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
