//! Which shader does what: the keys, the parts that a shader is put together from, and their selection.

use crate::backend::gpu::{Act, Arithmetic};
use crate::dtype::DType;
use crate::plan::{Activation, Reduce};

/// A pass over index entries or elements. Its main function is the file of that name in `shaders/index/` or
/// `shaders/broadcast/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Looks for bad index values.
    Validate,
    /// Scatters, one thread per column.
    Columns,
    /// Gathers, one thread per entry.
    Gather,
    /// Multiplies with broadcasting, then applies an activation.
    Multiply(Act),
}

/// Words per element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Width {
    /// Four bytes.
    Four,
    /// Eight bytes.
    Eight,
}

impl Width {
    /// The width that moves elements of `dtype`; `None` where no shader does yet.
    pub fn of(dtype: DType) -> Option<Self> {
        match dtype.size() {
            4 => Some(Self::Four),
            8 => Some(Self::Eight),
            _ => None,
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
        let widths = [Width::Four, Width::Eight];
        let moves = widths.into_iter().flat_map(|width| {
            [Pass::Columns, Pass::Gather].map(|pass| Self { pass, width, combine: Combine::Replace })
        });
        let arithmetic = Combine::ALL
            .iter()
            .filter(|&&combine| combine != Combine::Replace)
            .map(|&combine| Self { pass: Pass::Columns, width: Width::Four, combine });
        [Self::VALIDATE].into_iter().chain(moves).chain(arithmetic).chain(Self::all_multiplies())
    }

    /// Every multiply that a call can ask for: asked as calls ask.
    fn all_multiplies() -> Vec<Self> {
        let mut keys = Vec::new();
        let acts = || std::iter::once(None).chain(Activation::ALL.iter().copied().map(Some));
        for &dtype in DType::ALL {
            for float32 in [Arithmetic::Native, Arithmetic::Strict] {
                let acts = acts().filter(|act| act.is_none_or(|act| act.takes(dtype)));
                for key in acts.filter_map(|act| Self::multiply(dtype, float32, act)) {
                    if !keys.contains(&key) {
                        keys.push(key);
                    }
                }
            }
        }
        keys
    }

    /// The multiply for a dtype with an activation that takes it; `None` where no shader does it yet.
    pub fn multiply(dtype: DType, float32: Arithmetic, act: Option<Activation>) -> Option<Self> {
        let combine = Combine::select(dtype, Reduce::Multiply, float32)?;
        Some(Self { pass: Pass::Multiply(Act::select(act, dtype)?), width: Width::of(dtype)?, combine })
    }

    /// The check of index values, which touches no element.
    pub const VALIDATE: Self = Self { pass: Pass::Validate, width: Width::Four, combine: Combine::Replace };

    /// The text of the shader.
    pub fn source(self) -> String {
        let width = match self.width {
            Width::Four => include_str!("../../../shaders/lib/width_4.wgsl"),
            Width::Eight => include_str!("../../../shaders/lib/width_8.wgsl"),
        };
        let mut parts = vec![include_str!("../../../shaders/lib/frame.wgsl"), width];
        let act_is_strict = matches!(self.pass, Pass::Multiply(act) if act.uses_strict_float());
        if act_is_strict || matches!(self.combine, Combine::AddStrict | Combine::MultiplyStrict) {
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
            Pass::Multiply(_) => include_str!("../../../shaders/broadcast/multiply.wgsl"),
        });
        match self.pass {
            Pass::Multiply(act) => parts.concat() + &act.source(),
            _ => parts.concat(),
        }
    }
}
