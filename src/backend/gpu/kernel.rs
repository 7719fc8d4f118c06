//! Which shader does what: the keys, the parts that a shader is put together from, and their selection.

use crate::backend::gpu::Arithmetic;
use crate::dtype::DType;
use crate::plan::Reduce;

/// A pass over index entries. Its main function is the file of that name in `shaders/index/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Looks for bad index values.
    Validate,
    /// Scatters, one thread per column.
    Columns,
    /// Gathers, one thread per entry.
    Gather,
}

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

    fn part(self) -> &'static str {
        match self {
            Self::One => include_str!("../../../shaders/lib/width_1.wgsl"),
            Self::Two => include_str!("../../../shaders/lib/width_2.wgsl"),
            Self::Four => include_str!("../../../shaders/lib/width_4.wgsl"),
            Self::Eight => include_str!("../../../shaders/lib/width_8.wgsl"),
        }
    }
}

/// How an update meets the value that is there, for one kind of element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Combine {
    /// Bits move.
    Replace,
    /// 32-bit integers, wrapping.
    AddInt,
    /// 32-bit integers, wrapping.
    MultiplyInt,
    /// float32 in the adapter's arithmetic.
    AddFloat,
    /// float32 in the adapter's arithmetic.
    MultiplyFloat,
    /// float32 in integer arithmetic.
    AddStrict,
    /// float32 in integer arithmetic.
    MultiplyStrict,
}

impl Combine {
    /// Every way.
    const ALL: &'static [Self] = &[
        Self::Replace,
        Self::AddInt,
        Self::MultiplyInt,
        Self::AddFloat,
        Self::MultiplyFloat,
        Self::AddStrict,
        Self::MultiplyStrict,
    ];

    /// The way for a dtype; `None` where no shader does it yet.
    pub fn select(dtype: DType, reduce: Reduce, float32: Arithmetic) -> Option<Self> {
        Some(match (reduce, dtype, float32) {
            (Reduce::Replace, ..) => Self::Replace,
            (Reduce::Add, DType::Int32 | DType::Uint32, _) => Self::AddInt,
            (Reduce::Multiply, DType::Int32 | DType::Uint32, _) => Self::MultiplyInt,
            (Reduce::Add, DType::Float32, Arithmetic::Native) => Self::AddFloat,
            (Reduce::Multiply, DType::Float32, Arithmetic::Native) => Self::MultiplyFloat,
            (Reduce::Add, DType::Float32, Arithmetic::Strict) => Self::AddStrict,
            (Reduce::Multiply, DType::Float32, Arithmetic::Strict) => Self::MultiplyStrict,
            _ => return None,
        })
    }
}

/// One shader. There is no shape in it, so that a few dozen cover every call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShaderKey {
    /// What it does.
    pub pass: Pass,
    /// To elements of which width.
    pub width: Width,
    /// And how updates are combined.
    pub combine: Combine,
}

impl ShaderKey {
    /// Every shader that a call can ask for.
    pub fn all() -> impl Iterator<Item = Self> {
        let widths = [Width::One, Width::Two, Width::Four, Width::Eight];
        let moves = widths.into_iter().flat_map(|width| {
            [Pass::Columns, Pass::Gather].map(|pass| Self { pass, width, combine: Combine::Replace })
        });
        let arithmetic = Combine::ALL
            .iter()
            .filter(|&&combine| combine != Combine::Replace)
            .map(|&combine| Self { pass: Pass::Columns, width: Width::Four, combine });
        [Self::VALIDATE].into_iter().chain(moves).chain(arithmetic)
    }

    /// The check of index values, which touches no element.
    pub const VALIDATE: Self = Self { pass: Pass::Validate, width: Width::Four, combine: Combine::Replace };

    /// The text of the shader.
    pub fn source(self) -> String {
        let mut parts = vec![include_str!("../../../shaders/lib/frame.wgsl"), self.width.part()];
        if matches!(self.combine, Combine::AddStrict | Combine::MultiplyStrict) {
            parts.push(include_str!("../../../shaders/lib/strict_float.wgsl"));
        }
        parts.push(match self.combine {
            Combine::Replace => include_str!("../../../shaders/lib/combine_replace.wgsl"),
            Combine::AddInt => include_str!("../../../shaders/lib/combine_add_int.wgsl"),
            Combine::MultiplyInt => include_str!("../../../shaders/lib/combine_multiply_int.wgsl"),
            Combine::AddFloat => include_str!("../../../shaders/lib/combine_add_float.wgsl"),
            Combine::MultiplyFloat => include_str!("../../../shaders/lib/combine_multiply_float.wgsl"),
            Combine::AddStrict => include_str!("../../../shaders/lib/combine_add_strict.wgsl"),
            Combine::MultiplyStrict => include_str!("../../../shaders/lib/combine_multiply_strict.wgsl"),
        });
        parts.push(match self.pass {
            Pass::Validate => include_str!("../../../shaders/index/validate.wgsl"),
            Pass::Columns => include_str!("../../../shaders/index/columns.wgsl"),
            Pass::Gather => include_str!("../../../shaders/index/gather.wgsl"),
        });
        parts.concat()
    }
}
