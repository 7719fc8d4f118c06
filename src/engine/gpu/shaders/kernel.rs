//! Shaders by key: the set of keys, and the text of each shader.

use crate::DType;
use crate::engine::gpu::shaders::act;
use crate::engine::gpu::shaders::assemble::FILES;
use crate::engine::gpu::{
    Apply, Arithmetic, Assembly, Combine, Keys, Kind, Layout, Operands, Pass, QuadAccess, Samples, Variant,
    WORKGROUP, Width, WithoutOrder,
};
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
        let floats = || DType::ALL.iter().copied().filter(|dtype| dtype.is_float());
        let mut keys = Vec::new();
        for &(pass, of) in Pass::KEYS {
            match of {
                Keys::Words => keys.push(Self::words(pass)),
                Keys::Doubles => keys.push(Self::doubles(pass)),
                Keys::Elements => {
                    keys.extend(DType::ALL.iter().map(|&dtype| Self::units(pass, Width::of(dtype))));
                }
                Keys::Exact => keys.extend(floats().map(|dtype| Self::of(pass, dtype, Reduce::Add))),
                Keys::ShortExact => {
                    let short = floats().filter(|dtype| dtype.size() <= 4);
                    keys.extend(short.map(|dtype| Self::of(pass, dtype, Reduce::Add)));
                }
            }
        }
        keys.push(Self::of(Pass::ExactAddRows, DType::Float32, Reduce::Add));
        keys.extend(Layout::WHOLE.map(|layout| Self::words(Pass::CountIntegers(layout))));
        keys.extend([Layout::Int8, Layout::Int16].map(|layout| Self::words(Pass::CountReport(layout))));
        for layout in [Layout::Int8, Layout::Int16, Layout::Int32] {
            let passes = [false, true].map(|has_lanes| Pass::WidenDims(has_lanes, layout));
            let sums = [DType::Int32, DType::Int64].iter().skip(usize::from(layout == Layout::Int32));
            keys.extend(sums.flat_map(|&sum| passes.map(|pass| Self::of(pass, sum, Reduce::Add))));
        }
        for samples in Samples::ALL {
            let passes = [Pass::MinMax(samples), Pass::Limits(samples.widened())];
            keys.extend(passes.map(Self::words));
            keys.extend([false, true].map(|is_one| Self::words(Pass::Bins(samples, is_one))));
        }
        keys.extend([Pass::Gather, Pass::Commit].map(|pass| Self::units(pass, Width::Sixteen)));
        for &dtype in DType::ALL {
            let width = Width::of(dtype);
            for reduce in [Reduce::Add, Reduce::Maximum, Reduce::Minimum] {
                let passes = [Pass::ReduceDims(false), Pass::ReduceDims(true)];
                if reduce != Reduce::Add || !dtype.is_float() {
                    keys.extend(passes.map(|pass| Self::of(pass, dtype, reduce)));
                }
                if reduce != Reduce::Add {
                    keys.extend(
                        [Pass::Find(false), Pass::Find(true)].map(|pass| Self::find(pass, dtype, reduce)),
                    );
                }
                keys.extend(Arithmetic::ALL.map(|float32| Self::sparse_rows(dtype, reduce, float32)));
            }
            keys.push(Self::of(Pass::DivideByCounts, dtype, Reduce::Divide));
            let acts = Activation::ALL.iter().filter(|act| act.takes(dtype));
            keys.extend(acts.filter_map(|&act| Self::activate(dtype, Some(act))));
            let others = DType::ALL.iter().filter(|&&to| !dtype.keeps_bits_as(to));
            keys.extend(others.map(|&to| Self::convert(dtype, to)));
            if dtype.is_float() {
                keys.push(Self::of(Pass::ScanRuns, dtype, Reduce::Multiply));
            }
            for &reduce in Reduce::ALL {
                keys.extend(Self::scatters(width, Combine::select(dtype, reduce)));
            }
            for &binary in Binary::ALL {
                keys.extend(
                    Arithmetic::ALL
                        .map(|float32| Self::elementwises(dtype, binary, float32))
                        .into_iter()
                        .flatten(),
                );
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
        passes.extend([Pass::ShortLists, Pass::MediumLists, Pass::LongLists]);
        if combine.repeats() {
            passes.push(Pass::ApplyCounted);
        }
        // An update that needs no order in a buffer of values needs none as a scalar.
        let is_scalar = true;
        let applied: &[Apply] = match combine.without_order(width, is_scalar) {
            WithoutOrder::No => &[],
            WithoutOrder::Atomics if combine.has_losing_sign() => &[Apply::Update, Apply::LosingSign],
            WithoutOrder::Atomics => &[Apply::Update],
            WithoutOrder::Keys if width == Width::Eight => &[Apply::HighKey, Apply::Key],
            WithoutOrder::Keys => &[Apply::Key],
        };
        for &apply in applied {
            passes.extend([Pass::Atomics(apply), Pass::AtomicsQuads(apply)]);
            match apply {
                Apply::Update | Apply::LosingSign if width == Width::Four => {
                    passes.push(Pass::AtomicsRows(apply));
                }
                Apply::Key => passes.push(Pass::ApplyKeys),
                Apply::Update | Apply::LosingSign | Apply::HighKey => {}
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
            | Pass::Native(Binary::Multiply, act, Operands { y, in_place, .. }) => {
                y == QuadAccess::Same || (act.is_none() && !in_place)
            }
            // Products have all activations.
            Pass::Native(_, act, Operands { in_place, .. }) => act.is_none() && !in_place,
            Pass::Guarded(_, Operands { in_place, .. }) => !in_place,
            Pass::Elementwise(_, act, Operands { y, in_place, x_is_second }) => {
                y == QuadAccess::Same && !in_place && (act.is_none() || !x_is_second)
            }
            // Products have all activations.
            Pass::Activate(act) => matches!(act, Activation::Relu | Activation::Exp | Activation::Abs),
            _ => true,
        };
        Self::all().filter(is_needed)
    }

    /// The operation `binary` for a dtype, with an activation for that dtype; `None` if no shader does the activation yet. `float32` is
    /// the arithmetic of sums and products that the probe allows. A quotient that is not rounded to a whole number begins with the adapter's guess, if
    /// it allows any. All other results are computed in integers.
    pub fn elementwise(
        dtype: DType,
        binary: Binary,
        float32: Arithmetic,
        act: Option<Activation>,
        operands: Operands,
    ) -> Option<Self> {
        let (binary, act) = act::reduced(dtype, binary, act::select(act, dtype)?);
        let float32 = if dtype == DType::Float32 { float32 } else { Arithmetic::Strict };
        let pass = match (float32, binary, act) {
            (Arithmetic::Native, Binary::Add | Binary::Subtract | Binary::Multiply, _) => {
                Pass::Native(binary, act, operands)
            }
            (Arithmetic::Guarded, Binary::Add | Binary::Subtract | Binary::Multiply, None)
            | (Arithmetic::Native | Arithmetic::Guarded, Binary::Divide(None), None) => {
                Pass::Guarded(binary, operands)
            }
            // With guards and an activation, integers compute every result.
            (Arithmetic::Guarded, Binary::Add | Binary::Subtract | Binary::Multiply, Some(_))
            | (_, Binary::Divide(_) | Binary::Maximum | Binary::Minimum, _)
            | (Arithmetic::Strict, ..) => Pass::Elementwise(binary, act, operands),
        };
        let mut key = Self::of(pass, dtype, act::reduce(binary));
        if act.is_some() && dtype.is_float() {
            // bfloat16 has the extremes of float32, but not its activations.
            key.combine.kind = Kind::of(dtype);
        }
        Some(key)
    }

    /// An activation alone for a dtype; `None` if it changes no element, or if no shader does it yet.
    pub fn activate(dtype: DType, act: Option<Activation>) -> Option<Self> {
        let mut key = Self::of(Pass::Activate(act::select(act, dtype)??), dtype, Reduce::Multiply);
        if dtype.is_float() {
            key.combine.kind = Kind::of(dtype);
        }
        Some(key)
    }

    /// The product of a sparse matrix and a dense one, whose rows are reduced. `float32` is the arithmetic of products that the probe allows.
    pub(crate) fn sparse_rows(dtype: DType, reduce: Reduce, float32: Arithmetic) -> Self {
        let float32 = if dtype == DType::Float32 { float32 } else { Arithmetic::Strict };
        let mut key = Self::of(Pass::SparseRows(float32), dtype, reduce);
        if dtype == DType::Bfloat16 {
            // Its extremes are those of float32, but not its products.
            key.combine.kind = Kind::Bfloat16;
        }
        key
    }

    /// [`Pass::Find`] for elements of a dtype. Truth values are the bytes 0 and 1.
    pub(crate) fn find(pass: Pass, dtype: DType, reduce: Reduce) -> Self {
        Self::of(pass, if dtype == DType::Bool { DType::Uint8 } else { dtype }, reduce)
    }

    pub(crate) fn convert(from: DType, to: DType) -> Self {
        Self::words(Layout::of(from, to).map_or(Pass::Convert, Pass::ConvertQuads))
    }

    /// A pass that moves or examines units of a width, and combines nothing.
    pub(crate) const fn units(pass: Pass, width: Width) -> Self {
        Self { pass, width, combine: Combine::REPLACE }
    }

    /// A pass that combines elements of a dtype.
    pub(crate) fn of(pass: Pass, dtype: DType, reduce: Reduce) -> Self {
        Self { pass, width: Width::of(dtype), combine: Combine::select(dtype, reduce) }
    }

    /// A pass over words that are not elements: rows, entries, counts.
    pub(crate) const fn words(pass: Pass) -> Self {
        Self::units(pass, Width::Four)
    }

    /// A pass of a histogram over float64 numbers.
    pub(crate) const fn doubles(pass: Pass) -> Self {
        Self::units(pass, Width::Eight)
    }

    /// An operation on float32 with the adapter's floats and without an activation.
    pub(crate) fn native(binary: Binary, operands: Operands) -> Self {
        Self::of(Pass::Native(binary, None, operands), DType::Float32, act::reduce(binary))
    }

    /// The shader that computes the same results in integers; `None` if this shader does not use the adapter's arithmetic. Activations
    /// use the adapter's floats in both.
    pub(crate) fn strict(self) -> Option<Self> {
        let pass = match self.pass {
            Pass::Native(binary, act, operands) => Pass::Elementwise(binary, act, operands),
            Pass::Guarded(binary, operands) => Pass::Elementwise(binary, None, operands),
            Pass::SparseRows(Arithmetic::Native | Arithmetic::Guarded) => {
                Pass::SparseRows(Arithmetic::Strict)
            }
            _ => return None,
        };
        Some(Self { pass, ..self })
    }

    /// The text of the shader, for workgroups of [`WORKGROUP`] threads or of half as many.
    pub fn source(self, workgroup: u32) -> String {
        let mut variant = self.variant();
        if workgroup < WORKGROUP {
            variant.flags.push("SMALL_WORKGROUP");
        }
        Assembly::of(FILES, self.pass.file().name, variant).text()
    }

    /// The flags and names for its files.
    fn variant(self) -> Variant {
        let [repeat, smaller, kind] = self.combine.flags();
        let mut flags = [self.width.flags(), kind, repeat, smaller].concat();
        let mut values = [("REDUCE", self.file()), ("ACT", ""), ("ACT_FILE", "")];
        match self.pass {
            Pass::Atomics(apply) | Pass::AtomicsQuads(apply) | Pass::AtomicsRows(apply) => {
                flags.extend(apply.flags());
            }
            Pass::ExactAdd | Pass::ExactAddQuads | Pass::ExactAddRows => flags.push("EXACT"),
            Pass::Count | Pass::CountQuads => flags.push("COUNT"),
            Pass::SparseRows(float32) => flags.extend(float32.flags()),
            Pass::WidenDims(_, layout) => flags.extend(layout.source_flags()),
            Pass::ConvertQuads(layouts) => flags.extend(Layout::flags(layouts)),
            Pass::CountIntegers(layout) | Pass::CountReport(layout) => flags.extend(layout.source_flags()),
            Pass::MinMax(samples) | Pass::Limits(samples) | Pass::Bins(samples, _) => {
                flags.extend(samples.flags());
            }
            Pass::Activate(act) => {
                let file = act::file(act, self.combine.kind);
                // Only the functions of this file are short enough to be there four times.
                flags.extend(["SAME", "ACT", "ALONE", if file == "act_bits" { "SHORT" } else { "" }]);
                values = [values[0], ("ACT", act.name()), ("ACT_FILE", file)];
            }
            Pass::Elementwise(_, act, operands) | Pass::Native(_, act, operands) => {
                flags.extend(operands.flags());
                if let Some((name, file)) = self.then(act) {
                    flags.push("ACT");
                    values = [values[0], ("ACT", name), ("ACT_FILE", file)];
                }
            }
            Pass::Guarded(_, operands) => flags.extend(operands.flags()),
            _ => {}
        }
        flags.push(match self.pass {
            Pass::Elementwise(Binary::Divide(Some(Rounding::Floor)), ..) => "FLOOR",
            Pass::Native(..) => "NATIVE",
            Pass::Bins(_, true) => "ONE_COLUMN",
            Pass::ReduceDims(true) | Pass::WidenDims(true, _) | Pass::Find(true) => "LANES",
            Pass::AtomicsQuads(_) | Pass::ExactAddQuads | Pass::GatherQuads => "QUADS",
            Pass::MarkQuads | Pass::CountQuads | Pass::CommitQuads => "QUADS",
            Pass::AtomicsRows(_) | Pass::ExactAddRows => "ROWS",
            _ => "",
        });
        Variant { params: self.pass.file().params, flags, values }
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
    pub(crate) fn file(self) -> &'static str {
        match self.pass {
            Pass::Elementwise(Binary::Subtract, ..)
            | Pass::Native(Binary::Subtract, ..)
            | Pass::Guarded(Binary::Subtract, _) => "subtract",
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
