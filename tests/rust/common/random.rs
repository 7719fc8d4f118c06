//! Random calls. A recipe of independent numbers is drawn and then made into a valid call, so that
//! shrinking any of the numbers leaves a valid call.

use proptest::prelude::{Just, Strategy, any};
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use proptest::{collection, prop_oneof, sample};
use scatterwise::{DType, Scalar};

use crate::common::call::{Call, Method, Operand, Update};
use crate::common::data::Data;
use crate::common::pairs::{Numbers, edges};
use crate::common::report::{Fault, Report, Row};

/// Elements that a random table and its index have at most: the oracle is slow. A src may have more.
const MOST: usize = 400;

/// The numbers that a call is made of.
#[derive(Debug, Clone)]
struct Recipe {
    method: Method,
    dtype: DType,
    index_dtype: DType,
    /// For each dimension: self's size, by how much index is shorter, by how much src is longer than index.
    sizes: Vec<(usize, usize, usize)>,
    /// Index entries along dim beyond self's size, where the operator allows that. With tuples: how many there are, modulo 40.
    longer: usize,
    /// The dimension that is addressed. With tuples: their depth less 1.
    dim: usize,
    /// Whether the call counts dim from the end. With tuples: whether they are in one list, not in two.
    from_the_end: bool,
    /// How many different places of an addressed dimension, at most, the entries name.
    spread: u64,
    update: UpdateKind,
    /// Along a dimension, where self holds int32 or int64.
    index_is_self: bool,
    /// Of the values of all elements.
    seed: u64,
}

#[derive(Debug, Clone, Copy)]
enum UpdateKind {
    /// A src with data of its own.
    Own,
    /// self as src; with tuples as `Own`.
    Table,
    Scalar(Scalar),
}

/// Valid calls of these methods on tables of these dtypes, each equally often. Numbers before `=>` are weights of a choice.
pub(crate) fn calls(methods: &'static [Method], dtypes: &'static [DType]) -> impl Strategy<Value = Call> {
    let size = prop_oneof![40 => 2..=6usize, 10 => Just(1), 4 => 7..=100usize, 1 => Just(0)];
    let cut = || prop_oneof![3 => Just(0), 1 => 0..=3usize];
    let scalar = sample::select(vec![
        Scalar::Int(3),
        Scalar::Bool(true),
        Scalar::Int(0),
        Scalar::Float(1.75),
        Scalar::Float(0.1),
        Scalar::Float(2.5),
        Scalar::Int(100),
    ]);
    let update = prop_oneof![
        6 => Just(UpdateKind::Own),
        1 => Just(UpdateKind::Table),
        2 => scalar.prop_map(UpdateKind::Scalar),
    ];
    let shapes =
        (collection::vec((size, cut(), cut()), 1..=8), prop_oneof![Just(0), 0..=200usize], 0..8usize);
    let indices = (sample::select(vec![DType::Int32, DType::Int64]), any::<bool>(), 1..=8u64, 0..10u8);
    let kinds = (sample::select(methods), sample::select(dtypes), update);
    (kinds, shapes, indices, any::<u64>()).prop_map(|(kinds, shapes, indices, seed)| {
        let (method, dtype, update) = kinds;
        let (sizes, longer, dim) = shapes;
        let (index_dtype, from_the_end, spread, one_of_ten) = indices;
        let index_is_self = one_of_ten == 9;
        let dim = dim % sizes.len();
        let recipe = Recipe {
            method,
            dtype,
            index_dtype,
            sizes,
            longer,
            dim,
            from_the_end,
            spread,
            update,
            index_is_self,
            seed,
        };
        recipe.call()
    })
}

impl Recipe {
    /// The call of the recipe.
    fn call(self) -> Call {
        if Method::TUPLES.contains(&self.method) { self.call_with_tuples() } else { self.call_along() }
    }

    /// A call of a method along a dimension.
    fn call_along(self) -> Call {
        let Self { method, dtype, dim, .. } = self;
        let mut numbers = Numbers(self.seed);
        let is_update_self = matches!(self.update, UpdateKind::Table) && !method.is_gather();
        let is_index_self = self.index_is_self && matches!(dtype, DType::Int32 | DType::Int64);

        let (mut table_dims, mut index_dims, mut src_dims) = (vec![], vec![], vec![]);
        let (mut table_len, mut index_len, mut src_longer_product) = (1, 1, 1);
        for (d, &(size, index_shorter, src_longer)) in self.sizes.iter().enumerate() {
            let size = capped(size, &mut table_len);
            // At least one entry, unless self has none.
            let mut entries = size.saturating_sub(index_shorter.min(size.saturating_sub(1)));
            // Where self has size 0 along dim, no index value is valid.
            if d == dim && size > 0 && method.takes_a_longer_index() && !is_update_self {
                entries += self.longer;
            }
            let entries = if is_index_self { size } else { capped(entries, &mut index_len) };
            table_dims.push(size);
            index_dims.push(entries);
            // The product of all 1 + src_longer is capped, so that src is longer in some dimensions only.
            src_dims.push(entries + capped(1 + src_longer, &mut src_longer_product) - 1);
        }

        let mut entry = |_: usize, numbers: &mut Numbers| self.entry(table_dims[dim], numbers);
        // A table that is its own index holds index values.
        let table = if is_index_self {
            data(dtype, &table_dims, &mut numbers, &mut entry)
        } else {
            elements(dtype, &table_dims, &mut numbers)
        };
        let index = if is_index_self {
            Operand::Table
        } else {
            data(self.index_dtype, &index_dims, &mut numbers, &mut entry).into()
        };
        let update = match self.update {
            UpdateKind::Table if is_update_self => Update::Operand(Operand::Table),
            UpdateKind::Scalar(value) => self.scalar(value).into(),
            _ => elements(dtype, &src_dims, &mut numbers).into(),
        };
        let dim = dim as i64 - if self.from_the_end { table_dims.len() as i64 } else { 0 };
        Call { method, table, dim, index, update }.without_zero_divisors()
    }

    /// A call of a method that takes tuples, which address the first `dim + 1` dimensions, or rows, which address the first.
    fn call_with_tuples(self) -> Call {
        let Self { method, dtype, .. } = self;
        let mut numbers = Numbers(self.seed);
        let mut len = 1;
        let table_dims: Vec<usize> = self.sizes.iter().map(|&(size, ..)| capped(size, &mut len)).collect();
        let is_rows = method == Method::ScatterMul;
        let depth = if is_rows { 1 } else { self.dim + 1 };
        let (addressed, inner) = table_dims.split_at(depth);
        // Where a dimension that is addressed has size 0, no index value is valid.
        let count = if addressed.contains(&0) { 0 } else { self.longer % 40 };
        let outer = if self.from_the_end { vec![count] } else { vec![2, count / 2] };
        let index_dims = if is_rows { outer.clone() } else { [&outer[..], &[depth]].concat() };

        let mut entry = |k: usize, numbers: &mut Numbers| self.entry(addressed[k % depth], numbers);
        let index = data(self.index_dtype, &index_dims, &mut numbers, &mut entry);
        let update = match self.update {
            UpdateKind::Scalar(value) => self.scalar(value).into(),
            _ => Update::from(elements(dtype, &[&outer[..], inner].concat(), &mut numbers)),
        };
        Call::new(method, elements(dtype, &table_dims, &mut numbers), 0, index, update)
    }

    /// A scalar that the call takes: only `scatter_` cuts fractions.
    fn scalar(&self, value: Scalar) -> Scalar {
        match value {
            Scalar::Float(number) if !self.dtype.is_float() && !self.method.cuts_fractions() => {
                Scalar::Int(number as i128)
            }
            other => other,
        }
    }

    /// The bits of a valid index value for a dimension of size `places`; one of three counts from the end.
    fn entry(&self, places: usize, numbers: &mut Numbers) -> u64 {
        let position = numbers.below(self.spread.min(places.max(1) as u64)) as i64;
        (if numbers.below(3) == 0 { position - places as i64 } else { position }) as u64
    }
}

/// `len`, or the largest length with which the product of all stays within `MOST`. `product` is the product of the lengths before,
/// and has this one too afterwards.
fn capped(len: usize, product: &mut usize) -> usize {
    let len = len.min(MOST / (*product).max(1));
    *product *= len;
    len
}

/// A tensor whose element at row-major position k has the bits `bits(k, numbers)`.
fn data(
    dtype: DType,
    dims: &[usize],
    numbers: &mut Numbers,
    bits: &mut impl FnMut(usize, &mut Numbers) -> u64,
) -> Data {
    let len: usize = dims.iter().product();
    Data::from_bits(dtype, dims, (0..len).map(|k| bits(k, numbers)))
}

/// A tensor of random elements.
fn elements(dtype: DType, dims: &[usize], numbers: &mut Numbers) -> Data {
    data(dtype, dims, numbers, &mut |_, numbers| element(dtype, numbers))
}

/// The bits of an element. For integers and float64 any bits; for floats special values (zeros, subnormals, the largest number, infinities,
/// NaN; for float64 those of float32) and numbers of a size at which sums round; for all dtypes but bool also the bits of extreme integers.
fn element(dtype: DType, numbers: &mut Numbers) -> u64 {
    let any = numbers.next();
    let moderate = (any % 2_000_001) as f64 / 1024.0 - 1000.0;
    match (dtype, numbers.below(4)) {
        (DType::Bool, _) => any & 1,
        (DType::Float16, 0) => {
            numbers.pick(&[0, 0x8000, 1, 0x8001, 0x03ff, 0x7bff, 0x7c00, 0xfc00, 0x7e01, 0xfe00])
        }
        (DType::Float16, 1 | 2) => half::f16::from_f32(moderate as f32).to_bits().into(),
        (DType::Bfloat16, 0) => numbers.pick(&[0, 0x8000, 1, 0x807f, 0x7f7f, 0x7f80, 0xff80, 0x7fc1, 0xffc0]),
        (DType::Bfloat16, 1 | 2) => half::bf16::from_f32(moderate as f32).to_bits().into(),
        (DType::Float32, 0) => numbers.pick(&edges()).into(),
        (DType::Float32, 1 | 2) => (moderate as f32).to_bits().into(),
        (DType::Float64, 0) => f64::from(f32::from_bits(numbers.pick(&edges()))).to_bits(),
        (DType::Float64, 1) => f64::to_bits(moderate / 3.0),
        // The extremes of integers of every width, or the numbers beside them.
        (_, 3) => {
            numbers.pick(&[0, 1, u64::MAX, 1 << 63, i64::MAX as u64, 0x8000_0000, 0x7fff_ffff]) | any & 1
        }
        _ => any,
    }
}

/// Draws `count` random calls of `strategy`, checks fifty of them at a time, and counts a row for each, `name` and its number.
/// `check` returns a row for each given call, in order. The first failing call is shrunk, the others are reported unchanged. The
/// calls are the same in every run. A browser gets a quarter of them, because there tests/js/web makes ten thousand.
pub(crate) async fn for_random(
    report: &mut Report,
    name: &str,
    count: usize,
    strategy: impl Strategy<Value = Call>,
    check: impl AsyncFn(&[Call]) -> Vec<Row>,
) {
    const TOGETHER: usize = 50;
    let count = if cfg!(target_arch = "wasm32") { count / 4 } else { count };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut is_shrunk = false;
    for begin in (0..count).step_by(TOGETHER) {
        let mut trees: Vec<_> =
            (begin..count.min(begin + TOGETHER)).map(|_| strategy.new_tree(&mut runner).unwrap()).collect();
        let calls: Vec<Call> = trees.iter().map(ValueTree::current).collect();
        for (k, outcome) in check(&calls).await.into_iter().enumerate() {
            let outcome = match outcome {
                Err(Fault::Wrong(_)) if !is_shrunk => {
                    is_shrunk = true;
                    Err(shrink(&mut trees[k], &check).await)
                }
                other => other,
            };
            report.row(&format!("{name} {}", begin + k), outcome);
        }
    }
}

/// The fault of the simplest call that still fails. `tree` is the search for it, and its current call fails. After each try
/// proptest continues with a simpler call if the try failed, else with a more complex one; it returns `false` at the end.
async fn shrink(tree: &mut impl ValueTree<Value = Call>, check: &impl AsyncFn(&[Call]) -> Vec<Row>) -> Fault {
    let mut simplest = String::new();
    loop {
        let call = tree.current();
        let is_wrong = match check(std::slice::from_ref(&call)).await.pop() {
            Some(Err(Fault::Wrong(text))) => {
                simplest = format!("{text}\n    in {call:?}");
                true
            }
            _ => false,
        };
        if !(if is_wrong { tree.simplify() } else { tree.complicate() }) {
            return Fault::Wrong(simplest);
        }
    }
}
