//! Shaders by key: the set of keys, and the text of each shader.

use crate::dtype::DType;
use crate::engine::gpu::shaders::act;
use crate::engine::gpu::shaders::apply::Apply;
use crate::engine::gpu::shaders::arithmetic::Arithmetic;
use crate::engine::gpu::shaders::assemble::{Assembly, FILES, Variant};
use crate::engine::gpu::shaders::combine::{Combine, Kind, WithoutOrder};
use crate::engine::gpu::shaders::layout::{Layout, Samples};
use crate::engine::gpu::shaders::operands::{Operands, QuadAccess};
use crate::engine::gpu::shaders::params::Keys;
use crate::engine::gpu::shaders::pass::Pass;
use crate::engine::gpu::shaders::width::Width;
use crate::plan::activation::Activation;
use crate::plan::binary::{Binary, Rounding};
use crate::plan::reduce::Reduce;

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
        let floats = || DType::ALL.iter().copied().filter(|dtype| dtype.is_float());
        let mut keys = Vec::new();
        for &(pass, of) in Pass::KEYS {
            match of {
                Keys::Words => keys.push(Self::words(pass)),
                Keys::Doubles => keys.push(Self::doubles(pass)),
                Keys::Elements => {
                    keys.extend(DType::ALL.iter().map(|&dtype| Self::units(pass, Width::of(dtype))));
                }
                Keys::Exact => keys.extend(floats().map(|dtype| Self::exact(pass, dtype))),
            }
        }
        keys.push(Self::exact(Pass::ExactAddRows, DType::Float32));
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
        let (pass, elementwise) = self.of_pass();
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
        let params = self.pass.file().params;
        Variant {
            params,
            flags,
            values: [("REDUCE", self.file()), ("ACT", act_name), ("ACT_FILE", act_file)],
        }
    }

    /// The flags for the files of its pass, and the variant of an operation on two tensors.
    fn of_pass(self) -> (&'static [&'static str], Option<(Option<Activation>, Operands)>) {
        match self.pass {
            Pass::Atomics(apply) | Pass::AtomicsQuads(apply) | Pass::AtomicsRows(apply) => {
                (apply.flags(), None)
            }
            Pass::ExactAdd | Pass::ExactAddQuads | Pass::ExactAddRows => (&["EXACT"], None),
            Pass::Count | Pass::CountQuads => (&["COUNT"], None),
            Pass::Elementwise(Binary::Divide(Some(Rounding::Floor)), act, operands) => {
                (&["FLOOR"], Some((act, operands)))
            }
            Pass::Elementwise(_, act, operands) => (&[], Some((act, operands))),
            Pass::MultiplyNative(act, operands) => (&["NATIVE"], Some((act, operands))),
            Pass::MultiplyGuarded(operands) => (&[], Some((None, operands))),
            Pass::Bins(_, true) => (&["ONE_COLUMN"], None),
            Pass::SparseRows(float32) => (float32.flags(), None),
            _ => (&[], None),
        }
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

    /// The file of `shaders/lib/` with the operation.
    fn file(self) -> &'static str {
        match self.pass {
            Pass::Elementwise(Binary::Subtract, ..) => "subtract",
            _ => self.combine.file(),
        }
    }
}

/// A pass over words.
impl From<Pass> for ShaderKey {
    fn from(pass: Pass) -> Self {
        Self::words(pass)
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
pub(crate) mod tests;
