//! Shaders by key, and the parts that each is put together from.

use crate::backend::gpu::multiply::geometry::{Operands, QuadAccess};
use crate::backend::gpu::shaders::act::Act;
use crate::backend::gpu::shaders::arithmetic::Arithmetic;
use crate::backend::gpu::shaders::combine::{Combine, NATIVE_FLOAT, STRICT_FLOAT};
use crate::backend::gpu::shaders::pass::{LOOPED, Pass, Row};
use crate::dtype::DType;
use crate::plan::{Activation, Reduce};

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

    /// The part of a shader that loads and stores elements of this width.
    fn part(self) -> &'static str {
        match self {
            Self::One => shader!("lib/width_1.wgsl"),
            Self::Two => shader!("lib/width_2.wgsl"),
            Self::Four => shader!("lib/width_4.wgsl"),
            Self::Eight => shader!("lib/width_8.wgsl"),
            Self::Sixteen => shader!("lib/width_16.wgsl"),
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

    /// The parts of a multiply that take quads of four words apart into elements; other passes have [`Width::part`].
    fn quad_parts(self) -> &'static [&'static str] {
        const NARROW: &str = shader!("broadcast/quad_narrow.wgsl");
        match self {
            Self::One => &[shader!("broadcast/quad_1.wgsl"), NARROW],
            Self::Two => &[shader!("broadcast/quad_2.wgsl"), NARROW],
            Self::Four => &[shader!("broadcast/quad_4.wgsl")],
            Self::Eight => &[shader!("broadcast/quad_8.wgsl")],
            // Such units are only moved.
            Self::Sixteen => &[],
        }
    }

    /// The part that computes the products of a quad: unrolled, but with an activation, whose long code is there once, in a loop.
    fn products(self, act: Act) -> &'static str {
        match (act, self) {
            (Act::None, Self::One | Self::Two) => shader!("broadcast/unrolled_narrow.wgsl"),
            (Act::None, Self::Four) => shader!("broadcast/unrolled_4.wgsl"),
            (Act::None, Self::Eight) => shader!("broadcast/unrolled_8.wgsl"),
            _ => LOOPED,
        }
    }
}

/// What every pass begins with.
const FRAME: &str = shader!("lib/frame.wgsl");

/// What a multiply does with a pair of elements. Other parts have `combine`, which multiplies, and `activate`.
const PRODUCT: &str =
    "fn product(a: Element, b: Element) -> Element {\n    return activate(combine(a, b));\n}\n";

/// One shader. No shape is in its key, so that a program needs a few dozen of them, whatever its shapes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShaderKey {
    /// What it does.
    pub pass: Pass,
    /// The width of elements.
    pub width: Width,
    /// How an update is combined with an element.
    pub combine: Combine,
}

impl ShaderKey {
    /// Every shader that a call can need, found in the way in which calls find theirs.
    pub fn all() -> impl Iterator<Item = Self> {
        let mut keys = Vec::new();
        keys.extend([Pass::ProbeWorkgroup, Pass::Seal, Pass::Validate, Pass::Report].map(Self::words));
        keys.extend([Pass::Resolve, Pass::Mark, Pass::Choose, Pass::Count, Pass::Normalise].map(Self::words));
        keys.extend([Pass::DigitCount, Pass::DigitScan, Pass::DigitScatter, Pass::Bins].map(Self::words));
        keys.extend([Pass::GatherQuads, Pass::Convert].map(Self::words));
        keys.extend([Pass::Extent, Pass::Edges, Pass::Density].map(Self::doubles));
        keys.extend([Pass::Gather, Pass::Commit].map(|pass| Self::units(pass, Width::Sixteen)));
        for &dtype in DType::ALL {
            let width = Width::of(dtype);
            let combining = |pass, reduce| Self { pass, width, combine: Combine::select(dtype, reduce) };
            keys.push(Self::gather(width));
            keys.extend([Pass::Commit, Pass::Divisors].map(|pass| Self::units(pass, width)));
            keys.push(combining(Pass::DivideByCounts, Reduce::Divide));
            if dtype.is_float() {
                keys.push(combining(Pass::ScanRuns, Reduce::Multiply));
            }
            for &reduce in Reduce::ALL {
                keys.extend(Self::scatters(width, Combine::select(dtype, reduce)));
            }
            for float32 in Arithmetic::ALL {
                keys.extend(Self::multiplies(dtype, float32));
            }
        }
        let mut distinct = Vec::new();
        for key in keys {
            if !distinct.contains(&key) {
                distinct.push(key);
            }
        }
        distinct.into_iter()
    }

    /// Every scatter of elements of a width with one combination.
    fn scatters(width: Width, combine: Combine) -> impl Iterator<Item = Self> {
        let mut passes = vec![Pass::Columns, Pass::Small, Pass::RunPerThread, Pass::RowPerGroup];
        if combine.reduce != Reduce::Replace {
            passes.push(Pass::ApplyCounted);
        }
        // Whatever is atomic for a buffer of values is so for a scalar too.
        let is_scalar = true;
        if combine.is_atomic(width, is_scalar) {
            passes.push(Pass::Atomics);
            if width == Width::Four {
                passes.extend([Pass::AtomicsQuads, Pass::AtomicsRows]);
            }
        }
        passes.into_iter().map(move |pass| Self { pass, width, combine })
    }

    /// Every multiply of a dtype.
    fn multiplies(dtype: DType, float32: Arithmetic) -> impl Iterator<Item = Self> {
        let acts = Activation::ALL.iter().copied().filter(move |act| act.takes(dtype)).map(Some);
        acts.chain([None]).flat_map(move |act| {
            let all =
                QuadAccess::ALL.iter().flat_map(|&y| [false, true].map(|in_place| Operands { y, in_place }));
            // `mul_` has no activation.
            all.filter(move |operands| act.is_none() || !operands.in_place)
                .filter_map(move |operands| Self::multiply(dtype, float32, act, operands))
        })
    }

    /// Enough shaders to compile every part together with those that it calls. The accesses and the activations of a
    /// multiply do not call each other, and all combinations of them would take a slow adapter many minutes.
    pub(crate) fn each_part() -> impl Iterator<Item = Self> {
        let is_needed = |key: &Self| match key.pass {
            Pass::Multiply(act, Operands { y, in_place })
            | Pass::MultiplyNative(act, Operands { y, in_place }) => {
                y == QuadAccess::Same || (act == Act::None && !in_place)
            }
            _ => true,
        };
        Self::all().filter(is_needed)
    }

    /// The multiply for a dtype with an activation that takes it; `None` where no shader does it yet. `float32` is what the probe
    /// allows.
    pub fn multiply(
        dtype: DType,
        float32: Arithmetic,
        act: Option<Activation>,
        operands: Operands,
    ) -> Option<Self> {
        let act = Act::select(act, dtype)?;
        // With guards, and an activation, every product is made in integers.
        let pass = match (float32, act) {
            (Arithmetic::Native, _) if dtype == DType::Float32 => Pass::MultiplyNative(act, operands),
            (Arithmetic::Guarded, Act::None) if dtype == DType::Float32 => Pass::MultiplyGuarded(operands),
            _ => Pass::Multiply(act, operands),
        };
        Some(Self { pass, width: Width::of(dtype), combine: Combine::select(dtype, Reduce::Multiply) })
    }

    /// The gather of elements or larger units of a width. Those that share a word have a pass that makes whole words.
    pub(crate) fn gather(width: Width) -> Self {
        let pass = if matches!(width, Width::One | Width::Two) { Pass::GatherPacked } else { Pass::Gather };
        Self::units(pass, width)
    }

    /// A pass that moves or looks at units of a width, and combines nothing.
    pub(crate) const fn units(pass: Pass, width: Width) -> Self {
        Self { pass, width, combine: Combine::REPLACE }
    }

    /// A pass over words that are no elements: rows, entries, counts.
    pub(crate) const fn words(pass: Pass) -> Self {
        Self::units(pass, Width::Four)
    }

    /// A pass of a histogram that computes with float64 numbers, in integers.
    pub(crate) fn doubles(pass: Pass) -> Self {
        // The parts of quotients have sums and products too.
        let combine = Combine::select(DType::Float64, Reduce::Divide);
        Self { pass, width: Width::Eight, combine }
    }

    /// The multiply of float32 with the adapter's floats and without an activation.
    pub(crate) fn native_multiply(operands: Operands) -> Self {
        let combine = Combine::select(DType::Float32, Reduce::Multiply);
        Self { pass: Pass::MultiplyNative(Act::None, operands), width: Width::Four, combine }
    }

    /// The shader that makes the same products in integers; `None` unless this one makes them with the adapter's floats. An activation uses
    /// these in both.
    pub(crate) fn strict(self) -> Option<Self> {
        let pass = match self.pass {
            Pass::MultiplyNative(act, operands) => Pass::Multiply(act, operands),
            Pass::MultiplyGuarded(operands) => Pass::Multiply(Act::None, operands),
            _ => return None,
        };
        Some(Self { pass, ..self })
    }

    /// The text of the shader: what all passes share, then the elements and their arithmetic, then the pass.
    pub fn source(self) -> String {
        let Row { main, parts, .. } = self.pass.row();
        let mut text = FRAME.to_owned();
        add(&mut text, parts);
        match self.pass {
            Pass::Multiply(act, operands) | Pass::MultiplyNative(act, operands) => {
                text += self.width.products(act);
                self.add_parts_of_multiply(&mut text, act, operands);
            }
            Pass::MultiplyGuarded(operands) => self.add_parts_of_multiply(&mut text, Act::None, operands),
            Pass::ProbeWorkgroup | Pass::Seal => {}
            _ => self.add_parts_of_elements(&mut text),
        }
        text + main
    }

    /// Adds how a multiply loads quads and what it makes of each pair of elements.
    fn add_parts_of_multiply(self, text: &mut String, act: Act, operands: Operands) {
        add(text, self.width.quad_parts());
        *text += operands.x_part();
        add(text, operands.y.parts());
        if let Pass::MultiplyNative(..) = self.pass {
            add(text, &[NATIVE_FLOAT, shader!("lib/combine_multiply_float.wgsl")]);
            if act.uses_strict_float() {
                *text += STRICT_FLOAT;
            }
        } else {
            // Activations of floats call a part that the product of their dtype calls too.
            self.add_combine(text);
        }
        *text += PRODUCT;
        *text += &act.source();
    }

    /// Adds how any other pass loads elements and what it computes with them.
    fn add_parts_of_elements(self, text: &mut String) {
        *text += self.width.part();
        match self.pass {
            Pass::Atomics | Pass::AtomicsQuads | Pass::AtomicsRows => {
                *text += shader!("lib/atomic.wgsl");
                *text += self.combine.atomic_part(self.width).unwrap_or_default();
            }
            Pass::Columns | Pass::Small | Pass::RunPerThread | Pass::RowPerGroup | Pass::ScanRuns => {
                self.add_combine(text);
            }
            Pass::ApplyCounted => {
                self.add_combine(text);
                *text += &self.combine.repeat_part();
            }
            Pass::DivideByCounts => add(text, self.combine.mean_parts()),
            Pass::Edges | Pass::Density => add(text, self.combine.arithmetic()),
            Pass::Validate
            | Pass::Report
            | Pass::Mark
            | Pass::Choose
            | Pass::Commit
            | Pass::Count
            | Pass::Normalise => {}
            Pass::DigitCount | Pass::DigitScan | Pass::DigitScatter | Pass::Resolve | Pass::Divisors => {}
            Pass::Gather | Pass::GatherPacked | Pass::GatherQuads => {}
            Pass::Extent | Pass::Bins | Pass::Convert => {}
            Pass::Multiply(..) | Pass::MultiplyNative(..) | Pass::MultiplyGuarded(_) => {}
            Pass::ProbeWorkgroup | Pass::Seal => {}
        }
    }

    /// Adds the function `combine` and what it calls.
    fn add_combine(self, text: &mut String) {
        add(text, self.combine.arithmetic());
        add(text, self.combine.parts());
    }
}

fn add(text: &mut String, parts: &[&str]) {
    for part in parts {
        *text += part;
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use wgpu::naga::front::wgsl;
    use wgpu::naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
    use wgpu::naga::{AddressSpace, BinaryOperator, Expression, Handle, Module, ScalarKind, Type, TypeInner};

    use super::*;
    use crate::backend::gpu::shaders::params::Member;

    /// A shader as naga understands it, or what is wrong with it.
    fn parsed(key: ShaderKey) -> Result<(Module, ModuleInfo), String> {
        let source = key.source();
        let module = wgsl::parse_str(&source).map_err(|error| error.emit_to_string(&source))?;
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .map_err(|error| error.emit_to_string(&source))?;
        Ok((module, info))
    }

    #[test]
    fn every_shader_is_valid() {
        let mut count = 0;
        for key in ShaderKey::all() {
            let (module, _) = parsed(key).unwrap_or_else(|error| panic!("{key:?}: {error}"));
            let declared = module.entry_points.first().map(|main| main.workgroup_size);
            assert_eq!(declared, Some([key.pass.workgroup(), 1, 1]), "{key:?}");
            let mut variables = module.global_variables.iter().map(|(_, variable)| variable);
            let params =
                variables.find(|variable| variable.binding.is_some_and(|at| at.binding == 0)).unwrap();
            assert_members(&module, params.ty, key.pass.row().params, key);
            assert!(!has_workgroup_atomics(&module), "{key:?}: some drivers lose atomic additions there");
            count += 1;
        }
        assert!(count > 800, "only {count} shaders");
    }

    /// Whether a variable in workgroup memory is, or holds, an atomic.
    fn has_workgroup_atomics(module: &Module) -> bool {
        fn is_atomic(module: &Module, ty: Handle<Type>) -> bool {
            match &module.types[ty].inner {
                TypeInner::Atomic(_) => true,
                TypeInner::Array { base, .. } => is_atomic(module, *base),
                TypeInner::Struct { members, .. } => {
                    members.iter().any(|member| is_atomic(module, member.ty))
                }
                _ => false,
            }
        }
        let mut variables = module.global_variables.iter().map(|(_, variable)| variable);
        variables.any(|variable| variable.space == AddressSpace::WorkGroup && is_atomic(module, variable.ty))
    }

    /// Only products of a multiply that is tried and activations of floats use the adapter's floats; a scatter does not, by construction. What
    /// a compiler could fuse with a product sees only the product's bits, xored with a word that it does not know.
    #[test]
    fn only_multiplies_that_are_tried_use_floats() {
        let mut products = 0;
        for key in ShaderKey::all() {
            let (module, info) = parsed(key).unwrap();
            let is_float = |inner: &TypeInner| inner.scalar_kind() == Some(ScalarKind::Float);
            let main = &module.entry_points[0].function;
            for (at, _) in main.expressions.iter() {
                let inner = info.get_entry_point(0)[at].ty.inner_with(&module.types);
                assert!(!is_float(inner), "{key:?}: main");
            }
            let is_tried = key.strict().is_some();
            let has_activation = matches!(
                key.pass,
                Pass::Multiply(Act::Float(_) | Act::Float16(_) | Act::Bfloat16(_), _)
                    | Pass::MultiplyNative(Act::Float(_), _)
            );
            for (handle, function) in module.functions.iter() {
                let name = function.name.as_deref().unwrap_or_default();
                let floats = function
                    .expressions
                    .iter()
                    .filter(|(at, _)| is_float(info[handle][*at].ty.inner_with(&module.types)));
                match name {
                    "native_multiply" => {
                        assert!(is_tried, "{key:?}");
                        let binaries = function.expressions.iter().filter_map(|(_, e)| match e {
                            Expression::Binary { op, .. } => Some(*op),
                            _ => None,
                        });
                        let expected = [BinaryOperator::Multiply, BinaryOperator::ExclusiveOr];
                        assert_eq!(binaries.collect::<Vec<_>>(), expected, "{key:?}");
                        products += 1;
                    }
                    _ => assert!(floats.count() == 0 || has_activation, "{key:?}: {name}"),
                }
            }
        }
        assert!(products > 20, "only {products} shaders");
    }

    /// Asserts that a struct of WGSL, or each element of an array, has these members, in this order and at these places.
    fn assert_members(module: &Module, ty: Handle<Type>, expected: &[Member], key: ShaderKey) {
        match &module.types[ty].inner {
            TypeInner::Array { base, .. } => assert_members(module, *base, expected, key),
            TypeInner::Struct { members, .. } => {
                assert_eq!(members.len(), expected.len(), "{key:?}");
                for (member, expected) in members.iter().zip(expected) {
                    let size = module.types[member.ty].inner.size(module.to_ctx()) as usize;
                    let found = (member.name.as_deref(), member.offset as usize, size);
                    assert_eq!(found, (Some(expected.name), expected.offset, expected.size), "{key:?}");
                    assert_members(module, member.ty, expected.members, key);
                }
            }
            _ => assert!(expected.is_empty(), "{key:?}"),
        }
    }
}
