//! Shaders by key: the set of keys, and the text of each shader.

use crate::backend::gpu::shaders::act;
use crate::backend::gpu::shaders::arithmetic::Arithmetic;
use crate::backend::gpu::shaders::assemble::{Assembly, FILES, Variant};
use crate::backend::gpu::shaders::combine::{Combine, Kind, WithoutOrder};
use crate::backend::gpu::shaders::layout::{Layout, Samples};
use crate::backend::gpu::shaders::operands::{Operands, QuadAccess};
use crate::backend::gpu::shaders::pass::{Apply, Pass};
use crate::backend::gpu::shaders::width::Width;
use crate::dtype::DType;
use crate::plan::{Activation, Binary, Reduce, Rounding};

/// One shader. Its key has no shape, so a program needs a few dozen shaders at any number of shapes.
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
    /// Every shader that a call can need, built by the functions that calls use. Of the activations of an operation other than a product
    /// only those with equal shapes: the access to operands and the activation do not call each other, and there would be thousands.
    pub fn all() -> impl Iterator<Item = Self> {
        let mut keys = Vec::new();
        keys.extend([Pass::ProbeWorkgroup, Pass::Seal, Pass::Validate, Pass::Report].map(Self::words));
        keys.extend(
            [Pass::Resolve, Pass::Mark, Pass::MarkQuads, Pass::Count, Pass::CountQuads, Pass::Normalise]
                .map(Self::words),
        );
        keys.extend([Pass::DigitCount, Pass::DigitScan, Pass::DigitScatter].map(Self::words));
        let sorts = [Pass::SortKeys, Pass::SortPlaces, Pass::GroupRanks, Pass::GroupEnds];
        keys.extend(sorts.into_iter().chain([Pass::Search, Pass::SearchCheck]).map(Self::words));
        keys.extend([Pass::GatherQuads, Pass::ExactCounts, Pass::ExactSlots].map(Self::words));
        keys.extend([Pass::Edges, Pass::Density].map(Self::doubles));
        let segments = [Pass::SegmentEnds, Pass::SegmentCheck, Pass::SegmentNumbers];
        keys.extend(segments.into_iter().chain([Pass::CheckEdges, Pass::SelectPlaces]).map(Self::words));
        keys.extend(Layout::WHOLE.map(|layout| Self::words(Pass::Tally(layout))));
        keys.extend([Layout::Int8, Layout::Int16].map(|layout| Self::words(Pass::TallyReport(layout))));
        for samples in Samples::ALL {
            let passes = [Pass::Extent(samples), Pass::Limits(samples.widened())];
            keys.extend(passes.map(Self::words));
            keys.extend([false, true].map(|is_one| Self::words(Pass::Bins(samples, is_one))));
        }
        keys.extend([Pass::Gather, Pass::Commit].map(|pass| Self::units(pass, Width::Sixteen)));
        keys.extend(
            [Width::One, Width::Two, Width::Four].map(|width| Self::units(Pass::SettleFactors, width)),
        );
        for &dtype in DType::ALL {
            let width = Width::of(dtype);
            let combining = |pass, reduce| Self { pass, width, combine: Combine::select(dtype, reduce) };
            keys.push(Self::gather(width));
            keys.push(Self::units(Pass::SparseEntries, width));
            let units = [Pass::Commit, Pass::CommitQuads, Pass::Divisors, Pass::Find];
            keys.extend([Pass::FindWinners, Pass::SettleWinners].map(|pass| Self::units(pass, width)));
            keys.extend(units.map(|pass| Self::units(pass, width)));
            for reduce in [Reduce::Add, Reduce::Maximum, Reduce::Minimum] {
                if reduce != Reduce::Add || !dtype.is_float() {
                    keys.push(combining(Pass::ReduceDims, reduce));
                }
                keys.extend(Arithmetic::ALL.map(|float32| Self::sparse_rows(dtype, reduce, float32)));
            }
            keys.push(combining(Pass::DivideByCounts, Reduce::Divide));
            let others = DType::ALL.iter().filter(|&&to| !dtype.keeps_bits_as(to));
            keys.extend(others.map(|&to| Self::convert(dtype, to)));
            if dtype.is_float() {
                keys.push(combining(Pass::ScanRuns, Reduce::Multiply));
                let exact =
                    [Pass::ExactAdd, Pass::ExactAddQuads, Pass::ExactBegin, Pass::ExactMerge, Pass::ExactEnd];
                keys.extend(exact.map(|pass| Self::exact(pass, dtype)));
            }
            if dtype == DType::Float32 {
                keys.push(Self::exact(Pass::ExactAddRows, dtype));
            }
            for &reduce in Reduce::ALL {
                keys.extend(Self::scatters(width, Combine::select(dtype, reduce)));
            }
            for float32 in Arithmetic::ALL {
                keys.extend(Self::elementwises(dtype, Binary::Multiply, float32));
            }
            for &binary in Binary::ALL.iter().filter(|binary| **binary != Binary::Multiply) {
                keys.extend(Self::elementwises(dtype, binary, Arithmetic::Strict));
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
        // An update that needs no order in a buffer of values needs none as a scalar.
        let is_scalar = true;
        let applied: &[Apply] = match combine.without_order(width, is_scalar) {
            WithoutOrder::No => &[],
            WithoutOrder::Atomics => &[Apply::Update],
            WithoutOrder::Factors => &[Apply::Factor],
            WithoutOrder::Keys if width == Width::Eight => &[Apply::HighKey, Apply::Key],
            WithoutOrder::Keys => &[Apply::Key],
        };
        for &apply in applied {
            passes.extend([Pass::Atomics(apply), Pass::AtomicsQuads(apply)]);
            match apply {
                Apply::Update | Apply::Factor if width == Width::Four => {
                    passes.push(Pass::AtomicsRows(apply))
                }
                Apply::Key => passes.push(Pass::SettleKeys),
                Apply::Update | Apply::Factor | Apply::HighKey => {}
            }
        }
        passes.into_iter().map(move |pass| Self { pass, width, combine })
    }

    /// Every operation `binary` on two tensors of a dtype. Quotients of integers without a rounding, and operations that bool does not
    /// have, are refused by plans.
    fn elementwises(dtype: DType, binary: Binary, float32: Arithmetic) -> impl Iterator<Item = Self> {
        let is_refused = match binary {
            Binary::Divide(None) => !dtype.is_float(),
            Binary::Subtract | Binary::Divide(Some(_)) => dtype == DType::Bool,
            Binary::Add | Binary::Multiply | Binary::Maximum | Binary::Minimum => false,
        };
        let acts = Activation::ALL.iter().copied().filter(move |act| act.takes(dtype)).map(Some);
        acts.chain([None]).filter(move |_| !is_refused).flat_map(move |act| {
            let all = QuadAccess::ALL.iter().flat_map(move |&y| {
                let orders: &[bool] = if binary.commutes() { &[false] } else { &[false, true] };
                orders.iter().flat_map(move |&x_is_second| {
                    [false, true].map(|in_place| Operands { y, in_place, x_is_second })
                })
            });
            // Methods in place and quotients with a rounding have no activation. In place x is the first operand.
            let may_act = move |operands: &Operands| {
                let is_usual =
                    binary == Binary::Multiply || (operands.y == QuadAccess::Same && !operands.x_is_second);
                !operands.in_place
                    && is_usual
                    && !matches!(binary, Binary::Divide(Some(_)) if dtype.is_float())
            };
            let has_act = move |operands: &Operands| act.is_none() || may_act(operands);
            all.filter(has_act)
                .filter(|operands| !(operands.in_place && operands.x_is_second))
                .filter_map(move |operands| Self::elementwise(dtype, binary, float32, act, operands))
        })
    }

    /// Enough shaders to compile every function together with its callees. The accesses, the operation and the activation do not call
    /// each other, and a slow adapter would need many minutes for all their combinations.
    pub(crate) fn each_part() -> impl Iterator<Item = Self> {
        let is_needed = |key: &Self| match key.pass {
            Pass::Elementwise(Binary::Multiply, act, Operands { y, in_place, .. })
            | Pass::MultiplyNative(act, Operands { y, in_place, .. }) => {
                y == QuadAccess::Same || (act.is_none() && !in_place)
            }
            Pass::Elementwise(_, act, Operands { y, in_place, x_is_second }) => {
                y == QuadAccess::Same && !in_place && (act.is_none() || !x_is_second)
            }
            _ => true,
        };
        Self::all().filter(is_needed)
    }

    /// The operation `binary` for a dtype, with an activation for that dtype; `None` if no shader does the activation yet. `float32` is
    /// the arithmetic of products that the probe allows. All other results are computed in integers.
    pub fn elementwise(
        dtype: DType,
        binary: Binary,
        float32: Arithmetic,
        act: Option<Activation>,
        operands: Operands,
    ) -> Option<Self> {
        let (binary, act) = act::reduced(dtype, binary, act::select(act, dtype)?);
        // With guards and an activation, integers compute every product.
        let pass = match (float32, binary, act) {
            (Arithmetic::Native, Binary::Multiply, _) if dtype == DType::Float32 => {
                Pass::MultiplyNative(act, operands)
            }
            (Arithmetic::Guarded, Binary::Multiply, None) if dtype == DType::Float32 => {
                Pass::MultiplyGuarded(operands)
            }
            _ => Pass::Elementwise(binary, act, operands),
        };
        let mut combine = Combine::select(dtype, act::reduce(binary));
        if act.is_some() {
            // An activation of integers depends on the sign.
            combine.kind = Kind::of(dtype);
        }
        Some(Self { pass, width: Width::of(dtype), combine })
    }

    /// The gather of elements or larger units of a width. For elements that share a word, a pass writes whole words.
    pub(crate) fn gather(width: Width) -> Self {
        let pass = if matches!(width, Width::One | Width::Two) { Pass::GatherPacked } else { Pass::Gather };
        Self::units(pass, width)
    }

    /// The product of a sparse matrix and a dense one, whose rows are reduced. `float32` is the arithmetic of products that the probe allows.
    pub(crate) fn sparse_rows(dtype: DType, reduce: Reduce, float32: Arithmetic) -> Self {
        let float32 = if dtype == DType::Float32 { float32 } else { Arithmetic::Strict };
        let mut combine = Combine::select(dtype, reduce);
        if dtype == DType::Bfloat16 {
            // Its extremes are those of float32, but not its products.
            combine.kind = Kind::Bfloat16;
        }
        Self { pass: Pass::SparseRows(float32), width: Width::of(dtype), combine }
    }

    /// The conversion from one dtype to another.
    pub(crate) fn convert(from: DType, to: DType) -> Self {
        Self::words(Layout::of(from, to).map_or(Pass::Convert, Pass::ConvertQuads))
    }

    /// A pass that moves or examines units of a width, and combines nothing.
    pub(crate) const fn units(pass: Pass, width: Width) -> Self {
        Self { pass, width, combine: Combine::REPLACE }
    }

    /// A pass over exact sums of a float dtype.
    pub(crate) fn exact(pass: Pass, dtype: DType) -> Self {
        Self { pass, width: Width::of(dtype), combine: Combine::select(dtype, Reduce::Add) }
    }

    /// A pass over words that are not elements: rows, entries, counts.
    pub(crate) const fn words(pass: Pass) -> Self {
        Self::units(pass, Width::Four)
    }

    /// A pass of a histogram over float64 numbers.
    pub(crate) const fn doubles(pass: Pass) -> Self {
        Self::units(pass, Width::Eight)
    }

    /// The multiply of float32 with the adapter's floats and without an activation.
    pub(crate) fn native_multiply(operands: Operands) -> Self {
        let combine = Combine::select(DType::Float32, Reduce::Multiply);
        Self { pass: Pass::MultiplyNative(None, operands), width: Width::Four, combine }
    }

    /// The shader that computes the same products in integers; `None` if this shader does not use the adapter's products. Activations
    /// use the adapter's floats in both.
    pub(crate) fn strict(self) -> Option<Self> {
        let pass = match self.pass {
            Pass::MultiplyNative(act, operands) => Pass::Elementwise(Binary::Multiply, act, operands),
            Pass::MultiplyGuarded(operands) => Pass::Elementwise(Binary::Multiply, None, operands),
            Pass::SparseRows(Arithmetic::Native | Arithmetic::Guarded) => {
                Pass::SparseRows(Arithmetic::Strict)
            }
            _ => return None,
        };
        Some(Self { pass, ..self })
    }

    /// The text of the shader.
    pub fn source(self) -> String {
        Assembly::of(FILES, self.pass.file().name, self.variant()).text()
    }

    /// The flags and names for its files.
    fn variant(self) -> Variant {
        let (pass, elementwise) = self.pass.variant();
        let [repeat, kind] = self.combine.flags();
        let mut flags = [self.width.flags(), kind, pass, repeat].concat();
        let [mut act_name, mut act_file] = ["", ""];
        if let Some((act, operands)) = elementwise {
            flags.extend_from_slice(&operands.flags());
            if let Some((name, file)) = self.then(act) {
                flags.push("ACT");
                (act_name, act_file) = (name, file);
            }
        }
        if let Pass::ConvertQuads(layouts) = self.pass {
            flags.extend(Layout::flags(layouts));
        }
        if let Pass::Tally(layout) | Pass::TallyReport(layout) = self.pass {
            flags.extend(layout.source_flags());
        }
        if let Pass::Extent(samples) | Pass::Limits(samples) | Pass::Bins(samples, _) = self.pass {
            flags.extend(samples.flags());
        }
        Variant { flags, values: [("REDUCE", self.file()), ("ACT", act_name), ("ACT_FILE", act_file)] }
    }

    /// The function that is applied to each result of an operation on two tensors, and its file. A quotient of floats may be truncated.
    fn then(self, act: Option<Activation>) -> Option<(&'static str, &'static str)> {
        match (act, self.pass) {
            (Some(act), _) => Some((act.name(), act::file(act, self.combine.kind))),
            (None, Pass::Elementwise(Binary::Divide(Some(Rounding::Trunc)), ..)) => {
                Some(("trunc", act::file(Activation::Floor, self.combine.kind)))
            }
            (None, _) => None,
        }
    }

    /// The file of `shaders/combine/` with the operation.
    fn file(self) -> &'static str {
        match self.pass {
            Pass::Elementwise(Binary::Subtract, ..) => "subtract",
            _ => self.combine.file(),
        }
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use std::collections::{HashMap, HashSet};
    use std::fs;

    use wgpu::naga::front::wgsl;
    use wgpu::naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
    use wgpu::naga::{AddressSpace, BinaryOperator, Expression, Handle, Module, ScalarKind, Type, TypeInner};

    use super::*;
    use crate::backend::gpu::shaders::params::Member;

    /// naga's module of a shader, or naga's error.
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
            assert_members(&module, params.ty, key.pass.file().params, key);
            assert!(!has_workgroup_atomics(&module), "{key:?}: some drivers lose atomic additions there");
            count += 1;
        }
        assert!(count > 800, "only {count} shaders");
    }

    /// No two keys have the same text; otherwise a file ignores a part of the key. Every file is in a shader, and every flag and name
    /// in a file.
    #[test]
    fn every_key_file_and_flag_counts() {
        let (mut texts, mut files, mut words) = (HashMap::new(), HashSet::new(), HashSet::new());
        for key in ShaderKey::all() {
            let Variant { flags, values } = key.variant();
            let shader = Assembly::of(FILES, key.pass.file().name, key.variant());
            files.extend(shader.imported.iter().copied());
            if let Some(other) = texts.insert(shader.text(), key) {
                panic!("{key:?} and {other:?} are the same");
            }
            words.extend(
                flags.into_iter().filter(|flag| !flag.is_empty()).chain(values.map(|(name, _)| name)),
            );
        }
        for (file, _) in FILES {
            assert!(files.contains(file), "no shader has {file}.wgsl");
        }
        for word in words {
            let [asked, filled] = [format!("#ifdef {word}\n"), format!("#{{{word}}}")];
            let is_used = FILES.iter().any(|(_, text)| text.contains(&asked) || text.contains(&filled));
            assert!(is_used, "no file asks for {word}");
        }
    }

    /// Writes whole shaders, with comments, to `target/shaders/` for an editor: `cargo test --lib whole_shaders -- --ignored`.
    #[test]
    #[ignore = "writes files"]
    fn whole_shaders() {
        let folders = fs::read_dir("shaders").unwrap().map(|entry| entry.unwrap().path());
        let mut files = Vec::new();
        for file in folders.filter(|path| path.is_dir()).flat_map(|folder| fs::read_dir(folder).unwrap()) {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            files.push((name, fs::read_to_string(path).unwrap()));
        }
        let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        fs::create_dir_all("target/shaders").unwrap();
        for key in ShaderKey::each_part() {
            let (file, variant) = (key.pass.file().name, key.variant());
            let values = variant.values.iter().map(|(_, value)| *value);
            let words = variant.flags.iter().copied().chain(values).filter(|word| !word.is_empty());
            let name = [file].into_iter().chain(words).collect::<Vec<_>>().join("-");
            let text = Assembly::of(&files, file, variant).text();
            fs::write(format!("target/shaders/{name}.wgsl"), text).unwrap();
        }
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

    /// Only the tried products of a multiply and the activations of floats use the adapter's floats. A scatter does not, by
    /// construction. A compiler cannot fuse a product: the next operation sees the product's bits, xored with a word that the compiler
    /// does not know.
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
            let is_float_kind = matches!(key.combine.kind, Kind::Float16 | Kind::Bfloat16 | Kind::Float32);
            let has_activation = is_float_kind
                && matches!(key.pass, Pass::Elementwise(_, Some(_), _) | Pass::MultiplyNative(Some(_), _));
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

    /// Asserts that a WGSL struct, or each element of an array, has these members in this order and at these offsets.
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
