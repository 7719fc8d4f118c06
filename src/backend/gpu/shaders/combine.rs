//! How an update is combined with the element that is there: a reduction, done to a kind of element. `shaders/combine/` has a file for each
//! reduction.

use crate::backend::gpu::shaders::width::Width;
use crate::dtype::DType;
use crate::plan::Reduce;

/// How the elements of a dtype are computed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Truth values, 0 or 1.
    Bool,
    /// Integers of up to 32 bits, wrapping: signed ones, or both where an operation does not depend on the sign.
    Int,
    /// Unsigned integers of up to 32 bits.
    Uint,
    /// 64-bit integers in two words, wrapping: signed ones, or both.
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
    /// The kind of a dtype.
    pub(super) fn of(dtype: DType) -> Self {
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

    /// The flags of shaders for it.
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

/// How an update is combined with the element that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Combine {
    /// The operation.
    pub reduce: Reduce,
    /// And what it is done to.
    pub kind: Kind,
}

/// How one scalar is applied many times.
#[derive(Clone, Copy)]
enum Repeat {
    /// By the scalar's powers, as any grouping gives the same bits.
    Doubling,
    /// By jumps: within one power of two all steps of a sum are alike.
    FloatSum,
    /// Once, as a second time changes nothing.
    Once,
    /// One step after the other, in as many rounds.
    InOrder,
}

/// How an update is applied where the result does not depend on the order.
#[derive(Clone, Copy)]
enum Atomic {
    /// Not at all: the result depends on the order, or WGSL has no atomic operations for it.
    No,
    /// By atomic operations on elements of this width.
    Update(Width),
    /// By a store, if all updates are one scalar.
    StoreScalar,
}

impl Combine {
    /// Replacement moves bits, so that one kind serves all dtypes.
    pub const REPLACE: Self = Self { reduce: Reduce::Replace, kind: Kind::Int };

    /// The combination for a dtype, which has one for each reduction; docs/DTYPES.md lists them. It is in integers on every adapter.
    pub fn select(dtype: DType, reduce: Reduce) -> Self {
        use Kind::{Bfloat16, Bool, Float32, Int, Int64, Uint, Uint64};
        use Reduce::{Add, Divide, Maximum, Minimum, Multiply, Replace};
        let (reduce, kind) = match (reduce, Kind::of(dtype)) {
            (Replace, _) => return Self::REPLACE,
            // Sums and products do not depend on the sign.
            (Add | Multiply, Uint) => (reduce, Int),
            (Add | Multiply, Uint64) => (reduce, Int64),
            // Of truth values the maximum is their OR, which is their sum, and the minimum their AND.
            (Maximum, Bool) => (Add, Bool),
            (Minimum, Bool) => (Multiply, Bool),
            // bool has no quotient, and no call gets here.
            (Divide, Bool) => (reduce, Uint),
            // The order of bfloat16 is that of the upper halves of float32.
            (Maximum | Minimum, Bfloat16) => (reduce, Float32),
            (Add | Multiply | Divide | Maximum | Minimum, kind) => (reduce, kind),
        };
        Self { reduce, kind }
    }

    /// How one scalar is applied many times, and how an update is applied atomically. No arm is a wildcard, so that the compiler names what
    /// a new reduction lacks.
    fn ways(self) -> (Repeat, Atomic) {
        use Kind::{Bfloat16, Bool, Float16, Float32, Float64, Int, Int64, Uint, Uint64};
        use Reduce::{Add, Divide, Maximum, Minimum, Multiply, Replace};
        use Repeat::{Doubling, FloatSum, InOrder, Once};
        match (self.reduce, self.kind) {
            (Replace, _) => (Doubling, Atomic::StoreScalar),
            (Add | Multiply, Bool) => (Doubling, Atomic::Update(Width::One)),
            (Add, Int | Uint) => (Doubling, Atomic::Update(Width::Four)),
            (Add, Int64 | Uint64) => (Doubling, Atomic::Update(Width::Eight)),
            (Add, Float16 | Bfloat16 | Float32) => (FloatSum, Atomic::No),
            (Add, Float64) => (InOrder, Atomic::No),
            (Multiply, Int | Uint | Int64 | Uint64) => (Doubling, Atomic::No),
            (Multiply, Float16 | Bfloat16 | Float32 | Float64) => (InOrder, Atomic::No),
            (Divide, _) => (InOrder, Atomic::No),
            (Maximum | Minimum, Bool | Int | Uint) => (Once, Atomic::Update(Width::Four)),
            (Maximum | Minimum, Int64 | Uint64 | Float16 | Bfloat16 | Float32 | Float64) => {
                (Once, Atomic::No)
            }
        }
    }

    /// The file of the operation.
    pub(super) fn file(self) -> &'static str {
        match self.reduce {
            Reduce::Replace => "replace",
            Reduce::Add => "add",
            Reduce::Multiply => "multiply",
            Reduce::Divide => "divide",
            Reduce::Maximum => "maximum",
            Reduce::Minimum => "minimum",
        }
    }

    /// The flags of shaders for it: one for how a scalar is applied, and those of the elements.
    pub(super) fn flags(self) -> (&'static str, &'static [&'static str]) {
        let repeat = match self.ways().0 {
            Repeat::Doubling => "DOUBLING",
            Repeat::FloatSum => "FLOAT_SUM",
            Repeat::Once => "ONCE",
            Repeat::InOrder => "IN_ORDER",
        };
        (repeat, self.kind.flags())
    }

    /// Rounds of loops that it takes to combine an element with an update once, at most: those of `shaders/lib/wide_divide.wgsl`.
    pub(crate) fn rounds(self) -> usize {
        match self.reduce {
            Reduce::Divide => 64,
            Reduce::Replace | Reduce::Add | Reduce::Multiply | Reduce::Maximum | Reduce::Minimum => 0,
        }
    }

    /// Whether a scalar that is applied any number of times takes a bounded number of rounds.
    pub(crate) fn repeats_in_few_rounds(self) -> bool {
        match self.ways().0 {
            Repeat::Doubling | Repeat::FloatSum | Repeat::Once => true,
            Repeat::InOrder => false,
        }
    }

    /// Whether updates of elements of this width can be applied by atomic operations, in any order. `is_scalar`: all updates are one
    /// value.
    pub(crate) fn is_atomic(self, width: Width, is_scalar: bool) -> bool {
        match self.ways().1 {
            Atomic::No => false,
            Atomic::Update(only) => width == only,
            Atomic::StoreScalar => is_scalar,
        }
    }
}
