//! The passes: what each does, its main function, and its parameters.

use crate::backend::gpu::multiply::geometry::Operands;
use crate::backend::gpu::shaders::act::Act;
use crate::backend::gpu::shaders::combine::{NATIVE_FLOAT, WIDE};
use crate::backend::gpu::shaders::params::{
    ApplyCounted, Atomics, Bins, Block, Columns, Commit, Convert, Density, Digit, DigitScan, DivideByCounts,
    Divisors, Edges, Extent, Gather, Member, Multiply, ProbeWorkgroup, Resolve, Rows, Runs, ScanRuns, Seal,
    Small, Validate, WORKGROUP,
};

const INDEX: &str = shader!("lib/index.wgsl");
const ENTRIES: &str = shader!("lib/entries.wgsl");
const UPDATE: &str = shader!("lib/update.wgsl");
const QUADS: &str = shader!("lib/quads.wgsl");
const RUNS: &str = shader!("lib/runs.wgsl");
const SCAN: &str = shader!("lib/scan.wgsl");
/// The products of quads, in a loop.
pub(crate) const LOOPED: &str = shader!("broadcast/looped.wgsl");
const OPERANDS: &str = shader!("broadcast/operands.wgsl");
const ORDERED: &str = shader!("lib/ordered.wgsl");
const ROUND_DOUBLE: &str = shader!("lib/round_double.wgsl");

/// A pass over index entries or elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Looks for bad index values.
    Validate,
    /// Reads the first bad index value that was found.
    Report,
    /// Looks for divisors that are zero.
    Divisors,
    /// Turns index values into positions, also those out of bounds.
    Resolve,
    /// Scatters, one thread per column.
    Columns,
    /// Scatters by atomic operations.
    Atomics,
    /// The same for rows of one element, four entries to a thread.
    AtomicsQuads,
    /// The same for rows of 16, 24, 32, … elements, where entries are in one loop.
    AtomicsRows,
    /// Finds the number of the last entry that names each row.
    Mark,
    /// Drops the entries that are not the last ones.
    Choose,
    /// Moves the rows of the chosen entries.
    Commit,
    /// Scatters few entries in one dispatch.
    Small,
    /// Counts the entries that name each row.
    Count,
    /// Applies a scalar as often as each row was counted.
    ApplyCounted,
    /// Divides each row by the number of its terms.
    DivideByCounts,
    /// Finds the row of each entry.
    Normalise,
    /// Counts the digits of each tile of rows.
    DigitCount,
    /// Turns counts into positions.
    DigitScan,
    /// Moves rows and entries to the position of their digit.
    DigitScatter,
    /// Applies sorted entries, a thread to each run.
    RunPerThread,
    /// Applies sorted entries, a workgroup to each row.
    RowPerGroup,
    /// Combines, for each of the sorted entries, those before it that name its row, or those behind it.
    ScanRuns,
    /// Gathers, one thread per element or larger unit.
    Gather,
    /// Gathers elements that share words, one thread per word.
    GatherPacked,
    /// Gathers elements of one word, four to a thread.
    GatherQuads,
    /// Multiplies with broadcasting, in integers, then applies an activation.
    Multiply(Act, Operands),
    /// The same for float32, by the adapter.
    MultiplyNative(Act, Operands),
    /// Multiplies float32 with broadcasting: by the adapter where that is sure to be right, else in integers.
    MultiplyGuarded(Operands),
    /// Finds the smallest and the largest sample of a column.
    Extent,
    /// Makes the edges of bins of equal width between them.
    Edges,
    /// Finds the bins of samples: counts the samples in each, or writes down the place of each sample.
    Bins,
    /// Divides counts by the widths of bins and by their sum.
    Density,
    /// Converts between any two dtypes.
    Convert,
    /// Tries barriers, atomic operations and long loops.
    ProbeWorkgroup,
    /// Ends a batch.
    Seal,
}

impl Pass {
    /// Threads of a workgroup, as its shader declares it.
    pub(crate) fn workgroup(self) -> u32 {
        match self {
            // There are often few columns, which smaller workgroups spread over more cores.
            Self::Columns => 64,
            _ => WORKGROUP,
        }
    }

    /// The table: what the shaders of a pass have in common.
    pub(crate) fn row(self) -> Row {
        match self {
            Self::Validate => Row::of::<Validate>(shader!("index/validate.wgsl"), &[INDEX]),
            Self::Report => Row::of::<Validate>(shader!("index/report.wgsl"), &[INDEX]),
            Self::Divisors => Row::of::<Divisors>(shader!("index/divisors.wgsl"), &[]),
            Self::Resolve => Row::of::<Resolve>(shader!("index/resolve.wgsl"), &[INDEX]),
            Self::Columns => Row::of::<Columns>(shader!("index/columns.wgsl"), &[INDEX, ENTRIES, UPDATE]),
            Self::Atomics => Row::of::<Atomics>(shader!("index/atomics.wgsl"), &[INDEX, ENTRIES, UPDATE]),
            Self::AtomicsQuads => {
                Row::of::<Atomics>(shader!("index/atomics_quads.wgsl"), &[INDEX, ENTRIES, UPDATE, QUADS])
            }
            Self::AtomicsRows => {
                Row::of::<Atomics>(shader!("index/atomics_rows.wgsl"), &[INDEX, ENTRIES, UPDATE])
            }
            Self::Mark => Row::of::<Rows>(shader!("index/mark.wgsl"), &[INDEX, ENTRIES]),
            Self::Choose => Row::of::<Rows>(shader!("index/choose.wgsl"), &[INDEX, ENTRIES]),
            Self::Commit => Row::of::<Commit>(shader!("index/commit.wgsl"), &[ENTRIES]),
            Self::Small => Row::of::<Small>(shader!("index/small.wgsl"), &[INDEX, ENTRIES, UPDATE]),
            Self::Count => Row::of::<Rows>(shader!("index/count.wgsl"), &[INDEX, ENTRIES]),
            Self::ApplyCounted => Row::of::<ApplyCounted>(shader!("index/apply_counted.wgsl"), &[UPDATE]),
            Self::DivideByCounts => Row::of::<DivideByCounts>(shader!("index/divide_by_counts.wgsl"), &[]),
            Self::Normalise => Row::of::<Rows>(shader!("index/normalise.wgsl"), &[INDEX, ENTRIES]),
            Self::DigitCount => Row::of::<Digit>(shader!("sort/digit_count.wgsl"), &[]),
            Self::DigitScan => Row::of::<DigitScan>(shader!("sort/digit_scan.wgsl"), &[SCAN]),
            Self::DigitScatter => Row::of::<Digit>(shader!("sort/digit_scatter.wgsl"), &[SCAN]),
            Self::RunPerThread => {
                Row::of::<Runs>(shader!("index/run_per_thread.wgsl"), &[ENTRIES, UPDATE, RUNS])
            }
            Self::RowPerGroup => Row::of::<Runs>(shader!("index/row_per_group.wgsl"), &[ENTRIES, UPDATE]),
            Self::ScanRuns => Row::of::<ScanRuns>(shader!("index/scan_runs.wgsl"), &[ENTRIES, RUNS]),
            Self::Gather => Row::of::<Gather>(shader!("index/gather.wgsl"), &[INDEX, ENTRIES]),
            Self::GatherPacked => Row::of::<Gather>(shader!("index/gather_packed.wgsl"), &[INDEX, ENTRIES]),
            Self::GatherQuads => {
                Row::of::<Gather>(shader!("index/gather_quads.wgsl"), &[INDEX, ENTRIES, QUADS])
            }
            Self::Multiply(..) | Self::MultiplyNative(..) => {
                Row::of::<Multiply>(shader!("broadcast/multiply.wgsl"), &[OPERANDS])
            }
            Self::MultiplyGuarded(_) => {
                Row::of::<Multiply>(shader!("broadcast/guarded.wgsl"), &[OPERANDS, NATIVE_FLOAT, LOOPED])
            }
            Self::Extent => Row::of::<Extent>(shader!("histogram/extent.wgsl"), &[WIDE]),
            Self::Edges => Row::of::<Edges>(shader!("histogram/edges.wgsl"), &[ORDERED, ROUND_DOUBLE]),
            Self::Bins => Row::of::<Bins>(shader!("histogram/bins.wgsl"), &[WIDE, ORDERED]),
            Self::Density => Row::of::<Density>(shader!("histogram/density.wgsl"), &[ORDERED, ROUND_DOUBLE]),
            Self::Convert => Row::of::<Convert>(shader!("convert/convert.wgsl"), &[WIDE]),
            Self::ProbeWorkgroup => Row::of::<ProbeWorkgroup>(shader!("probe/workgroup.wgsl"), &[SCAN]),
            Self::Seal => Row::of::<Seal>(shader!("lib/seal.wgsl"), &[]),
        }
    }
}

/// What the shaders of a pass have in common.
pub(crate) struct Row {
    /// The part with the main function.
    pub(crate) main: &'static str,
    /// The parts that each of them has beside it.
    pub(crate) parts: &'static [&'static str],
    /// The members of its parameters, as the `Params` of the main part declares them. A release does without.
    pub(crate) params: &'static [Member],
}

impl Row {
    /// A row of the table, of a pass whose parameters are `B`.
    fn of<B: Block>(main: &'static str, parts: &'static [&'static str]) -> Self {
        Self { main, parts, params: if cfg!(any(test, debug_assertions)) { B::MEMBERS } else { &[] } }
    }
}
