//! The thirteen dtypes, and how one converts implicitly to another.

use std::fmt;

use crate::words::words;

words! {
    /// The type of a tensor's elements.
    DType,
    /// Bytes per element.
    pub size: usize;
    /// One byte, 0 or 1; add is OR, multiply is AND.
    Bool = "bool" => 1;
    Int8 = "int8" => 1;
    Uint8 = "uint8" => 1;
    Int16 = "int16" => 2;
    Uint16 = "uint16" => 2;
    Int32 = "int32" => 4;
    Uint32 = "uint32" => 4;
    Int64 = "int64" => 8;
    Uint64 = "uint64" => 8;
    /// IEEE binary16, rounded after each operation.
    Float16 = "float16" => 2;
    /// The upper half of a binary32, rounded after each operation.
    Bfloat16 = "bfloat16" => 2;
    Float32 = "float32" => 4;
    Float64 = "float64" => 8;
}

impl DType {
    /// The dtype of that name; `None` if no dtype has it.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|dtype| dtype.name() == name)
    }

    /// Whether an index may have this dtype. Reads take an index of other integers too ([`DType::is_other_index`]).
    pub const fn is_index(self) -> bool {
        matches!(self, Self::Int32 | Self::Int64)
    }

    /// Whether only the index of a read may have this dtype.
    pub(crate) const fn is_other_index(self) -> bool {
        use DType::{Int8, Int16, Uint8, Uint16, Uint32, Uint64};
        matches!(self, Int8 | Uint8 | Int16 | Uint16 | Uint32 | Uint64)
    }

    /// How `scatter_mul` and its siblings convert updates of this dtype for a target of another dtype. The table is MindSpore's
    /// implicit conversion, with bfloat16 beside float16.
    pub const fn promotes_to(self, target: Self) -> Promotion {
        use DType::{Bool, Uint16, Uint32, Uint64};
        match (self, target) {
            (Bool, _) => Promotion::Converts,
            (_, Bool) => Promotion::OtherWay,
            (Uint16 | Uint32 | Uint64, _) | (_, Uint16 | Uint32 | Uint64) => Promotion::None,
            _ if self.promotion_rank() < target.promotion_rank() => Promotion::Converts,
            _ => Promotion::OtherWay,
        }
    }

    /// The rank of the dtype in the order of implicit conversion: integers before floats, then by width. int8 and uint8 share a
    /// rank, and so do the two half types: only a third, wider dtype holds the values of both.
    const fn promotion_rank(self) -> usize {
        self.size() + if self.is_float() { Self::Int64.size() } else { 0 }
    }

    /// Whether a conversion of an element to `other` keeps its bits, as between integers of one size. A bool is 0 or 1, and its
    /// bits are an integer of one byte. An integer becomes a bool by arithmetic: every number but 0 becomes 1.
    pub(crate) fn keeps_bits_as(self, other: Self) -> bool {
        let are_integers = !self.is_float() && !other.is_float() && other != Self::Bool;
        self == other || (are_integers && self.size() == other.size())
    }

    /// The dtype of a sum or product of elements, as in NumPy: of bool and of integers narrower than 64 bits it has 64.
    pub const fn of_sum(self) -> Self {
        match self {
            Self::Bool | Self::Int8 | Self::Int16 | Self::Int32 => Self::Int64,
            Self::Uint8 | Self::Uint16 | Self::Uint32 => Self::Uint64,
            Self::Int64 | Self::Uint64 => self,
            Self::Float16 | Self::Bfloat16 | Self::Float32 | Self::Float64 => self,
        }
    }

    /// Whether the dtype is one of the four floating-point ones.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::Float16 | Self::Bfloat16 | Self::Float32 | Self::Float64)
    }

    /// Whether it has negative integers.
    pub(crate) fn is_signed_integer(self) -> bool {
        self.int_range().is_some_and(|(least, _)| least < 0)
    }

    /// The smallest and the largest value of an integer dtype (bool included); `None` for a floating-point one.
    pub const fn int_range(self) -> Option<(i128, i128)> {
        Some(match self {
            Self::Bool => (0, 1),
            Self::Int8 => (i8::MIN as i128, i8::MAX as i128),
            Self::Uint8 => (0, u8::MAX as i128),
            Self::Int16 => (i16::MIN as i128, i16::MAX as i128),
            Self::Uint16 => (0, u16::MAX as i128),
            Self::Int32 => (i32::MIN as i128, i32::MAX as i128),
            Self::Uint32 => (0, u32::MAX as i128),
            Self::Int64 => (i64::MIN as i128, i64::MAX as i128),
            Self::Uint64 => (0, u64::MAX as i128),
            Self::Float16 | Self::Bfloat16 | Self::Float32 | Self::Float64 => return None,
        })
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How one dtype converts implicitly to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promotion {
    /// It converts to the target.
    Converts,
    /// Only the target could be converted, to this dtype or to a wider one.
    OtherWay,
    /// Neither converts to the other.
    None,
}
