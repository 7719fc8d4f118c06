//! The numbers that cross between Rust and JavaScript, and their meanings.
//!
//! `src/js/engine/wire.js` has the same numbers for JavaScript. A test in this file compares the two; with `SCATTERWISE_WRITE=1` it
//! writes `wire.js`.

use crate::Scalar;
use crate::plan::{Factor, IndexMode, NdReduce, Op, OutOfRange, Reduction, Rounding, Sum, Update};

/// The names of calls that are not operators, for errors. An operator's number is its place in `Op::ALL`; the numbers of these
/// calls follow.
pub(crate) const CALLS: &[&str] = &[
    "Tensor",
    "Tensor.zeros",
    "Tensor.ones",
    "Tensor.full",
    "Tensor.arange",
    "Tensor.from_npy",
    "Tensor.from_image",
    "Tensor.from_gpu_buffer",
    "Tensor.clone",
    "Tensor.reshape",
    "Tensor.astype",
    "Tensor.to",
    "Tensor.data",
    "Tensor.data_sync",
    "Tensor.with_data",
    "with_data",
    "Tensor.tolist",
    "Tensor.item",
    "Tensor.to_npy",
    "Tensor.to_image",
    "Tensor.equals",
    "Tensor.toString",
    "Tensor.toJSON",
    "ExactSum",
    "ExactSum.from_bytes",
    "ExactSum.merge",
    "ExactSum.sum",
    "ExactSum.mean",
    "ExactSum.count",
    "ExactSum.to_bytes",
    "ExactSum.shape",
    "ExactSum.dtype",
    "ExactSum.device",
    "ExactSum.dispose",
    "Tensor.gpu_buffer",
    "IndexPlan.has_duplicates",
    "IndexPlan.counts",
    "IndexPlan.ready",
    "Groups.counts",
    "Groups.offsets",
    "Groups.order",
    "Groups.members_sync",
    "Groups.cumcount",
    "trace",
    "init",
    "set_device",
    "sync",
    "gpu_device",
];

/// The arguments that errors about a value name, each by its place. Each may be an array, except `value` and `input_x`, which is
/// not sent.
pub(crate) const ARGUMENTS: &[&str] = &[
    "data",
    "index",
    "indices",
    "src",
    "updates",
    "other",
    "x",
    "y",
    "value",
    "input_x",
    "offsets",
    "lengths",
    "weights",
    "bins",
    "edges",
    "sample",
    "self",
    "cotangent",
    "bytes",
    "mask",
    "values",
    "rows",
    "columns",
    "dense",
    "codes",
    "q",
];

macro_rules! numbers {
    ($($name:ident: $kind:ty = $value:expr;)*) => {
        $(pub(crate) const $name: $kind = $value;)*
        #[cfg(test)]
        const NUMBERS: &[(&str, u64)] = &[$((stringify!($name), $name as u64),)*];
    };
}

numbers! {
    // The forms of addressing: an index along a dimension, tuples (rows for scatter_mul and its siblings), or slices along a
    // dimension. A call with a plan ignores this number.
    ALONG: u32 = 0;
    TUPLES: u32 = 1;
    SLICES: u32 = 2;
    // The update of a scatter is a number: the place of a word in `NdReduce::ALL`, or MEAN. EXCLUDE_SELF is added if the values of
    // self do not count.
    MEAN: u32 = NdReduce::ALL.len() as u32;
    EXCLUDE_SELF: u32 = 16;
    // EXACT is added for an exact sum.
    EXACT: u32 = 32;
    // SCALAR is added if the source is a tensor of one number that goes to every entry: the call's scalar is then its factor.
    SCALAR: u32 = 64;
    // ARGMAX is added if the call returns the argmax too.
    ARGMAX: u32 = 128;
    // The mode of a call is a number: the place of a word in MODES. IGNORES is added if the call ignores an index value, which is in
    // the block, at IGNORED_LOW and IGNORED_HIGH.
    IGNORES: u32 = 8;
    // The kinds of scalars: a float64, a boolean, a signed integer, an unsigned integer. Integers are in the block, at LOW and
    // HIGH.
    NUMBER: u32 = 0;
    BOOLEAN: u32 = 1;
    SIGNED: u32 = 2;
    UNSIGNED: u32 = 3;
    // Instead of a dtype: the array becomes an index, which is int32, or int64 if a value needs it.
    INDEX: u32 = 255;
    // Added to a dtype that values become: a fraction is refused if the dtype has none. Without it the fraction is cut.
    WHOLE: u32 = 256;
    // The verbs of a call: what it does with an operator.
    RUN: u32 = 0;
    RUN_ARGMAX: u32 = 1;
    VJP: u32 = 2;
    TRACE: u32 = 3;
    // Instead of an activation or a rounding: none. Instead of the rank of a source: the source is a scalar. Instead of the
    // kind of a scalar: none.
    NO_ACTIVATION: u32 = 255;
    NO_ROUNDING: u32 = 255;
    NO_SOURCE: u32 = 255;
    NO_SCALAR: u32 = 255;
    // Instead of the number of dims: all of them.
    ALL_DIMS: u32 = 255;
    // The words of the block. The dtype and the device of a tensor; the rank of a tensor or plan; up to 32 sizes of a shape.
    DTYPE: usize = 0;
    DEVICE: usize = 1;
    RANK: usize = 2;
    DIMS: usize = 3;
    // An integer of 64 bits.
    LOW: usize = 35;
    HIGH: usize = 36;
    // The address of data in memory, and its length in bytes.
    ADDRESS: usize = 37;
    LENGTH: usize = 38;
    // UPDATES: how many updates a plan applies, how many rows groups have, or how many bins codes number. STEPS: how many steps a trace has. Then the numbers of coordinates of a step's
    // index entry, source and destination, and the address of the values. IS_OF_TUPLES: 1 if the index of a plan holds tuples.
    UPDATES: usize = 39;
    STEPS: usize = 40;
    INDEX_RANK: usize = 41;
    SOURCE_RANK: usize = 42;
    DESTINATION_RANK: usize = 43;
    VALUES: usize = 44;
    IS_OF_TUPLES: usize = 45;
    // The index value that a call ignores: an integer of 64 bits.
    IGNORED_LOW: usize = 46;
    IGNORED_HIGH: usize = 47;
    // How many results the last call with several has.
    RESULTS: usize = 48;
    // The number of 32-bit words in the block, more than are in use; the arguments of a call are behind them.
    BLOCK_WORDS: usize = 64;
    // The limits of shapes; the second is WebAssembly's `isize::MAX / 8`.
    MAX_RANK: usize = crate::shape::MAX_RANK;
    MAX_ELEMENTS: usize = i32::MAX as usize / 8;
}

/// The most arguments of a call: `histogramdd` has five numbers for each of up to `MAX_RANK` columns, and a few beside them.
#[cfg(target_arch = "wasm32")]
pub(crate) const BLOCK_ARGUMENTS: usize = 256;

/// The operator of a number; `None` for any other number.
pub(crate) fn op(number: u32) -> Option<Op> {
    Op::ALL.get(number as usize).copied()
}

/// The name of a call by its number, with which errors begin: an operator, or one of `CALLS`. `Tensor` for any other number.
pub(crate) fn call_name(number: u32) -> &'static str {
    let other = || CALLS.get((number as usize).checked_sub(Op::ALL.len())?).copied();
    op(number).map(Op::name).or_else(other).unwrap_or("Tensor")
}

/// The name of an argument by its number; `data` for any other number.
pub(crate) fn argument(number: u32) -> &'static str {
    ARGUMENTS.get(number as usize).copied().unwrap_or("data")
}

/// The update of a scatter by its number, and the factor of its source. Replacement for any other number.
pub(crate) fn update(number: u32) -> (Update, Factor) {
    let include_self = number & EXCLUDE_SELF == 0;
    let sum = sum(number & EXACT != 0);
    match number & !(EXCLUDE_SELF | EXACT | SCALAR | ARGMAX) {
        MEAN => (Update { sum, ..Reduction::Mean.update(include_self) }, Factor::One),
        word => {
            let word = NdReduce::ALL.get(word as usize).copied().unwrap_or(NdReduce::Replace);
            let (reduce, factor) = word.parts();
            (Update { include_self, sum, ..reduce.into() }, factor)
        }
    }
}

pub(crate) fn sum(exact: bool) -> Sum {
    if exact && cfg!(feature = "exact") { Sum::Exact } else { Sum::Ordered }
}

/// The mode of a call by its number. Any other number means the default. `ignored` returns the value that the call ignores, if the
/// number says that it ignores one.
#[inline(always)]
pub(crate) fn mode(number: u32, ignored: impl FnOnce() -> i64) -> IndexMode {
    let out_of_range = OutOfRange::ALL.get((number & !IGNORES) as usize).copied().unwrap_or_default();
    IndexMode { out_of_range, ignored: (number & IGNORES != 0).then(ignored) }
}

/// How a quotient becomes a whole number, by its number; not at all for any other number.
pub(crate) fn rounding(number: u32) -> Option<Rounding> {
    Rounding::ALL.get(number as usize).copied()
}

/// The scalar of a kind. `number` is its value, 0 or 1 for a boolean. The bits of a 64-bit integer are in `integer`.
pub(crate) fn scalar(kind: u32, number: f64, integer: u64) -> Scalar {
    match kind {
        BOOLEAN => Scalar::Bool(number != 0.0),
        SIGNED => Scalar::Int((integer as i64).into()),
        UNSIGNED => Scalar::Int(integer.into()),
        _ => Scalar::Float(number),
    }
}

#[cfg(feature = "group_by")] // a build without families has not all of the names
#[cfg(test)]
mod tests {
    use super::*;
    use crate::group_by::plan::GroupStatistic;
    use crate::histograms::plan::binned::Statistic;
    use crate::plan::{Activation, Reduce};
    use crate::{DType, Device};

    /// The words as the lines of a list in JavaScript, in quotes, each line short enough for the file.
    fn words(values: &[&str]) -> String {
        let mut lines = vec![String::new()];
        for value in values {
            let word = format!("'{value}', ");
            match lines.last_mut() {
                Some(line) if line.len() + word.len() < 120 => line.push_str(&word),
                _ => lines.push(word),
            }
        }
        lines.iter().map(|line| format!("  {}\n", line.trim_end())).collect()
    }

    /// The list `REDUCTIONS` of `wire.js`: each reduction with the number of the update that it stands for.
    #[allow(clippy::expect_used, reason = "a test")]
    fn reductions() -> String {
        let number = |reduction: &Reduction| {
            let is_its_update = |&number: &u32| update(number) == (reduction.update(true), Factor::One);
            (0..=MEAN).find(is_its_update).expect("each reduction is an update of scatter_nd, or the mean")
        };
        let pairs: Vec<String> = Reduction::ALL
            .iter()
            .zip(Reduction::NAMES)
            .map(|(reduction, name)| format!("['{name}', {}]", number(reduction)))
            .collect();
        format!(
            "/** The words of scatter_reduce and segment_reduce, each with its place in `REDUCES`, or `MEAN`. */\n\
             export const REDUCTIONS = [{}];\n",
            pairs.join(", ")
        )
    }

    /// The text that `wire.js` must have.
    fn javascript() -> String {
        let list = |doc: &str, name: &str, values: &[&str]| {
            format!("/** {doc} */\nexport const {name} = [\n{}];\n", words(values))
        };
        let transcendental: Vec<&str> =
            Activation::ALL.iter().filter(|act| act.is_transcendental()).map(|act| act.name()).collect();
        let calls: Vec<&str> = Op::ALL.iter().map(|op| op.name()).chain(CALLS.iter().copied()).collect();
        [
            "// What the numbers mean that cross between JavaScript and Rust. Written by the test of wire.rs: change that file.\n"
                .to_owned(),
            list("Dtypes; a dtype's number is its place.", "DTYPES", DType::NAMES),
            list("Devices.", "DEVICES", Device::NAMES),
            list("What a scatter does with an update.", "REDUCES", NdReduce::NAMES),
            reductions(),
            list("What an index value does that is out of range.", "MODES", OutOfRange::NAMES),
            list("How a quotient becomes a whole number.", "ROUNDINGS", Rounding::NAMES),
            list("The statistics of binned_statistic.", "STATISTICS", Statistic::NAMES),
            list("The statistics of groups.", "GROUP_STATISTICS", GroupStatistic::NAMES),
            list("The activations of elementwise_mul.", "ACTIVATIONS", Activation::NAMES),
            list("The activations that need functions such as exp or sin.", "TRANSCENDENTAL", &transcendental),
            list("Names of calls, for errors; a call's number is its place.", "CALLS", &calls),
            list("Arguments that arrays may stand for.", "ARGUMENTS", ARGUMENTS),
            NUMBERS.iter().map(|(name, value)| format!("export const {name} = {value};\n")).collect(),
        ]
        .join("\n")
    }

    #[test]
    #[allow(clippy::unwrap_used, clippy::expect_used, reason = "a test")]
    fn wire_js_says_the_same() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/js/engine/wire.js");
        if std::env::var_os("SCATTERWISE_WRITE").is_some() {
            std::fs::write(path, javascript()).unwrap();
        }
        let written = std::fs::read_to_string(path).expect("src/js/engine/wire.js");
        assert_eq!(
            written,
            javascript(),
            "SCATTERWISE_WRITE=1 cargo test --no-default-features --features families --lib wire writes it"
        );
        assert_eq!(op(Op::ALL.len() as u32), None);
        assert_eq!(call_name(Op::ALL.len() as u32), "Tensor");
        assert_eq!((argument(1), mode(3, || 9)), ("index", OutOfRange::Drop.into()));
        assert_eq!(mode(1 | IGNORES, || 9), IndexMode { out_of_range: OutOfRange::Wrap, ignored: Some(9) });
        const { assert!(OutOfRange::ALL.len() <= IGNORES as usize, "every mode is below the bit") };
        assert_eq!((rounding(1), rounding(NO_ROUNDING)), (Some(Rounding::Floor), None));
        assert_eq!(update(3), (Reduce::Multiply.into(), Factor::One));
        assert_eq!(sum(true) == Sum::Exact, cfg!(feature = "exact"));
        assert_eq!(update(1 | EXACT).0, Update { sum: sum(true), ..Reduce::Add.into() });
        assert_eq!(update(MEAN | EXCLUDE_SELF), (Reduction::Mean.update(false), Factor::One));
        const { assert!(MEAN < EXCLUDE_SELF && EXCLUDE_SELF < EXACT, "every word is below the bit") };
        assert_eq!(scalar(SIGNED, 0.0, u64::MAX), Scalar::Int(-1));
    }

    #[test]
    fn the_types_have_the_words_of_scatter() {
        let union: Vec<String> = Reduce::SCATTER_WORDS.iter().map(|word| format!("'{word}'")).collect();
        let line = format!("  reduce?: {} | undefined;", union.join(" | "));
        let types = include_str!("../js/types.d.ts");
        assert!(types.lines().any(|each| each == line), "types.d.ts must have the line {line}");
    }
}
