//! How an update is combined with the old element: a reduction for a kind of element. `shaders/lib/` has a file per reduction.

use crate::DType;
use crate::engine::gpu::Width;
use crate::plan::Reduce;

/// The arithmetic for the elements of a dtype.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Truth values, 0 or 1.
    Bool,
    /// Wrapping integers of up to 32 bits: signed, or both if an operation does not depend on the sign.
    Int,
    /// Unsigned integers of up to 32 bits.
    Uint,
    /// Wrapping 64-bit integers in two words: signed, or both.
    Int64,
    /// Unsigned 64-bit integers.
    Uint64,
    /// float16 in integer arithmetic.
    Float16,
    /// bfloat16 in integer arithmetic.
    Bfloat16,
    /// float32 in integer arithmetic.
    Float32,
    /// float64 in integer arithmetic.
    Float64,
}

impl Kind {
    pub(crate) fn of(dtype: DType) -> Self {
        match dtype {
            DType::Bool => Self::Bool,
            DType::Int8 | DType::Int16 | DType::Int32 => Self::Int,
            DType::Uint8 | DType::Uint16 | DType::Uint32 => Self::Uint,
            DType::Int64 => Self::Int64,
            DType::Uint64 => Self::Uint64,
            DType::Float16 => Self::Float16,
            DType::Bfloat16 => Self::Bfloat16,
            DType::Float32 => Self::Float32,
            DType::Float64 => Self::Float64,
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Bool => &["BOOL"],
            Self::Int => &["INT"],
            Self::Uint => &["INT", "UNSIGNED"],
            Self::Int64 => &["INT64"],
            Self::Uint64 => &["INT64", "UNSIGNED"],
            Self::Float16 => &["SHORT_FLOAT", "HALF", "FLOAT16"],
            Self::Bfloat16 => &["SHORT_FLOAT", "HALF"],
            Self::Float32 => &["SHORT_FLOAT", "FLOAT32"],
            Self::Float64 => &["FLOAT64"],
        }
    }
}

/// How an update is combined with the old element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Combine {
    /// The operation.
    pub reduce: Reduce,
    /// The kind of element.
    pub kind: Kind,
}

/// How one scalar is applied many times, in a bounded number of rounds.
#[derive(Clone, Copy)]
enum Repeat {
    /// Not at all.
    No,
    /// By the scalar's powers: any grouping gives the same bits.
    Doubling,
    /// By jumps: within one power of two all steps of a sum are equal.
    FloatSum,
    /// Once: a second time changes nothing.
    Once,
}

/// How updates are applied without an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WithoutOrder {
    /// Not at all.
    No,
    /// By atomic operations on the table alone.
    Atomics,
    /// `shaders/lib/keys.wgsl`: a key for each element of the table, and a pass that reads them.
    Keys,
}

impl Combine {
    /// Replacement moves bits, so one kind serves all dtypes.
    pub const REPLACE: Self = Self { reduce: Reduce::Replace, kind: Kind::Int };

    /// The combination for a dtype and a reduction; docs/DTYPES.md lists them. It computes in integers on every adapter.
    pub fn select(dtype: DType, reduce: Reduce) -> Self {
        use Kind::{Bfloat16, Bool, Float32, Int, Int64, Uint, Uint64};
        use Reduce::{Add, Divide, Maximum, Minimum, Multiply, Replace};
        let (reduce, kind) = match (reduce, Kind::of(dtype)) {
            (Replace, _) => return Self::REPLACE,
            // Sums and products do not depend on the sign.
            (Add | Multiply, Uint) => (reduce, Int),
            (Add | Multiply, Uint64) => (reduce, Int64),
            // For truth values, the maximum is their OR, as their sum, and the minimum is their AND.
            (Maximum, Bool) => (Add, Bool),
            (Minimum, Bool) => (Multiply, Bool),
            // bool has no quotient. No call gets here.
            (Divide, Bool) => (reduce, Uint),
            // bfloat16 has the order of float32's upper halves.
            (Maximum | Minimum, Bfloat16) => (reduce, Float32),
            (Add | Multiply | Divide | Maximum | Minimum, kind) => (reduce, kind),
        };
        Self { reduce, kind }
    }

    // No arm below is a wildcard over reductions, so the compiler names a new one. `_` may stand for kinds only if `select` leaves the rest
    // to other reductions or all kinds agree.

    fn repeat(self) -> Repeat {
        use Kind::{Bfloat16, Bool, Float16, Float32, Float64, Int, Int64, Uint, Uint64};
        use Reduce::{Add, Divide, Maximum, Minimum, Multiply, Replace};
        match (self.reduce, self.kind) {
            (Add | Multiply, Bool | Int | Uint | Int64 | Uint64) => Repeat::Doubling,
            (Add, Float16 | Bfloat16 | Float32 | Float64) => Repeat::FloatSum,
            (Maximum | Minimum, _) => Repeat::Once,
            (Multiply, Float16 | Bfloat16 | Float32 | Float64) | (Divide | Replace, _) => Repeat::No,
        }
    }

    /// The file of the reduction.
    pub(crate) fn file(self) -> &'static str {
        match self.reduce {
            Reduce::Replace => "replace",
            Reduce::Add => "add",
            Reduce::Multiply => "multiply",
            Reduce::Divide => "divide",
            Reduce::Maximum | Reduce::Minimum => "extreme",
        }
    }

    pub(crate) fn flags(self) -> [&'static [&'static str]; 3] {
        let repeat: &[_] = match self.repeat() {
            Repeat::No => &[],
            Repeat::Doubling => &["DOUBLING"],
            Repeat::FloatSum => &["FLOAT_SUM"],
            Repeat::Once => &["ONCE"],
        };
        let smaller: &[_] = if self.reduce == Reduce::Minimum { &["MINIMUM"] } else { &[] };
        [repeat, smaller, self.kind.flags()]
    }

    /// The most rounds of loops for one combination of an element with an update: those of `shaders/lib/wide_divide.wgsl`, and the digits of
    /// `shaders/lib/strict_divide.wgsl`.
    pub(crate) fn rounds(self) -> usize {
        match self.reduce {
            Reduce::Divide => match self.kind {
                Kind::Int64 | Kind::Uint64 | Kind::Float64 => 64,
                Kind::Float16 | Kind::Bfloat16 | Kind::Float32 => 3,
                Kind::Bool | Kind::Int | Kind::Uint => 0,
            },
            Reduce::Replace | Reduce::Add | Reduce::Multiply | Reduce::Maximum | Reduce::Minimum => 0,
        }
    }

    /// Whether `shaders/scatter/repeat.wgsl` applies a scalar many times.
    pub(crate) fn repeats(self) -> bool {
        !matches!(self.repeat(), Repeat::No)
    }

    /// Whether atomic operations on the table take two passes, one for each sign of the updates: `shaders/lib/atomic_float.wgsl`.
    pub(crate) fn has_losing_sign(self) -> bool {
        matches!(self.reduce, Reduce::Maximum | Reduce::Minimum) && self.kind == Kind::Float32
    }

    /// How updates of elements of this width are applied in any order. `is_scalar`: all updates are one scalar.
    pub(crate) fn without_order(self, width: Width, is_scalar: bool) -> WithoutOrder {
        use Kind::{Bfloat16, Bool, Float16, Float32, Float64, Int, Int64, Uint, Uint64};
        use Reduce::{Add, Divide, Maximum, Minimum, Multiply, Replace};
        let is_atomic = match (self.reduce, self.kind) {
            (Replace, _) => is_scalar,
            (Add | Multiply, Bool) | (Add, Int64 | Uint64) => true,
            (Add, Int | Uint) => width == Width::Four,
            (Add, Float16 | Bfloat16 | Float32 | Float64) | (Divide, _) => false,
            (Multiply, Int | Uint | Int64 | Uint64 | Float16 | Bfloat16 | Float32 | Float64) => false,
            // The kinds of one word have atomic operations; keys serve the others.
            (Maximum | Minimum, _) if width != Width::Four => return WithoutOrder::Keys,
            (Maximum | Minimum, _) => true,
        };
        if is_atomic { WithoutOrder::Atomics } else { WithoutOrder::No }
    }
}
