//! Shaders by key, and the parts that each is put together from.

use crate::backend::gpu::combine::{Kind, NATIVE_FLOAT, STRICT_FLOAT, WIDE};
use crate::backend::gpu::pass::Pass;
use crate::backend::gpu::{Act, Arithmetic, Combine, QuadAccess};
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

    fn part(self) -> &'static str {
        match self {
            Self::One => shader!("lib/width_1.wgsl"),
            Self::Two => shader!("lib/width_2.wgsl"),
            Self::Four => shader!("lib/width_4.wgsl"),
            Self::Eight => shader!("lib/width_8.wgsl"),
            Self::Sixteen => shader!("lib/width_16.wgsl"),
        }
    }

    /// Elements in four words.
    pub(super) fn per_quad(self) -> usize {
        match self {
            Self::One => 16,
            Self::Two => 8,
            Self::Four => 4,
            Self::Eight => 2,
            Self::Sixteen => 1,
        }
    }

    /// The parts of a multiply, which computes whole quads; other passes have [`Width::part`].
    fn quad_parts(self) -> &'static [&'static str] {
        const NARROW: &str = shader!("broadcast/quad_narrow.wgsl");
        match self {
            Self::One => &[shader!("broadcast/quad_1.wgsl"), NARROW],
            Self::Two => &[shader!("broadcast/quad_2.wgsl"), NARROW],
            Self::Four => &[shader!("broadcast/quad_4.wgsl")],
            Self::Eight => &[shader!("broadcast/quad_8.wgsl")],
            Self::Sixteen => &[],
        }
    }

    /// How the products of a quad are computed.
    fn products(self, act: Act) -> &'static str {
        match (act, self) {
            (Act::None, Self::One | Self::Two) => {
                shader!("broadcast/unrolled_narrow.wgsl")
            }
            (Act::None, Self::Four) => shader!("broadcast/unrolled_4.wgsl"),
            (Act::None, Self::Eight) => shader!("broadcast/unrolled_8.wgsl"),
            _ => shader!("broadcast/looped.wgsl"),
        }
    }
}

/// Sums over the lanes of a workgroup.
const SCAN: &str = shader!("lib/scan.wgsl");

/// What every pass begins with.
const FRAME: &str = shader!("lib/frame.wgsl");

/// float64 numbers as integers that have their order.
const ORDERED: &str = shader!("lib/ordered.wgsl");

const PRODUCT: &str =
    "fn product(a: Element, b: Element) -> Element {\n    return activate(combine(a, b));\n}\n";

/// One shader. No shape is in its key, so that a few dozen shaders serve every call.
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
        let mut keys = vec![
            Self::VALIDATE,
            Self::RESOLVE,
            Self::CONVERT,
            Self::PROBE,
            Self::PROBE_WORKGROUP,
            Self::SEAL,
        ];
        keys.extend([Pass::Mark, Pass::Choose, Pass::Count, Pass::Normalise].map(Self::words));
        keys.extend([Pass::DigitCount, Pass::DigitScan, Pass::DigitScatter, Pass::Bins].map(Self::words));
        keys.extend([Pass::Extent, Pass::Edges, Pass::Density].map(Self::doubles));
        for &dtype in DType::ALL {
            let width = Width::of(dtype);
            let mut add = |pass, combine| {
                let key = Self { pass, width, combine };
                if !keys.contains(&key) {
                    keys.push(key);
                }
            };
            add(Self::gather(width).pass, Combine::REPLACE);
            add(Pass::Commit, Combine::REPLACE);
            add(Pass::Divisors, Combine::REPLACE);
            add(Pass::DivideByCounts, Combine::select(dtype, Reduce::Divide, Arithmetic::Strict));
            if dtype.is_float() {
                add(Pass::ScanRuns, Combine::select(dtype, Reduce::Multiply, Arithmetic::Strict));
            }
            for &reduce in Reduce::ALL {
                for float32 in Arithmetic::ALL {
                    let combine = Combine::select(dtype, reduce, float32);
                    for pass in [Pass::Columns, Pass::Small, Pass::RunPerThread, Pass::RowPerGroup] {
                        add(pass, combine);
                    }
                    if reduce != Reduce::Replace {
                        add(Pass::ApplyCounted, combine);
                    }
                    if combine.is_atomic(width, true) {
                        add(Pass::Atomics, combine);
                        if width == Width::Four {
                            add(Pass::AtomicsQuads, combine);
                        }
                    }
                }
            }
        }
        keys.push(Self::words(Pass::GatherQuads));
        for pass in [Pass::Gather, Pass::Commit] {
            keys.push(Self { pass, width: Width::Sixteen, combine: Combine::REPLACE });
        }
        keys.extend(Self::all_multiplies());
        keys.into_iter()
    }

    /// Enough of them to compile every part together with those that it calls. The accesses and the activations of a
    /// multiply do not call each other, and all combinations of them would take a slow adapter many minutes.
    pub(super) fn each_part() -> impl Iterator<Item = Self> {
        let meets = |key: &Self| match key.pass {
            Pass::Multiply(act, access) => act == Act::None || access == QuadAccess::Same,
            _ => true,
        };
        Self::all().filter(meets)
    }

    /// Every multiply that a call can need.
    fn all_multiplies() -> Vec<Self> {
        let mut keys = Vec::new();
        let acts = || std::iter::once(None).chain(Activation::ALL.iter().copied().map(Some));
        for &dtype in DType::ALL {
            for float32 in Arithmetic::ALL {
                let acts = acts().filter(|act| act.is_none_or(|act| act.takes(dtype)));
                for act in acts {
                    let accesses = QuadAccess::ALL.iter();
                    for key in accesses.filter_map(|&access| Self::multiply(dtype, float32, act, access)) {
                        if !keys.contains(&key) {
                            keys.push(key);
                        }
                    }
                }
            }
        }
        keys
    }

    /// The multiply for a dtype with an activation that takes it; `None` where no shader does it yet.
    pub fn multiply(
        dtype: DType,
        float32: Arithmetic,
        act: Option<Activation>,
        access: QuadAccess,
    ) -> Option<Self> {
        let act = Act::select(act, dtype)?;
        // Guarded products are a pass of their own; it and all others compute in integers what they do not leave to the adapter.
        let native = if float32 == Arithmetic::Native { float32 } else { Arithmetic::Strict };
        let combine = Combine::select(dtype, Reduce::Multiply, native);
        let pass = match (combine.kind, float32, act) {
            (Kind::StrictFloat32, Arithmetic::Guarded, Act::None) => Pass::MultiplyGuarded(access),
            _ => Pass::Multiply(act, access),
        };
        Some(Self { pass, width: Width::of(dtype), combine })
    }

    /// The gather of elements or larger units of a width.
    pub(super) fn gather(width: Width) -> Self {
        let pass = if matches!(width, Width::One | Width::Two) { Pass::GatherPacked } else { Pass::Gather };
        Self { pass, width, combine: Combine::REPLACE }
    }

    /// A pass over words that are no elements: rows, entries, counts.
    pub(super) fn words(pass: Pass) -> Self {
        Self { pass, width: Width::Four, combine: Combine::REPLACE }
    }

    /// A pass of a histogram that computes with float64 numbers, in integers.
    pub(super) fn doubles(pass: Pass) -> Self {
        let combine = Combine::select(DType::Float64, Reduce::Divide, Arithmetic::Strict);
        Self { pass, width: Width::Eight, combine }
    }

    /// The check of index values, which touches no element.
    pub const VALIDATE: Self = Self { pass: Pass::Validate, width: Width::Four, combine: Combine::REPLACE };

    /// What an index value out of bounds means, in a mode other than raise.
    pub const RESOLVE: Self = Self { pass: Pass::Resolve, width: Width::Four, combine: Combine::REPLACE };

    /// The conversion, which writes whole words.
    pub const CONVERT: Self = Self { pass: Pass::Convert, width: Width::Four, combine: Combine::REPLACE };

    /// The probe of the adapter's arithmetic.
    pub const PROBE: Self = Self { pass: Pass::Probe, width: Width::Four, combine: Combine::REPLACE };

    /// The probe of what passes need beside arithmetic.
    pub const PROBE_WORKGROUP: Self =
        Self { pass: Pass::ProbeWorkgroup, width: Width::Four, combine: Combine::REPLACE };

    /// The end of a batch.
    pub const SEAL: Self = Self { pass: Pass::Seal, width: Width::Four, combine: Combine::REPLACE };

    /// The shader that does the same without the adapter's floats; `None` for one that does not use them.
    pub(super) fn strict(self) -> Option<Self> {
        let pass = match self.pass {
            Pass::MultiplyGuarded(access) => Pass::Multiply(Act::None, access),
            pass if matches!(self.combine.kind, Kind::NativeFloat32 | Kind::GuardedFloat32) => pass,
            _ => return None,
        };
        Some(Self { pass, combine: Combine { kind: Kind::StrictFloat32, ..self.combine }, ..self })
    }

    /// The text of the shader: what all passes share, then the elements and their arithmetic, then the pass.
    pub fn source(self) -> String {
        let mut text = FRAME.to_owned();
        match self.pass {
            Pass::Multiply(act, access) => self.add_parts_of_multiply(&mut text, act, access),
            Pass::MultiplyGuarded(access) => self.add_parts_of_multiply(&mut text, Act::None, access),
            Pass::Probe => text += NATIVE_FLOAT,
            Pass::ProbeWorkgroup => text += SCAN,
            Pass::Seal => {}
            _ => self.add_parts_of_index(&mut text),
        }
        text += match (self.pass, self.combine.kind) {
            (Pass::Columns, Kind::GuardedFloat32) => shader!("index/columns_guarded.wgsl"),
            (pass, _) => pass.main_part(),
        };
        text
    }

    /// The parts of a multiply but for its main function.
    fn add_parts_of_multiply(self, text: &mut String, act: Act, access: QuadAccess) {
        *text += shader!("broadcast/operands.wgsl");
        add(text, self.width.quad_parts());
        add(text, access.parts());
        let is_guarded = matches!(self.pass, Pass::MultiplyGuarded(_));
        *text += if is_guarded { NATIVE_FLOAT } else { self.width.products(act) };
        let arithmetic = self.combine.arithmetic();
        add(text, arithmetic);
        if act.uses_strict_float() && !arithmetic.contains(&STRICT_FLOAT) {
            *text += STRICT_FLOAT;
        }
        add(text, self.combine.parts());
        *text += PRODUCT;
        *text += &act.source();
    }

    /// The parts of any other pass but for its main function.
    fn add_parts_of_index(self, text: &mut String) {
        add(text, self.pass.shared_parts());
        *text += self.width.part();
        match self.pass {
            Pass::Atomics | Pass::AtomicsQuads => {
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
            Pass::DigitScan | Pass::DigitScatter => *text += SCAN,
            Pass::Extent | Pass::Convert => *text += WIDE,
            Pass::Bins => add(text, &[WIDE, ORDERED]),
            Pass::Edges | Pass::Density => {
                add(text, self.combine.arithmetic());
                add(text, &[ORDERED, shader!("lib/round_double.wgsl")]);
            }
            Pass::Validate | Pass::Mark | Pass::Choose | Pass::Commit | Pass::Count | Pass::Normalise => {}
            Pass::DigitCount | Pass::Resolve | Pass::Divisors => {}
            Pass::Gather | Pass::GatherPacked | Pass::GatherQuads => {}
            Pass::Multiply(..) | Pass::MultiplyGuarded(_) => {}
            Pass::Probe | Pass::ProbeWorkgroup | Pass::Seal => {}
        }
    }

    /// The function `combine` and what it calls.
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
    use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};
    use wgpu::naga::{self, front::wgsl};

    use super::*;
    use crate::backend::gpu::params;

    #[test]
    fn every_shader_is_valid() {
        let mut count = 0;
        for key in ShaderKey::all() {
            let source = key.source();
            let module = wgsl::parse_str(&source)
                .unwrap_or_else(|error| panic!("{key:?}: {}", error.emit_to_string(&source)));
            Validator::new(ValidationFlags::all(), Capabilities::empty())
                .validate(&module)
                .unwrap_or_else(|error| panic!("{key:?}: {}", error.emit_to_string(&source)));
            let declared = module.entry_points.first().map(|main| main.workgroup_size);
            assert_eq!(declared, Some([key.pass.workgroup(), 1, 1]), "{key:?}");
            assert_eq!(members_of_params(&module), members(key.pass.block().members), "{key:?}");
            assert!(!has_workgroup_atomics(&module), "{key:?}: some drivers lose atomic additions there");
            count += 1;
        }
        assert!(count > 800, "only {count} shaders");
    }

    fn has_workgroup_atomics(module: &naga::Module) -> bool {
        fn is_atomic(module: &naga::Module, ty: naga::Handle<naga::Type>) -> bool {
            match &module.types[ty].inner {
                naga::TypeInner::Atomic(_) => true,
                naga::TypeInner::Array { base, .. } => is_atomic(module, *base),
                naga::TypeInner::Struct { members, .. } => {
                    members.iter().any(|member| is_atomic(module, member.ty))
                }
                _ => false,
            }
        }
        let mut variables = module.global_variables.iter().map(|(_, variable)| variable);
        variables
            .any(|variable| variable.space == naga::AddressSpace::WorkGroup && is_atomic(module, variable.ty))
    }

    /// No float operation that bits are promised of is out of `observed`: a compiler could regroup or fuse it.
    #[test]
    fn every_promised_rounding_is_observed() {
        let is_promised = |key: &ShaderKey| match key.pass {
            Pass::Multiply(act, _) => act == Act::None,
            _ => true,
        };
        let mut operations = 0;
        for key in ShaderKey::all().filter(is_promised) {
            let module = wgsl::parse_str(&key.source()).unwrap();
            let info =
                Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module).unwrap();
            for (handle, function) in module.functions.iter() {
                let name = function.name.as_deref().unwrap_or_default();
                let is_float = |at: naga::Handle<naga::Expression>| {
                    let inner = info[handle][at].ty.inner_with(&module.types);
                    inner.scalar_kind() == Some(naga::ScalarKind::Float)
                };
                for (at, expression) in function.expressions.iter() {
                    match expression {
                        naga::Expression::Binary { left, .. } if is_float(*left) => {
                            assert!(matches!(name, "native_add" | "native_multiply"), "{key:?}: {name}");
                            // Nothing but the call is made with it.
                            let is_argument = |statement: &naga::Statement| matches!(statement, naga::Statement::Call { arguments, .. } if arguments == &[at]);
                            assert!(function.body.iter().any(is_argument), "{key:?}: {name}");
                            operations += 1;
                        }
                        naga::Expression::Math { arg, .. } => assert!(!is_float(*arg), "{key:?}: {name}"),
                        _ => {}
                    }
                }
                let is_xor = |expression: &naga::Expression| {
                    matches!(
                        expression,
                        naga::Expression::Binary { op: naga::BinaryOperator::ExclusiveOr, .. }
                    )
                };
                if name == "observed" {
                    assert!(function.expressions.iter().any(|(_, expression)| is_xor(expression)));
                }
            }
            let main = &module.entry_points[0].function;
            for (at, _) in main.expressions.iter() {
                let inner = info.get_entry_point(0)[at].ty.inner_with(&module.types);
                assert_ne!(inner.scalar_kind(), Some(naga::ScalarKind::Float), "{key:?}");
            }
        }
        assert!(operations > 20, "only {operations} operations");
    }

    /// Name, offset, size, and the members of a member.
    #[derive(Debug, PartialEq)]
    struct Declared(String, usize, usize, Vec<Self>);

    /// The Rust side.
    fn members(of: &[params::Member]) -> Vec<Declared> {
        let declared = |m: &params::Member| Declared(m.name.into(), m.offset, m.size, members(m.members));
        of.iter().map(declared).collect()
    }

    /// The WGSL side: the struct of binding 0.
    fn members_of_params(module: &naga::Module) -> Vec<Declared> {
        let at = |variable: &naga::GlobalVariable| variable.binding.map(|at| at.binding);
        let params = module.global_variables.iter().find(|(_, variable)| at(variable) == Some(0));
        params.map(|(_, params)| members_of_type(module, params.ty)).unwrap_or_default()
    }

    fn members_of_type(module: &naga::Module, ty: naga::Handle<naga::Type>) -> Vec<Declared> {
        match &module.types[ty].inner {
            naga::TypeInner::Array { base, .. } => members_of_type(module, *base),
            naga::TypeInner::Struct { members, .. } => members
                .iter()
                .map(|member| {
                    let size = module.types[member.ty].inner.size(module.to_ctx()) as usize;
                    let name = member.name.clone().unwrap_or_default();
                    Declared(name, member.offset as usize, size, members_of_type(module, member.ty))
                })
                .collect(),
            _ => Vec::new(),
        }
    }
}
