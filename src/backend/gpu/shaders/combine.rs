//! How an update is combined with the element that is there: one row for each reduction and kind of element, with the
//! parts of a shader that do it.

use crate::backend::gpu::shaders::kernel::Width;
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
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Bool,
        Self::Int,
        Self::Uint,
        Self::Int64,
        Self::Uint64,
        Self::Float16,
        Self::Bfloat16,
        Self::Float32,
        Self::Float64,
    ];

    /// The kind of a dtype.
    fn of(dtype: DType) -> Self {
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

    /// The parts that sums and products call.
    fn arithmetic(self) -> &'static [&'static str] {
        match self {
            Self::Bool | Self::Int | Self::Uint => &[],
            Self::Int64 | Self::Uint64 => &[WIDE],
            Self::Float16 | Self::Bfloat16 => &[STRICT_FLOAT, STRICT_HALF],
            Self::Float32 => &[STRICT_FLOAT],
            Self::Float64 => &[WIDE, STRICT_DOUBLE],
        }
    }

    /// The parts that quotients call.
    fn division(self) -> &'static [&'static str] {
        match self {
            Self::Bool | Self::Int | Self::Uint => &[],
            Self::Int64 | Self::Uint64 => &[WIDE, WIDE_DIVIDE],
            Self::Float16 | Self::Bfloat16 => &[STRICT_FLOAT, STRICT_DIVIDE, STRICT_HALF],
            Self::Float32 => &[STRICT_FLOAT, STRICT_DIVIDE],
            Self::Float64 => &[WIDE, WIDE_DIVIDE, STRICT_DOUBLE, STRICT_DOUBLE_DIVIDE],
        }
    }

    /// The parts with the function `is_below`, which orders elements. Floats of 16 bits are compared in the upper half of a word, where
    /// `INFINITY_BITS` has the infinity.
    fn order(self) -> &'static [&'static str] {
        const FLOAT: &str = shader!("lib/order_float.wgsl");
        match self {
            Self::Bool | Self::Uint => &[shader!("lib/order_uint.wgsl")],
            Self::Int => &[shader!("lib/order_int.wgsl")],
            Self::Int64 => &[WIDE, shader!("lib/order_int64.wgsl")],
            Self::Uint64 => &[WIDE, shader!("lib/order_uint64.wgsl")],
            Self::Float16 => &["const INFINITY_BITS: u32 = 0x7c000000u;\n", FLOAT],
            Self::Bfloat16 | Self::Float32 => &["const INFINITY_BITS: u32 = 0x7f800000u;\n", FLOAT],
            Self::Float64 => &[WIDE, shader!("lib/order_float64.wgsl")],
        }
    }
}

/// 64-bit integers.
pub(crate) const WIDE: &str = shader!("lib/wide.wgsl");
/// float32 in the adapter's arithmetic.
pub(crate) const NATIVE_FLOAT: &str = shader!("lib/native_float.wgsl");
/// float32 in integer arithmetic.
pub(crate) const STRICT_FLOAT: &str = shader!("lib/strict_float.wgsl");
const STRICT_HALF: &str = shader!("lib/strict_half.wgsl");
const STRICT_DOUBLE: &str = shader!("lib/strict_double.wgsl");
const STRICT_DIVIDE: &str = shader!("lib/strict_divide.wgsl");
const STRICT_DOUBLE_DIVIDE: &str = shader!("lib/strict_double_divide.wgsl");
const WIDE_DIVIDE: &str = shader!("lib/wide_divide.wgsl");

/// How an update is combined with the element that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Combine {
    /// The operation.
    pub reduce: Reduce,
    /// And what it is done to.
    pub kind: Kind,
}

/// Which functions of an element's kind an operation calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Functions {
    /// None: it moves bits.
    None,
    /// Sums and products.
    Arithmetic,
    /// Quotients.
    Division,
    /// The order of elements.
    Order,
}

/// What a shader needs to know of a combination.
struct Row {
    /// The parts with the function `combine`.
    combine: &'static [&'static str],
    /// How one scalar is applied many times.
    repeat: Repeat,
    /// How an update is applied by an atomic operation.
    atomic: Atomic,
}

/// How one scalar is applied many times.
#[derive(Clone, Copy)]
enum Repeat {
    /// By the scalar's powers, as any grouping gives the same bits.
    Doubling,
    /// By jumps: within one power of two all steps of a sum are alike. With the number of bits of the dtype's fraction.
    FloatSum(u32),
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
    /// By a part that does it to elements of this width.
    Update(Width, &'static str),
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

    /// The table. A new reduction is a row for each kind: no arm is a wildcard, so that the compiler names what is
    /// missing.
    fn row(self) -> Row {
        use Kind::{Bfloat16, Bool, Float16, Float32, Float64, Int, Int64, Uint, Uint64};
        use Reduce::{Add, Divide, Maximum, Minimum, Multiply, Replace};
        use Repeat::{Doubling, FloatSum, InOrder, Once};
        const NO: Atomic = Atomic::No;
        const OR: Atomic = Atomic::Update(Width::One, shader!("lib/atomic_or.wgsl"));
        const AND: Atomic = Atomic::Update(Width::One, shader!("lib/atomic_and.wgsl"));
        const ADD_4: Atomic = Atomic::Update(Width::Four, shader!("lib/atomic_add_4.wgsl"));
        const ADD_8: Atomic = Atomic::Update(Width::Eight, shader!("lib/atomic_add_8.wgsl"));
        const MAX: Atomic = Atomic::Update(Width::Four, shader!("lib/atomic_max.wgsl"));
        const MIN: Atomic = Atomic::Update(Width::Four, shader!("lib/atomic_min.wgsl"));
        const MAX_SIGNED: Atomic = Atomic::Update(Width::Four, shader!("lib/atomic_max_signed.wgsl"));
        const MIN_SIGNED: Atomic = Atomic::Update(Width::Four, shader!("lib/atomic_min_signed.wgsl"));
        const MAXIMUM: &str = shader!("lib/combine_maximum.wgsl");
        const MINIMUM: &str = shader!("lib/combine_minimum.wgsl");
        let (combine, repeat, atomic) = match (self.reduce, self.kind) {
            (Replace, Bool | Int | Uint | Int64 | Uint64 | Float16 | Bfloat16 | Float32 | Float64) => {
                (&[shader!("lib/combine_replace.wgsl")], Doubling, Atomic::StoreScalar)
            }

            (Add, Bool) => (&[shader!("lib/combine_add_bool.wgsl")], Doubling, OR),
            (Add, Int | Uint) => (&[shader!("lib/combine_add_int.wgsl")], Doubling, ADD_4),
            (Add, Int64 | Uint64) => (&[shader!("lib/combine_add_int64.wgsl")], Doubling, ADD_8),
            (Add, Float16) => (&[shader!("lib/combine_add_float16.wgsl")], FloatSum(10), NO),
            (Add, Bfloat16) => (&[shader!("lib/combine_add_bfloat16.wgsl")], FloatSum(7), NO),
            (Add, Float32) => (&[shader!("lib/combine_add_strict.wgsl")], FloatSum(23), NO),
            (Add, Float64) => (&[shader!("lib/combine_add_float64.wgsl")], InOrder, NO),

            (Multiply, Bool) => (&[shader!("lib/combine_multiply_bool.wgsl")], Doubling, AND),
            (Multiply, Int | Uint) => (&[shader!("lib/combine_multiply_int.wgsl")], Doubling, NO),
            (Multiply, Int64 | Uint64) => (&[shader!("lib/combine_multiply_int64.wgsl")], Doubling, NO),
            (Multiply, Float16) => (&[shader!("lib/combine_multiply_float16.wgsl")], InOrder, NO),
            (Multiply, Bfloat16) => (&[shader!("lib/combine_multiply_bfloat16.wgsl")], InOrder, NO),
            (Multiply, Float32) => (&[shader!("lib/combine_multiply_strict.wgsl")], InOrder, NO),
            (Multiply, Float64) => (&[shader!("lib/combine_multiply_float64.wgsl")], InOrder, NO),

            (Divide, Bool | Uint) => (&[shader!("lib/combine_divide_uint.wgsl")], InOrder, NO),
            (Divide, Int) => (&[shader!("lib/combine_divide_int.wgsl")], InOrder, NO),
            (Divide, Int64) => (&[shader!("lib/combine_divide_int64.wgsl")], InOrder, NO),
            (Divide, Uint64) => (&[shader!("lib/combine_divide_uint64.wgsl")], InOrder, NO),
            (Divide, Float16) => (&[shader!("lib/combine_divide_float16.wgsl")], InOrder, NO),
            (Divide, Bfloat16) => (&[shader!("lib/combine_divide_bfloat16.wgsl")], InOrder, NO),
            (Divide, Float32) => (&[shader!("lib/combine_divide_strict.wgsl")], InOrder, NO),
            (Divide, Float64) => (&[shader!("lib/combine_divide_float64.wgsl")], InOrder, NO),

            (Maximum, Int) => (&[MAXIMUM], Once, MAX_SIGNED),
            (Maximum, Bool | Uint) => (&[MAXIMUM], Once, MAX),
            (Maximum, Int64 | Uint64 | Float16 | Bfloat16 | Float32 | Float64) => (&[MAXIMUM], Once, NO),

            (Minimum, Int) => (&[MINIMUM], Once, MIN_SIGNED),
            (Minimum, Bool | Uint) => (&[MINIMUM], Once, MIN),
            (Minimum, Int64 | Uint64 | Float16 | Bfloat16 | Float32 | Float64) => (&[MINIMUM], Once, NO),
        };
        Row { combine, repeat, atomic }
    }

    /// Which functions it calls.
    pub const fn functions(self) -> Functions {
        match self.reduce {
            Reduce::Replace => Functions::None,
            Reduce::Add | Reduce::Multiply => Functions::Arithmetic,
            Reduce::Divide => Functions::Division,
            Reduce::Maximum | Reduce::Minimum => Functions::Order,
        }
    }

    /// The parts with the functions that [`Combine::functions`] names.
    pub(crate) fn arithmetic(self) -> &'static [&'static str] {
        match self.functions() {
            Functions::None => &[],
            Functions::Arithmetic => self.kind.arithmetic(),
            Functions::Division => self.kind.division(),
            Functions::Order => self.kind.order(),
        }
    }

    /// Rounds of loops that it takes to combine an element with an update once, at most: those of `shaders/lib/wide_divide.wgsl`.
    pub(crate) fn rounds(self) -> usize {
        match self.functions() {
            Functions::Division => 64,
            Functions::None | Functions::Arithmetic | Functions::Order => 0,
        }
    }

    /// The parts with the function `mean`, which divides a sum by the number of its terms. This is a combination of `Reduce::Divide`: the
    /// kind of a sum does not tell unsigned integers from signed ones.
    pub(crate) fn mean_parts(self) -> &'static [&'static str] {
        const FLOOR: &str = shader!("lib/mean_floor.wgsl");
        const INT: &str = shader!("lib/mean_int.wgsl");
        const INT64: &str = shader!("lib/mean_int64.wgsl");
        const FLOAT: &str = shader!("lib/mean_float.wgsl");
        const HALF: &str = shader!("lib/mean_half.wgsl");
        const SIGNED: &str = "const IS_SIGNED: bool = true;\n";
        const UNSIGNED: &str = "const IS_SIGNED: bool = false;\n";
        match self.kind {
            Kind::Int => &[WIDE, WIDE_DIVIDE, FLOOR, INT, SIGNED],
            Kind::Bool | Kind::Uint => &[WIDE, WIDE_DIVIDE, FLOOR, INT, UNSIGNED],
            Kind::Int64 => &[WIDE, WIDE_DIVIDE, FLOOR, INT64, SIGNED],
            Kind::Uint64 => &[WIDE, WIDE_DIVIDE, FLOOR, INT64, UNSIGNED],
            Kind::Float16 => {
                const WIDEN: &str = shader!("lib/mean_float16.wgsl");
                &[WIDE, WIDE_DIVIDE, STRICT_FLOAT, STRICT_HALF, FLOAT, HALF, WIDEN]
            }
            Kind::Bfloat16 => {
                const WIDEN: &str = shader!("lib/mean_bfloat16.wgsl");
                &[WIDE, WIDE_DIVIDE, STRICT_FLOAT, STRICT_HALF, FLOAT, HALF, WIDEN]
            }
            Kind::Float32 => &[WIDE, WIDE_DIVIDE, STRICT_FLOAT, FLOAT, shader!("lib/mean_float32.wgsl")],
            Kind::Float64 => {
                const MEAN: &str = shader!("lib/mean_float64.wgsl");
                &[WIDE, WIDE_DIVIDE, STRICT_DOUBLE, STRICT_DOUBLE_DIVIDE, MEAN]
            }
        }
    }

    /// The parts with the function `combine`.
    pub(crate) fn parts(self) -> &'static [&'static str] {
        self.row().combine
    }

    /// Whether a scalar that is applied any number of times takes a bounded number of rounds.
    pub(crate) fn repeats_in_few_rounds(self) -> bool {
        match self.row().repeat {
            Repeat::Doubling | Repeat::FloatSum(_) | Repeat::Once => true,
            Repeat::InOrder => false,
        }
    }

    /// The text that applies one scalar many times.
    pub(crate) fn repeat_part(self) -> String {
        match self.row().repeat {
            Repeat::Doubling => shader!("lib/repeat_whole.wgsl").into(),
            Repeat::FloatSum(bits) => {
                format!("const FRACTION_BITS: u32 = {bits}u;\n") + shader!("lib/repeat_float_add.wgsl")
            }
            Repeat::Once => shader!("lib/repeat_once.wgsl").into(),
            Repeat::InOrder => shader!("lib/repeat_in_order.wgsl").into(),
        }
    }

    /// Whether updates of elements of this width can be applied by atomic operations, in any order. `is_scalar`: all updates are one
    /// value.
    pub(crate) fn is_atomic(self, width: Width, is_scalar: bool) -> bool {
        match self.row().atomic {
            Atomic::No => false,
            Atomic::Update(only, _) => width == only,
            Atomic::StoreScalar => is_scalar,
        }
    }

    /// The part that applies an update atomically; `None` where no update of elements of this width is atomic.
    pub(crate) fn atomic_part(self, width: Width) -> Option<&'static str> {
        match self.row().atomic {
            Atomic::No => None,
            Atomic::Update(only, part) => (width == only).then_some(part),
            Atomic::StoreScalar => match width {
                Width::One | Width::Two => Some(shader!("lib/atomic_store_packed.wgsl")),
                Width::Four => Some(shader!("lib/atomic_store_4.wgsl")),
                Width::Eight => Some(shader!("lib/atomic_store_8.wgsl")),
                // Units of sixteen bytes are no elements, so that no scalar has this width.
                Width::Sixteen => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row that was copied and not changed is found here: no two combinations that are selected have the same parts.
    #[test]
    fn each_combination_has_parts_of_its_own() {
        let mut all = Vec::new();
        for (&reduce, &dtype) in
            Reduce::ALL.iter().flat_map(|reduce| DType::ALL.iter().map(move |d| (reduce, d)))
        {
            let combine = Combine::select(dtype, reduce);
            if !all.contains(&combine) {
                all.push(combine);
            }
        }
        for (at, one) in all.iter().enumerate() {
            for other in all.iter().take(at) {
                let [a, b] = [one, other].map(|combine| (combine.arithmetic(), combine.parts()));
                assert_ne!(a, b, "{one:?}, {other:?}");
                let [a, b] = [one, other].map(|combine| match combine.row().atomic {
                    Atomic::Update(_, part) => Some(part),
                    Atomic::No | Atomic::StoreScalar => None,
                });
                assert!(a.is_none() || a != b, "{one:?}, {other:?}");
            }
        }
    }
}
